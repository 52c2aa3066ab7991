package core

import (
	"math"
	"testing"

	"pcpscope/core/pcp"
)

// What sar2pcp(1) made of a recording of sysstat 12 is shown as sar(1) prints it,
// whose kbmemused leaves out the page cache, and which has no svctm.
func TestImportedFromSar(t *testing.T) {
	s, src := readAll(t, "../testdata/imported/sar.0.xz", "../testdata/imported/sar.meta.xz", "../testdata/imported/sar.index")
	const at = pcp.Time(1795734632e9) // 23:10:32
	expect(t, "memory", panelValues(t, s, src, "overview", "memory", at, 2e9, 1),
		map[string]float64{"programs": 1794812, "buffers": 45104, "page cache": 3418232, "free": 19043092})
	expect(t, "busy", rounded(panelValues(t, s, src, "cpu", "busy", at, 2e9, 1)), map[string]float64{"busy": 66.41 + 29.80 + 1.26})
	// Two CPUs, of whose time 66.41 + 29.80 % went to user and sys.
	expect(t, "CPUs", rounded(panelValues(t, s, src, "cpu", "cores", at, 2e9, 1)), map[string]float64{"in use": 1.92})
	expect(t, "disk", rounded(panelValues(t, s, src, "disks", "busy", at+2e9, 2e9, 1)), map[string]float64{"diskvda": 0.60, "busiest": math.NaN()})
	// The host had 24,684,096 KiB, of which sar does not say how much is slab.
	if got, want := panelValues(t, s, src, "overview", "available", at, 2e9, 1)["available"], 100*22467644.0/24684096; math.Abs(got-want) > 0.02*want {
		t.Errorf("%.2f %% of memory is available, want about %.2f", got, want)
	}
	v, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if disks := v.Tiles[2]; disks.Utilisation.Text != "diskvda 74 %" || disks.Saturation.Text != "diskvda queue 13 at most" {
		t.Errorf("the tile of disks says %q and %q", disks.Utilisation.Text, disks.Saturation.Text)
	}
	if got := v.Tiles[1].Utilisation.Text; got != "11 % at most" { // sar: %memused is 10.86 at most
		t.Errorf("the tile of memory says %q", got)
	}
}

// iostat2pcp(1) says nothing of the number of CPUs, so none are in use.
func TestImportedFromIostat(t *testing.T) {
	s, src := readAll(t, "../testdata/imported/iostat.0", "../testdata/imported/iostat.meta", "../testdata/imported/iostat.index")
	const at = pcp.Time(1795734632e9) // 23:10:32, as iostat -c printed
	expect(t, "busy", rounded(panelValues(t, s, src, "cpu", "busy", at, 2e9, 1)), map[string]float64{"busy": 66.16 + 30.30 + 1.01})
	d, err := s.Dashboard(t.Context(), src.ID, "cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		if p.Unit == "CPUs" {
			t.Errorf("the panel %s has %+v", p.Title, p.Series)
		}
	}
}

// rounded rounds values to two decimals, as sar prints them.
func rounded(values map[string]float64) map[string]float64 {
	for name, v := range values {
		values[name] = math.Round(100*v) / 100
	}
	return values
}
