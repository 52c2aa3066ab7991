package rpc

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

func ptr[T any](v T) *T { return &v }

// The text format is shared with fromWire and toWire in wire.js.
func TestEncode(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{pcp.Time(-5), `{"#":"-5"}`},
		{[]pcp.Time{1, math.MaxInt64}, `[{"#":"1"},{"#":"9223372036854775807"}]`},
		{api.When{Text: "-5min"}, `"-5min"`},
		{api.When{Nanos: ptr(int64(7))}, `{"#":"7"}`},
		{[]float64{1, 2}, `{"@f":[0,2]}`},
		{[]uint8{1, 2, 3}, `{"@b":[0,3]}`},
		{1.5, `1.5`}, {math.NaN(), `{"~":"NaN"}`}, {math.Inf(-1), `{"~":"-Infinity"}`},
		{"a\"\n<\u20ac", `"a\"\n\u003c€"`},
		{api.Hit{Metric: "a.b", Where: "name"}, `{"metric":"a.b","where":"name","excerpt":""}`},
		{api.Rejected{Name: "x", Fault: pcp.Fault{Kind: pcp.Corrupt, Message: "m", Offset: ptr(int64(0))}}, `{"name":"x","fault":{"kind":"corrupt","message":"m","offset":0}}`},
		{api.Metric{Name: "m", Labels: json.RawMessage(`{"#":1}`)}, `{"name":"m","pmid":"","type":"","semantics":"","indom":null,"units":"","oneline":"","help":"","labels":{"$":{"#":1}}}`},
		{api.Metric{Name: "m", Labels: json.RawMessage(`broken`)}, `{"name":"m","pmid":"","type":"","semantics":"","indom":null,"units":"","oneline":"","help":"","labels":{"$":{}}}`},
		{api.Column{Metric: "s", Strings: []*string{ptr("x"), nil}}, `{"values":["x",null],"metric":"s","instance":null,"units":"","type":"","semantics":""}`},
		{api.Column{Metric: "f"}, `{"values":{"@f":[0,0]},"metric":"f","instance":null,"units":"","type":"","semantics":""}`},
		{[]api.Source(nil), `[]`}, {(*api.Frame)(nil), `null`}, {None{}, `{}`},
	} {
		if got := Encode(tt.v).Text; got != tt.want {
			t.Errorf("Encode(%#v) = %s, want %s", tt.v, got, tt.want)
		}
	}
	m := Encode(api.Frame{Times: []float64{1}, Columns: []api.Column{{Why: []uint8{1, 2, 3}, Values: []float64{2}, Exact: []uint64{math.MaxUint64}}}})
	if want := 8 + 8 + 8 + 8; len(m.Data) != want { // why is padded
		t.Errorf("the data of the frame has %d bytes, want %d", len(m.Data), want)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, v := range []any{
		api.Opened{Sources: []api.Source{{ID: 3, Start: 5, End: math.MaxInt64, Bytes: 1 << 60, Members: []string{"a", "ü\x01\""}, Gaps: []api.Gap{{Start: 1, End: 2, Why: "mark"}},
			Problems: []pcp.Fault{{Kind: pcp.Truncated, Message: "m", Span: &[2]int{1, 2}, Lost: &pcp.Span{Start: 1, End: 2}, Offset: ptr(int64(9))}}, Loaded: 0.25}}, Rejected: []api.Rejected{}},
		api.Frame{Start: 1, Times: []float64{0, 1}, Marks: []float64{}, Columns: []api.Column{
			{Metric: "a", Instance: &api.InstanceRef{ID: -7, Name: "x"}, Values: []float64{1, math.Inf(1)}, Why: []uint8{0, 3}, Exact: []int64{math.MinInt64, 1}},
			{Metric: "b", Strings: []*string{nil, ptr("{\"#\":\"1\"}")}},
			{Metric: "c", Values: []float64{}, Low: []float64{1}, High: []float64{2}, Exact: []uint64{1 << 63}, Fault: pcp.Faultf(pcp.UnknownMetric, "m")}}},
		[]api.Metric{{Name: "a", InDom: ptr("60.1"), Labels: json.RawMessage(`{"a":[1,{"b":"}]"}]}`)}},
		api.Query{Source: 1, Metrics: []string{"a"}, Start: &api.When{Text: "x"}, End: &api.When{Nanos: ptr(int64(-3))}, Count: 4},
		OpenRequest{Files: []File{{Name: "x", Data: 42}}},
		[]api.Summary{{Metric: "a", TimeAverage: 1e300, MinimumAt: 4, Bins: []api.Bin{{UpTo: 0.5, Count: 2}}}},
	} {
		back := reflect.New(reflect.TypeOf(v))
		if err := Decode(Encode(v), back.Interface()); err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		if got := back.Elem().Interface(); !reflect.DeepEqual(got, v) {
			t.Errorf("%T comes back as\n%+v, was\n%+v", v, got, v)
		}
	}
}

