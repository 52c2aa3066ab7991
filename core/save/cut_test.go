package save

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// thirds returns the borders of the second third of an archive.
func thirds(a *archive.Archive) (from, to pcp.Time) {
	recs := a.Records()
	start, end := recs[0].Time, recs[len(recs)-1].Time
	return start + (end-start)/3, start + (end-start)*2/3
}

// The records of a window are byte for byte those of the original.
func TestCutKeepsRecords(t *testing.T) {
	for _, dir := range folders() {
		for name, g := range groups(t, dir) {
			a := load(t, g)
			from, to := thirds(a)
			if first, end := a.Between(from, to); first == end {
				continue
			}
			out, _ := write(t, Request{Parts: []*archive.Archive{a}, Start: from, End: to, Strict: true})
			b := out.open(t, name)
			// Marks at the ends of a window have no effect, and are not
			// written.
			if got, want := raw(t, b, from, to), withoutMarksAtEnds(raw(t, a, from, to)); got != want {
				t.Errorf("%s: records differ: %s", name, firstDifference(got, want))
			}
			for _, id := range b.InDoms() { // the instances of that time
				x, _ := a.InstancesAt(id, b.End())
				y, _ := b.InstancesAt(id, b.End())
				if !slices.Equal(x, y) {
					t.Errorf("%s: instances of %s at the end are %v, want %v", name, id, y, x)
				}
				x, _ = a.InstancesAt(id, b.Start())
				y, _ = b.InstancesAt(id, b.Start())
				if !slices.Equal(x, y) {
					t.Errorf("%s: instances of %s at the start are %v, want %v", name, id, y, x)
				}
			}
		}
	}
}

