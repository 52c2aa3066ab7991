package app

import (
	"errors"
	"math"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// loneRecords writes an archive as a logger leaves it that is stopped after its first
// records: a load that was logged once, at the start; the size of the memory and the kinds
// of two disks, 12 ms later; the disks' queues, 22 ms after the start. The switches, a
// counter, have no record, and disk.all.total one without a value.
func loneRecords(t *testing.T) []File {
	t.Helper()
	w, parts := newArchive(t)
	load, total, memory, kind, queue, switches := pcp.MakePMID(60, 2, 0), pcp.MakePMID(60, 2, 3), pcp.MakePMID(60, 1, 9), pcp.MakePMID(60, 0, 98), pcp.MakePMID(60, 0, 99), pcp.MakePMID(60, 0, 13)
	float := func(inst int32, v float32) archive.Value {
		return archive.Value{Inst: inst, Val: uint64(math.Float32bits(v))}
	}
	err := errors.Join(
		w.InDom(start, disks, []pcp.Instance{{ID: 0, Name: "sda"}, {ID: 1, Name: "sdb"}}),
		w.Desc(pcp.Desc{PMID: switches, Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: count}, "kernel.all.pswitch"),
		w.Desc(pcp.Desc{PMID: load, Type: pcp.Float, InDom: pcp.NullInDom, Sem: pcp.Instant}, "test.load"),
		w.Desc(pcp.Desc{PMID: memory, Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Discrete, Units: kbyte}, "test.memory"),
		w.Desc(pcp.Desc{PMID: kind, Type: pcp.String, InDom: disks, Sem: pcp.Instant}, "test.kind"),
		w.Desc(pcp.Desc{PMID: queue, Type: pcp.Float, InDom: disks, Sem: pcp.Instant}, "test.queue"),
		w.Desc(pcp.Desc{PMID: total, Type: pcp.Float, InDom: pcp.NullInDom, Sem: pcp.Instant}, "disk.all.total"),
		w.Record(start, []archive.ValueSet{{PMID: total, Type: pcp.Float}, {PMID: load, Type: pcp.Float, Values: []archive.Value{float(pcp.NoInstance, 1.5)}}}),
		w.Record(start+12*second/1000, []archive.ValueSet{{PMID: memory, Type: pcp.Uint64, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 4096}}},
			{PMID: kind, Type: pcp.String, Values: []archive.Value{{Inst: 0, Blob: []byte("ssd")}, {Inst: 1, Blob: []byte("tape")}}}}),
		w.Record(start+22*second/1000, []archive.ValueSet{{PMID: queue, Type: pcp.Float, Values: []archive.Value{float(0, 2), float(1, 3.5)}}}),
		w.Close())
	if err != nil {
		t.Fatal(err)
	}
	return filesOf(parts)
}

// Single records show what they hold, wherever they lie in the window, and in whatever
// company: here what loneRecords wrote.
func TestLoneRecords(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, loneRecords(t))
	want := map[string]float64{"test.load": 1.5, "test.memory": 4096, "test.queue[sda]": 2, "test.queue[sdb]": 3.5}
	for _, metrics := range [][]string{{"test.load"}, {"test.queue"}, {"test.load", "test.memory", "test.queue"}, {"test.memory", "test.queue"}} {
		for _, style := range []string{"line", "table"} {
			p := b.show(tab, style, metrics...)
			if p.Fault != "" {
				t.Errorf("%s of %q says %q", style, metrics, p.Fault)
			}
			for _, s := range p.Series {
				name := s.Metric
				if s.Instance != "" {
					name += "[" + s.Instance + "]"
				}
				values := valuesOf(p, s.Column)
				if style == "table" { // one row: the last
					values = values[len(values)-1:]
				}
				found := math.NaN()
				for _, v := range values {
					if !math.IsNaN(v) {
						found = v
					}
				}
				if found != want[name] || style == "line" && (s.Stats.Count != 1 || s.Stats.Max != want[name]) {
					t.Errorf("%s of %q: %s is %v (%+v), want %v", style, metrics, name, found, s.Stats, want[name])
				}
			}
			if n := len(p.Series); n < len(metrics) {
				t.Errorf("%s of %q has %d series", style, metrics, n)
			}
		}
	}
}

// So do strings: the kinds of the disks are in the row of their queues.
func TestLoneStrings(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, loneRecords(t))
	p := b.show(tab, "table", "test.kind", "test.queue")
	kinds := map[string]string{}
	for _, c := range p.Frame.Columns {
		if n := len(c.Strings); n > 0 && c.Strings[n-1] != nil {
			kinds[c.Instance.Name] = *c.Strings[n-1]
		}
	}
	if len(kinds) != 2 || kinds["sda"] != "ssd" || kinds["sdb"] != "tape" {
		t.Errorf("the last row has the kinds %q", kinds)
	}
}

// A table of single values shows those logged up to the cursor.
func TestLoneRecordsAtTheCursor(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, loneRecords(t))
	p := b.show(tab, "table", "test.load", "test.queue")
	b.Cursor.At, b.Cursor.On = start+15*second/1000, true
	b.RefreshTables()
	b.run()
	for _, s := range p.Series {
		last := math.NaN()
		if values := valuesOf(p, s.Column); len(values) > 0 { // of the row shown
			last = values[len(values)-1]
		}
		switch {
		case s.Metric == "test.load" && last != 1.5:
			t.Errorf("the load of 15 ms before is %v, want 1.5", last)
		case s.Metric == "test.queue" && !math.IsNaN(last):
			t.Errorf("the queue, logged 7 ms later, is %v already", last)
		}
	}
}

// The strip shows a metric that has values, and not one that could say more but has none.
func TestStripOfLoneRecords(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, loneRecords(t))
	b.run()
	if p := &tab.Pulse; p.Name != "test.load" || p.Stats.Count != 1 || p.Stats.Max != 1.5 {
		t.Errorf("the strip shows %q, %+v; want test.load, once, 1.5", p.Name, p.Stats)
	}
}

// Of an archive with a single record it is known which metrics take how much, and not which
// are constant. A value set takes 12 bytes, and 8 with each value; see spec/archive.md 5.2.
func TestSizesOfOneRecord(t *testing.T) {
	b := newBench(t)
	w, parts := newArchive(t)
	load, none := pcp.MakePMID(60, 2, 0), pcp.MakePMID(60, 2, 3)
	if err := errors.Join(
		w.Desc(pcp.Desc{PMID: load, Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}, "test.load"),
		w.Desc(pcp.Desc{PMID: none, Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}, "test.none"),
		w.Record(start, []archive.ValueSet{{PMID: load, Type: pcp.Uint32, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 3}}}}),
		w.Close()); err != nil {
		t.Fatal(err)
	}
	tab := b.open(t, filesOf(parts))
	b.FetchVisible()
	b.run()
	largest, total := tab.Findings.Largest(8)
	if len(largest) == 0 || largest[0].Metric != "test.load" || largest[0].Bytes != 20 || total != 20 {
		t.Errorf("the largest metrics are %+v, of %d B in all, want test.load with 20", largest, total)
	}
	if load, none := tab.Tree.State("test.load"), tab.Tree.State("test.none"); load != "" || none != "empty" {
		t.Errorf("the states are %q and %q, want that of the first unknown, and the other one empty", load, none)
	}
}
