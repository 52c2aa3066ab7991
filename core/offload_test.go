package core

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"pcpscope/core/api"
	"pcpscope/core/container"
)

// threads represents a browser's workers: each unpacks one file at a time, in
// a goroutine.
type threads struct {
	mu     sync.Mutex
	busy   int
	used   int   // number of jobs
	limit  int   // maximum number of concurrent jobs
	dies   int64 // after so many bytes; 0: never
	beside int   // maximum number of concurrent jobs so far
}

func (w *threads) open(c container.Compression, src io.ReadSeeker) (io.ReadCloser, error) {
	in, ok := src.(container.Input)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !ok || w.busy == w.limit {
		return nil, errors.ErrUnsupported
	}
	w.busy++
	w.used++
	w.beside = max(w.beside, w.busy)
	r, to := io.Pipe()
	go func() {
		at, size := in.File()
		unpacked, err := c.NewReader(io.NewSectionReader(at, 0, size))
		if err == nil && w.dies > 0 {
			if _, err = io.CopyN(to, unpacked, w.dies); err == nil {
				err = errors.New("the thread died")
			}
		} else if err == nil {
			time.Sleep(2 * time.Millisecond) // lets others start meanwhile
			_, err = io.Copy(to, unpacked)
		}
		to.CloseWithError(err)
	}()
	return &thread{r, w}, nil
}

type thread struct {
	*io.PipeReader
	of *threads
}

func (t *thread) Close() error {
	t.of.mu.Lock()
	t.of.busy--
	t.of.mu.Unlock()
	return t.PipeReader.Close()
}

// Three archives of five compressed volumes each have the same values however
// many threads unpack them, and even if these die; the losses in a damaged or
// truncated volume are the same too.
func TestOffloaded(t *testing.T) {
	plain := written{}
	for i, base := range []string{"a", "b", "c"} {
		ramp{version: 3, host: "h", from: 100 * i, to: 100*i + 90, perVolume: 20}.write(t, plain, base)
	}
	enc, _ := zstd.NewWriter(nil)
	packed := written{}
	for name, b := range plain {
		if strings.HasSuffix(name, ".meta") || strings.HasSuffix(name, ".index") {
			packed[name] = b
		} else {
			packed[name+".zst"] = bytes.NewBuffer(enc.EncodeAll(b.Bytes(), nil))
		}
	}
	broken := written{}
	for name, b := range packed {
		broken[name] = b
	}
	cut := packed["b.2.zst"].Bytes()
	broken["b.2.zst"] = bytes.NewBuffer(cut[:len(cut)/2])

	answer := func(w written, lanes int, use *threads) string {
		opt := Options{Lanes: lanes}
		if use != nil {
			opt.Offload = use.open
		}
		s := NewSession(opt)
		o, err := s.Open(t.Context(), w.files(), nil)
		if err != nil || len(o.Sources) != 1 {
			t.Fatalf("opened as %+v, %v", o, err)
		}
		id, step := o.Sources[0].ID, int64(700e6)
		src, err := s.Loaded(t.Context(), id, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"ramp.counter", "ramp.level"}, Interval: &api.When{Nanos: &step}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, p := range src.Problems {
			said += string(p.Message)
		}
		return fmt.Sprint(f.Times, f.Columns[0].Values, f.Columns[1].Values, said)
	}
	whole, damaged := answer(plain, 1, nil), answer(broken, 1, nil)
	if !strings.Contains(whole, "693") || whole == damaged || !strings.Contains(damaged, "end early") {
		t.Fatal("nothing to compare with: ", damaged)
	}
	for name, use := range map[string]*threads{
		"one":               {limit: 1},
		"two":               {limit: 2},
		"many":              {limit: 9},
		"some that die":     {limit: 2, dies: 700},
		"all die at once":   {limit: 9, dies: 1},
		"none that is free": {limit: 0},
	} {
		for _, lanes := range []int{1, 3} {
			if got := answer(packed, lanes, use); got != whole {
				t.Errorf("%s, %d lanes: other values", name, lanes)
			}
			if got := answer(broken, lanes, use); got != damaged {
				t.Errorf("%s, %d lanes, a volume cut short: %s", name, lanes, got)
			}
		}
		if use.busy != 0 {
			t.Errorf("%s: %d threads were not let go", name, use.busy)
		}
		if use.limit > 1 && (use.beside < 2 || use.used < 15) {
			t.Errorf("%s: %d threads were used, %d beside each other", name, use.used, use.beside)
		}
	}
}

// Closing a source while it is offloaded releases the threads.
func TestClosedWhileOffloaded(t *testing.T) {
	w := written{}
	ramp{version: 3, host: "h", from: 0, to: 2000, perVolume: 500}.write(t, w, "a")
	enc, _ := zstd.NewWriter(nil)
	for _, name := range []string{"a.0", "a.1", "a.2", "a.3"} {
		w[name+".zst"] = bytes.NewBuffer(enc.EncodeAll(w[name].Bytes(), nil))
		delete(w, name)
	}
	use := &threads{limit: 3}
	s := NewSession(Options{Lanes: 2, Offload: use.open})
	o, err := s.Open(t.Context(), w.files(), nil)
	if err != nil {
		t.Fatal(err)
	}
	go s.Loaded(t.Context(), o.Sources[0].ID, nil)
	for free := true; free; {
		use.mu.Lock()
		free = use.used == 0
		use.mu.Unlock()
	}
	s.Close(o.Sources[0].ID)
	for range 1000 {
		use.mu.Lock()
		busy := use.busy
		use.mu.Unlock()
		if busy == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("a thread was not let go")
}
