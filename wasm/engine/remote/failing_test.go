package remote

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pcpscope/core/api"
)

// A faltering server serves a folder and, while down, answers with status 503.
type faltering struct {
	*httptest.Server
	down  atomic.Bool
	asked atomic.Int64 // requests
}

func falter(t *testing.T, dir string) *faltering {
	f := &faltering{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.asked.Add(1)
		if f.down.Load() {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		http.ServeFile(w, r, filepath.Join(dir, filepath.Base(r.URL.Path)))
	}))
	t.Cleanup(f.Close)
	return f
}

// While a server fails, a preview fails, too, and is not kept: with the server, its values
// are back.
func TestPreviewWhileServerFails(t *testing.T) {
	hurry(t)
	f := falter(t, written(t, 32<<20))
	step := int64(60e9)
	ask := func(down bool) (string, error) {
		s, src := openAt(t, f.URL+"/web01")
		q := api.Query{Source: src.ID, Metrics: []string{"a.m07"}, Interval: &api.When{Nanos: &step}, Partial: true}
		if down {
			f.down.Store(true)
			_, err := s.Fetch(t.Context(), q, nil)
			f.down.Store(false)
			if err == nil || !strings.Contains(err.Error(), "status 503") {
				t.Errorf("while the server fails: %v", err)
			}
		}
		frame, err := s.Fetch(t.Context(), q, nil)
		if err != nil {
			return "", err
		}
		if !frame.Preview {
			t.Error("it is no preview")
		}
		return fmt.Sprint(frame.Columns), nil
	}
	want, err := ask(false)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ask(true); err != nil || got != want {
		t.Errorf("after the server was back: %v, %.200s, want %.200s", err, got, want)
	}
}

// If a window cannot be read because the server fails, not all of the archive is tried.
func TestWindowWhileServerFails(t *testing.T) {
	hurry(t)
	f := falter(t, written(t, 32<<20))
	s, src := openAt(t, f.URL+"/web01")
	at := func(seconds int64) *api.When { n := int64(src.Start) + seconds*1e9; return &api.When{Nanos: &n} }
	q := api.Query{Source: src.ID, Metrics: []string{"a.m07"}, Start: at(7003), End: at(7122), Mode: "raw", Read: "window"}
	f.down.Store(true)
	before := f.asked.Load()
	if _, err := s.Fetch(t.Context(), q, nil); err == nil || !strings.Contains(err.Error(), "status 503") {
		t.Errorf("while the server fails: %v", err)
	}
	if n := f.asked.Load() - before; n > int64(1+len(pauses)) {
		t.Errorf("a window takes %d requests to fail", n)
	}
	if list := s.Sources()[0].Problems; len(list) != 0 {
		t.Errorf("the problems are %+v", list)
	}
	f.down.Store(false)
	frame, err := s.Fetch(t.Context(), q, nil)
	if err != nil || frame.Read != "window" || len(frame.Times) < 119 {
		t.Errorf("after the server was back: %v, %+v", err, frame)
	}
}

// Who cancels a question, or closes the source, does not wait until a server has failed
// often enough, and nothing more is asked of it.
func TestCancelledWhileServerFails(t *testing.T) {
	f := falter(t, written(t, 32<<20))
	step := int64(60e9)
	for what, read := range map[string]string{"preview": "", "window": "window", "all": "all"} {
		for _, close := range []bool{false, true} {
			if close && read != "all" {
				continue
			}
			s, src := openAt(t, f.URL+"/web01")
			from := int64(src.Start) + 7003e9
			f.down.Store(true)
			before := f.asked.Load()
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := s.Fetch(ctx, api.Query{Source: src.ID, Metrics: []string{"a.m07"}, Start: &api.When{Nanos: &from}, Interval: &api.When{Nanos: &step}, Read: read, Partial: read == ""}, nil)
				done <- err
			}()
			for f.asked.Load() == before {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(20 * time.Millisecond) // into the first pause
			if close {
				s.Close(src.ID)
			} else {
				cancel()
				s.Halt(src.ID)
			}
			begin := time.Now()
			if err := <-done; err == nil || time.Since(begin) > 100*time.Millisecond {
				t.Errorf("%s: after %v: %v", what, time.Since(begin), err)
			}
			asked := f.asked.Load()
			time.Sleep(500 * time.Millisecond) // the first pause is over
			if n := f.asked.Load() - asked; n > 0 {
				t.Errorf("%s, closed %v: %d requests follow", what, close, n)
			}
			cancel()
			f.down.Store(false)
		}
	}
}

// Readers of the same bytes share a request; one that gives up does not end it for others.
func TestOneReaderGivesUp(t *testing.T) {
	var asked atomic.Int64
	goOn := make(chan struct{})
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 1 {
			select {
			case <-goOn:
			case <-r.Context().Done():
			}
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(big))
	})
	file := one(t, plainClient{}, at+"/web01.0").At.(*File)
	ctx, cancel := context.WithCancel(t.Context())
	type answer struct {
		data []byte
		err  error
	}
	read := func(ctx context.Context) chan answer {
		c := make(chan answer, 1)
		go func() {
			p := make([]byte, 100)
			_, err := file.ReadAtContext(ctx, p, 30*page)
			c <- answer{p, err}
		}()
		return c
	}
	readers := func(n int) {
		for {
			file.mu.Lock()
			now := 0
			for _, p := range file.flying {
				now += p.readers
			}
			file.mu.Unlock()
			if now == n {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	first := read(ctx)
	readers(1)
	second := read(t.Context())
	readers(2)
	cancel()
	if a := <-first; a.err != context.Canceled {
		t.Errorf("the one that gave up: %v", a.err)
	}
	close(goOn)
	if a := <-second; a.err != nil || !bytes.Equal(a.data, big[30*page:30*page+100]) {
		t.Errorf("the other: %v", a.err)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}
