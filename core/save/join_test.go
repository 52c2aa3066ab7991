package save

import (
	"slices"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// day is an archive of ten minutes with one record every ten seconds.
type day struct {
	start pcp.Time
	descs []pcp.Desc
	names []string
	value func(d pcp.Desc, k int) uint64
	insts []pcp.Instance
}

var disks = pcp.MakeInDom(60, 1)

func (d day) write(t *testing.T) *archive.Archive {
	t.Helper()
	out := files{}
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: d.start, Host: "db01", Timezone: "UTC"}, out.create)
	if err != nil {
		t.Fatal(err)
	}
	for i, desc := range d.descs {
		w.Desc(desc, d.names[i])
	}
	if d.insts != nil {
		w.InDom(d.start, disks, d.insts)
	}
	for k := range 60 {
		var sets []archive.ValueSet
		for _, desc := range d.descs {
			s := archive.ValueSet{PMID: desc.PMID, Type: desc.Type}
			if desc.InDom == pcp.NullInDom {
				s.Values = []archive.Value{{Inst: -1, Val: d.value(desc, k)}}
			} else {
				for _, in := range d.insts {
					s.Values = append(s.Values, archive.Value{Inst: in.ID, Val: d.value(desc, k)})
				}
			}
			sets = append(sets, s)
		}
		w.Record(d.start+pcp.Time(k)*10*second, sets)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.open(t, "day")
}

