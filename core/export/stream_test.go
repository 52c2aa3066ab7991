package export

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"
	"testing/iotest"

	"pcpscope/core/pcp"
)

// said is a sink that records its calls.
type said struct{ bytes.Buffer }

func (s *said) Series(r *Series) error {
	name := "none"
	if r.Instance != nil {
		name = *r.Instance
	}
	copied := *r
	copied.Instance = nil
	fmt.Fprintf(s, "series %+v of %q\n", copied, name)
	return nil
}

func (s *said) Samples(t []pcp.Time, v []float64, exact []string) error {
	fmt.Fprintf(s, "samples %v %v %q %t\n", t, v, exact, exact == nil)
	return nil
}

func (s *said) Strings(t []pcp.Time, v []string) error {
	fmt.Fprintf(s, "strings %v %q\n", t, v)
	return nil
}

func (s *said) Events(list []Event) error {
	fmt.Fprintf(s, "events %+v\n", list)
	return nil
}

func (s *said) Close() error {
	fmt.Fprintln(s, "closed")
	return nil
}

func writeTables(s Sink) error {
	name := "sda \"1\"\n"
	s.Series(&Series{Host: "h", Source: "s", Metric: "disk.dev.read", Instance: &name, InstanceID: -7, Type: "U64", Labels: `{"a":1}`})
	s.Samples([]pcp.Time{1, math.MinInt64, math.MaxInt64}, []float64{math.Inf(1), -0.5, 1e300}, nil)
	s.Samples([]pcp.Time{4}, []float64{1.8446744073709552e19}, []string{"18446744073709551615"})
	s.Series(&Series{Metric: "kernel.uname"})
	s.Strings([]pcp.Time{1, 2}, []string{"", "日本\x00"})
	s.Events([]Event{{Logged: 1, Time: 2, Flags: "point", Missed: 3, Parameters: `[{"metric":"a"}]`}})
	s.Samples(nil, nil, nil)
	return s.Close()
}

// A stream's output equals its input, however it is split.
func TestStream(t *testing.T) {
	var want said
	writeTables(&want)
	for _, piece := range []int{16, 1 << 20} {
		var wire bytes.Buffer
		if err := writeTables(NewStream(&wire, piece)); err != nil {
			t.Fatal(err)
		}
		var got said
		if err := Feed(iotest.OneByteReader(bytes.NewReader(wire.Bytes())), &got); err != nil || got.String() != want.String() {
			t.Errorf("error %v, output %s, want %s", err, got.String(), want.String())
		}
		for n := range wire.Len() {
			if err := Feed(bytes.NewReader(wire.Bytes()[:n]), &said{}); err != io.ErrUnexpectedEOF && err == nil {
				t.Errorf("cut at %d of %d: %v", n, wire.Len(), err)
			}
		}
	}
}