// Long lists are encoded differently from short ones.
func TestTables(t *testing.T) {
	var metrics []api.Metric
	var summaries []api.Summary
	var instances []api.Instance
	for i := range 100 {
		m := api.Metric{Name: "m" + string(rune('a'+i%26)), Units: "ü\"", Labels: json.RawMessage(`{"a":[1,{"b":"}"}]}`)}
		s := api.Summary{Metric: "a", Sum: float64(i) / 3, Count: i - 50, MinimumAt: pcp.Time(math.MaxInt64 - i)}
		n := api.Instance{ID: int32(-i), Name: "x", First: pcp.Time(i)}
		if i%3 == 0 {
			m.InDom, m.Expression = ptr("60.1"), "a+b"
			s.Instance, s.Bins = &api.InstanceRef{ID: int32(i), Name: "i"}, []api.Bin{{UpTo: 1.5, Count: i}}
			n.Labels = json.RawMessage(`{}`)
		}
		metrics, summaries, instances = append(metrics, m), append(summaries, s), append(instances, n)
	}
	for _, v := range []any{metrics, summaries, instances} {
		m := Encode(v)
		if !strings.HasPrefix(m.Text, `{"%":[100,{`) {
			t.Errorf("%T is no table: %.40s", v, m.Text)
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := Decode(m, back.Interface()); err != nil {
			t.Errorf("%T: %v", v, err)
		} else if got := back.Elem().Interface(); !reflect.DeepEqual(got, v) {
			t.Errorf("%T comes back as\n%+v, was\n%+v", v, got, v)
		}
	}
	if got := Encode(metrics).Text; strings.Count(got, `{"$":`) != 1 {
		t.Errorf("the same labels are written %d times", strings.Count(got, `{"$":`))
	}
	for _, text := range []string{
		`{"%":[-1,{}]}`, `{"%":[99999999,{}]}`, `{"%":[1,{"name":{"&":[["a"],{"@f":[0,2]}]}}]}`, `{"%":[1,{"id":{"@i":[0,1]}}]}`,
		`{"%":[1,{"name":{"&":[[],{"@f":[0,1]}]}}]}`, `{"%":[2,{"id":{"@f":[0,1]}}]}`, `{"%":[1,{"other":1}]}`,
	} {
		if err := Decode(Message{Text: text, Data: make([]byte, 16)}, &[]api.Instance{}); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func BenchmarkEncodeSummaries(b *testing.B) {
	list, refs := make([]api.Summary, 35000), make([]api.InstanceRef, 2000)
	for i := range refs {
		refs[i] = api.InstanceRef{ID: int32(i), Name: "process " + string(rune('a'+i%26))}
	}
	for i := range list {
		list[i] = api.Summary{Metric: "metric." + string(rune('a'+i/2000)), Instance: &refs[i%2000], Units: "Kbyte / sec", Semantics: "counter", Sum: float64(i)}
	}
	for b.Loop() {
		Encode(list)
	}
}

func TestDecodeNamesTheMistake(t *testing.T) {
	for _, tt := range []struct {
		into any
		text string
		want string
	}{
		{new(api.Query), `{"source":1,"metrics":["a"],"intervall":"1sec"}`, "In the argument intervall, no such field is known."},
		{new(api.Query), `{"source":"1"}`, "In the argument source, an integer is expected."},
		{new(api.Query), `{"source":1.5}`, "In the argument source, an integer is expected."},
		{new(api.Query), `{"metrics":"a"}`, "In the argument metrics, a list is expected."},
		{new(api.Query), `{"start":12}`, `In the argument start, a bigint of nanoseconds, a valid Date or a string such as "-5min" is expected.`},
		{new(api.CompareQuery), `{"aEnd": {"~":"NaN"}}`, `In the argument aEnd, a bigint of nanoseconds, a valid Date or a string such as "-5min" is expected.`},
		{new(api.Query), `{"start":{"#":"99999999999999999999"}}`, "In the argument start, the bigint does not fit 64 bits."},
		{new(OpenRequest), `{"files":[{"name":"x","data":"text"}]}`, "In the argument files.data, a value of another kind is expected (a File or Blob)."},
		{new(OpenRequest), `{"files":[{"name":"x","data":{"@":0}}]}`, "In the argument files.data, a Blob or ArrayBuffer is expected."},
		{new(api.Frame), `{"times":{"@f":[0,1000]}}`, "In the argument times, an array lies outside the message."},
		{new(api.Frame), `{"times":{"@f":[-8,1]}}`, "In the argument times, an array lies outside the message."},
		{new(api.Frame), `{"times":{"@f":[0,9223372036854775807]}}`, "In the argument times, an array lies outside the message."},
		{new(None), `{} x`, "In the arguments, there is text after the end of the value."},
	} {
		err := Decode(Message{Text: tt.text}, tt.into)
		var f *pcp.Fault
		if !errors.As(err, &f) || f.Kind != pcp.BadArgument || f.Message != tt.want {
			t.Errorf("Decode(%s) = %v, want %s", tt.text, err, tt.want)
		}
	}
	if err := Decode(Message{Text: strings.Repeat("[", 1<<20)}, &[]api.Metric{}); err == nil {
		t.Error("endless nesting is taken")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"source":1,"metrics":["a"],"start":{"#":"1"},"end":"x"}`, []byte{})
	f.Add(`{"start":{"#":"1"},"times":{"@f":[0,1]},"columns":[{"values":["x",null],"exact":{"@u":[0,1]}}],"marks":{"@f":[0,0]}}`, make([]byte, 16))
	f.Add(`{"%":[1,{"name":{"&":[["a"],{"@f":[0,1]}]},"id":{"@f":[0,1]},"first":{"@i":[0,1]},"?labels":{"&":[[null],{"@f":[0,1]}]}}]}`, make([]byte, 16))
	f.Add(`{"labels":{"$":{"a":[1,"\"",{}]}}}`, []byte{})
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		for _, m := range Methods() { // must neither panic nor read past the end
			Decode(Message{Text: text, Data: data}, reflect.New(m.Request).Interface())
			Decode(Message{Text: text, Data: data}, reflect.New(m.Reply).Interface())
		}
	})
}

// A long answer is encoded with yields in between, with the same result.
func TestEncodeRests(t *testing.T) {
	list := make([]api.Instance, 5000)
	for i := range list {
		list[i] = api.Instance{ID: int32(i), Name: "sda"}
	}
	rests := 0
	if got, want := EncodeYielding(list, func() { rests++ }), Encode(list); got.Text != want.Text || rests < 10 {
		t.Errorf("%d rests; the text is the same: %v", rests, got.Text == want.Text)
	}
}

// A message claims memory before it takes it: nothing up to 64 KiB, and twice its
// bytes beyond, once as it grows and once as it is handed over.
func TestMessagesAreClaimed(t *testing.T) {
	full := errors.New("full")
	for name, v := range map[string]any{
		"texts": []string{strings.Repeat("x", 300_000), strings.Repeat("y", 300_000)}, "numbers": make([]float64, 80_000),
		"a table": make([]api.Bin, 40_000), "JSON": json.RawMessage(`"` + strings.Repeat("z", 600_000) + `"`),
	} {
		claimed := int64(0)
		m, err := EncodeWithin(v, nil, func(bytes int64) error { claimed += bytes; return nil })
		if size := int64(len(m.Text) + len(m.Data)); err != nil || size < 500_000 || claimed < 2*(size-65<<10) || claimed > 8*size {
			t.Errorf("%s: %d bytes are claimed for %d, %v", name, claimed, size, err)
		}
		if m, err := EncodeWithin(v, nil, func(int64) error { return full }); err != full || m.Text != "" || m.Data != nil {
			t.Errorf("%s: a message without memory: %v", name, err)
		}
	}
	if _, err := EncodeWithin([]string{"x"}, nil, func(int64) error { return full }); err != nil {
		t.Errorf("a small message: %v", err)
	}
}
