package ui

import (
	"slices"
	"testing"

	"pcpscope/core/api"
)

// Findings of the same kind on different days share one line.
func TestFindingsOfEachKind(t *testing.T) {
	var list []FindingView
	for _, f := range [][2]string{{"stepped", "The clock stepped."}, {"busy", "sdb is busy."}, {"stepped", "It stepped again."}, {"full", "/ is full."}, {"stepped", "And again."}} {
		list = append(list, FindingView{Finding: api.Finding{Rule: f[0], Text: f[1]}})
	}
	var got []string
	for _, f := range ofEachKind(list) {
		got = append(got, f.Text)
	}
	if want := []string{"1 of 3: The clock stepped.", "sdb is busy.", "/ is full."}; !slices.Equal(got, want) {
		t.Errorf("findings = %q, want %q", got, want)
	}
}

// On narrow pages a finding has the time without seconds. Of findings that occurred
// several times, the time of the worst has none.
func TestMinutesOfFindings(t *testing.T) {
	for at, want := range map[string]string{"14:40:42": "14:40", "27 Feb 14:40:42": "27 Feb 14:40", "14:40:42.753": "14:40", "14:40": "14:40", "1 Mar 00:09": "1 Mar 00:09"} {
		if got := (FindingView{At: at}).Minute(); got != want {
			t.Errorf("%s became %q, want %q", at, got, want)
		}
	}
}

// The worst cases are hidden where all that they say is that nothing was logged, as in an
// archive of processes alone.
func TestWorstCasesOfNothing(t *testing.T) {
	no, some := api.TileCell{State: "not logged"}, api.TileCell{State: "cannot judge"}
	nothing := api.Tile{Resource: "CPU", Utilisation: no, Saturation: no, Errors: no}
	if !unlogged([]api.Tile{nothing, nothing}) || unlogged([]api.Tile{nothing, {Resource: "Disks", Utilisation: some, Saturation: no, Errors: some}}) {
		t.Error("want nothing logged of the first two tiles, and something of the others")
	}
}
