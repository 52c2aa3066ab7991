package core

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// written collects the files of an archive that the writer makes.
type written map[string]*bytes.Buffer

type nopClose struct{ io.Writer }

func (nopClose) Close() error { return nil }

func (w written) create(base string) func(suffix string) (io.WriteCloser, error) {
	return func(suffix string) (io.WriteCloser, error) {
		b := new(bytes.Buffer)
		w[base+"."+strings.TrimPrefix(suffix, ".")] = b
		return nopClose{b}, nil
	}
}

func (w written) files(without ...string) []File {
	var list []File
	for name, b := range w {
		skip := false
		for _, x := range without {
			skip = skip || name == x
		}
		if !skip {
			list = append(list, File{Name: name, Size: int64(b.Len()), At: bytes.NewReader(b.Bytes())})
		}
	}
	return list
}

// begin begins an archive of the host h that is named so.
func (w written) begin(t testing.TB, name string, start pcp.Time) *archive.Writer {
	t.Helper()
	out, err := archive.NewWriter(archive.Label{Version: 3, Host: "h", Start: start}, w.create(name))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// overview is that of all that was written.
func (w written) overview(t testing.TB) api.Overview {
	t.Helper()
	s, id := w.open(t)
	v, err := s.Overview(t.Context(), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// open opens all that was written, which must be one source.
func (w written) open(t testing.TB) (*Session, api.SourceID) {
	t.Helper()
	s := NewSession(Options{})
	o, err := s.Open(t.Context(), w.files(), nil)
	if err != nil || len(o.Sources) != 1 {
		t.Fatal(o, err)
	}
	return s, o.Sources[0].ID
}

// ramp is an archive of a counter that grows by 10 per second and a level
// equal to the second, one record per second, a volume every perVolume
// records.
type ramp struct {
	version   int
	host      string
	from, to  int // seconds
	perVolume int
	desc      pcp.Desc // of the level; the counter is always U64
}

var (
	rampCounter = pcp.Desc{PMID: pcp.MakePMID(250, 0, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: pcp.MakeUnits(0x00100000)}
	rampLevel   = pcp.Desc{PMID: pcp.MakePMID(250, 0, 2), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
)

const rampEpoch = 1_700_000_000

// recordLevel writes the second as the level.
func recordLevel(aw *archive.Writer, s int) {
	aw.Record(second(s), []archive.ValueSet{{PMID: rampLevel.PMID, Type: rampLevel.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(s)}}}})
}

func second(s int) pcp.Time { return pcp.MakeTime(rampEpoch+int64(s), 0) }

func (r ramp) write(t *testing.T, w written, base string) {
	t.Helper()
	if r.desc == (pcp.Desc{}) {
		r.desc = rampLevel
	}
	aw, err := archive.NewWriter(archive.Label{Version: r.version, PID: 1, Start: second(r.from), Host: r.host, Timezone: "UTC"}, w.create(base))
	if err != nil {
		t.Fatal(err)
	}
	aw.Desc(rampCounter, "ramp.counter")
	aw.Desc(r.desc, "ramp.level")
	for s := r.from; s <= r.to; s++ {
		if r.perVolume > 0 && s > r.from && (s-r.from)%r.perVolume == 0 {
			aw.NextVolume()
		}
		level := uint64(s)
		if r.desc.Type == pcp.Double {
			level = math.Float64bits(float64(s))
		}
		err = aw.Record(second(s), []archive.ValueSet{
			{PMID: rampCounter.PMID, Type: rampCounter.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(10 * s)}}},
			{PMID: r.desc.PMID, Type: r.desc.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: level}}},
		})
	}
	if err == nil {
		err = aw.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ask fetches both metrics once a second.
func ask(t *testing.T, files []File, q api.Query) (api.Opened, *api.Frame) {
	t.Helper()
	s := NewSession(Options{})
	o, err := s.Open(t.Context(), files, nil)
	if err != nil || len(o.Sources) != 1 {
		t.Fatalf("opened as %+v, %v", o, err)
	}
	q.Source = o.Sources[0].ID
	if q.Metrics == nil {
		q.Metrics = []string{"ramp.counter", "ramp.level"}
	}
	f, err := s.Fetch(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o.Sources[0], err = s.Loaded(t.Context(), q.Source, nil); err != nil {
		t.Fatal(err)
	}
	return o, f
}

func TestMissingVolumeIsAGap(t *testing.T) {
	w := written{}
	ramp{version: 3, host: "h", from: 0, to: 29, perVolume: 10}.write(t, w, "a")
	o, f := ask(t, w.files("a.1"), api.Query{})
	for _, c := range f.Columns {
		for s, v := range c.Values {
			inGap := s >= 10 && s < 20
			if math.IsNaN(v) != inGap {
				t.Errorf("%s at second %d is %v; the volume with seconds 10 to 19 is missing", c.Metric, s, v)
			}
			if inGap && series.Why(c.Why[s]) != series.VolumeMissing {
				t.Errorf("%s at second %d has no value because %q", c.Metric, s, series.Why(c.Why[s]))
			}
		}
	}
	src := o.Sources[0]
	if len(src.Problems) != 1 || src.Problems[0].Lost == nil || src.Problems[0].Lost.Start != second(9) || src.Problems[0].Lost.End != second(20) {
		t.Errorf("problems: %+v", src.Problems)
	}
	if len(src.Gaps) != 1 || src.Gaps[0].Why != "missing volume" {
		t.Errorf("gaps: %+v", src.Gaps)
	}
}

// Where a volume is missing, a sparkline shows nothing, although in PCP the sum
// of no values is 0, and its mean counts only what exists.
func TestSparklineOverAMissingVolume(t *testing.T) {
	w := written{}
	ramp{version: 3, host: "h", from: 0, to: 29, perVolume: 10}.write(t, w, "a")
	s := NewSession(Options{})
	o, err := s.Open(t.Context(), w.files("a.1"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Loaded(t.Context(), o.Sources[0].ID, nil); err != nil {
		t.Fatal(err)
	}
	src, err := s.source(o.Sources[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	line, _, ok := src.sparkEvaluation(t.Context(), second(0), second(29), 29).spark("sum(ramp.level)")
	if !ok || len(line.Values) != 29 {
		t.Fatalf("the sparkline is %+v, %v", line, ok)
	}
	for i, v := range line.Values { // of seconds 1 to 29
		if s := i + 1; math.IsNaN(v) != (s >= 10 && s < 20) {
			t.Errorf("at second %d it is %v; the volume with seconds 10 to 19 is missing", s, v)
		}
	}
}

// A metric that changed its type and units between two archives is correct on
// both sides, and the change is reported. libpcp rejects such a set.
func TestMetricThatChanged(t *testing.T) {
	w := written{}
	ramp{version: 2, host: "h", from: 0, to: 9}.write(t, w, "a")
	ramp{version: 3, host: "h", from: 20, to: 29, desc: pcp.Desc{PMID: rampLevel.PMID, Type: pcp.Double, InDom: pcp.NullInDom, Sem: pcp.Instant}}.write(t, w, "b")
	o, f := ask(t, w.files(), api.Query{})
	level := f.Columns[1]
	if level.Type != "DOUBLE" {
		t.Errorf("the joined metric is %s", level.Type)
	}
	for s, v := range level.Values {
		if between := s > 9 && s < 20; math.IsNaN(v) != between || !between && v != float64(s) {
			t.Errorf("level at second %d is %v", s, v)
		}
	}
	reported := false
	for _, p := range o.Sources[0].Problems {
		reported = reported || strings.Contains(p.Message, "ramp.level changed its type from U32 to DOUBLE") && p.When != nil && p.When.Start == second(20)
	}
	if !reported {
		t.Errorf("the change is not among the problems: %+v", o.Sources[0].Problems)
	}
}

// A new version of an agent has 64 bits where the one before had 32, in ten metrics, and one is
// a counter now: that is two problems, and not eleven.
func TestMetricsThatChangedAlike(t *testing.T) {
	w := written{}
	for i, kind := range []pcp.Type{pcp.Uint32, pcp.Uint64} {
		aw := w.begin(t, string(rune('a'+i)), second(100*i))
		var sets []archive.ValueSet
		for k := range 11 {
			d := pcp.Desc{PMID: pcp.MakePMID(60, 0, k), Type: kind, InDom: pcp.NullInDom, Sem: pcp.Instant}
			if k == 10 {
				d.Type, d.Sem = pcp.Uint32, [...]pcp.Semantics{pcp.Instant, pcp.Counter}[i]
			}
			aw.Desc(d, "a.m"+string(rune('a'+k)))
			sets = append(sets, archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 7}}})
		}
		aw.Record(second(100*i), sets)
		aw.Record(second(100*i+10), sets)
		if err := aw.Close(); err != nil {
			t.Fatal(err)
		}
	}
	o, _ := ask(t, w.files(), api.Query{})
	var got []string
	for _, p := range o.Sources[0].Problems {
		got = append(got, p.Message+" "+p.Done)
	}
	want := []string{
		"10 metrics changed their type from U32 to U64 between a and b: a.ma, a.mb, a.mc, a.md, a.me, a.mf and 4 more. Values on each side are read as they were recorded.",
		"a.mk changed its semantics from instant to counter between a and b. All values are read with the later semantics, which is wrong for those of a; open it alone for these.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Two archives of the same host and time become one source with one value at
// each time.
func TestOverlap(t *testing.T) {
	w := written{}
	ramp{version: 3, host: "h", from: 0, to: 19}.write(t, w, "a")
	ramp{version: 3, host: "h", from: 10, to: 29}.write(t, w, "b")
	o, f := ask(t, w.files(), api.Query{Mode: "raw"})
	if len(f.Times) != 30 {
		t.Errorf("%d moments, want 30", len(f.Times))
	}
	for s, v := range f.Columns[1].Values {
		if v != float64(s) {
			t.Errorf("level at second %d is %v", s, v)
		}
	}
	if p := o.Sources[0].Problems; len(p) != 1 || !strings.Contains(p[0].Message, "recorded at the same time") {
		t.Errorf("problems: %+v", p)
	}
}

// Different layouts of the same data that must not matter.
func TestLayoutDoesNotMatter(t *testing.T) {
	step := int64(700e6)
	q := api.Query{Interval: &api.When{Nanos: &step}}
	values := func(r ramp, without ...string) string {
		w := written{}
		r.host, r.to = "h", 99
		r.write(t, w, "a")
		_, f := ask(t, w.files(without...), q)
		return fmt.Sprint(f.Times, f.Columns[0].Values, f.Columns[1].Values)
	}
	want := values(ramp{version: 3})
	if !strings.Contains(want, "693") || strings.Contains(want, "NaN 7") {
		t.Fatal("the values make no sense: ", want[:200])
	}
	for name, got := range map[string]string{
		"version 2":        values(ramp{version: 2}),
		"ten volumes":      values(ramp{version: 3, perVolume: 10}),
		"without an index": values(ramp{version: 3, perVolume: 10}, "a.index"),
	} {
		if got != want {
			t.Errorf("%s: other values\n%s\n%s", name, got, want)
		}
	}
}

// A grid walked backwards has the same values, except that a mark hides
// values on its other side.
func TestBackwardsIsForwards(t *testing.T) {
	w := written{}
	ramp{version: 3, host: "h", from: 0, to: 50}.write(t, w, "a")
	forth, back := int64(900e6), int64(-900e6)
	_, f := ask(t, w.files(), api.Query{Interval: &api.When{Nanos: &forth}, Count: 50})
	last := int64(second(0)) + 49*forth
	_, b := ask(t, w.files(), api.Query{Start: &api.When{Nanos: &last}, Interval: &api.When{Nanos: &back}, Count: 50})
	for c := range f.Columns {
		for i := range f.Times {
			if x, y := f.Columns[c].Values[i], b.Columns[c].Values[49-i]; x != y {
				t.Errorf("%s point %d: %v forwards, %v backwards", f.Columns[c].Metric, i, x, y)
			}
		}
	}
}

// When the budget is used up, the rest is not read and a message says so;
// what was read before still answers queries.
func TestBudget(t *testing.T) {
	w := written{}
	ramp{version: 3, host: "h", from: 0, to: 9}.write(t, w, "a")
	ramp{version: 3, host: "h", from: 20, to: 29}.write(t, w, "b")
	s := NewSession(Options{Memory: 16_500})
	o, err := s.Open(t.Context(), w.files(), nil)
	if err != nil || len(o.Sources) != 1 {
		t.Fatal(o, err)
	}
	id := o.Sources[0].ID
	if _, err := s.Loaded(t.Context(), id, nil); pcp.AsFault(err) == nil || pcp.AsFault(err).Kind != pcp.OutOfMemory {
		t.Errorf("loading both: %v", err)
	}
	end := int64(second(9))
	f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"ramp.level"}, End: &api.When{Nanos: &end}}, nil)
	if err != nil || len(f.Columns) != 1 || f.Columns[0].Values[5] != 5 {
		t.Errorf("what was read does not answer: %+v %v", f, err)
	}
	src := s.Sources()[0]
	if n := len(src.Problems); n != 1 || src.Problems[0].Kind != pcp.OutOfMemory {
		t.Errorf("problems: %+v", src.Problems)
	}
}

// A volume without metadata borrows those of the host's next archive: its
// values have names.
func TestBorrowedMetadata(t *testing.T) {
	w := written{}
	ramp{version: 3, host: "h", from: 0, to: 9}.write(t, w, "a")
	ramp{version: 3, host: "h", from: 20, to: 29}.write(t, w, "b")
	_, f := ask(t, w.files("a.meta", "a.index"), api.Query{})
	for s, v := range f.Columns[1].Values {
		if between := s > 9 && s < 20; math.IsNaN(v) != between || !between && v != float64(s) {
			t.Errorf("level at second %d is %v", s, v)
		}
	}
	o, _ := ask(t, w.files("a.meta", "b.meta", "b.0", "b.index"), api.Query{Metrics: []string{"250.0.2"}})
	if p := o.Sources[0].Problems; len(p) == 0 || !strings.Contains(p[0].Message, "a.meta") {
		t.Errorf("no message about the missing metadata: %+v", p)
	}
}

// Without any metadata no instance domain is known. The values of several
// instances are told apart by their numbers, which pminfo(1) shows for this
// archive: kernel.percpu.cpu.user, 60.0.0, has 0 and 1.
func TestInstancesWithoutMetadata(t *testing.T) {
	s, o := openAll(t, live+"web01-v2.0.gz")
	for metric, want := range map[string][]string{"60.0.0": {"0", "1"}, "60.0.24": {""}} { // 60.0.24 is disk.all.read, of one value
		f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{metric}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range f.Columns {
			name := ""
			if c.Instance != nil {
				name = c.Instance.Name
			}
			got = append(got, name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the instances of %s are %q, want %q", metric, got, want)
		}
	}
}

// One damaged timestamp, in a label or a record of one archive, does not make
// the set span years: the others, and its other records, keep their times.
func TestDamagedStampsInASet(t *testing.T) {
	const start, stamp = 12, 4 // places of the low half in version 2's label, and in a record; spec/archive.md sections 4 and 5
	for _, tt := range []struct {
		name string
		at   func(volume []byte) int // of the high byte that is damaged
		file string
	}{
		{"label of a volume", func([]byte) int { return start }, "b.0"},
		{"label of the metadata", func([]byte) int { return start }, "b.meta"},
		{"first record", func(v []byte) int { return nthRecord(v, 0) + stamp }, "b.0"},
		{"a record", func(v []byte) int { return nthRecord(v, 7) + stamp }, "b.0"},
		{"last record", func(v []byte) int { return nthRecord(v, 19) + stamp }, "b.0"},
		{"last record of the last archive", func(v []byte) int { return nthRecord(v, 19) + stamp }, "c.0"},
		{"first record of the first archive", func(v []byte) int { return nthRecord(v, 0) + stamp }, "a.0"},
	} {
		for _, by := range []byte{0x10, 0x40} { // 8.5 or 34 years
			w := written{}
			for i, base := range []string{"a", "b", "c"} {
				ramp{version: 2, host: "h", from: 100 * i, to: 100*i + 19}.write(t, w, base)
			}
			b := w[tt.file].Bytes()
			b[tt.at(b)] ^= by
			o, f := ask(t, w.files(), api.Query{Interval: &api.When{Text: "1sec"}, Start: moment(second(0)), End: moment(second(219))})
			src := o.Sources[0]
			if src.Start < second(-1) || src.End > second(221) || src.End < second(210) {
				t.Errorf("%s, %#x: %v to %v", tt.name, by, src.Start.Std(), src.End.Std())
			}
			wrong := 0
			for s, v := range f.Columns[1].Values {
				if s%100 < 20 && v != float64(s) {
					wrong++
				}
			}
			if wrong > 2 {
				t.Errorf("%s, %#x: %d of 60 values are lost or wrong", tt.name, by, wrong)
			}
		}
	}
}

// nthRecord is where a record of a volume begins, each with its length.
func nthRecord(volume []byte, n int) int {
	at := int(binary.BigEndian.Uint32(volume))
	for range n {
		at += int(binary.BigEndian.Uint32(volume[at:]))
	}
	return at
}

// What becomes of the earlier values follows from what changed.
func TestBothRead(t *testing.T) {
	at := func(typ pcp.Type, sem pcp.Semantics, units pcp.Units) pcp.Desc {
		return pcp.Desc{Type: typ, Sem: sem, Units: units}
	}
	ms, kbyte := pcp.Units{Time: 1, TimeScale: pcp.Millisec}, pcp.Units{Space: 1, SpaceScale: 1}
	level := at(pcp.Uint32, pcp.Instant, kbyte)
	for name, c := range map[string]struct {
		later pcp.Desc
		want  string
	}{
		"wider, other scale": {at(pcp.Uint64, pcp.Discrete, pcp.Units{Space: 1}), "as they were recorded"},
		"other dimension":    {at(pcp.Uint32, pcp.Instant, ms), "values of s1 are left out"},
		"text":               {at(pcp.String, pcp.Instant, kbyte), "values of s1 are left out"},
		"a counter":          {at(pcp.Uint32, pcp.Counter, kbyte), "wrong for those of s1"},
	} {
		if got := bothRead(level, c.later, "s1"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want that %q", name, got, c.want)
		}
	}
}
