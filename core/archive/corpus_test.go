package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// shared returns a path in the reference data that lie beside the repository
// on some machines, or "".
func shared(path ...string) string {
	dir, _ := os.Getwd()
	for ; dir != "/" && dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			p := filepath.Join(append([]string{dir, "..", "shared"}, path...)...)
			if _, err := os.Stat(p); err == nil {
				return p
			}
			return ""
		}
	}
	return ""
}

const testdata = "../../testdata/"

// members opens all files of a folder.
func members(t testing.TB, dir string) []Member {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []Member
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Member{e.Name(), info.Size(), f})
	}
	return list
}

// groups returns the archives of a folder by name.
func groups(t testing.TB, dir string) map[string]Group {
	t.Helper()
	found, _ := Groups(members(t, dir))
	byName := map[string]Group{}
	for _, g := range found {
		byName[g.Name] = g
	}
	return byName
}

// load opens and loads an archive.
func load(t testing.TB, g Group) *Archive {
	t.Helper()
	a, err := Open(context.Background(), g)
	if err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	return a
}

// readJSON reads a gzipped JSON document; numbers stay texts.
func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// latin1 returns the text that the reference documents show for bytes.
func latin1(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}
