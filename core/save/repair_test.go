package save

import (
	"context"
	"math"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/redact"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// Every damaged archive that opens is saved clean: neither PCP's checker nor
// our own reader finds a problem, and every readable value is there.
func TestDamagedArchivesAreMended(t *testing.T) {
	dir := reference.Need(t, "corpus", "bad")
	mended := 0
	for name, g := range groups(t, dir) {
		a, err := archive.Open(context.Background(), g)
		if err != nil {
			continue // TestBadArchives says which ones, and why
		}
		if err := a.Load(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		out, r := write(t, Request{Parts: []*archive.Archive{a}, Repair: true})
		b := out.open(t, name)
		if faults := b.Problems(); len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
		}
		text, _ := reference.Tool(t, "pmlogcheck", out.store(t, "saved"))
		for l := range strings.Lines(text) { // see spec/repair.md section 2
			if !ofDerived.MatchString(l) {
				t.Errorf("%s: pmlogcheck: %s", name, l)
			}
		}
		keepsValues(t, name, a, b)
		if strings.HasPrefix(name, "badlen-5") && len(r.Notes) == 0 {
			t.Errorf("%s: no message about its missing data", name)
		}
		mended++
	}
	if mended < 20 {
		t.Errorf("%d archives were mended", mended)
	}
}

// A metric with an instance domain of another agent gets one of its own,
// unless it is a logged derived metric. See spec/repair.md section 2.
func TestDomainsOfOtherAgents(t *testing.T) {
	d := day{start: 1_700_000_000 * second, insts: []pcp.Instance{{ID: 1, Name: "sda"}}, value: func(_ pcp.Desc, k int) uint64 { return uint64(k) }}
	want := map[string]pcp.InDom{"a.own": disks, "a.other": pcp.MakeInDom(7, disks.Serial()), "a.derived": disks, "a.unlogged": pcp.MakeInDom(511, disks.Serial())}
	for name, id := range map[string]pcp.PMID{
		"a.own": pcp.MakePMID(60, 1, 1), "a.other": pcp.MakePMID(7, 1, 1), "a.derived": pcp.MakePMID(511, 2048, 3), "a.unlogged": pcp.MakePMID(511, 0, 3),
	} {
		d.names = append(d.names, name)
		d.descs = append(d.descs, pcp.Desc{PMID: id, Type: pcp.Uint32, InDom: disks, Sem: pcp.Instant})
	}
	a := d.write(t)
	out, _ := write(t, Request{Parts: []*archive.Archive{a}, Repair: true})
	b := out.open(t, "mended")
	for _, m := range b.Metrics() {
		if m.InDom != want[m.Name()] || b.MaxInstances(m.InDom) != 1 {
			t.Errorf("%s has the instance domain %s, not %s", m.Name(), m.InDom, want[m.Name()])
		}
	}
	keepsValues(t, "mended", a, b)
	pmlogcheck(t, "mended", out, a)
}

// A counter that restarts gets a mark before it; one that wraps or decreases
// slightly does not, nor does a different instance. Only repair does this. See
// spec/repair.md section 3.
func TestCountersThatBeginAnew(t *testing.T) {
	id := func(n int) pcp.PMID { return pcp.MakePMID(60, 7, n) }
	d := day{start: 1_700_000_000 * second, names: []string{"a.reset", "a.wrap", "a.back", "a.level", "a.small"}, insts: []pcp.Instance{{ID: 1, Name: "sda"}}}
	for i, typ := range []pcp.Type{pcp.Uint64, pcp.Uint32, pcp.Double, pcp.Uint32, pcp.Int32} {
		d.descs = append(d.descs, pcp.Desc{PMID: id(i), Type: typ, InDom: pcp.NullInDom, Sem: pcp.Counter})
	}
	d.descs[0].InDom, d.descs[3].Sem = disks, pcp.Instant
	d.value = func(desc pcp.Desc, k int) uint64 {
		switch desc.PMID {
		case id(0):
			if k >= 30 {
				k -= 30
			}
			return uint64(1000 * k)
		case id(1):
			return uint64(uint32(4_294_960_000 + 500*k))
		case id(2):
			return math.Float64bits(float64(1000 + k - k/20*9))
		case id(3):
			return uint64(60 - k)
		}
		return uint64(uint32(int32(7)))
	}
	a := d.write(t)
	out, r := write(t, Request{Parts: []*archive.Archive{a}, Repair: true})
	b := out.open(t, "mended")
	if marks := b.Marks(); len(marks) != 1 || marks[0] != d.start+290*second+1e6 {
		t.Errorf("marks at %v", marks)
	}
	if said := strings.Join(r.Notes, "\n"); said != "a.reset starts over at 2023-11-14 22:18:20 UTC: a mark was written before it, as for an interruption." {
		t.Errorf("notes = %q, want one about the reset of a.reset", said)
	}
	keepsValues(t, "mended", a, b)
	pmlogcheck(t, "mended", out, a)
	for _, q := range []Request{{}, {Repair: true, Every: 60 * second}, {Rewrite: redacted(t, a, must(redact.New(redact.Options{})))}} {
		q.Parts = []*archive.Archive{a}
		out, _ := write(t, q)
		if marks := out.open(t, "saved").Marks(); len(marks) > 0 {
			t.Errorf("marks at %v", marks)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// keepsValues compares all values read from two archives.
func keepsValues(t *testing.T, name string, a, b *archive.Archive) {
	t.Helper()
	for _, m := range a.Metrics() {
		if m.Type < pcp.NoSupport || m.Type > pcp.HighresEvent {
			continue // nothing can be read of it
		}
		x, _ := a.Observations(m.PMID)
		y, ok := b.Observations(m.PMID)
		if !ok {
			t.Errorf("%s: %s is gone", name, m.Name())
			continue
		}
		if got, want := values(y), values(x); got != want {
			t.Errorf("%s: %s: %s", name, m.Name(), firstDifference(got, want))
		}
	}
}

// values lists all values of a metric, without errors.
func values(o *series.Observations) string {
	var b strings.Builder
	for _, s := range o.Series {
		for i, r := range s.Runs {
			if r.Row&(series.Gone|series.Failed) != 0 {
				continue
			}
			end := len(o.Times)
			if i+1 < len(s.Runs) {
				end = int(s.Runs[i+1].Row & series.RowNum)
			}
			for row := int(r.Row & series.RowNum); row < end; row++ {
				b.WriteString(o.Times[row].Std().Format("15:04:05.000000000 "))
				if o.Blobs.Len() > 0 {
					b.Write(o.Blobs.At(r.Val))
				} else {
					b.WriteString(pcp.Grouped(int64(r.Val)))
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}
