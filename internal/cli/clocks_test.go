package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/zone"
	"pcpscope/internal/recording"
)

// In this zone summer time ends at 22:14 UTC on 14 November 2023, at 00:14 local time of the
// 15th: 40 s after the start of recordings.
const endOfSummer = "AAA-1BBB,M3.5.0,M11.3.3/0:14"

// users is an archive of four samples, every 20 s from 22:13:20 UTC on.
func users(t *testing.T) string {
	t.Helper()
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
		"kernel.all.nusers": {"": recording.Rising(4, 5, 1)},
	}}.Write(t)
	return strings.TrimSuffix(files[0], filepath.Ext(files[0]))
}

// Where clocks are set back among the times that are printed, or a time occurs twice, times have
// their distance from UTC.
func TestTimesInTwoOffsets(t *testing.T) {
	base := users(t)
	rules := filepath.Join(t.TempDir(), "users.pmie")
	if err := os.WriteFile(rules, []byte("delta = 20 sec;\nmany = kernel.all.nusers > 0;\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		want []string
		not  string
	}{
		{"values kernel.all.nusers", []string{"2023-11-15 00:13:20.000 +02:00  5\n", "2023-11-15 00:13:40.000 +02:00  6\n", "2023-11-14 23:14:00.000 +01:00  7\n"}, ""},
		{"values kernel.all.nusers -T 20sec", []string{"2023-11-15 00:13:40.000 +02:00  6\n"}, ""}, // and again an hour later
		{"values kernel.all.nusers -Z UTC", []string{"2023-11-14 22:13:40.000  6\n"}, "0.000 +"},
		{"rules RULES", []string{"2023-11-15 00:13:20.000 +02:00", "2023-11-14 23:14:20.000 +01:00"}, ""},
	} {
		args := strings.Fields(strings.ReplaceAll(tt.args, "RULES", rules) + " " + base)
		if !strings.Contains(tt.args, "-Z") {
			args = append(args, "-Z", endOfSummer)
		}
		out, said, status := call(t, args...)
		for _, want := range tt.want {
			if status != Done || !strings.Contains(out, want) || tt.not != "" && strings.Contains(out, tt.not) {
				t.Errorf("%s: status %d, %s\n%s\nwant %s", tt.args, status, said, out, want)
			}
		}
	}
}

// Times are printed as they are typed, also where the label's value of TZ is the offset of
// standard time alone. -Z archive has both in that, as pmval -z.
func TestTimesInTheZoneOfTheLabel(t *testing.T) {
	base := filepath.Join(t.TempDir(), "berlin")
	start := pcp.Time(time.Date(2024, 3, 31, 6, 0, 0, 0, time.UTC).UnixNano())
	w, err := archive.NewWriter(archive.Label{Version: 3, Start: start, Host: "h", Timezone: "CET-1", Zoneinfo: ":Europe/Berlin"}, func(suffix string) (io.WriteCloser, error) {
		return os.Create(base + "." + suffix)
	})
	if err != nil {
		t.Fatal(err)
	}
	level := pcp.Desc{PMID: pcp.MakePMID(250, 0, 2), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	w.Desc(level, "hour.utc")
	for hour := range 4 { // 06:00 to 09:00
		w.Record(start+pcp.Time(hour)*3600e9, []archive.ValueSet{{PMID: level.PMID, Type: level.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(6 + hour)}}}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{"": "2024-03-31 09:00:00.000  7\n", "-Z archive": "2024-03-31 09:00:00.000  8\n", "-Z UTC": "2024-03-31 09:00:00.000  9\n"} {
		out, said, status := call(t, append(strings.Fields(args), "values", "hour.utc", "-s", "1", "-S", "@2024-03-31 09:00", base)...)
		if status != Done || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s\n%s\nwant %s", args, status, said, out, want)
		}
	}
}

// The end of a stretch of time has what it does not share with its start.
func TestEndOfStretch(t *testing.T) {
	loc, err := zone.Load("CET-1CEST,M3.5.0,M10.5.0/3", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range [][3]string{
		{"2024-10-27T00:30:03Z", "2024-10-27T00:40:00Z", "02:40:00"},
		{"2024-10-27T00:30:03Z", "2024-10-27T01:29:53Z", "02:29:53 +01:00"},
		{"2024-10-26T12:00:00Z", "2024-10-26T22:00:00Z", "2024-10-27 00:00:00"},
		{"2024-10-26T12:00:00Z", "2024-10-27T12:00:00Z", "2024-10-27 13:00:00 +01:00"},
	} {
		at := func(text string) pcp.Time {
			t, _ := time.Parse(time.RFC3339, text)
			return pcp.FromStd(t)
		}
		if got := endOf(at(tt[0]), at(tt[1]), loc); got != tt[2] {
			t.Errorf("the end of %s to %s is %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

// -Z local is the zone of TZ in all forms that tzset(3) knows: `TZ=EST5 date` is five hours behind UTC.
func TestLocalZone(t *testing.T) {
	for tz, want := range map[string]string{"EST5": "2026-11-20 22:49:02.315  2", "<+0530>-5:30": "2026-11-21 09:19:02.315  2", ":Asia/Tokyo": "2026-11-21 12:49:02.315  2", "CET-1CEST": "2026-11-21 04:49:02.315  2"} {
		t.Setenv("TZ", tz)
		out, said, status := call(t, "values", "hinv.ncpu", "-Z", "local", "-S", "@"+want[:len("2026-11-20 22:49:02")], web01)
		if lines := strings.Split(strings.TrimSpace(out), "\n"); status != Done || lines[len(lines)-1] != want {
			t.Errorf("%s: status %d, %s%s", tz, status, out, said)
		}
	}
}
