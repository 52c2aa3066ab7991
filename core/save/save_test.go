package save

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// files collects what is written, by suffix.
type files map[string]*bytes.Buffer

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

func (f files) create(suffix string) (io.WriteCloser, error) {
	f[suffix] = &bytes.Buffer{}
	return closer{f[suffix]}, nil
}

// open opens what was written.
func (f files) open(t testing.TB, name string) *archive.Archive {
	t.Helper()
	var list []archive.Member
	for suffix, b := range f {
		list = append(list, archive.Member{Name: name + "." + suffix, Size: int64(b.Len()), At: bytes.NewReader(b.Bytes())})
	}
	groups, rest := archive.Groups(list)
	if len(groups) != 1 || len(rest) > 0 {
		t.Fatalf("%d archives were written, and %v", len(groups), rest)
	}
	return load(t, groups[0])
}

// store writes the files to a folder, for PCP's tools.
func (f files) store(t testing.TB, name string) string {
	t.Helper()
	base := filepath.Join(t.TempDir(), name)
	for suffix, b := range f {
		if err := os.WriteFile(base+"."+suffix, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

func load(t testing.TB, g archive.Group) *archive.Archive {
	t.Helper()
	a, err := archive.Open(context.Background(), g)
	if err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	return a
}

// groups are the archives of a folder, by name.
func groups(t testing.TB, dir string) map[string]archive.Group {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []archive.Member
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		info, _ := f.Stat()
		list = append(list, archive.Member{Name: e.Name(), Size: info.Size(), At: f})
	}
	found, _ := archive.Groups(list)
	if len(found) == 0 {
		t.Fatalf("there is no archive in %s", dir)
	}
	all := map[string]archive.Group{}
	for _, g := range found {
		all[g.Name] = g
	}
	return all
}

// folders are those with archives: our own, and the reference corpus if
// present.
func folders() []string {
	list := []string{filepath.Join("..", "..", "testdata", "live")}
	for _, name := range []string{"archives", "live"} {
		if dir := reference.Path("corpus", name); dir != "" {
			list = append(list, dir)
		}
	}
	return list
}

func write(t testing.TB, q Request) (files, Report) {
	t.Helper()
	out := files{}
	r, err := Write(context.Background(), q, out.create, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out, r
}

const second = pcp.Time(1e9)