func withoutMarksAtEnds(records string) string {
	lines := strings.SplitAfter(records, "\n")
	lines = lines[:len(lines)-1]
	mark := func(l string) bool { return strings.HasPrefix(l, "00000014") || strings.HasPrefix(l, "00000018") }
	for len(lines) > 0 && mark(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && mark(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "")
}

// raw lists the records of a window.
func raw(t *testing.T, a *archive.Archive, from, to pcp.Time) string {
	t.Helper()
	var b strings.Builder
	err := a.Scan(context.Background(), from, to, nil, func(r archive.RawRecord) error {
		fmt.Fprintf(&b, "%x\n", r.Bytes)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A cut has the records that pmlogextract(1) extracts.
func TestCutIsThatOfPmlogextract(t *testing.T) {
	reference.Program(t, "pmlogextract")
	compared := 0
	for _, dir := range folders()[:1] {
		for name, g := range groups(t, dir) {
			a := load(t, g)
			from, to := thirds(a)
			from, to = from/second*second, to/second*second
			base := t.TempDir() + "/extracted"
			said, _ := reference.Tool(t, "pmlogextract", "-S", at(from), "-T", at(to), stored(t, g), base)
			out, _ := write(t, Request{Parts: []*archive.Archive{a}, Start: from, End: to + second - 1, Strict: true}) // an end without a fraction includes its whole second
			got, _ := dump(t, out.store(t, "saved"))
			want, _ := dump(t, base)
			if got != want || !strings.Contains(got, "metrics") {
				t.Errorf("%s: %s; %s", name, firstDifference(got, want), said)
			}
			pmlogcheck(t, name, out, a)
			compared++
		}
	}
	t.Logf("%d archives", compared)
}

// at is a time in the syntax of PCP's tools.
func at(t pcp.Time) string { return t.Std().Format("@Mon Jan 2 15:04:05 2006") }

// A window is preceded by the last values that it depends on, and nothing
// else.
func TestCutHasWhatCountersNeed(t *testing.T) {
	a := twoGroups(t)
	from := 1_700_000_000*second + 3600*second
	out, r := write(t, Request{Parts: []*archive.Archive{a}, Start: from, End: from + 600*second})
	b := out.open(t, "cut")
	for id, want := range map[pcp.PMID][]pcp.Time{
		counter.PMID: {from - 30*second, from + 30*second, from + 90*second},
		slow.PMID:    {from - 300*second, from + 300*second},
		once.PMID:    {from - 300*second}, // logged an hour before; is at the start
	} {
		o, ok := b.Observations(id)
		if !ok || len(o.Times) < len(want) || !slices.Equal(o.Times[:len(want)], want) {
			t.Errorf("%s was logged at %v, want %v", id, o.Times, want)
		}
	}
	if r.Start != from-300*second || b.Start() != r.Start || len(r.Notes) != 2 {
		t.Errorf("report = %+v, want a start 300 s before the window and two notes", r)
	}
	if o, _ := b.Observations(once.PMID); len(o.Series) != 1 || o.Series[0].Runs[0].Val != 8 {
		t.Errorf("observations of the metric logged once = %+v, want its value 8", o)
	}
}

// Of settings alone the result is as long as the recording in the window, and says what it
// is.
func TestCutOfSettings(t *testing.T) {
	a := twoGroups(t)
	start := 1_700_000_000 * second
	const ends = "The result ends with a mark, up to which its last values hold."
	for _, tt := range []struct {
		from, to, begin, end pcp.Time // seconds
		notes                string
	}{
		// The last record in the window is at 4170 s.
		{3600, 4200, 3600, 4170, "Values of 1 metric that were logged before have the time of the result's start, 2023-11-14 23:13:20 UTC.|" + ends},
		{60, 600, 60, 570, "Values of 1 metric that were logged before have the time of the result's start, 2023-11-14 22:14:20 UTC.|" + ends}, // a minute before
		{0, 600, 0, 570, ends},
		{5000, 6000, 5000, 5400, "Values of 1 metric that were logged before have the time of the result's start, 2023-11-14 23:36:40 UTC."}, // there is a mark
	} {
		out, r := write(t, Request{Parts: []*archive.Archive{a}, Start: start + tt.from*second, End: start + tt.to*second, Metrics: []string{"a.once"}})
		b := out.open(t, "settings")
		o, _ := b.Observations(once.PMID)
		if len(o.Times) != 1 || o.Times[0] != start+tt.begin*second || o.Series[0].Runs[0].Val != 8 || b.Start() != o.Times[0] || b.End() != start+tt.end*second {
			t.Errorf("from %d s: %+v, from %v to %v", tt.from, o, b.Start()-start, b.End()-start)
		}
		if got := strings.Join(r.Notes, "|"); got != tt.notes {
			t.Errorf("from %d s: %q", tt.from, got)
		}
		pmlogcheck(t, "settings", out, b)
	}
}

// The notes are about what was written.
func TestCutNotes(t *testing.T) {
	a := twoGroups(t)
	from := 1_700_000_000*second + 3600*second // 2023-11-14 23:13:20
	const settings = "Values of 1 metric that were logged before have the time of the result's start, "
	for _, tt := range []struct {
		metrics string
		strict  bool
		want    string
	}{
		{"a.counter", false, "The result begins at 2023-11-14 23:12:50 UTC, before the window: counters have no rate before their second value."},
		{"a.slow", false, "The result begins at 2023-11-14 23:08:20 UTC, before the window, with the last values before it."},
		{"a.slow a.once", false, "The result begins at 2023-11-14 23:08:20 UTC, before the window, with the last values before it.|" + settings + "2023-11-14 23:08:20 UTC."},
		{"a.slow a.once", true, "The result does not have a.once: there are no values in the window; those before it are left out, too."},
		{"a", true, ""},
	} {
		_, r := write(t, Request{Parts: []*archive.Archive{a}, Start: from, End: from + 600*second, Metrics: strings.Fields(tt.metrics), Strict: tt.strict})
		if got := strings.Join(r.Notes, "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.metrics, got, tt.want)
		}
	}
}

// Nothing is carried over a mark.
func TestCutDoesNotReachAcrossMarks(t *testing.T) {
	a := twoGroups(t)
	from := 1_700_000_000*second + 5400*second + 10*second // the mark is at +5400 s
	out, r := write(t, Request{Parts: []*archive.Archive{a}, Start: from, End: from + 600*second})
	b := out.open(t, "cut")
	if r.Start < from || b.Start() != r.Start {
		t.Errorf("the cut begins at %v, before %v", r.Start.Std(), from.Std())
	}
	if _, known := b.Metric(once.PMID); known {
		t.Error("what was logged before the mark is in the cut")
	}
}

var (
	counter = pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter}
	slow    = pcp.Desc{PMID: pcp.MakePMID(60, 0, 2), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	once    = pcp.Desc{PMID: pcp.MakePMID(60, 0, 3), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Discrete}
)

// twoGroups is an archive of 2 hours: a counter each minute, at half past, a
// level each 10 minutes, a number once at the start, and a mark after 1½ hours.
func twoGroups(t *testing.T) *archive.Archive {
	t.Helper()
	out, start := files{}, 1_700_000_000*second
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: start, Host: "db01", Timezone: "UTC"}, out.create)
	if err != nil {
		t.Fatal(err)
	}
	w.Desc(counter, "a.counter")
	w.Desc(slow, "a.slow")
	w.Desc(once, "a.once")
	one := func(d pcp.Desc, v uint64) archive.ValueSet {
		return archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: -1, Val: v}}}
	}
	w.Record(start, []archive.ValueSet{one(once, 8)})
	for s := pcp.Time(30); s < 7200; s += 30 {
		switch {
		case s == 5400:
			w.Mark(start + s*second)
		case s%600 == 300:
			w.Record(start+s*second, []archive.ValueSet{one(slow, uint64(s))})
		case s%60 == 30:
			w.Record(start+s*second, []archive.ValueSet{one(counter, uint64(s))})
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.open(t, "two")
}

// Saving is deterministic and idempotent.
func TestSavingTwiceIsTheSame(t *testing.T) {
	for name, g := range groups(t, folders()[0]) {
		a := load(t, g)
		from, to := thirds(a)
		q := Request{Parts: []*archive.Archive{a}, Start: from, End: to}
		first, _ := write(t, q)
		second, _ := write(t, q)
		sameFiles(t, name, first, second)
		again, _ := write(t, Request{Parts: []*archive.Archive{first.open(t, name)}})
		sameFiles(t, name+" saved again", first, again)
	}
}

func sameFiles(t *testing.T, name string, a, b files) {
	t.Helper()
	for suffix := range a {
		if b[suffix] == nil || !bytes.Equal(a[suffix].Bytes(), b[suffix].Bytes()) {
			t.Errorf("%s: .%s differs", name, suffix)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d files and %d", name, len(a), len(b))
	}
}

// Selected metrics and instances, and nothing else.
func TestChosenMetricsAndInstances(t *testing.T) {
	for name, g := range groups(t, folders()[0]) {
		a := load(t, g)
		out, _ := write(t, Request{Parts: []*archive.Archive{a}, Metrics: []string{"kernel.all.load", "disk.dev"}, Instances: []string{"5 minute", "1 minute"}})
		b := out.open(t, name)
		for _, n := range b.Names() {
			if !within(n, "kernel.all.load") && !within(n, "disk.dev") {
				t.Errorf("%s has %s", name, n)
			}
		}
		m, ok := b.Lookup("kernel.all.load")
		if !ok {
			t.Fatalf("%s lacks kernel.all.load", name)
		}
		x, _ := a.Observations(m.PMID)
		y, _ := b.Observations(m.PMID)
		if len(y.Series) != 2 || len(y.Times) != len(x.Times) || y.Series[1].Inst != 5 {
			t.Errorf("%s: kernel.all.load has %d series at %d times", name, len(y.Series), len(y.Times))
		}
		if list, _ := b.Instances(m.InDom); len(list) != 2 {
			t.Errorf("%s: %v", name, list)
		}
		pmlogcheck(t, name, out, a)
	}
}

// Volumes have the requested size, and the index refers to them.
func TestVolumes(t *testing.T) {
	for name, g := range groups(t, folders()[0]) {
		a := load(t, g)
		out, r := write(t, Request{Parts: []*archive.Archive{a}, VolumeSize: 100_000})
		if r.Volumes < 3 || len(out) != r.Volumes+2 {
			t.Fatalf("%s: %d volumes, %d files", name, r.Volumes, len(out))
		}
		for suffix, b := range out {
			if suffix != "meta" && suffix != "index" && b.Len() > 200_000 {
				t.Errorf("%s.%s has %d bytes", name, suffix, b.Len())
			}
		}
		compare(t, name, a, out.open(t, name), nil)
		pmlogcheck(t, name, out, a)
	}
}

func TestNothingToSave(t *testing.T) {
	a := twoGroups(t)
	for _, c := range []struct {
		q    Request
		want string
	}{
		{Request{Start: 1, End: 2}, "no values to save from 1970-01-01 00:00:00 UTC"},
		{Request{Metrics: []string{"no.such"}}, "no metric no.such"},
		{Request{Start: 2, End: 1}, "ends before it begins"},
		{Request{Version: 4}, "not in 4"},
		{Request{Every: -1}, "longer than 0"},
	} {
		c.q.Parts = []*archive.Archive{a}
		out := files{}
		_, err := Write(context.Background(), c.q, out.create, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(out) > 0 {
			t.Errorf("%v, want %q; %d files were made", err, c.want, len(out))
		}
	}
	if _, err := Write(context.Background(), Request{}, files{}.create, nil); err == nil {
		t.Error("nothing was saved without a word")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Write(ctx, Request{Parts: []*archive.Archive{a}}, files{}.create, nil); err == nil || pcp.AsFault(err).Kind != pcp.Cancelled {
		t.Errorf("a stopped call gives %v", err)
	}
}
