package core

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/dashboard"
	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// openReference opens the big archive of the reference corpus, read to the end.
func openReference(t *testing.T) (*Session, api.Source) {
	t.Helper()
	root := reference.Need(t)
	s, o := openAll(t, archiveFiles(filepath.Join(root, "corpus/big"), "20180416.10.00")...)
	return s, o.Sources[0]
}

func clockOf(t pcp.Time) string { return t.Std().Format("15:04:05") }

// Expected values are worked out from what pmdumplog(1) 6.0.3 prints of the
// counters, and from pmlogsummary(1) of the others:
//
//	CPU      user+nice+sys+intr+steal over 4 CPUs is above 90 % in the 30 s to 18:22:05 and the 30 s to 18:24:45
//	disks    sdb: avactive grows by more than 85 % of the time in 358 samples, 14:40:55 to 15:40:35, 3580 s;
//	         aveq by 164.28 on average in them, and by 305.4 at most
//	         sda: disk.dev.total_rawactive by total in each of the 1628 samples (pmval -U -r): median 11.441 ms, 95th of 100 117.23 ms
//	memory   smallest mem.util.available / mem.physmem (pmlogsummary -i): 45.0 %
//	clock    14:01:55 to 14:02:05 CPU time of all modes grows by 119.26 s, 29.8 s for each CPU, stamps by 10.0 s
func TestOverviewOfBig(t *testing.T) {
	s, src := openReference(t)
	began := time.Now()
	o, err := s.Overview(t.Context(), src.ID, nil)
	t.Logf("overview in %v", time.Since(began))
	if err != nil {
		t.Fatal(err)
	}
	tiles := map[string]string{}
	for _, tile := range o.Tiles {
		for row, c := range map[string]api.TileCell{"utilisation": tile.Utilisation, "saturation": tile.Saturation, "errors": tile.Errors} {
			tiles[tile.Resource+" "+row] = c.State + ": " + c.Text
		}
	}
	for name, want := range map[string]string{
		"CPU utilisation": "ok: above 90 %, 1 min", "CPU saturation": "ok: load 6.02 on 4", "CPU errors": "cannot judge: unknown",
		"Memory utilisation": "ok: 55 % at most", "Memory saturation": "ok: no paging", "Memory errors": "ok: none",
		"Disks utilisation": "look: sdb 100 %", "Disks saturation": "look: sdb queue 305 at most", "Disks errors": "cannot judge: unknown",
		"Filesystems utilisation": "ok: sdb1 86 %", "Filesystems saturation": "ok: not filling", "Filesystems errors": "cannot judge: unknown",
		"Network saturation": "ok: no drops", "Network errors": "ok: none", "Pressure utilisation": "not logged: not logged",
	} {
		if tiles[name] != want {
			t.Errorf("%s is %q, want %q", name, tiles[name], want)
		}
	}
	var found []string
	for _, f := range o.Findings {
		found = append(found, f.Level+" "+clockOf(f.Start)+" "+clockOf(f.End)+" "+f.Text)
	}
	want := []string{
		"look 14:40:55 15:40:35 sdb 100 % busy for 59 min 40 s, average queue size 164; rsync waited for I/O in 351 of 358 samples",
		"look 14:01:55 14:02:05 The clock was set back by 20 s; rates of that sample are wrong, and not judged",
		"know 14:01:25 18:32:45 Latency of sda 117 ms or more in 5 % of samples, with a median of 11.4 ms",
		"know 18:21:35 18:24:45 CPU saturated twice; 69 % of it by short-lived processes, most of all by cc1plus (81 % of it; estimate, ± 11 %)",
	}
	if strings.Join(found, "\n") != strings.Join(want, "\n") {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	facts := map[string]string{}
	for _, f := range o.Who {
		facts[f.Name] = f.Value
	}
	for name, want := range map[string]string{"host": "brolley-t530", "kernel": "Linux 4.15.15-300.fc27.x86_64", "CPUs": "4", "memory": "7.50 GiB", "disks": "sda, sdb", "processor": "Intel(R) Core(TM) i7-3520M CPU @ 2.90GHz"} {
		if facts[name] != want {
			t.Errorf("%s is %q, want %q", name, facts[name], want)
		}
	}
	if len(o.Boots) != 1 || clockOf(o.Boots[0]) != "13:58:46" { // 159 s before 14:01:25
		t.Errorf("boots %v", o.Boots)
	}
	if c := o.Coverage[0]; c.Interval != 10 || c.Missed != 0 || c.Samples != 1629 {
		t.Errorf("coverage %+v", c)
	}
}

// Every expression of every dashboard whose metrics exist can be bound, and
// for the others the missing metrics are named.
func TestDashboardsBind(t *testing.T) {
	sessions := map[string]func() (*Session, api.Source){
		"web01": func() (*Session, api.Source) { s, o := openAll(t, liveFiles("web01")...); return s, o.Sources[0] },
	}
	if reference.Path() != "" {
		sessions["20180416.10.00"] = func() (*Session, api.Source) { return openReference(t) }
	}
	for name, open := range sessions {
		s, about := open()
		src, _ := s.source(about.ID)
		md := metadata{src}
		bound, lacking := 0, 0
		try := func(where, text string) {
			e, err := derived.Parse(text)
			if err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			for _, operand := range e.Names() {
				if _, ok := md.Desc(operand); !ok {
					lacking++
					return
				}
			}
			if _, faults := e.Bind(md); len(faults) > 0 {
				t.Errorf("%s: %s: %s: %s", name, where, text, faults[0].Message)
			}
			bound++
		}
		for _, d := range dashboard.Builtin() {
			for _, text := range d.Spark.Exprs {
				try(d.ID, text)
			}
			for _, p := range d.Panels {
				for _, series := range p.Series {
					for _, text := range series.Exprs {
						try(d.ID+"/"+p.ID+"/"+series.Name, text)
						if all := dashboard.Unrestricted(text); all != "" {
							try(d.ID+"/"+p.ID+"/"+series.Name+", all", all)
						}
					}
				}
				for _, threshold := range p.Thresholds {
					if threshold.Expr != "" {
						try(d.ID+"/"+p.ID+" threshold", threshold.Expr)
					}
				}
			}
		}
		t.Logf("%s: %d expressions bind, %d lack a metric", name, bound, lacking)
		if bound < 250 {
			t.Errorf("%s: only %d expressions bind", name, bound)
		}
	}
}

// A threshold that refers to a rule has the rule's default, and follows its
// changes.
func TestThresholdsFollowRules(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	rules, _ := s.Rules(id)
	ruled := 0
	for _, d := range dashboard.Builtin() {
		for _, p := range d.Panels {
			for _, threshold := range p.Thresholds {
				if threshold.Rule == "" {
					continue
				}
				ruled++
				at := slices.IndexFunc(rules, func(r api.Rule) bool { return r.Name == threshold.Rule })
				if at < 0 || rules[at].Usual != threshold.Value {
					t.Errorf("%s/%s: %+v is no usual value of a rule", d.ID, p.ID, threshold)
				}
			}
		}
	}
	if ruled < 20 {
		t.Errorf("only %d thresholds have rules", ruled)
	}
	line := func() api.Threshold {
		d, err := s.Dashboard(t.Context(), id, "overview")
		if err != nil {
			t.Fatal(err)
		}
		return d.Panels[0].Thresholds[0]
	}
	if got := line(); got.Value != 90 || got.Label != "warning above 90 %" {
		t.Errorf("threshold = %+v, want 90, warning above 90 %%", got)
	}
	stricter := 72.5
	if _, err := s.SetRule(id, "cpuBusy", &stricter); err != nil {
		t.Fatal(err)
	}
	if got := line(); got.Value != 72.5 || got.Label != "warning above 72.5 %" {
		t.Errorf("after the rule was set: %+v", got)
	}
	for value, label := range map[float64]string{4000: "warning above 4,000", 12500.5: "warning above 12,500.5", 700: "warning above 700"} {
		if _, err := s.SetRule(id, "switchesPerCPU", &value); err != nil {
			t.Fatal(err)
		}
		d, err := s.Dashboard(t.Context(), id, "load")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(d.Panels, func(p api.DashboardPanel) bool {
			return slices.ContainsFunc(p.Thresholds, func(th api.Threshold) bool { return th.Label == label })
		}) {
			t.Errorf("no line of the dashboard says %q", label)
		}
	}
}

// Every panel that is offered has values, or at least columns.
func TestPanelsBringValues(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	list, err := s.Dashboards(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	step := int64(10e9)
	offered, panels := 0, 0
	for _, info := range list {
		d, err := s.Dashboard(t.Context(), id, info.ID)
		if err != nil {
			t.Fatal(err)
		}
		if info.Available != (len(d.Panels) > 0) {
			t.Errorf("%s: available %v with %d panels", info.ID, info.Available, len(d.Panels))
		}
		if info.Available {
			offered++
		} else if info.WhyNot == "" || len(d.Missing) == 0 {
			t.Errorf("%s is not available and does not say why", info.ID)
		}
		for _, p := range d.Panels {
			panels++
			for _, series := range p.Series {
				f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{series.Expression}, Interval: &api.When{Nanos: &step}, Gaps: true}, nil)
				if err != nil || len(f.Columns) == 0 {
					t.Errorf("%s/%s/%s: %v", d.ID, p.ID, series.Name, err)
					continue
				}
				c := f.Columns[0]
				if c.Fault != nil && c.Fault.Kind != pcp.UnknownInstance {
					t.Errorf("%s/%s/%s: %s: %s", d.ID, p.ID, series.Name, series.Expression, c.Fault.Message)
				}
				if strings.HasPrefix(p.Unit, "%") && p.Max == 100 && !series.Right && series.Units != "" {
					t.Errorf("%s/%s/%s: percent have the units %q", d.ID, p.ID, series.Name, series.Units)
				}
				for _, v := range c.Values {
					if p.Max == 100 && p.Style == "utilisation" && v > 101 {
						t.Errorf("%s/%s/%s: %v %%", d.ID, p.ID, series.Name, v)
						break
					}
				}
			}
		}
	}
	t.Logf("%d dashboards, %d panels", offered, panels)
	if offered < 15 || panels < 90 {
		t.Errorf("only %d dashboards with %d panels are offered", offered, panels)
	}
	if _, err := s.Dashboard(t.Context(), id, "no-such"); err == nil {
		t.Error("a dashboard that is not there")
	}
}

