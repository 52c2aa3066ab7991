package app

import (
	"cmp"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// An archive without the usual metrics, or with one of them, opens on the dashboard with
// the most data, but not on the one about its collector.
func TestFirstDashboard(t *testing.T) {
	dashboard := func(id, group string, available bool, panels int) api.DashboardInfo {
		return api.DashboardInfo{ID: id, Group: group, Available: available, Panels: panels}
	}
	for _, tt := range []struct {
		list []api.DashboardInfo
		want string
	}{
		{[]api.DashboardInfo{dashboard("cpu", "", true, 12), dashboard("overview", "", true, 3)}, "overview"},
		{[]api.DashboardInfo{dashboard("overview", "", false, 0), dashboard("collector", "", true, 4), dashboard("tree-bind2", "All else", true, 3), dashboard("tree-sample", "All else", true, 1), dashboard("tool-sar", toolDashboards, true, 9)}, "tree-bind2"},
		{[]api.DashboardInfo{dashboard("overview", "", false, 0), dashboard("disks", "", true, 1), dashboard("collector", "", true, 4)}, "disks"},
		{[]api.DashboardInfo{dashboard("collector", "", true, 4)}, "collector"},
		{[]api.DashboardInfo{dashboard("collector", "", true, 4), dashboard("tree-hinv", "All else", true, 2), dashboard("tree-irix", "All else", true, 1)}, "tree-irix"},
		{[]api.DashboardInfo{dashboard("collector", "", true, 4), dashboard("tree-hinv", "All else", true, 2), dashboard("tool-sar", toolDashboards, true, 9)}, "tree-hinv"},
		{[]api.DashboardInfo{dashboard("overview", "", true, 1), dashboard("cpu", "", false, 0), dashboard("network", "", true, 1), dashboard("collector", "", true, 4), dashboard("tool-sar", toolDashboards, true, 2)}, "network"},
		{[]api.DashboardInfo{dashboard("overview", "", true, 1), dashboard("collector", "", true, 4)}, "overview"},
		{nil, ""},
	} {
		if got := firstDashboard(tt.list); got != tt.want {
			t.Errorf("firstDashboard(%v) = %q, want %q", tt.list, got, tt.want)
		}
	}
}

// An archive of one metric, the load, opens on the dashboard about the load; its
// overview would have a single panel.
func TestOneMetricOpensOnItsDashboard(t *testing.T) {
	w, parts := newArchive(t)
	id := pcp.MakePMID(60, 2, 0)
	err := errors.Join(w.InDom(start, loads, []pcp.Instance{{ID: 1, Name: "1 minute"}}), w.Desc(pcp.Desc{PMID: id, Type: pcp.Float, InDom: loads, Sem: pcp.Instant}, "kernel.all.load"))
	for k := range 60 {
		value := archive.Value{Inst: 1, Val: uint64(math.Float32bits(float32(k)))}
		err = errors.Join(err, w.Record(start+pcp.Time(10*k)*second, []archive.ValueSet{{PMID: id, Type: pcp.Float, Values: []archive.Value{value}}}))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	files := filesOf(parts)
	tab := newBench(t).open(t, files)
	if shown := tab.Dashboard.Shown; shown == nil || shown.ID != "load" || len(tab.Dashboard.Panels) != 1 {
		t.Errorf("it opens on %+v with %d panels, want the one of the load", shown, len(tab.Dashboard.Panels))
	} else if panel := shown.Panels[0]; panel.Title != "Load" { // without a number of CPUs, there is no load for each
		t.Errorf("the load is shown as %q in %q", panel.Title, panel.Unit)
	}
}

// A strip that shows a share of time is called by its metric, and is in percent.
func TestStripOfShareOfTime(t *testing.T) {
	for expression, want := range map[string]string{
		"rate(a.b)": "a.b", "100 * rate(a.b)": "a.b", "100 * rate(a.b) / hinv.ncpu": "100 * rate(a.b) / hinv.ncpu", "a.b": "a.b",
	} {
		if got := metricOfRate(expression); got != want {
			t.Errorf("metricOfRate(%q) = %q, want %q", expression, got, want)
		}
	}
}

// The strip over an archive of another kind shows what moves most in it, not an identifier:
// mysql.processlist.id is 4225 throughout, while bytes_received is between 185.2 and 294.8
// a second (pmlogsummary -mMyI mysql-1, PCP 6.0.3).
func TestStripOfOtherKinds(t *testing.T) {
	tab := newBench(t).open(t, corpusFiles(t, "mysql-1"))
	p := tab.Pulse
	if p.Name != "mysql.status.bytes_received" || math.Abs(p.Stats.Max-294.801) > 1e-3 || math.Abs(p.Stats.Avg-221.709) > 1e-3 {
		t.Errorf("the strip shows %s with an average of %v and a maximum of %v, want mysql.status.bytes_received with 221.709 and 294.801", p.Name, p.Stats.Avg, p.Stats.Max)
	}
	// mysql.variables was logged once, all else every 5 s (pmdumplog).
	for _, p := range tab.Dashboard.Panels {
		if p.Step != int64(5*time.Second) && !p.Once {
			t.Errorf("%s %q has points every %v, want 5 s", p.Heading(), p.Metrics, time.Duration(p.Step))
		}
	}
}

// The strip over an archive about graphics cards shows what the dashboard's figure is made
// of, not the cards' numbers. Here the names of metrics are exchanged, and clock_max is the
// load: at most 19 of gpu0 (pmlogsummary -M amdgpu-0 amdgpu.gpu.clock_max).
func TestStripOfGraphicsCards(t *testing.T) {
	p := newBench(t).open(t, corpusFiles(t, "amdgpu-0")).Pulse
	if p.Name != "amdgpu.gpu.clock_max[gpu0]" || p.Stats.Max != 19 {
		t.Errorf("the strip shows %s with a maximum of %v, want amdgpu.gpu.clock_max[gpu0] with 19", p.Name, p.Stats.Max)
	}
}

// Without the number of CPUs, and idle time of single CPUs alone, the strip is what the
// dashboards make of these: 16 CPUs are idle or wait for 12.579537 s a second (the sum of the
// averages of pmlogsummary -p 6 -F babylon.percpu_v2 kernel.percpu.cpu.idle, .wait.total).
// Before the second record no rate is known, and that is not an idle time of 0.
func TestStripOfSingleCPUs(t *testing.T) {
	p := newBench(t).open(t, corpusFiles(t, "babylon.percpu_v2")).Pulse
	if want := 1 - 12.579537/16; p.Name != busyName || p.Of != "% of all CPUs" || math.Abs(p.Stats.Avg-want) > 1e-6 {
		t.Errorf("the strip shows %s with an average of %v %s, want %v", p.Name, p.Stats.Avg, p.Of, want)
	}
	if highest := slices.MaxFunc(p.Values, cmp.Compare); highest > p.Stats.Max || p.Stats.Max >= 1 {
		t.Errorf("a bar of %v is above the maximum, %v", highest, p.Stats.Max)
	}
}

// corpusFiles reads an archive of the corpus.
func corpusFiles(t *testing.T, name string) (files []File) {
	t.Helper()
	list, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus", "archives"), name+".*"))
	for _, path := range list {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Name: filepath.Base(path), Size: int64(len(data)), Data: data})
	}
	return files
}
