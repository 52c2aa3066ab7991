package archive

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// Records that come too late in the file lose a stretch of time only if no others have it: as
// after a record whose time lies ahead, but not where the clock was set back.
func TestEarlyRecords(t *testing.T) {
	level := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}
	for about, c := range map[string]struct {
		at   []int // seconds
		want *pcp.Span
	}{
		"set back": {[]int{0, 10, 20, 30, 40, 50, 60, 70, 80, 40, 50, 60, 70, 80, 90, 100}, nil},
		"ahead":    {[]int{0, 10, 20, 400, 30, 40, 50, 60, 70, 80, 410}, &pcp.Span{Start: 30 * second, End: 80 * second}},
	} {
		m := memory{}
		w, err := NewWriter(Label{Version: 3, Host: "h", Start: 0}, m.create)
		if err != nil {
			t.Fatal(err)
		}
		w.Desc(level, "a.level")
		for i := range c.at { // the writer takes no others
			w.Record(pcp.Time(i)*second, []ValueSet{{PMID: level.PMID, Type: level.Type, Values: []Value{{Inst: pcp.NoInstance, Val: uint64(i)}}}})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for i, r := range load(t, m.group("a")).Records() {
			binary.BigEndian.PutUint32(m["0"].Bytes()[r.Offset+4:], uint32(c.at[i])) // spec/archive.md section 5.1
		}
		problems := slices.DeleteFunc(load(t, m.group("a")).Problems(), func(f pcp.Fault) bool { return !strings.Contains(f.Message, "stamped") })
		if len(problems) != 1 {
			t.Fatalf("%s: problems %v", about, load(t, m.group("a")).Problems())
		}
		if got := problems[0].Lost; (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: lost %v, want %v", about, got, c.want)
		}
	}
}

// gfs has 1,144 records that come after others of the same times, of a metric of their own: the
// 1,145 of the first, every five minutes, leave nothing of its four days out (spec/archive.md section 11).
func TestEarlyRecordsOfCorpus(t *testing.T) {
	a := load(t, groups(t, reference.Need(t, "corpus", "archives"))["gfs"])
	if list := a.Problems(); len(list) != 1 || list[0].Lost != nil {
		t.Errorf("problems %+v", list)
	}
}

// Seconds have 64 bits in version 3 (spec/archive.md section 5.1). Records whose times lie in
// another geological era are damaged, and cost no other one.
func TestImpossibleTimes(t *testing.T) {
	level := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}
	for _, high := range []uint32{1 << 20, 1<<31 - 1, 1 << 31} {
		for _, bad := range [][]int{{3}, {2, 3, 4}, {4, 5}, {0, 1, 2, 3, 4, 5}} {
			m := memory{}
			w, err := NewWriter(Label{Version: 3, Host: "h", Start: 0}, m.create)
			if err != nil {
				t.Fatal(err)
			}
			w.Desc(level, "a.level")
			for i := range 6 {
				w.Record(pcp.Time(i)*second, []ValueSet{{PMID: level.PMID, Type: level.Type, Values: []Value{{Inst: pcp.NoInstance, Val: uint64(i)}}}})
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			records := load(t, m.group("a")).Records()
			first := records[bad[0]].Offset + 4
			var want, times []pcp.Time
			for i, r := range records {
				if slices.Contains(bad, i) {
					binary.BigEndian.PutUint32(m["0"].Bytes()[r.Offset+8:], high)
				} else {
					want = append(want, pcp.Time(i))
				}
			}
			a := load(t, m.group("a"))
			for _, r := range a.Records() {
				times = append(times, r.Time/second)
			}
			said := slices.ContainsFunc(a.Problems(), func(f pcp.Fault) bool { return f.Field == "timestamp" && *f.Offset == first })
			if !slices.Equal(times, want) || !said {
				t.Errorf("%#x in %v: records of %v s, problems %+v", high, bad, times, a.Problems())
			}
		}
	}
}
