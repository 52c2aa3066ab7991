// Package recording makes archives for tests: of metrics that few archives
// have, with values that are easy to calculate with.
package recording

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

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// A Recording is an archive of a host. Its descriptors are those of PCP's own
// agents, as printed by pminfo(1) into the file Agents.
type Recording struct {
	Agents string
	Host   string
	Step   pcp.Time                  // between samples
	Values map[string]map[string]any // by metric and instance, "" for a singular metric: []float64 or []string, one for each sample; NaN if missing
	Labels map[string]string         // by instance: JSON
}

// Start is the time of the first sample.
const Start = pcp.Time(1_700_000_000_000_000_000)

// descs reads descriptors from the output of pminfo(1).
func descs(t testing.TB, file string) map[string]pcp.Desc {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]pcp.Type{"32-bit int": pcp.Int32, "32-bit unsigned int": pcp.Uint32, "64-bit int": pcp.Int64, "64-bit unsigned int": pcp.Uint64, "double": pcp.Double, "float": pcp.Float, "string": pcp.String}
	sems := map[string]pcp.Semantics{"counter": pcp.Counter, "instant": pcp.Instant, "discrete": pcp.Discrete}
	list := map[string]pcp.Desc{}
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
		d.PMID = pcp.MakePMID(domain, len(list)>>10, len(list)&0x3ff)
		list[f[0]] = d
	}
	return list
}

// Write writes the archive, and returns its files.
func (a Recording) Write(t testing.TB) []string {
	t.Helper()
	dir := t.TempDir()
	descs := descs(t, a.Agents)
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: Start, Host: a.Host, Timezone: "UTC"}, func(suffix string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, a.Host+"."+suffix))
	})
	if err != nil {
		t.Fatal(err)
	}
	insts, samples := map[pcp.InDom][]string{}, 0
	for _, name := range slices.Sorted(maps.Keys(a.Values)) {
		d, known := descs[name]
		if !known {
			t.Fatalf("%s does not have %s", a.Agents, name)
		}
		w.Desc(d, name)
		for _, inst := range slices.Sorted(maps.Keys(a.Values[name])) {
			if d.InDom != pcp.NullInDom && !slices.Contains(insts[d.InDom], inst) {
				insts[d.InDom] = append(insts[d.InDom], inst)
			}
			switch v := a.Values[name][inst].(type) {
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
			if l := a.Labels[name]; l != "" {
				labels = append(labels, archive.LabelSet{Inst: int32(i), JSON: l})
			}
		}
		w.InDom(Start, id, list)
		if labels != nil {
			w.Labels(Start, archive.InstanceLabels, uint32(id), labels)
		}
	}
	for k := range samples {
		var sets []archive.ValueSet
		for _, name := range slices.Sorted(maps.Keys(a.Values)) {
			d := descs[name]
			set := archive.ValueSet{PMID: d.PMID, Type: d.Type}
			for inst, vals := range a.Values[name] {
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
		w.Record(Start+pcp.Time(k)*a.Step, sets)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []string{filepath.Join(dir, a.Host+".0"), filepath.Join(dir, a.Host+".meta"), filepath.Join(dir, a.Host+".index")}
}

// bits encodes a number as in an archive.
func bits(t pcp.Type, v float64) uint64 {
	switch t {
	case pcp.Double:
		return math.Float64bits(v)
	case pcp.Float:
		return uint64(math.Float32bits(float32(v)))
	}
	return uint64(int64(v))
}

// Steady is n samples of one value, and Rising grows from first by step.
func Steady[T any](n int, v T) []T { return slices.Repeat([]T{v}, n) }

func Rising(n int, first, step float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = first + float64(i)*step
	}
	return list
}
