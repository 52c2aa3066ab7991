package container

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	ulikunitz "github.com/ulikunitz/xz"

	"pcpscope/core/pcp"
)

// slowFile takes a while to read, and counts.
type slowFile struct {
	io.ReaderAt
	reads, open, most *atomic.Int64
}

func (f slowFile) ReadAt(p []byte, off int64) (int, error) {
	f.reads.Add(1)
	n := f.open.Add(1)
	defer f.open.Add(-1)
	for m := f.most.Load(); n > m && !f.most.CompareAndSwap(m, n); m = f.most.Load() {
	}
	time.Sleep(time.Millisecond)
	return f.ReaderAt.ReadAt(p, off)
}

type failingReader struct{}

func (failingReader) ReadAt([]byte, int64) (int, error) { panic("not as it should be") }

// Of a folder of many files each is read once, several at the same time, and what is
// found is the same as of a few; one that cannot be read is reported and loses no other.
func TestManyFilesAtOnce(t *testing.T) {
	var reads, open, most atomic.Int64
	var files []File
	const n = 1000
	for i := range n {
		b := fmt.Appendf(nil, "note %d\n", i)
		if i%100 == 0 {
			b = nil
		}
		files = append(files, File{fmt.Sprintf("d/note%d.txt", i), int64(len(b)), slowFile{bytes.NewReader(b), &reads, &open, &most}})
	}
	mine := liveFiles(t)
	for name, b := range mine {
		files = append(files, File{"d/" + name, int64(len(b)), slowFile{bytes.NewReader(b), &reads, &open, &most}})
	}
	files = append(files, File{"d/broken", 100, failingReader{}})
	x := expand(t, Options{}, files...)
	if len(x.Leaves) != len(mine) || len(x.Rejected) != n+1 {
		t.Fatalf("%d useful files and %d others, want %d and %d", len(x.Leaves), len(x.Rejected), len(mine), n+1)
	}
	for _, l := range x.Leaves {
		if b, err := io.ReadAll(io.NewSectionReader(l.At, 0, l.Size)); err != nil || !bytes.Equal(b, mine[l.Name[2:]]) {
			t.Errorf("%s: %d bytes of %d, %v", l.Name, len(b), l.Size, err)
		}
	}
	if r := reads.Load(); r < n*99/100 || r > n+20*int64(len(mine)) {
		t.Errorf("%d reads of %d files", r, len(files))
	}
	if m := most.Load(); m < 4 || m > filesAhead+2 {
		t.Errorf("at most %d files were read at the same time", m)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Expand(ctx, files, Options{}, nil); err == nil || pcp.AsFault(err).Kind != pcp.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
}

// patient is a file whose first large read ends once several others have begun, or never.
type patient struct {
	io.ReaderAt
	others *atomic.Int64
	enough chan struct{}
	alone  *atomic.Bool
}

func (f patient) ReadAt(p []byte, off int64) (int, error) {
	if len(p) > SniffLen {
		if f.others.Add(1) == 4 {
			close(f.enough)
		}
		select {
		case <-f.enough:
		case <-time.After(time.Second):
			f.alone.Store(true)
		}
	}
	return f.ReaderAt.ReadAt(p, off)
}

// Of compressed files the beginnings, which are unpacked to see what is in them, are read at
// the same time, too.
func TestBeginningsOfCompressedFilesAtOnce(t *testing.T) {
	var b bytes.Buffer
	w, err := ulikunitz.NewWriter(&b)
	if err == nil {
		_, err = w.Write(bytes.Repeat(liveFiles(t)["web01.index"], 100))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var others atomic.Int64
	var alone atomic.Bool
	enough := make(chan struct{})
	var files []File
	for i := range 2 * fewFiles {
		files = append(files, File{fmt.Sprintf("d/%d.0.xz", i), int64(b.Len()), patient{bytes.NewReader(b.Bytes()), &others, enough, &alone}})
	}
	expand(t, Options{}, files...)
	if alone.Load() {
		t.Error("a beginning was read alone")
	}
}

// refused is a file of which the browser says that it was changed.
type refused struct{}

func (refused) ReadAt([]byte, int64) (int, error) {
	return 0, pcp.Faultf(pcp.BadArgument, "It was changed after it was chosen. Choose it again.")
}

// What a browser says of a file is said once, in its words.
func TestRefusedFile(t *testing.T) {
	for _, n := range []int{1, 2 * fewFiles} { // one after the other, and ahead
		var files []File
		for i := range n {
			files = append(files, File{fmt.Sprintf("d/%d.0.xz", i), 5000, refused{}})
		}
		x, err := Expand(t.Context(), files, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range x.Rejected {
			x.Problems = append(x.Problems, r.Fault)
		}
		for _, p := range x.Problems {
			if p.Message != "It was changed after it was chosen. Choose it again." {
				t.Errorf("%s: %q", p.File, p.Message)
			}
		}
		if len(x.Problems) != n {
			t.Errorf("%d files are reported, want %d", len(x.Problems), n)
		}
	}
}
