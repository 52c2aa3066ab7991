package mmv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

func mustRead(t testing.TB, name string, data []byte) *File {
	t.Helper()
	f, err := Read(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../testdata/mmv", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What mmvdump of PCP 6.0.3 prints of sample_v3, and the agent of 7.2.1
// exports: names beyond 63 bytes, an optional and an instance label, help of
// a domain.
func TestSampleV3(t *testing.T) {
	f := mustRead(t, "/tmp/mmv/sample_v3", testdata(t, "sample_v3"))
	const long = "mmv.sample_v3.a.metric.whose.name.is.longer.than.the.sixty.three.bytes.that.version.one.of.the.format.allowed"
	want := []Metric{
		{Name: long, Desc: pcp.Desc{PMID: pcp.MakePMID(70, 323, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: pcp.Units{Space: 1, SpaceScale: 1}},
			Oneline: "A long name", Help: "Help.", Values: []Value{{Inst: -1, Bits: 42}}},
		{Name: "mmv.sample_v3.queue.depth", Desc: pcp.Desc{PMID: pcp.MakePMID(70, 323, 2), Type: pcp.Uint32, InDom: pcp.MakeInDom(70, 661506), Sem: pcp.Instant, Units: pcp.Units{Count: 1}},
			Oneline: "Entries waiting", Help: "Entries waiting in a queue.", Labels: []byte(`{"weight":1.5}`),
			Values: []Value{{Inst: 3}, {Inst: 4, Bits: 9}}},
	}
	if !reflect.DeepEqual(f.Metrics, want) {
		t.Errorf("got %+v\nwant %+v", f.Metrics, want)
	}
	wantDomains := []InDom{{ID: pcp.MakeInDom(70, 661506), Oneline: "Work queues", Help: "Queues of work, by name.", Instances: []Instance{
		{Instance: pcp.Instance{ID: 3, Name: "a queue whose name is longer than the sixty-three bytes that version one allowed"}},
		{Instance: pcp.Instance{ID: 4, Name: "short"}, Labels: []byte(`{"lane":true}`)}}}}
	if !reflect.DeepEqual(f.InDoms, wantDomains) {
		t.Errorf("got %+v\nwant %+v", f.InDoms, wantDomains)
	}
	if !f.Complete() || f.Version != 3 || f.PID != 5538 || f.Cluster != 323 || f.Flags != Sentinel || f.BigEndian || len(f.Problems) != 0 {
		t.Errorf("header %+v", f)
	}
}

// everything uses all types, semantics and sections.
func everything(order binary.ByteOrder, version uint32) *builder {
	b := newBuilder(order, version)
	i := b.domain(5, "lanes", "all lanes", inst{3, "left"}, inst{-7, "right"}, inst{1 << 30, ""})
	units := uint32(0x1f013000)
	b.metric(metric{"i32", 1, 0, 1, units, 0, "one", "long"})
	b.metric(metric{"u32", 2, 1, 3, 0, -1, "only one", ""})
	b.metric(metric{"i64", 3, 2, 4, 0, 5, "", ""})
	b.metric(metric{"u64", 4, 3, 0, 0, 0, "", ""})
	b.metric(metric{"float", 5, 4, 3, 0, 0, "", ""})
	b.metric(metric{"double", 6, 5, 3, 0, 0, "", ""})
	b.metric(metric{"string", 7, 6, 4, 0, 0, "", ""})
	b.metric(metric{"timer", 8, 9, 3, units, 0, "", ""})
	b.metric(metric{"none", 9, -1, 3, 0, 0, "", ""})
	b.value(2, i+1, uint64(1<<63), 0)
	b.value(2, i, uint64(5), 0)
	b.value(0, -1, uint32(0xfffffffe), 0)
	b.value(1, -1, uint32(0xfffffffe), 0)
	b.value(3, -1, uint64(1<<63), 0)
	b.value(4, -1, math.Float32bits(0.25), 0)
	b.value(5, -1, math.Float64bits(0.1), 0)
	b.value(6, -1, "text \xff", 0)
	b.value(7, -1, uint64(1000), -1700000000000000)
	b.label(8, 321, -1, `{"where":"cluster","c":1}`)
	b.label(16|0x80, 3, -1, `{"where":"item"}`)
	b.label(4, 5, -1, `{"where":"indom","n":{"a":1}}`)
	b.label(16, 3, -1, `{"n":{"b":12345678901234567890}}`)
	b.label(32, 5, -7, `{"side":"<r>"}`)
	return b
}

func TestEveryVersionAndOrder(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for version := uint32(1); version <= 3; version++ {
			t.Run(fmt.Sprint(order, version), func(t *testing.T) {
				f := mustRead(t, "x", everything(order, version).bytes())
				units := pcp.Units{Space: 1, SpaceScale: 1, Time: -1, TimeScale: pcp.Sec}
				cluster := []byte(`{"c":1,"where":"cluster"}`)
				desc := func(item int, typ pcp.Type, sem pcp.Semantics) pcp.Desc {
					return pcp.Desc{PMID: pcp.MakePMID(70, 321, item), Type: typ, InDom: pcp.NullInDom, Sem: sem}
				}
				want := []Metric{
					{Name: "mmv.x.i32", Desc: desc(1, pcp.Int32, pcp.Counter), Oneline: "one", Help: "long", Values: []Value{{Inst: -1, Bits: math.MaxUint64 - 1}}},
					{Name: "mmv.x.u32", Desc: desc(2, pcp.Uint32, pcp.Instant), Oneline: "only one", Help: "only one", Values: []Value{{Inst: -1, Bits: 0xfffffffe}}},
					{Name: "mmv.x.i64", Desc: desc(3, pcp.Int64, pcp.Discrete), Labels: []byte(`{"c":1,"n":{"a":1,"b":12345678901234567890},"where":"item"}`),
						Values: []Value{{Inst: 3, Bits: 5}, {Inst: -7, Bits: 1 << 63}}},
					{Name: "mmv.x.u64", Desc: desc(4, pcp.Uint64, pcp.Counter), Values: []Value{{Inst: -1, Bits: 1 << 63}}},
					{Name: "mmv.x.float", Desc: desc(5, pcp.Float, pcp.Instant), Values: []Value{{Inst: -1, Bits: 0x3e800000}}},
					{Name: "mmv.x.double", Desc: desc(6, pcp.Double, pcp.Instant), Values: []Value{{Inst: -1, Bits: 0x3fb999999999999a}}},
					{Name: "mmv.x.string", Desc: desc(7, pcp.String, pcp.Discrete), Values: []Value{{Inst: -1, Text: "text \xff"}}},
					{Name: "mmv.x.timer", Desc: desc(8, pcp.Int64, pcp.Counter), Values: []Value{{Inst: -1, Bits: 1000, Since: 1700000000000000}}},
					{Name: "mmv.x.none", Desc: desc(9, pcp.NoSupport, pcp.Instant)},
				}
				want[0].Desc.Units = units
				want[2].Desc.InDom = pcp.MakeInDom(70, 321<<11|5)
				want[7].Desc.Units = pcp.Units{Time: 1, TimeScale: pcp.Microsec}
				for i := range want {
					if want[i].Labels == nil {
						want[i].Labels = cluster
					}
					if i >= len(f.Metrics) || !reflect.DeepEqual(f.Metrics[i], want[i]) {
						t.Errorf("metric %d: got %+v, want %+v", i, f.Metrics[i], want[i])
					}
				}
				d := []InDom{{ID: want[2].Desc.InDom, Oneline: "lanes", Help: "all lanes", Instances: []Instance{
					{Instance: pcp.Instance{ID: 3, Name: "left"}}, {Instance: pcp.Instance{ID: -7, Name: "right"}, Labels: []byte(`{"side":"<r>"}`)},
					{Instance: pcp.Instance{ID: 1 << 30}}}}}
				if !reflect.DeepEqual(f.InDoms, d) {
					t.Errorf("domains: got %+v, want %+v", f.InDoms, d)
				}
				if len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Message, "1 timed intervals were still running") {
					t.Errorf("problems %v", f.Problems)
				}
				if f.BigEndian != (order == binary.BigEndian) || f.Version != int(version) {
					t.Errorf("read as version %d, big-endian %v", f.Version, f.BigEndian)
				}
			})
		}
	}
}

// See spec/mmv.md section 4.4.
func TestSentinels(t *testing.T) {
	for _, flags := range []uint32{0, 4, 4 | 1} {
		b := newBuilder(binary.LittleEndian, 1)
		b.flags = flags
		values := []struct {
			typ  int32
			v    any
			none bool
		}{
			{0, uint64(math.MaxUint64), true}, {1, uint64(math.MaxUint64), true}, {2, uint64(math.MaxUint64), true}, {3, uint64(math.MaxUint64), true}, {9, uint64(math.MaxUint64), true},
			{0, uint32(math.MaxUint32), false}, {1, uint32(math.MaxUint32), false}, // only 4 bytes of ones
			{4, math.Float32bits(float32(math.NaN())), true}, {5, math.Float64bits(math.NaN()), true}, {5, math.Float64bits(math.Inf(1)), false},
			{6, "", true}, {6, "x", false}, {5, uint64(math.MaxUint64), true},
		}
		for i, v := range values {
			b.metric(metric{name: fmt.Sprint("m", i), item: uint32(i), typ: v.typ, sem: 3})
			b.value(i, -1, v.v, 0)
		}
		f := mustRead(t, "x", b.bytes())
		for i, v := range values {
			if got, want := len(f.Metrics[i].Values), 1; (got == want) == (v.none && flags&4 != 0) {
				t.Errorf("flags %d, value %d: %d values", flags, i, got)
			}
		}
		if want := map[bool]string{true: "mmv.m0", false: "mmv.x.m0"}[flags&1 != 0]; f.Metrics[0].Name != want {
			t.Errorf("flags %d: name %s, want %s", flags, f.Metrics[0].Name, want)
		}
	}
}

// What the agent drops, or crashes on, is read here, with the reason.
func TestWhatTheAgentDrops(t *testing.T) {
	b := newBuilder(binary.LittleEndian, 2)
	b.metric(metric{name: "a", item: 1, typ: 2, sem: 1})
	b.metric(metric{name: "a.b", item: 2, typ: 2, sem: 1})
	b.metric(metric{name: "a", item: 3, typ: 2, sem: 1})
	b.metric(metric{name: "c", item: 1, typ: 2, sem: 1})
	b.metric(metric{name: "d", item: 1024, typ: 2, sem: 1})
	b.metric(metric{name: "no good", item: 5, typ: 2, sem: 1})
	b.metric(metric{name: "lost.domain", item: 6, typ: 2, sem: 1, domain: 99})
	b.metric(metric{name: "event", item: 7, typ: 10, sem: 1})
	i := b.domain(1, "", "", inst{4, "four"}, inst{5, "five"})
	for m := range 6 {
		b.value(m, -1, uint64(m+1), 0)
	}
	b.value(0, -1, uint64(99), 0) // a second value
	b.value(6, i, uint64(7), 0)   // of an undefined domain
	copy(b.value(1, -1, uint64(0), 0)[16:], "\xff\xff\xff\xff\xff\xff\xff\x7f")
	b.fix = b.fix[:len(b.fix)-1] // the metric's offset stays what was just written
	f := mustRead(t, "my-app", b.bytes())
	want := []struct {
		name, hidden string
		pmid         pcp.PMID
		values       []Value
	}{
		{"mmv.my-app.a", `does not allow the name "mmv.my-app.a"`, pcp.MakePMID(70, 321, 1), []Value{{Inst: -1, Bits: 1}}},
		{"mmv.my-app.a.b", "does not allow", pcp.MakePMID(70, 321, 2), []Value{{Inst: -1, Bits: 2}}},
		{"mmv.my-app.a#3", "does not allow", pcp.MakePMID(70, 321, 3), []Value{{Inst: -1, Bits: 3}}},
		{"mmv.my-app.c", "does not allow", pcp.MakePMID(70, 321, 1), []Value{{Inst: -1, Bits: 4}}},
		{"mmv.my-app.d", "does not allow", pcp.NullPMID, []Value{{Inst: -1, Bits: 5}}},
		{"mmv.my-app.no good", "does not allow", pcp.MakePMID(70, 321, 5), []Value{{Inst: -1, Bits: 6}}},
		{"mmv.my-app.lost.domain", "does not allow", pcp.MakePMID(70, 321, 6), []Value{{Inst: 4, Bits: 7}}},
		{"mmv.my-app.event", "does not allow", pcp.MakePMID(70, 321, 7), nil},
	}
	for _, name := range []string{"my-app", "myapp"} {
		f = mustRead(t, name, b.bytes())
		if name == "myapp" {
			for i, hidden := range []string{"", "has the name", "has the name", "has the item number 1", "item number 1024", "no good", "", ""} {
				want[i].name, want[i].hidden = strings.Replace(want[i].name, "my-app", name, 1), hidden
			}
		}
		for i, w := range want {
			m := f.Metrics[i]
			hidden := ""
			if m.Hidden != nil {
				hidden = m.Hidden.Fault("").Message
			}
			if m.Name != w.name || m.Desc.PMID != w.pmid || !reflect.DeepEqual(m.Values, w.values) || (w.hidden == "") != (hidden == "") || !strings.Contains(hidden, w.hidden) {
				t.Errorf("metric %d: got %s %v %v (%s), want %+v", i, m.Name, m.Desc.PMID, m.Values, hidden, w)
			}
		}
	}
	all := ""
	for _, p := range f.Problems {
		all += p.Error() + "\n"
	}
	for _, s := range []string{"not export 5 of the 8", "belongs to no metric", "more than one value", "of type 10", "not defined"} {
		if !strings.Contains(all, s) {
			t.Errorf("no problem says %q: %s", s, all)
		}
	}
}

// See spec/mmv.md sections 7.1 and 8; what the agent refuses whole.
func TestHeaders(t *testing.T) {
	good := testdata(t, "acme")
	edit := func(at int, b ...byte) []byte {
		return append(append(append([]byte{}, good[:at]...), b...), good[at+len(b):]...)
	}
	for _, tt := range []struct {
		what     string
		data     []byte
		err      pcp.FaultKind
		complete bool
		metrics  int
	}{
		{"good", good, "", true, 3},
		{"no bytes", nil, pcp.Unsupported, false, 0},
		{"other magic", edit(0, 'X'), pcp.Unsupported, false, 0},
		{"magic without NUL", edit(3, ' '), pcp.Unsupported, false, 0},
		{"39 bytes", good[:39], pcp.Truncated, false, 0},
		{"version 4", edit(4, 4), pcp.Unsupported, false, 0},
		{"version 0", edit(4, 0), pcp.Unsupported, false, 0},
		{"generation 0", edit(8, make([]byte, 16)...), "", false, 3},
		{"generations differ", edit(16, 0xff), "", false, 3},
		{"one entry of contents", edit(24, 1), "", true, 0},
		{"negative number of contents", edit(24, 0xff, 0xff, 0xff, 0xff), "", true, 0},
		{"contents beyond the end", edit(24, 0xff, 0xff, 0xff, 0x7f), "", true, 3},
		{"cluster beyond 4095", edit(36, 0xff, 0xff), "", true, 3},
		{"header only", good[:40], "", true, 0},
	} {
		f, err := Read("acme", tt.data)
		if (err == nil) != (tt.err == "") || err != nil && !errors.Is(err, &pcp.Fault{Kind: tt.err}) {
			t.Errorf("%s: error %v, want kind %q", tt.what, err, tt.err)
			continue
		}
		if err != nil {
			continue
		}
		if f.Complete() != tt.complete || len(f.Metrics) != tt.metrics {
			t.Errorf("%s: complete %v, %d metrics", tt.what, f.Complete(), len(f.Metrics))
		}
		if tt.what != "good" && len(f.Problems) == 0 {
			t.Errorf("%s: no problem is reported", tt.what)
		}
	}
}

func TestObservations(t *testing.T) {
	f := mustRead(t, "x", everything(binary.LittleEndian, 3).bytes())
	obs := f.Observations(42)
	o := obs["mmv.x.i64"]
	want := []series.Series{{Inst: -7, Runs: []series.Run{{Row: 0, Val: 1 << 63}}}, {Inst: 3, Runs: []series.Run{{Row: 0, Val: 5}}}}
	if !reflect.DeepEqual(o.Series, want) || !reflect.DeepEqual(o.Times, []pcp.Time{42}) || o.Desc != f.Metrics[2].Desc {
		t.Errorf("got %+v, want series %+v", o, want)
	}
	if s := obs["mmv.x.string"]; string(s.Blobs.At(s.Series[0].Runs[0].Val)) != "text \xff" {
		t.Errorf("string %+v", s)
	}
	if v := obs["mmv.x.timer"].Series[0].Runs[0].Val; v != 1000 {
		t.Errorf("timer %d, want 1000: the running interval is not known", v)
	}
	if n := obs["mmv.x.none"]; !reflect.DeepEqual(n.Voids, []series.Void{{Time: 42, Code: pcp.ErrAppVersion}}) || len(n.Times) != 0 {
		t.Errorf("no support: %+v", n)
	}
}

// In a saved file, the running interval of a timer is not counted.
func TestRecorderOfSavedFile(t *testing.T) {
	var r Recorder
	r.Add(mustRead(t, "x", everything(binary.LittleEndian, 3).bytes()), pcp.MakeTime(1_800_000_000, 0))
	if o, _ := r.Observations("mmv.x.timer"); o.Series[0].Runs[0].Val != 1000 {
		t.Errorf("timer %d, want 1000", o.Series[0].Runs[0].Val)
	}
}

// A file read repeatedly: values become runs, instances come and go, a
// new generation leaves a mark.
func TestRecorder(t *testing.T) {
	state := func(gen uint64, count uint64, text string, both bool) *File {
		b := newBuilder(binary.LittleEndian, 1)
		b.gen, b.flags = [2]uint64{gen, gen}, 4
		i := b.domain(1, "", "", inst{1, "a"}, inst{0, "b"})
		b.metric(metric{name: "n", item: 1, typ: 3, sem: 1, domain: 1})
		b.metric(metric{name: "s", item: 2, typ: 6, sem: 4})
		b.metric(metric{name: "t", item: 3, typ: 9, sem: 1})
		b.value(0, i, count, 0)
		if both {
			b.value(0, i+1, uint64(1), 0)
		}
		b.value(1, -1, text, 0)
		b.value(2, -1, uint64(5), -2_000_000) // began at second 2
		return mustRead(t, "x", b.bytes())
	}
	sec := func(s int64) pcp.Time { return pcp.MakeTime(s, 0) }
	r := Recorder{Live: true}
	half := state(1, 1, "", true)
	half.Generation2 = 0
	for i, add := range []struct {
		f    *File
		at   pcp.Time
		want bool
	}{
		{half, sec(9), false}, {state(1, 10, "up", true), sec(10), true}, {state(1, 10, "up", true), sec(11), true}, {state(1, 11, "", false), sec(12), true},
		{state(1, 12, "up", true), sec(12), false}, {half, sec(13), false}, {state(1, 12, "up", true), sec(13), true}, {state(2, 0, "up", true), sec(15), true},
	} {
		if got := r.Add(add.f, add.at); got != add.want {
			t.Errorf("Add %d = %v", i, got)
		}
	}
	n, _ := r.Observations("mmv.x.n")
	wantTimes := []pcp.Time{sec(10), sec(11), sec(12), sec(13), sec(15)}
	want := []series.Series{
		{Inst: 0, Runs: []series.Run{{Row: 0, Val: 1}, {Row: 2 | series.Gone}, {Row: 3, Val: 1}}},
		{Inst: 1, Runs: []series.Run{{Row: 0, Val: 10}, {Row: 2, Val: 11}, {Row: 3, Val: 12}, {Row: 4, Val: 0}}},
	}
	if !reflect.DeepEqual(n.Times, wantTimes) || !reflect.DeepEqual(n.Series, want) {
		t.Errorf("n: got %v %+v, want %+v", n.Times, n.Series, want)
	}
	s, _ := r.Observations("mmv.x.s")
	if !reflect.DeepEqual(s.Times, []pcp.Time{sec(10), sec(11), sec(13), sec(15)}) || len(s.Series[0].Runs) != 1 || s.Blobs.Len() != 1 ||
		!reflect.DeepEqual(s.Voids, []series.Void{{Time: sec(12)}}) {
		t.Errorf("s: %+v", s)
	}
	timer, _ := r.Observations("mmv.x.t")
	if got := timer.Series[0].Runs; got[0].Val != 8_000_005 || got[4].Val != 13_000_005 {
		t.Errorf("timer: %v", got)
	}
	if !reflect.DeepEqual(r.Marks(), []pcp.Time{sec(14)}) {
		t.Errorf("marks %v", r.Marks())
	}
	if first, last := r.Span(); first != sec(10) || last != sec(15) {
		t.Errorf("span %v to %v", first, last)
	}
}