// The last descriptor of a metric is used; earlier values are converted if
// pmlogrewrite(1) can, and otherwise left out.
func TestJoinConverts(t *testing.T) {
	id := func(n int) pcp.PMID { return pcp.MakePMID(60, 7, n) }
	grown := pcp.Desc{PMID: id(1), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: pcp.Units{Count: 1}}
	bytes := pcp.Desc{PMID: id(2), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Instant, Units: pcp.Units{Space: 1}}
	level := pcp.Desc{PMID: id(3), Type: pcp.Int32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	moved := pcp.Desc{PMID: id(4), Type: pcp.Uint32, InDom: disks, Sem: pcp.Instant}
	turned := pcp.Desc{PMID: id(5), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant, Units: pcp.Units{Count: 1}}
	number := pcp.Desc{PMID: id(6), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	shrunk := pcp.Desc{PMID: id(8), Type: pcp.Int64, InDom: pcp.NullInDom, Sem: pcp.Instant}
	names := []string{"a.grown", "a.bytes", "a.level", "a.moved", "a.turned", "a.number", "a.shrunk"}
	start := 1_700_000_000 * second
	insts := []pcp.Instance{{ID: 1, Name: "sda"}, {ID: 2, Name: "sdb"}}
	value := func(d pcp.Desc, k int) uint64 {
		if d.PMID == shrunk.PMID {
			return uint64(k) << 30 // from the second on too much for 32 bits
		}
		return uint64(k) * 4096
	}
	a := day{start, []pcp.Desc{grown, bytes, level, moved, turned, number, shrunk}, names, value, insts}.write(t)
	grown.Type = pcp.Uint64
	bytes.Units.SpaceScale = 1
	level.Sem = pcp.Discrete
	moved.InDom = pcp.NullInDom
	turned.Units = pcp.Units{Time: 1, TimeScale: pcp.Sec}
	number.PMID = id(9)
	shrunk.Type = pcp.Int32
	b := day{start + 3600*second, []pcp.Desc{grown, bytes, level, moved, turned, number, shrunk}, names,
		func(pcp.Desc, int) uint64 { return 7 }, insts[:1]}.write(t)
	out, r := write(t, Request{Parts: []*archive.Archive{a, b}})
	c := out.open(t, "joined")
	pmlogcheck(t, "joined", out, nil)
	want := map[string]struct {
		first uint64 // value of the third record
		rows  int
		note  string
	}{
		"a.grown":  {8192, 120, "its values from before are converted"},
		"a.bytes":  {8, 120, `its units from "byte" to "Kbyte" after day: its values from before are converted`},
		"a.level":  {8192, 120, "its semantics from instant to discrete after day: its values from before stay as they are"},
		"a.moved":  {7, 60, "a.moved of day is left out: it changed its instance domain from 60.1 to PM_INDOM_NULL later"},
		"a.turned": {7, 60, "units of another dimension"},
		"a.number": {8192, 120, ""},
		"a.shrunk": {7, 62, "Values of a.shrunk are left out: they do not fit the metric's later descriptor."},
	}
	said := strings.Join(r.Notes, "\n")
	for name, w := range want {
		m, ok := c.Lookup(name)
		if !ok {
			t.Errorf("%s is gone", name)
			continue
		}
		o, _ := c.Observations(m.PMID)
		got := uint64(0)
		for _, run := range o.Series[0].Runs {
			if run.Row <= 2 {
				got = run.Val
			}
		}
		if got != w.first || len(o.Times) != w.rows {
			t.Errorf("%s: %d in the third of %d records, want %d of %d", name, got, len(o.Times), w.first, w.rows)
		}
		if !strings.Contains(said, w.note) {
			t.Errorf("%s: not said: %q", name, w.note)
		}
	}
	if m, _ := c.Lookup("a.number"); m.PMID != number.PMID {
		t.Errorf("a.number is %s, want what it became, %s", m.PMID, number.PMID)
	}
	if marks := c.Marks(); len(marks) != 1 || marks[0] != a.End()+1e6 {
		t.Errorf("marks at %v, want one a millisecond behind %v", marks, a.End())
	}
	if list, _ := c.InstancesAt(disks, b.Start()); len(list) != 0 && (len(list) != 1 || list[0].Name != "sda") {
		t.Errorf("instances in the second archive are %v", list)
	}
	if t.Failed() {
		t.Log(said)
	}
}

// Cutting a joined set equals joining the cuts.
func TestCutOfJoinIsJoinOfCuts(t *testing.T) {
	sets := [][]string{}
	if dir := reference.Path("corpus", "archives", "multi"); dir != "" {
		sets = append(sets, []string{dir})
	}
	if dir := reference.Path("corpus", "archives", "multi_v3"); dir != "" {
		sets = append(sets, []string{dir})
	}
	parts := [][]*archive.Archive{}
	for _, s := range sets {
		var list []*archive.Archive
		for _, g := range groups(t, s[0]) {
			list = append(list, load(t, g))
		}
		slices.SortFunc(list, func(a, b *archive.Archive) int { return int(min(1, max(-1, a.Start()-b.Start()))) })
		parts = append(parts, list)
	}
	rising := func(d pcp.Desc, k int) uint64 { return uint64(k) }
	descs, names := []pcp.Desc{{PMID: pcp.MakePMID(60, 7, 1), Type: pcp.Uint32, InDom: disks, Sem: pcp.Counter}, once}, []string{"a.reads", "a.once"}
	start := 1_700_000_000 * second
	parts = append(parts, []*archive.Archive{
		day{start, descs, names, rising, []pcp.Instance{{ID: 1, Name: "sda"}, {ID: 2, Name: "sdb"}}}.write(t),
		day{start + 900*second, descs[:1], names, rising, []pcp.Instance{{ID: 1, Name: "sdb"}, {ID: 3, Name: "sdc"}}}.write(t),
		day{start + 1800*second, descs, names, rising, []pcp.Instance{{ID: 1, Name: "sdb"}}}.write(t),
	})
	for _, list := range parts {
		joined, _ := write(t, Request{Parts: list, Repair: true})
		pmlogcheck(t, "joined", joined, nil)
		whole := joined.open(t, "a")
		begin, end := list[0].Start(), list[len(list)-1].End()
		for _, w := range [][2]pcp.Time{{begin, end}, {begin + (end-begin)/4, begin + (end-begin)*3/4}, {list[1].Start(), list[1].End()}, {list[0].End() - second, list[1].Start() + second}} {
			q := Request{Parts: []*archive.Archive{whole}, Start: w[0], End: w[1]}
			cut, _ := write(t, q)
			var cuts []*archive.Archive
			for _, a := range list {
				if first, last := a.Between(w[0], w[1]); first == last {
					continue
				}
				q.Parts = []*archive.Archive{a}
				out, _ := write(t, q)
				cuts = append(cuts, out.open(t, "a"))
			}
			of, _ := write(t, Request{Parts: cuts})
			a, b := cut.open(t, "a"), of.open(t, "a")
			if x, y := a.Label(), b.Label(); x.Start != y.Start || x.Host != y.Host || x.Timezone != y.Timezone {
				t.Errorf("label %+v, want %+v", y, x)
			}
			if !slices.Equal(a.Names(), b.Names()) || !slices.Equal(a.Marks(), b.Marks()) {
				t.Errorf("names or marks differ")
			}
			if got, want := raw(t, b, pcp.MinTime, pcp.MaxTime), raw(t, a, pcp.MinTime, pcp.MaxTime); got != want {
				t.Errorf("records differ: %s", firstDifference(got, want))
			}
			for _, id := range a.InDoms() {
				for _, r := range a.Records() {
					x, _ := a.InstancesAt(id, r.Time)
					y, _ := b.InstancesAt(id, r.Time)
					// Up to its first record of a domain, an archive has in a set the
					// instances of the one before. See spec/archive.md section 9.2.
					if len(y) > 0 && !slices.Equal(x, y) {
						t.Fatalf("instances of %s at %v are %v, want %v", id, r.Time.Std(), y, x)
					}
				}
			}
		}
	}
	t.Logf("%d sets", len(parts))
}

// Archives of one host recorded at the same time: for metrics in both, the
// later one counts, as everywhere in the program.
func TestJoinOfSimultaneousRecordings(t *testing.T) {
	start := 1_700_000_000 * second
	shared := pcp.Desc{PMID: pcp.MakePMID(60, 7, 1), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	mine := pcp.Desc{PMID: pcp.MakePMID(60, 7, 2), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	a := day{start, []pcp.Desc{shared, mine}, []string{"a.shared", "a.mine"}, func(pcp.Desc, int) uint64 { return 1 }, nil}.write(t)
	b := day{start + 305*second, []pcp.Desc{shared}, []string{"a.shared"}, func(pcp.Desc, int) uint64 { return 2 }, nil}.write(t)
	out, _ := write(t, Request{Parts: []*archive.Archive{a, b}})
	c := out.open(t, "joined")
	pmlogcheck(t, "joined", out, nil)
	o, _ := c.Observations(shared.PMID)
	if runs := o.Series[0].Runs; len(o.Times) != 31+60 || len(runs) != 2 || runs[1].Row != 31 || runs[1].Val != 2 {
		t.Errorf("%d rows, %v", len(o.Times), runs)
	}
	if o, _ := c.Observations(mine.PMID); len(o.Times) != 60 {
		t.Errorf("%d rows of the metric that only one has", len(o.Times))
	}
	if len(c.Marks()) != 0 {
		t.Errorf("marks at %v", c.Marks())
	}
}
