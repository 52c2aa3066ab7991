package hostile

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// The summary of a metric does not depend on how many other archives of the set lack it.
func TestMetricOfFewArchives(t *testing.T) {
	const many = 64
	archive := func(i int, apart bool) []core.File {
		e := newEncoder(2)
		sem := []pcp.Semantics{pcp.Counter, pcp.Discrete, pcp.Instant}[i%3]
		e.metric(i, none, sem, fmt.Sprint("a.b", i))
		for k := range 4 {
			e.one(100*i+20*k, id(i), -1, 7*k*(k+i))
		}
		var list []core.File
		for suffix, b := range e.parts() {
			if apart { // the label says when the archive begins
				binary.BigEndian.PutUint32(b[12:], word(epoch+100*i))
			}
			list = append(list, file(fmt.Sprintf("d/a%02d.%s", i, suffix), b))
		}
		return list
	}
	for _, apart := range []bool{false, true} {
		open := func(which ...int) (*core.Session, api.Source) {
			var files []core.File
			for _, i := range which {
				files = append(files, archive(i, apart)...)
			}
			s := core.NewSession(core.Options{})
			opened, err := s.Open(t.Context(), files, nil)
			if err != nil || len(opened.Sources) != 1 {
				t.Fatalf("%+v, %v", opened, err)
			}
			src, err := s.Loaded(t.Context(), opened.Sources[0].ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			return s, src
		}
		all := make([]int, many)
		for i := range all {
			all[i] = i
		}
		s, src := open(all...)
		start, end := int64(src.Start), int64(src.End)
		summary := func(s *core.Session, src api.Source, metrics []string) map[string]api.Summary {
			list, err := s.Summary(t.Context(), api.SummaryQuery{Source: src.ID, Metrics: metrics, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]api.Summary{}
			for _, a := range list {
				found[a.Metric] = a
			}
			return found
		}
		have := summary(s, src, nil)
		if len(have) != many {
			t.Fatalf("apart %v: %d metrics in the summary", apart, len(have))
		}
		for i := range many - 1 {
			name := fmt.Sprint("a.b", i)
			pair, one := open(i, many-1)
			if want := summary(pair, one, []string{name}); !reflect.DeepEqual(have[name], want[name]) {
				t.Errorf("apart %v: %s is %+v among all archives, %+v in its own alone", apart, name, have[name], want[name])
			}
		}
	}
}
