package core

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// recording is an archive that a test makes of metrics that few archives have:
// metric, instance ("" for a singular metric), and a value for each sample; a
// number, or words. NaN is for no value. What the metrics are is what PCP's
// own agents say.
type recording struct {
	host   string
	step   pcp.Time
	values map[string]map[string]any // []float64 or []string
	labels map[string]string         // by instance: JSON
}

const writtenStart = pcp.Time(1_700_000_000_000_000_000)

// agents is what PCP's agents say of metrics, as pminfo(1) prints it.
func agents(t *testing.T) map[string]pcp.Desc {
	t.Helper()
	text, err := os.ReadFile("dashboard/testdata/pminfo.txt")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]pcp.Type{"32-bit int": pcp.Int32, "32-bit unsigned int": pcp.Uint32, "64-bit int": pcp.Int64, "64-bit unsigned int": pcp.Uint64, "double": pcp.Double, "float": pcp.Float, "string": pcp.String}
	sems := map[string]pcp.Semantics{"counter": pcp.Counter, "instant": pcp.Instant, "discrete": pcp.Discrete}
	descs := map[string]pcp.Desc{}
	for l := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(l), "|")
		if len(f) != 5 {
			continue
		}
		d := pcp.Desc{Type: types[f[1]], Sem: sems[f[3]], InDom: pcp.NullInDom}
		domain, serial := 60, 0
		if n, _ := fmt.Sscanf(f[2], "%d.%d", &domain, &serial); n == 2 {
			d.InDom = pcp.MakeInDom(domain, serial)
		}
		if f[4] != "none" {
			if d.Units, _, err = pcp.ParseUnits(strings.ReplaceAll(f[4], " ", "")); err != nil {
				t.Fatal(err)
			}
		}
		d.PMID = pcp.MakePMID(domain, len(descs)>>10, len(descs)&0x3ff)
		descs[f[0]] = d
	}
	return descs
}

// open writes the archive and opens it.
func (a recording) open(t *testing.T) (*Session, api.Source) {
	t.Helper()
	dir := t.TempDir()
	if kept := os.Getenv("PCPSCOPE_WRITTEN"); kept != "" { // to look at it
		dir = kept
	}
	descs := agents(t)
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: writtenStart, Host: a.host, Timezone: "UTC"}, func(suffix string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, a.host+"."+suffix))
	})
	if err != nil {
		t.Fatal(err)
	}
	insts, samples := map[pcp.InDom][]string{}, 0
	for _, name := range slices.Sorted(maps.Keys(a.values)) {
		d, known := descs[name]
		if !known {
			t.Fatalf("pminfo.txt does not have %s", name)
		}
		w.Desc(d, name)
		for _, inst := range slices.Sorted(maps.Keys(a.values[name])) {
			if d.InDom != pcp.NullInDom && !slices.Contains(insts[d.InDom], inst) {
				insts[d.InDom] = append(insts[d.InDom], inst)
			}
			switch v := a.values[name][inst].(type) {
			case []float64:
				samples = max(samples, len(v))
			case []string:
				samples = max(samples, len(v))
			}
		}
	}
	for id, names := range insts {
		slices.Sort(names)
		var list []pcp.Instance
		var labels []archive.LabelSet
		for i, name := range names {
			list = append(list, pcp.Instance{ID: int32(i), Name: name})
			if l := a.labels[name]; l != "" {
				labels = append(labels, archive.LabelSet{Inst: int32(i), JSON: l})
			}
		}
		w.InDom(writtenStart, id, list)
		if labels != nil {
			w.Labels(writtenStart, archive.InstanceLabels, uint32(id), labels)
		}
	}
	for k := range samples {
		var sets []archive.ValueSet
		for _, name := range slices.Sorted(maps.Keys(a.values)) {
			d := descs[name]
			set := archive.ValueSet{PMID: d.PMID, Type: d.Type}
			for inst, vals := range a.values[name] {
				v := archive.Value{Inst: pcp.NoInstance}
				if d.InDom != pcp.NullInDom {
					v.Inst = int32(slices.Index(insts[d.InDom], inst))
				}
				switch vals := vals.(type) {
				case []float64:
					if k >= len(vals) || math.IsNaN(vals[k]) {
						continue
					}
					v.Val = bits(d.Type, vals[k])
				case []string:
					if k >= len(vals) {
						continue
					}
					v.Blob = []byte(vals[k])
				}
				set.Values = append(set.Values, v)
			}
			slices.SortFunc(set.Values, func(a, b archive.Value) int { return int(a.Inst) - int(b.Inst) })
			if len(set.Values) > 0 {
				sets = append(sets, set)
			}
		}
		w.Record(writtenStart+pcp.Time(k)*a.step, sets)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, o := openAll(t, filepath.Join(dir, a.host+".0"), filepath.Join(dir, a.host+".meta"), filepath.Join(dir, a.host+".index"))
	if len(o.Sources) != 1 || len(o.Sources[0].Problems) > 0 {
		t.Fatalf("opened as %+v", o)
	}
	return s, o.Sources[0]
}

// bits is how an archive holds a number.
func bits(t pcp.Type, v float64) uint64 {
	switch t {
	case pcp.Double:
		return math.Float64bits(v)
	case pcp.Float:
		return uint64(math.Float32bits(float32(v)))
	}
	return uint64(int64(v))
}

// steady is the same value for n samples, and rising one that grows from first by
// step.
func steady[T any](n int, v T) []T { return slices.Repeat([]T{v}, n) }

func rising(n int, first, step float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = first + float64(i)*step
	}
	return list
}

// panelValues computes a panel as the page does: for each series and instance
// the value of the last of count points from sample from on, by the name of
// the series and that of the instance with a blank between.
func panelValues(t *testing.T, s *Session, src api.Source, board, panel string, start pcp.Time, step pcp.Time, count int) map[string]float64 {
	t.Helper()
	d, err := s.Dashboard(src.ID, board)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(d.Panels, func(p api.DashboardPanel) bool { return p.ID == panel })
	if at < 0 {
		t.Fatalf("%s has no panel %s; missing: %+v", board, panel, d.Missing)
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

// expect compares values; NaN is for a missing one.
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
