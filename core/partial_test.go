package core

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// slow is a volume whose bytes from an offset on are blocked until released.
// Single records can still be read anywhere, as the temporal index allows.
type slow struct {
	data []byte
	from int64
	gate chan struct{}
}

func (s *slow) ReadAt(p []byte, off int64) (int, error) {
	if len(p) > 1<<20 && off+int64(len(p)) > s.from {
		<-s.gate
	}
	return bytes.NewReader(s.data).ReadAt(p, off)
}

// While an archive is still being read, a partial answer covers the whole
// span immediately and is marked as a preview; every value in it occurs in
// the archive.
func TestPartialAnswer(t *testing.T) {
	var files []File
	var volume *slow
	for _, path := range liveFiles("web01-v2") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		f := File{Name: name, Size: int64(len(data)), At: bytes.NewReader(data)}
		if name == "web01-v2.0.gz" {
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			plain, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			volume = &slow{data: plain, gate: make(chan struct{})}
			f = File{Name: "web01-v2.0", Size: int64(len(plain)), At: volume}
		}
		files = append(files, f)
	}
	s := NewSession(Options{})
	opened, err := s.Open(t.Context(), files, nil)
	if err != nil || len(opened.Sources) != 1 {
		t.Fatal(opened, err)
	}
	id := opened.Sources[0].ID
	step := int64(10e9)
	ask := api.Query{Source: id, Metrics: []string{"kernel.all.load", "mem.util.free"}, Interval: &api.When{Nanos: &step}, Partial: true}
	early, err := s.Fetch(t.Context(), ask, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !early.Preview {
		t.Error("nothing was read yet, but the answer is not called a preview")
	}
	shown := 0
	for _, c := range early.Columns {
		for _, v := range c.Values {
			if !math.IsNaN(v) {
				shown++
			}
		}
	}
	if shown < len(early.Times) {
		t.Errorf("the preview shows %d values at %d times of 4 series", shown, len(early.Times))
	}
	if to := early.ReadTo; to == nil || *to < opened.Sources[0].Start || *to >= opened.Sources[0].End {
		t.Errorf("nothing was read yet, but the answer says up to %v", to)
	}

	// A waiting caller gets an error when reading is halted; a later call
	// resumes it.
	answered := make(chan error)
	go func() {
		_, err := s.Loaded(context.Background(), id, nil)
		answered <- err
	}()
	for src, _ := s.source(id); ; time.Sleep(time.Millisecond) {
		if src.loader.Waiters(0) > 0 {
			break
		}
		select {
		case err := <-answered:
			t.Fatalf("the caller does not wait, and gets %v", err)
		default:
		}
	}
	halted, err := s.Halt(id)
	if err != nil || halted.Loaded >= 1 {
		t.Errorf("halted: %v, %v read", err, halted.Loaded)
	}
	if err := <-answered; err == nil || pcp.AsFault(err).Kind != pcp.Cancelled {
		t.Errorf("the waiting caller gets %v", err)
	}
	close(volume.gate)
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	late, err := s.Fetch(t.Context(), ask, nil)
	if err != nil || late.Preview {
		t.Fatal("all is read, and still a preview", err)
	}
	if len(late.Columns) != 4 {
		t.Fatalf("%d columns, want load's 3 and 1", len(late.Columns))
	}
}