// The modes of CPU time add up to 100 % of all CPUs, as they do on the host.
func TestCPUStackIsWhole(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	d, err := s.Dashboard(t.Context(), id, "overview")
	if err != nil {
		t.Fatal(err)
	}
	step := int64(10e9)
	var sum []float64
	for _, series := range d.Panels[0].Series {
		f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{series.Expression}, Interval: &api.When{Nanos: &step}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sum == nil {
			sum = make([]float64, len(f.Times))
		}
		for i, v := range f.Columns[0].Values {
			sum[i] += v
		}
	}
	n := 0
	for i, v := range sum {
		if math.IsNaN(v) {
			continue
		}
		n++
		if math.Abs(v-100) > 4 { // CPU time is counted in ticks
			t.Errorf("point %d: %v %%", i, v)
		}
	}
	if n < 20 {
		t.Errorf("only %d points", n)
	}
}

func TestRules(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	rules, err := s.Rules(id)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, r := range rules {
		if names[r.Name] || r.Name == "" || r.Text == "" || r.From == "" || r.Value != r.Usual || r.Value <= 0 {
			t.Errorf("rule %+v: want a name of its own, a text, a source and its default above 0", r)
		}
		names[r.Name] = true
	}
	count := func() int {
		f, err := s.Findings(t.Context(), id, nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(f)
	}
	before := count()
	low := 0.5
	if _, err := s.SetRule(id, "loadPerCPU", &low); err != nil {
		t.Fatal(err)
	}
	if after := count(); after <= before {
		t.Errorf("%d findings with a lower limit, %d before", after, before)
	}
	if _, err := s.SetRule(id, "loadPerCPU", nil); err != nil || count() != before {
		t.Errorf("the usual limit does not come back: %v", err)
	}
	if _, err := s.SetRule(id, "love", &low); err == nil {
		t.Error("there is no such rule")
	}
	wrong := math.NaN()
	if _, err := s.SetRule(id, "loadPerCPU", &wrong); err == nil {
		t.Error("NaN was taken for a limit")
	}
}
