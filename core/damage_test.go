package core

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// openAll opens files in a new session and waits until all sources are read.
func openAll(t *testing.T, paths ...string) (*Session, api.Opened) {
	t.Helper()
	return openFor(t, t.Context(), func(f *os.File) { t.Cleanup(func() { f.Close() }) }, paths...)
}

// openFor opens files for the lifetime of ctx, and returns the sources.
func openFor(t *testing.T, ctx context.Context, file func(*os.File), paths ...string) (*Session, api.Opened) {
	t.Helper()
	s := NewSession(Options{})
	var files []File
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		file(f)
		st, _ := f.Stat()
		files = append(files, File{Name: filepath.Base(p), Size: st.Size(), At: f})
	}
	opened, err := s.Open(ctx, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, src := range opened.Sources {
		d, err := s.Loaded(ctx, src.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		opened.Sources[i] = d
	}
	return s, opened
}

// TestDamaged opens every damaged archive. Only PCP's own V1 archives may be
// rejected, and the message must say what they are.
func TestDamaged(t *testing.T) {
	root := reference.Need(t)
	found, _ := filepath.Glob(filepath.Join(root, "corpus/bad/*.index"))
	tried, opened, retired, refused := 0, 0, 0, 0
	for _, f := range found {
		name := strings.TrimSuffix(filepath.Base(f), ".index")
		t.Run(name, func(t *testing.T) {
			tried++
			_, o := openAll(t, archiveFiles(filepath.Join(root, "corpus/bad"), name)...)
			if len(o.Sources) == 1 {
				opened++
				src := o.Sources[0]
				t.Logf("%d metrics, %v to %v", src.Metrics, src.Start.Std(), src.End.Std())
				for _, p := range src.Problems {
					t.Logf("  %s | %s", p.Error(), p.Done)
				}
				return
			}
			why := ""
			for _, r := range o.Rejected {
				t.Logf("  rejected %s: %s", r.Name, r.Fault.Message)
				why += r.Fault.Message
			}
			if strings.Contains(why, "version 1") {
				retired++
				return
			}
			refused++
		})
	}
	fmt.Printf("of %d damaged archives %d open, %d are of the retired version 1, %d are refused\n", tried, opened, retired, refused)
	if tried < len(found) {
		return // -run has left out some
	}
	// The rejected one, "empty", contains no data at all.
	if got, want := [4]int{tried, opened, retired, refused}, [4]int{28, 22, 5, 1}; got != want {
		t.Errorf("found, opened, retired, refused: %v, want %v", got, want)
	}
}

// TestFarm opens three hosts from one container.
func TestFarm(t *testing.T) {
	root := reference.Need(t)
	_, o := openAll(t, filepath.Join(root, "corpus/archives/farm.tar.xz"))
	if len(o.Sources) != 3 {
		t.Errorf("opened as %d sources, want the 3 hosts", len(o.Sources))
	}
	for _, src := range o.Sources {
		t.Log(src.Host, src.Name, src.Metrics, src.Start.Std(), src.Problems)
	}
}
