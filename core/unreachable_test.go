package core

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// A farFile is a file on a server that does not answer while why is set, or of a data
// volume for the bytes after the first ones.
type farFile struct {
	*os.File
	after int64
	why   *atomic.Pointer[pcp.Fault]
}

func (f farFile) OnDemand() bool { return true }

func (f farFile) ReadAt(p []byte, off int64) (int, error) {
	if why := f.why.Load(); why != nil && strings.Contains(f.Name(), ".0") && off+int64(len(p)) > f.after {
		return 0, why.In(filepath.Base(f.Name()))
	}
	return f.File.ReadAt(p, off)
}

// openFar opens files as on a server.
func openFar(t *testing.T, after int64, why *atomic.Pointer[pcp.Fault], paths ...string) (*Session, api.Source) {
	t.Helper()
	var files []File
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		st, _ := f.Stat()
		files = append(files, File{Name: filepath.Base(p), Size: st.Size(), At: farFile{f, after, why}})
	}
	s := NewSession(Options{})
	opened, err := s.Open(t.Context(), files, nil)
	if err != nil || len(opened.Sources) != 1 {
		t.Fatalf("opened %+v, %v", opened, err)
	}
	return s, opened.Sources[0]
}

func away() *pcp.Fault {
	return &pcp.Fault{Kind: pcp.Internal, Message: "web.example can no longer be reached.", Passing: true}
}

// allLoads returns the logged values of a metric of web01.
func allLoads(t *testing.T, s *Session) string {
	t.Helper()
	f, err := s.Fetch(t.Context(), api.Query{Source: 1, Metrics: []string{"kernel.all.load"}, Mode: "raw"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Times) < 100 {
		t.Fatalf("only %d records", len(f.Times))
	}
	var text strings.Builder
	for _, c := range f.Columns {
		fmt.Fprintln(&text, f.Times, c.Values)
	}
	return text.String()
}

// A server that does not answer for a while loses nothing: the question fails, and the
// next one reads on.
func TestServerIsAwayForAWhile(t *testing.T) {
	dir := t.TempDir()
	reference.UnpackTo(t, dir, "../testdata/live/web01.0.zst")
	rest := []string{"../testdata/live/web01.meta", "../testdata/live/web01.index"}
	gz := []string{"../testdata/live/web01-v2.0.gz", "../testdata/live/web01-v2.meta.gz", "../testdata/live/web01-v2.index"}
	for volume, files := range map[string][]string{
		"plain": append([]string{filepath.Join(dir, "web01.0")}, rest...),
		"zstd":  append([]string{"../testdata/live/web01.0.zst"}, rest...),
		"gzip":  gz,
	} {
		t.Run(volume, func(t *testing.T) {
			near, _ := openAll(t, files...)
			want := allLoads(t, near)
			st, _ := os.Stat(files[0])
			var why atomic.Pointer[pcp.Fault]
			why.Store(away())
			s, src := openFar(t, st.Size()*3/4, &why, files...)
			for range 2 {
				if _, err := s.Loaded(t.Context(), src.ID, nil); err == nil || !strings.Contains(err.Error(), "web.example can no longer be reached.") {
					t.Errorf("while the server does not answer: %v", err)
				}
			}
			if d := s.Sources()[0]; d.Loaded == 1 || len(d.Problems) != 1 || d.Problems[0].Message != away().Message || d.Problems[0].Lost != nil {
				t.Errorf("%v of it is loaded, with the problems %+v", d.Loaded, d.Problems)
			}
			why.Store(nil)
			if got := allLoads(t, s); got != want {
				t.Errorf("afterwards the values are\n%.300s\nwant\n%.300s", got, want)
			}
			if d := s.Sources()[0]; d.Loaded != 1 || len(d.Problems) != 0 {
				t.Errorf("afterwards %v of it is loaded, with the problems %+v", d.Loaded, d.Problems)
			}
		})
	}
}

// What cannot be read any more is not truncated: it is said why, and for how long there
// are no values.
func TestFileIsGone(t *testing.T) {
	dir := t.TempDir()
	reference.UnpackTo(t, dir, "../testdata/live/web01.0.zst")
	gone := &pcp.Fault{Kind: pcp.BadArgument, Message: "There is no such file on web.example (status 404)."}
	var why atomic.Pointer[pcp.Fault]
	why.Store(gone)
	s, src := openFar(t, 2<<20, &why, filepath.Join(dir, "web01.0"), "../testdata/live/web01.meta", "../testdata/live/web01.index")
	d, err := s.Loaded(t.Context(), src.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Problems) != 1 || d.Problems[0].Message != gone.Message {
		t.Errorf("the problems are %+v", d.Problems)
	}
	// The time of the last record in the first 2 MiB, and that of the index's last entry by
	// pmdumplog -t.
	want := pcp.Span{Start: 1795232994334354253, End: 1795233242313577471}
	if got := d.Problems[0].Lost; got == nil || *got != want {
		t.Errorf("values are missing in %v, want %v", got, want)
	}
}
