package mmv

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// The oracle is what PCP 7.2.1's mmv agent exports of a file, one JSON
// document each.
type oracleDoc struct {
	Metrics []struct {
		Name, PMID, Type, InDom, Units, Oneline, Help string
		Sem                                           int32
		Labels                                        json.RawMessage
	}
	Indoms map[string][][2]any
	Values map[string]json.RawMessage
}

func TestOracle(t *testing.T) {
	type counts struct{ files, facts int }
	expected := map[string]counts{"committed": {4, 179}, "beside the repository": {7, 3013}}
	for _, set := range reference.Sets(t) {
		t.Run(set.Name, func(t *testing.T) {
			var c counts
			found := set.Documents("mmv")
			for _, path := range found {
				name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
				t.Run(name, func(t *testing.T) {
					c.files++
					c.facts += compare(t, path, set.Corpus("mmv", name))
				})
			}
			t.Logf("compared %d files (%s) with the agent of PCP 7.2.1: %d facts", c.files, set.Name, c.facts)
			if c.files == len(found) && c != expected[set.Name] { // -run may leave out some
				t.Errorf("compared %+v, want %+v", c, expected[set.Name])
			}
		})
	}
}

// untilName is where the client that made the reference of large-parfait ended
// its walk: the agent lists its names from the last to the first, and at a leaf
// with a name below it (entity_changes.doc.content) the walk fails. The agent
// itself exports the names before as well (TestAgent; spec/mmv.md section 6.1: 421 names);
// so only those that are behind it in the file are in the reference.
var untilName = map[string]string{"large-parfait": "mmv.spacex.indexer.entity_changes.doc"}

func compare(t *testing.T, oracle, file string) (facts int) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(file, data)
	if err != nil {
		t.Fatal(err)
	}
	var doc oracleDoc
	reference.JSON(t, oracle, &doc)
	same := func(what string, got, want any) {
		facts++
		if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
			t.Errorf("%s: got %.200q, want %.200q", what, g, w)
		}
	}
	ours := map[string]*Metric{}
	for i := range f.Metrics {
		if m := &f.Metrics[i]; m.Hidden == nil {
			ours[reference.Latin1(m.Name)] = m
		}
	}
	missing := 0
	if until := untilName[f.Name]; until != "" {
		missing = 1 + slices.IndexFunc(f.Metrics, func(m Metric) bool { return m.Name == until })
		for _, m := range f.Metrics[:missing] {
			if delete(ours, reference.Latin1(m.Name)); m.Hidden != nil {
				t.Errorf("%s is not exported: %v", m.Name, m.Hidden.Fault(""))
			}
		}
	}
	same("number of metrics", len(ours), len(doc.Metrics))
	used := map[string]bool{}
	for _, w := range doc.Metrics {
		m := ours[w.Name]
		if m == nil {
			t.Errorf("%s is missing", w.Name)
			continue
		}
		used[w.InDom] = true
		same(w.Name+" pmid", m.Desc.PMID, w.PMID)
		same(w.Name+" type", m.Desc.Type, w.Type)
		same(w.Name+" semantics", int32(m.Desc.Sem), w.Sem)
		same(w.Name+" indom", m.Desc.InDom, w.InDom)
		same(w.Name+" units", m.Desc.Units, w.Units)
		same(w.Name+" oneline", reference.Latin1(m.Oneline), w.Oneline)
		same(w.Name+" help", reference.Latin1(m.Help), w.Help)
		labels := string(m.Labels)
		if labels == "" {
			labels = "{}"
		}
		same(w.Name+" labels", reference.Latin1(labels), string(w.Labels))
		var want [][2]any
		if raw := doc.Values[w.Name]; raw != nil {
			d := json.NewDecoder(strings.NewReader(string(raw)))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				want = nil // {err}: no values
			}
		}
		same(w.Name+" number of values", len(m.Values), len(want))
		for k := range min(len(want), len(m.Values)) {
			same(fmt.Sprintf("%s value %d", w.Name, k), fmt.Sprint(m.Values[k].Inst, " ", valueText(m, m.Values[k])), fmt.Sprint(want[k][0], " ", number(m, want[k][1])))
		}
	}
	for _, d := range f.InDoms {
		if missing > 0 && !used[d.ID.String()] {
			continue // of the metrics that are not in the reference
		}
		var got []string
		for _, in := range d.Instances {
			got = append(got, fmt.Sprint(in.ID, " ", reference.Latin1(in.Name)))
		}
		var want []string
		for _, p := range doc.Indoms[d.ID.String()] {
			want = append(want, fmt.Sprint(p[0], " ", p[1]))
		}
		same("instances of "+d.ID.String(), strings.Join(got, "; "), strings.Join(want, "; "))
	}
	for id := range doc.Indoms {
		if !slices.ContainsFunc(f.InDoms, func(d InDom) bool { return d.ID.String() == id }) {
			t.Errorf("the domain %s is missing", id)
		}
	}
	return facts
}

func valueText(m *Metric, v Value) string {
	switch m.Desc.Type {
	case pcp.String:
		return reference.Latin1(v.Text)
	case pcp.Uint32, pcp.Uint64:
		return strconv.FormatUint(v.Bits, 10)
	case pcp.Int32, pcp.Int64:
		return strconv.FormatInt(int64(v.Bits), 10)
	}
	return strconv.FormatFloat(series.Float(m.Desc.Type, v.Bits), 'g', -1, 64)
}

// number writes a floating point number as valueText does; others stay.
func number(m *Metric, v any) string {
	if n, ok := v.(json.Number); ok && (m.Desc.Type == pcp.Float || m.Desc.Type == pcp.Double) {
		x, _ := n.Float64()
		if m.Desc.Type == pcp.Float {
			x = float64(float32(x))
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
