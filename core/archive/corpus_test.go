package archive

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

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
	if len(found) == 0 {
		t.Fatalf("there is no archive in %s", dir)
	}
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
