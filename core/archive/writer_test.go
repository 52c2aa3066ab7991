package archive

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// memory collects the files of an archive that is written.
type memory map[string]*bytes.Buffer

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func (m memory) create(suffix string) (io.WriteCloser, error) {
	m[suffix] = &bytes.Buffer{}
	return nopCloser{m[suffix]}, nil
}

func (m memory) group(name string) Group {
	var list []Member
	for suffix, b := range m {
		list = append(list, Member{name + "." + suffix, int64(b.Len()), bytes.NewReader(b.Bytes())})
	}
	found, _ := Groups(list)
	return found[0]
}

// checkWithPCP runs pmlogcheck on the files if it is installed. It reports
// nothing for a good archive.
func (m memory) checkWithPCP(t *testing.T) {
	t.Helper()
	if !reference.Installed("pmlogcheck") {
		t.Log("pmlogcheck is not installed")
		return
	}
	dir := t.TempDir()
	for suffix, b := range m {
		if err := os.WriteFile(filepath.Join(dir, "a."+suffix), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if report, done := reference.Pmlogcheck(t, dir, "a"); !done || report != "" {
		t.Errorf("pmlogcheck: %s", report)
	}
}

const second = pcp.Time(1e9)

// The data that varied writes.
var (
	variedStart = 1_700_000_000 * second
	indom       = pcp.MakeInDom(60, 1)
	average     = pcp.Desc{PMID: pcp.MakePMID(60, 2, 0), Type: pcp.Float, InDom: indom, Sem: pcp.Instant}
	reads       = pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), Type: pcp.Uint64, InDom: indom, Sem: pcp.Counter, Units: pcp.Units{Count: 1}}
	free        = pcp.Desc{PMID: pcp.MakePMID(60, 1, 10), Type: pcp.Int32, InDom: pcp.NullInDom, Sem: pcp.Instant, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	name        = pcp.Desc{PMID: pcp.MakePMID(60, 12, 0), Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}
)

func variedLabel(version int) Label {
	label := Label{Version: version, PID: 77, Start: variedStart, Host: "db01", Timezone: "CET-1"}
	if version == 3 {
		label.Zoneinfo = ":Europe/Berlin"
	}
	return label
}

// varied writes an archive with some of everything.
func varied(t testing.TB, version int) memory {
	t.Helper()
	start, m := variedStart, memory{}
	w, err := NewWriter(variedLabel(version), m.create)
	if err != nil {
		t.Fatal(err)
	}
	w.Desc(average, "kernel.all.load")
	w.Desc(reads, "disk.dev.read", "disk.read")
	w.Desc(free, "mem.free")
	w.Desc(name, "kernel.uname")
	w.MetricText(average.PMID, "load average", "The average over a while.\nIn two lines.")
	w.InDomText(indom, "disks", "")
	w.InDom(start, indom, []pcp.Instance{{ID: 1, Name: "sda"}, {ID: 2, Name: "sdb"}})
	w.Labels(start, ContextLabels, 0, []LabelSet{{Inst: -1, JSON: `{"hostname":"db01","zone":"a"}`}})
	w.Labels(start, ItemLabels, uint32(reads.PMID), []LabelSet{{Inst: -1, JSON: `{"zone":"b"}`}})
	w.Labels(start, InstanceLabels, uint32(indom), []LabelSet{{Inst: 1, JSON: `{"disk":"big","n":1}`}, {Inst: 2}})
	w.Record(start, []ValueSet{
		{PMID: reads.PMID, Type: reads.Type, Values: []Value{{Inst: 1, Val: 10}, {Inst: 2, Val: 1 << 60}}},
		{PMID: free.PMID, Type: free.Type, Values: []Value{{Inst: -1, Val: ^uint64(4)}}}, // -5
		{PMID: name.PMID, Type: name.Type, Values: []Value{{Inst: -1, Blob: []byte("Linux")}}},
	})
	w.Record(start+second, []ValueSet{
		{PMID: reads.PMID, Type: reads.Type, Values: []Value{{Inst: 1, Val: 11}, {Inst: 2, Val: 1 << 60}}},
		{PMID: average.PMID, Type: average.Type, Code: pcp.ErrAppVersion},
	})
	w.Mark(start + 2*second)
	w.NextVolume()
	if version == 3 {
		w.InDomDelta(start+3*second, indom, []pcp.Instance{{ID: 9, Name: "sdc"}}, []int32{1})
	} else {
		w.InDom(start+3*second, indom, []pcp.Instance{{ID: 2, Name: "sdb"}, {ID: 9, Name: "sdc"}})
	}
	w.Record(start+3*second, []ValueSet{
		{PMID: reads.PMID, Type: reads.Type, Values: []Value{{Inst: 9, Val: 1}, {Inst: 2, Val: 1<<60 + 1}}},
		{PMID: name.PMID, Type: name.Type, Values: []Value{{Inst: -1, Blob: []byte("Linux")}}},
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWriter reads back what was written.
func TestWriter(t *testing.T) {
	for _, version := range []int{2, 3} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			start, label, m := variedStart, variedLabel(version), varied(t, version)
			m.checkWithPCP(t)

			a := load(t, m.group("a"))
			got := a.Label()
			got.Volume = 0
			check(t, "label", got, label)
			check(t, "end", a.End(), start+3*second)
			check(t, "problems", len(a.Problems()), 0)
			check(t, "names", fmt.Sprint(a.Names()), "[disk.dev.read disk.read kernel.all.load kernel.uname mem.free]")
			d, _ := a.Lookup("disk.read")
			check(t, "descriptor", d.Desc, reads)
			d, _ = a.Lookup("kernel.all.load")
			check(t, "oneline", d.Oneline, "load average")
			check(t, "help", d.Help, "The average over a while.\nIn two lines.")
			d, _ = a.Lookup("disk.dev.read")
			check(t, "labels", a.Labels(d, start), `{"hostname":"db01","zone":"b"}`)
			check(t, "instance labels", a.InstanceLabels(d, 1, start), `{"disk":"big","hostname":"db01","n":1,"zone":"b"}`)
			for at, want := range map[pcp.Time]string{start: "[{1 sda} {2 sdb}]", start + 2*second: "[{1 sda} {2 sdb}]", start + 3*second: "[{2 sdb} {9 sdc}]"} {
				list, _ := a.InstancesAt(indom, at)
				check(t, "instances", fmt.Sprint(list), want)
			}
			all, _ := a.Instances(indom)
			check(t, "first one's end", all[0].Last, start+3*second)
			check(t, "first one is gone", all[0].Gone, true)
			check(t, "marks", fmt.Sprint(a.Marks()), fmt.Sprint([]pcp.Time{start + 2*second}))
			obs, _ := a.Observations(reads.PMID)
			check(t, "runs", fmt.Sprint(obs.Series), fmt.Sprint([]series.Series{
				{Inst: 1, Runs: []series.Run{{Row: 0, Val: 10}, {Row: 1, Val: 11}, {Row: 2 | series.Gone}}},
				{Inst: 2, Runs: []series.Run{{Row: 0, Val: 1 << 60}, {Row: 2, Val: 1<<60 + 1}}},
				{Inst: 9, Runs: []series.Run{{Row: 2, Val: 1}}},
			}))
			obs, _ = a.Observations(free.PMID)
			check(t, "negative number", fmt.Sprint(obs.Series), fmt.Sprint([]series.Series{{Inst: -1, Runs: []series.Run{{Row: 0, Val: ^uint64(4)}}}}))
			obs, _ = a.Observations(average.PMID)
			check(t, "error code", fmt.Sprint(obs.Voids), fmt.Sprint([]series.Void{{Time: start + second, Code: pcp.ErrAppVersion}}))
			obs, _ = a.Observations(name.PMID)
			check(t, "string rows", len(obs.Times), 2)
			check(t, "string runs", len(obs.Series[0].Runs), 1)
			check(t, "string", string(obs.Blobs.At(obs.Series[0].Runs[0].Val)), "Linux")
		})
	}
}

// TestRewrite copies real archives from what was read of them.
func TestRewrite(t *testing.T) {
	for name, g := range groups(t, testdata+"live") {
		a := load(t, g)
		m := memory{}
		rewrite(t, a, m)
		m.checkWithPCP(t)
		b := load(t, m.group(name))
		check(t, name+" end", b.End(), a.End())
		for _, want := range a.Metrics() {
			got, ok := b.Metric(want.PMID)
			if !ok || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: got %+v, want %+v", name, got, want)
			}
			x, _ := a.Observations(want.PMID)
			y, _ := b.Observations(want.PMID)
			if !sameObservations(x, y) {
				t.Errorf("%s: %s was written differently", name, want.Name())
			}
			check(t, "labels of "+want.Name(), b.Labels(got, pcp.MaxTime), a.Labels(want, pcp.MaxTime))
		}
		for _, id := range a.InDoms() {
			x, _ := a.Instances(id)
			y, _ := b.Instances(id)
			check(t, "instances of "+id.String(), fmt.Sprint(y), fmt.Sprint(x))
		}
	}
}

