package core

import (
	"bytes"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// shaky panics at one of the times that it is read, as what a browser hands out
// may.
type shaky struct {
	io.ReaderAt
	left *atomic.Int32 // reads until it panics
}

func (s shaky) ReadAt(p []byte, off int64) (int, error) {
	if s.left.Add(-1) == -1 {
		panic("shaken")
	}
	return s.ReaderAt.ReadAt(p, off)
}

// twoHosts writes two archives, and returns the files of both.
func twoHosts(t *testing.T) []File {
	w := written{}
	ramp{version: 3, host: "good", from: 0, to: 9}.write(t, w, "b")
	ramp{version: 3, host: "bad", from: 0, to: 9}.write(t, w, "a")
	return w.files()
}

// A panic while one archive is opened or read, at whichever read and in whichever
// goroutine, is a problem of that archive, reported in a sentence; all others are
// there.
func TestPanicEndsOneSource(t *testing.T) {
	for _, name := range []string{"a.0", "a.meta", "a.index"} {
		reads := int32(0)
		for ; ; reads++ {
			files := twoHosts(t)
			left := &atomic.Int32{}
			left.Store(reads)
			for i := range files {
				if files[i].Name == name {
					files[i].At = shaky{files[i].At, left}
				}
			}
			if said := askAround(t, NewSession(Options{}), files); left.Load() >= 0 {
				break // it is not read that often
			} else if !strings.Contains(said, "shaken") {
				t.Errorf("%s, read %d: of the panic is said %q", name, reads, said)
			}
		}
		if reads < 2 {
			t.Errorf("%s is read %d times", name, reads)
		}
	}
}

// A panic of what reads an archive, in the background, as a mistake of ours
// would be.
func TestPanicOfTheReader(t *testing.T) {
	var panicked atomic.Bool
	s := NewSession(Options{Yield: func() {
		if strings.Contains(string(debug.Stack()), "(*Loader).readPart") && panicked.CompareAndSwap(false, true) {
			panic("shaken")
		}
	}})
	files := twoHosts(t)
	first := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return strings.HasPrefix(f.Name, "b") })
	o, err := s.Open(t.Context(), first, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Loaded(t.Context(), o.Sources[0].ID, nil)
	if !panicked.Load() || err == nil || !strings.Contains(pcp.AsFault(err).Message, "shaken") {
		t.Errorf("error after the panic = %v, want one with its text", err)
	}
	askAround(t, s, files)
}

// The same of an MMV file.
func TestPanicOfAnMMVFile(t *testing.T) {
	data, err := os.ReadFile("../testdata/mmv/acme")
	if err != nil {
		t.Fatal(err)
	}
	reads := int32(0)
	for ; ; reads++ {
		left := &atomic.Int32{}
		left.Store(reads)
		files := append(twoHosts(t), File{Name: "acme", Size: int64(len(data)), At: shaky{bytes.NewReader(data), left}})
		if said := askAround(t, NewSession(Options{}), files); left.Load() >= 0 {
			break // it is not read that often
		} else if !strings.Contains(said, "shaken") {
			t.Errorf("read %d: of the panic is said %q", reads, said)
		}
	}
	if reads < 2 {
		t.Errorf("it is read %d times", reads)
	}
}

// A panic of what is worked out in advance, for which nobody waits.
func TestPanicWhilePreparing(t *testing.T) {
	var panicked atomic.Int32
	s := NewSession(Options{Yield: func() {
		if strings.Contains(string(debug.Stack()), "(*Session).precompute") {
			panicked.Add(1)
			panic("shaken")
		}
	}})
	o, err := s.Open(t.Context(), twoHosts(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range o.Sources {
		if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Overview(t.Context(), src.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.Prepare(t.Context())
	if panicked.Load() == 0 {
		t.Error("nothing has panicked")
	}
	for _, src := range o.Sources {
		if list, err := s.Summary(t.Context(), api.SummaryQuery{Source: src.ID}, nil); err != nil || len(list) == 0 {
			t.Errorf("afterwards, the summary is %v, %v", list, err)
		}
	}
}

// askAround opens files, and returns what is said of those that are not the good
// archive, which must answer.
func askAround(t *testing.T, s *Session, files []File) (said string) {
	t.Helper()
	o, err := s.Open(t.Context(), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range o.Rejected {
		said += r.Fault.Message
	}
	good := api.SourceID(0)
	for _, src := range o.Sources {
		if src.Host == "good" {
			good = src.ID
		}
		whole, err := s.Loaded(t.Context(), src.ID, nil)
		if err != nil {
			said += pcp.AsFault(err).Message
		}
		for _, p := range whole.Problems {
			said += p.Message
		}
	}
	f, err := s.Fetch(t.Context(), api.Query{Source: good, Metrics: []string{"ramp.level"}}, nil)
	if err != nil || len(f.Columns) != 1 || f.Columns[0].Values[5] != 5 {
		t.Errorf("the other archive answers %+v, %v", f, err)
	}
	return said
}
