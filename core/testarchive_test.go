package core

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// record opens an archive made by a test.
func record(t *testing.T, r recording.Recording) (*Session, api.Source) {
	t.Helper()
	if r.Agents == "" {
		r.Agents = "dashboard/testdata/pminfo.txt"
	}
	s, o := openAll(t, r.Write(t)...)
	if len(o.Sources) != 1 || len(o.Sources[0].Problems) > 0 {
		t.Fatalf("opened as %+v", o)
	}
	return s, o.Sources[0]
}

// readAll opens files, and reads the first source whole.
func readAll(t *testing.T, paths ...string) (*Session, api.Source) {
	t.Helper()
	s, o := openAll(t, paths...)
	if _, err := s.Loaded(t.Context(), o.Sources[0].ID, nil); err != nil {
		t.Fatal(err)
	}
	return s, o.Sources[0]
}

// panelValues computes a panel as the page does: for each series and instance
// the value of the last of count points from sample from on, keyed by the
// series and instance names separated by a space.
func panelValues(t *testing.T, s *Session, src api.Source, dashboard, panel string, start pcp.Time, step pcp.Time, count int) map[string]float64 {
	t.Helper()
	d, err := s.Dashboard(t.Context(), src.ID, dashboard)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(d.Panels, func(p api.DashboardPanel) bool { return p.ID == panel })
	if at < 0 {
		t.Fatalf("%s has no panel %s; missing: %+v", dashboard, panel, d.Missing)
	}
	names, exprs := map[string]string{}, []string{}
	for _, one := range d.Panels[at].Series {
		names[one.Expression] = one.Name
		exprs = append(exprs, one.Expression)
	}
	first, last, wide := int64(start), int64(start+pcp.Time(count-1)*step), int64(step)
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: exprs, Start: &api.When{Nanos: &first}, End: &api.When{Nanos: &last}, Interval: &api.When{Nanos: &wide}, Convert: "rate", Gaps: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, c := range f.Columns {
		name := names[c.Metric]
		if c.Instance != nil {
			name = strings.TrimSpace(name + " " + c.Instance.Name)
		}
		if c.Fault != nil {
			t.Errorf("%s: %s", name, c.Fault.Message)
		} else if len(c.Values) > 0 {
			values[name] = c.Values[len(c.Values)-1]
		}
	}
	return values
}

// expect compares values; NaN stands for a missing one.
func expect(t *testing.T, what string, got, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		g, there := got[name]
		if !there {
			g = math.NaN()
		}
		if !(math.Abs(g-w) <= 1e-9*(1+math.Abs(w)) || w != w && g != g) {
			t.Errorf("%s: %s is %v, want %v", what, name, g, w)
		}
	}
	for name := range got {
		if _, wanted := want[name]; !wanted {
			t.Errorf("%s: %s is not expected", what, name)
		}
	}
}
