package core

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pcpscope/core/api"
)

// Frames and summaries with NaN or infinity are valid JSON.
func TestOpenPath(t *testing.T) {
	s := NewSession(Options{})
	for path, want := range map[string]int{"../testdata/live/web01": 1, "../testdata/live/web01.meta": 0, "../testdata/live": 1, "../testdata/live/web01.0.zst": 0} {
		opened, files, err := s.OpenPath(t.Context(), nil, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if len(opened.Sources) < want {
			t.Errorf("%s: %d sources, %v rejected", path, len(opened.Sources), opened.Rejected)
		}
		for _, src := range opened.Sources {
			if path == "../testdata/live/web01" {
				frame, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"kernel.all.load / (kernel.all.load - kernel.all.load)", "kernel.uname.release"}, Mode: "raw"}, nil)
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(frame)
				var back struct {
					Start   int64
					Columns []struct {
						Metric string
						Values []any
					}
				}
				if err != nil || json.Unmarshal(text, &back) != nil || len(back.Columns) != len(frame.Columns) || !slices.Contains(back.Columns[0].Values, nil) || len(back.Columns[0].Values) != len(frame.Times) || back.Start == 0 {
					t.Errorf("as JSON the frame is %.300s, %v", text, err)
				}
				if _, err := json.Marshal(api.Summary{TimeAverage: math.NaN()}); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
				t.Error(err)
			}
			s.Close(src.ID)
		}
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"../testdata/live/nothing", filepath.Join(t.TempDir(), "a", "b")} {
		if _, _, err := s.OpenPath(t.Context(), nil, path); err == nil {
			t.Errorf("%s is opened", path)
		}
	}
}

// A base name is that of one archive, as in PCP's tools, although names of others go on with a number;
// where it is none's, the archives of a day are meant. A folder may be a link, and have links to files.
func TestFilesAt(t *testing.T) {
	dir := t.TempDir()
	write := func(names ...string) {
		for _, name := range names {
			name = filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, nil, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	write("a/20261121.0.xz", "a/20261121.meta", "a/20261121.09.30.0", "a/20261121.09.30.meta", "a/node.1.0", "a/node.2.0", "b/web01.0")
	for _, name := range []string{"20261121.0.xz", "20261121.meta"} {
		link(filepath.Join(dir, "a", name), filepath.Join("b", name))
	}
	link("web01.0", "b/latest.0") // the same file again
	link(filepath.Join(dir, "b", "web01.0"), "b/newest.0")
	link("..", "b/up")
	link("nowhere", "b/broken.0")
	link("b", "c")
	for path, want := range map[string][]string{
		"a/20261121":    {"a/20261121.0.xz", "a/20261121.meta"},
		"a/20261121.09": {"a/20261121.09.30.0", "a/20261121.09.30.meta"},
		"a/node":        {"a/node.1.0", "a/node.2.0"},
		"a/node.1":      {"a/node.1.0"},
		"b/20261121":    {"b/20261121.0.xz", "b/20261121.meta"},
		"b/latest":      {"b/latest.0"},
		"b":             {"b/20261121.0.xz", "b/20261121.meta", "b/web01.0"},
		"c":             {"c/20261121.0.xz", "c/20261121.meta", "c/web01.0"},
	} {
		got, err := FilesAt(filepath.Join(dir, path))
		for i, name := range got {
			rel, _ := filepath.Rel(dir, name)
			got[i] = filepath.ToSlash(rel)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
	t.Chdir(filepath.Join(dir, "c"))
	if got, err := FilesAt("."); err != nil || !slices.Equal(got, []string{"20261121.0.xz", "20261121.meta", "web01.0"}) {
		t.Errorf("here: %q, %v", got, err)
	}
}
