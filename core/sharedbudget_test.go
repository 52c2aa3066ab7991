package core

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Concurrent queries share what is left of the budget: memory used by one is
// unavailable to others, and available again when it is done.
func TestAnswersShareTheBudget(t *testing.T) {
	w := begun(t, 1000, nil)
	s := NewSession(Options{Memory: 64 << 20})
	o, err := s.Open(t.Context(), w.files(), nil)
	if err != nil || len(o.Sources) != 1 {
		t.Fatalf("Open = %+v, %v; want one source", o, err)
	}
	id := o.Sources[0].ID
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	q := api.Query{Source: id, Metrics: []string{"a.b"}, Count: 1500, Interval: new(api.When)}
	step := int64(1e6)
	q.Interval.Nanos = &step // 1,000 instances at 1,500 points: 36 MB of the 64
	one := q
	one.Count = 1
	if _, err := s.Fetch(t.Context(), one, nil); err != nil { // the names of the instances are kept, and claimed
		t.Fatal(err)
	}
	before, _ := s.Memory()
	other := s.sources[0].newEvaluation(series.Grid{Start: second(0), Step: 1e6, Count: 1500})
	if _, err := other.frame("a.b"); err != nil || other.keep(1000*1500) == false {
		t.Fatalf("alone: %v", err)
	}
	if f, err := s.Fetch(t.Context(), q, nil); err == nil || pcp.AsFault(err).Kind != pcp.OutOfMemory {
		t.Errorf("while another has its answer: %v, %v", f, err)
	}
	other.done()
	f, err := s.Fetch(t.Context(), q, nil)
	if err != nil || len(f.Columns) != 1000 || f.Columns[0].Fault != nil {
		t.Errorf("after that: %v", err)
	}
	if now, _ := s.Memory(); now != before {
		t.Errorf("%d bytes are claimed after the answers, %d before them", now, before)
	}
}

// The list of metrics is claimed from the budget. What does not fit is left
// out with a message; closing releases everything.
func TestListOfMetricsWithinTheBudget(t *testing.T) {
	const n = 20_000
	w := begun(t, 1, func(out *archive.Writer) {
		for i := range n {
			out.Desc(pcp.Desc{PMID: pcp.MakePMID(61, i/1000, i%1000), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}, fmt.Sprintf("m.n%d", i))
		}
	})
	for _, memory := range []int64{20 << 20, 128 << 20} {
		s := NewSession(Options{Memory: memory})
		o, err := s.Open(t.Context(), w.files(), nil)
		if err != nil || len(o.Sources) != 1 {
			t.Fatalf("Open = %+v, %v; want one source", o, err)
		}
		list, err := s.Metrics(o.Sources[0].ID, "")
		if err != nil {
			t.Fatal(err)
		}
		used, _ := s.Memory()
		problems := slices.DeleteFunc(s.Sources()[0].Problems, func(f pcp.Fault) bool { // it may not have been read either
			return f.Kind == pcp.OutOfMemory && !strings.Contains(f.Message, "memory to list")
		})
		switch whole := memory > 100<<20; {
		case used > memory:
			t.Errorf("%d bytes of %d are in use", used, memory)
		case whole && (len(list) <= n || len(problems) > 0):
			t.Errorf("%d metrics, %v", len(list), problems)
		case !whole && (len(list) > n/2+n/4 || len(list) < 1000 || len(problems) != 1 || problems[0].Kind != pcp.OutOfMemory):
			t.Errorf("with %d MiB: %d metrics, %v", memory>>20, len(list), problems)
		}
		s.Close(o.Sources[0].ID)
		if used, _ := s.Memory(); used != 0 {
			t.Errorf("%d bytes are claimed with nothing open", used)
		}
	}
}

// An MMV file takes several times its size in memory, which is claimed.
func TestMMVWithinTheBudget(t *testing.T) {
	data, err := os.ReadFile("../testdata/mmv/acme")
	if err != nil {
		t.Fatal(err)
	}
	file := File{Name: "acme", Size: int64(len(data)), At: bytes.NewReader(data)}
	s := NewSession(Options{Memory: int64(len(data))})
	o, err := s.Open(t.Context(), []File{file}, nil)
	if err != nil || len(o.Sources) != 0 || len(o.Rejected) != 1 || o.Rejected[0].Fault.Kind != pcp.OutOfMemory {
		t.Errorf("without room: %+v, %v", o, err)
	}
	s = NewSession(Options{})
	if o, err = s.Open(t.Context(), []File{file}, nil); err != nil || len(o.Sources) != 1 {
		t.Fatalf("Open = %+v, %v; want one source", o, err)
	}
	if used, _ := s.Memory(); used < int64(len(data)) {
		t.Errorf("%d bytes are claimed for a file of %d", used, len(data))
	}
	for range 3 {
		if _, err := s.Update(t.Context(), o.Sources[0].ID, file); err != nil {
			t.Fatal(err)
		}
	}
	s.Close(o.Sources[0].ID)
	if used, _ := s.Memory(); used != 0 {
		t.Errorf("%d bytes are claimed with nothing open", used)
	}
}
