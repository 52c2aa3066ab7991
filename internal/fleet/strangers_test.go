package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/fleetgen"
)

// What lies among the archives and is none, leads out of the folder, or has a
// name that means something elsewhere, neither stops the index nor gets into it.
func TestIndexOfStrangers(t *testing.T) {
	dir, outside := archives(t, 1, 1), archives(t, 2, 1)
	other := filepath.Join(outside, fleetgen.Name(1))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if os.Symlink(other, filepath.Join(dir, "linked")) == nil { // some systems allow none
		must(os.Mkdir(filepath.Join(dir, "links"), 0o755))
		for _, suffix := range []string{"0", "meta", "index"} {
			must(os.Symlink(filepath.Join(other, "20261102."+suffix), filepath.Join(dir, "links", "20261102."+suffix)))
		}
		must(os.Symlink(dir, filepath.Join(dir, "again"))) // without end
	}
	must(os.Mkdir(filepath.Join(dir, "pipe"), 0o755))
	mkfifo(filepath.Join(dir, "pipe", "20261102.0"))
	mkfifo(filepath.Join(dir, "pipe", "20261102.meta"))
	must(os.MkdirAll(filepath.Join(dir, "folder", "20261102.0"), 0o755))
	must(os.MkdirAll(filepath.Join(dir, "folder", "20261102.meta"), 0o755))
	names := []string{"<img src=x onerror=alert(1)>", "a&b?c#d", "%2e%2e", "a;touch pwned", "-F", "\"'", "javascript:alert(1)"}
	for _, name := range names {
		host := filepath.Join(dir, name)
		if os.Mkdir(host, 0o755) != nil {
			continue
		}
		for _, suffix := range []string{"0", "meta", "index"} {
			text, err := os.ReadFile(filepath.Join(dir, fleetgen.Name(0), "20261102."+suffix))
			must(err)
			must(os.WriteFile(filepath.Join(host, "20261102."+suffix), text, 0o644))
		}
	}
	many := filepath.Join(dir, "many")
	must(os.Mkdir(many, 0o755))
	for i := range 20 {
		must(os.WriteFile(filepath.Join(many, fmt.Sprintf("2026%04d.0", i)), nil, 0o644))
	}
	r := index(t, dir)
	if r.Hosts < 2 || r.Read < 2 {
		t.Errorf("report = %+v, want two hosts or more", r)
	}
	m, _ := open(t, dir, 0)
	for _, h := range m.Hosts {
		if h.Host == fleetgen.Name(1) || strings.HasPrefix(h.Host, "link") {
			t.Errorf("%+v is in the index, and outside of the folder", h)
		}
	}
}

// A host whose folder is a link that is not followed is missing from the dataset, which is said; a
// link that stays in the folder is a host, and one that leads to a file or to nothing is none.
func TestIndexSaysWhichLinksItLeavesOut(t *testing.T) {
	dir, outside := archives(t, 1, 1), archives(t, 2, 1)
	for name, to := range map[string]string{"away": filepath.Join(outside, fleetgen.Name(1)), "inside": fleetgen.Name(0), "file": filepath.Join(outside, fleetgen.Name(1), "20261102.0"), "nothing": "none"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err) // some systems allow none
		}
	}
	src, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Index(t.Context(), src, Options{Dir: filepath.Join(dir, Folder)})
	if err != nil || r.Hosts != 2 || len(r.Problems) != 1 || !strings.HasPrefix(r.Problems[0], "away was left out: symbolic links ") {
		t.Errorf("report = %+v, %v; want two hosts, and the link that is not followed", r, err)
	}
}