func sameObservations(a, b *series.Observations) bool {
	if !slices.Equal(a.Times, b.Times) || !slices.Equal(a.Voids, b.Voids) || len(a.Series) != len(b.Series) {
		return false
	}
	for i := range a.Series {
		if a.Series[i].Inst != b.Series[i].Inst || !slices.EqualFunc(a.Series[i].Runs, b.Series[i].Runs, func(x, y series.Run) bool {
			if !a.Desc.Type.Numeric() && x.Row&(series.Gone|series.Failed) == 0 {
				return x.Row == y.Row && string(a.Blobs.At(x.Val)) == string(b.Blobs.At(y.Val))
			}
			return x == y
		}) {
			return false
		}
	}
	return true
}

// rewrite writes all of a but the order of its metadata records.
func rewrite(t *testing.T, a *Archive, m memory) {
	w, err := NewWriter(a.Label(), m.create)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range a.Metrics() {
		w.Desc(d.Desc, d.Names...)
		w.MetricText(d.PMID, d.Oneline, d.Help)
	}
	for _, id := range a.InDoms() {
		h := a.meta.history(id)
		if h == nil {
			continue
		}
		for _, stamp := range slices.Compact(slices.Clone(h.stamps)) {
			list, _ := a.InstancesAt(id, stamp)
			w.InDom(stamp, id, list)
		}
	}
	for key, list := range a.meta.labels {
		for _, r := range list {
			var sets []LabelSet
			for _, s := range r.sets {
				sets = append(sets, LabelSet{s.inst, string(a.meta.data[s.from : s.from+s.size])})
			}
			w.Labels(r.time, LabelLevel(key.class), key.id, sets)
		}
	}
	type row struct {
		time pcp.Time
		set  ValueSet
	}
	var rows []row
	for _, d := range a.Metrics() {
		obs, _ := a.Observations(d.PMID)
		for _, v := range obs.Voids {
			rows = append(rows, row{v.Time, ValueSet{PMID: d.PMID, Code: v.Code}})
		}
		at := make([]int, len(obs.Series))
		for i, now := range obs.Times {
			set := ValueSet{PMID: d.PMID, Type: d.Type}
			for j, s := range obs.Series {
				for at[j] < len(s.Runs) && int(s.Runs[at[j]].Row&series.RowNum) <= i {
					at[j]++
				}
				if at[j] == 0 || s.Runs[at[j]-1].Row&series.Gone != 0 {
					continue
				}
				v := Value{Inst: s.Inst, Val: s.Runs[at[j]-1].Val}
				if !d.Type.Numeric() {
					v.Blob = obs.Blobs.At(v.Val)
				}
				set.Values = append(set.Values, v)
			}
			rows = append(rows, row{now, set})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.time, b.time) })
	for len(rows) > 0 {
		var sets []ValueSet
		now := rows[0].time
		for len(rows) > 0 && rows[0].time == now {
			sets = append(sets, rows[0].set)
			rows = rows[1:]
		}
		w.Record(now, sets)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWriterRefuses what cannot be written.
func TestWriterRefuses(t *testing.T) {
	if _, err := NewWriter(Label{Version: 1}, memory{}.create); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("version 1: %v", err)
	}
	w, _ := NewWriter(Label{Version: 2}, memory{}.create)
	if w.InDomDelta(0, 1, nil, []int32{1}) == nil {
		t.Error("a delta in version 2")
	}
	w, _ = NewWriter(Label{Version: 3}, memory{}.create)
	w.Record(10, nil)
	if w.Record(9, nil) == nil {
		t.Error("a record earlier than the one before")
	}
	w, _ = NewWriter(Label{Version: 3}, memory{}.create)
	if w.Labels(0, ContextLabels, 0, []LabelSet{{JSON: "{"}}) == nil {
		t.Error("labels that are no JSON")
	}
}
