package core

import (
	"io"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// shaky panics when it is read behind a place, as what a browser hands out may.
type shaky struct {
	io.ReaderAt
	from int64
}

func (s shaky) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > s.from {
		panic("shaken")
	}
	return s.ReaderAt.ReadAt(p, off)
}

// A panic while one archive is opened or read, in whichever goroutine, is a
// problem of that archive, told in a sentence; all others are there.
func TestPanicEndsOneSource(t *testing.T) {
	for name, from := range map[string]int64{"a.0": 820, "a.meta": 0, "a.index": 0} {
		w := written{}
		ramp{version: 3, host: "good", from: 0, to: 9}.write(t, w, "b")
		ramp{version: 3, host: "bad", from: 0, to: 9}.write(t, w, "a")
		files := w.files()
		for i := range files {
			if files[i].Name == name {
				files[i].At = shaky{files[i].At, from}
			}
		}
		s := NewSession(Options{})
		o, err := s.Open(t.Context(), files, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said := ""
		for _, r := range o.Rejected {
			said += r.Fault.Message
		}
		good := api.SourceID(0)
		for _, src := range o.Sources {
			if src.Host == "good" {
				good = src.ID
				continue
			}
			whole, err := s.Loaded(t.Context(), src.ID, nil)
			if err != nil {
				said += pcp.AsFault(err).Message
			}
			for _, p := range whole.Problems {
				said += p.Message
			}
		}
		if !strings.Contains(said, "shaken") {
			t.Errorf("%s: of the panic is said %q", name, said)
		}
		f, err := s.Fetch(t.Context(), api.Query{Source: good, Metrics: []string{"ramp.level"}}, nil)
		if err != nil || len(f.Columns) != 1 || f.Columns[0].Values[5] != 5 {
			t.Errorf("%s: the other archive answers %+v, %v", name, f, err)
		}
	}
}
