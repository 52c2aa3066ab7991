package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

func liveFiles(base string) []string { return archiveFiles("../testdata/live", base) }

// A derived metric is a metric like any other: listed, fetched, checked.
func TestDerive(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	m, err := s.Derive(id, "my.load", "kernel.all.load * 2")
	if err != nil || m.Expression != "kernel.all.load * 2" || m.InDom == nil {
		t.Fatal(m, err)
	}
	step := int64(10e9)
	f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"kernel.all.load", "my.load", "kernel.all.load / 0", "no.such", "kernel.all.load +"}, Interval: &api.When{Nanos: &step}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Columns) != 11 {
		t.Fatalf("%d columns, want 3 for each of three and 1 for each of two faults", len(f.Columns))
	}
	for i := range 3 {
		a, b := f.Columns[i], f.Columns[3+i]
		if a.Instance.Name != b.Instance.Name {
			t.Errorf("instance %q became %q", a.Instance.Name, b.Instance.Name)
		}
		for k := range a.Values {
			if b.Values[k] != 2*a.Values[k] && !math.IsNaN(a.Values[k]) {
				t.Errorf("%s point %d: %v is not twice %v", a.Instance.Name, k, b.Values[k], a.Values[k])
			}
		}
	}
	if k := f.Columns[9].Fault.Kind; k != pcp.UnknownMetric {
		t.Errorf("an unknown name is %q", k)
	}
	if k := f.Columns[10].Fault.Kind; k != pcp.BadExpression {
		t.Errorf("a broken expression is %q", k)
	}
	if faults, err := s.Check(id, "kernel.all.lod + 1"); err != nil || len(faults) != 1 || faults[0].Span == nil || *faults[0].Span != [2]int{0, 14} {
		t.Errorf("Check: %v %v", faults, err)
	}
	if _, err := s.Derive(id, "kernel.all.load", "1"); err == nil {
		t.Error("a metric of the archive was hidden")
	}
	ms, _ := s.Metrics(id, "my")
	if len(ms) != 1 || ms[0].Name != "my.load" {
		t.Errorf("listed as %v", ms)
	}
}

// A process that ended before the window, named by its number alone, is one that the archive has.
func TestWhyAnInstanceIsEmpty(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "h", Step: 10e9, Values: map[string]map[string]any{
		"proc.memory.rss": {"000670 curl http://web01/": []float64{1, 1, math.NaN(), math.NaN()}, "000001 init": recording.Steady(4, 2.0)},
	}})
	start := int64(recording.Start + 20e9)
	for name, want := range map[string]string{
		"000670":                    "proc.memory.rss has no values of the instance 000670 curl http://web01/ in this window.",
		"000670 curl http://web01/": "proc.memory.rss has no values of the instance 000670 curl http://web01/ in this window.",
		"000671":                    "proc.memory.rss has no instance 000671.",
	} {
		for _, mode := range []string{"raw", "interp"} {
			f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"proc.memory.rss"}, Instances: []string{name}, Mode: mode, Start: &api.When{Nanos: &start}}, nil)
			if err != nil || len(f.Columns) != 1 || f.Columns[0].Fault == nil || f.Columns[0].Fault.Message != want {
				t.Errorf("%s, %s: %v, %+v, want %q", name, mode, err, f.Columns, want)
			}
		}
	}
}

// An expression without any value says which of its parts selects nothing.
func TestWhyAnExpressionIsEmpty(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "h", Step: 10e9, Values: map[string]map[string]any{
		"kernel.all.load": {"1 minute": recording.Steady(10, 1.0), "5 minute": recording.Steady(10, 2.0)},
	}})
	for expression, want := range map[string]string{
		"kernel.all.load[2 minute]":                                               "kernel.all.load has no instance 2 minute.",
		"matchinst(/^x/, kernel.all.load) * 2":                                    "No instance of kernel.all.load is selected by matchinst(/^x/, kernel.all.load).",
		"kernel.all.load[1 minute] + kernel.all.load[5 minute]":                   "The parts of this expression have no instance in common; scalar() makes one value of one instance.",
		"scalar(kernel.all.load[1 minute]) + scalar(kernel.all.load['5 minute'])": "",
	} {
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{expression}}, nil)
		if err != nil || len(f.Columns) != 1 {
			t.Fatalf("%s: %v, %v", expression, f, err)
		}
		got := ""
		if c := f.Columns[0]; c.Fault != nil {
			got = c.Fault.Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
}
