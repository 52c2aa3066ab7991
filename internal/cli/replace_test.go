package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An archive replaces one of the same name with all of its files: volumes that it has no more would be
// read as its own, by PCP's tools as well, and nobody expects in a redacted archive what was there
// before. Others of the same folder stay.
func TestSaveReplacesWholeArchives(t *testing.T) {
	dir := t.TempDir()
	names := func() string {
		t.Helper()
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range list {
			names = append(names, d.Name())
		}
		return strings.Join(names, " ")
	}
	save := func(want int, args ...string) (said string) {
		t.Helper()
		_, said, status := call(t, append([]string{"save", web01, "-o", filepath.Join(dir, "x")}, args...)...)
		if status != want {
			t.Fatalf("%s: status %d, %s", args, status, said)
		}
		return said
	}
	for _, other := range []string{"x.old.0", "x.txt", "x1.0"} {
		if err := os.WriteFile(filepath.Join(dir, other), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	save(Done, "--volume-size", "1")
	if !strings.Contains(names(), " x.9 ") {
		t.Fatalf("%s: the archive has fewer than ten volumes", names())
	}
	save(Done, "--force", "-m", "hinv", "-T", "1min")
	const others = " x.old.0 x.txt x1.0"
	if got, want := names(), "x.0 x.index x.meta"+others; got != want {
		t.Errorf("%s after the second archive, want %s", got, want)
	}
	save(Done, "--force", "-m", "hinv", "--zstd")
	if got, want := names(), "x.0.zst x.index x.meta.zst"+others; got != want {
		t.Errorf("%s after the third archive, want %s", got, want)
	}
	for _, name := range []string{"x.0.zst", "x.index", "x.meta.zst"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "x.7"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if said := save(Wrong, "-m", "hinv"); !strings.Contains(said, "x.7 exists; --force") {
		t.Errorf("a volume in the way: %s", said)
	}
	if got, want := names(), "x.7"+others; got != want {
		t.Errorf("%s after a refusal, want %s", got, want)
	}
	save(Done, "--force", "-o", filepath.Join(dir, "x.tar"), "-m", "hinv")
	if got, want := names(), "x.7 x.old.0 x.tar x.txt x1.0"; got != want {
		t.Errorf("%s after a container, want %s", got, want)
	}
}

// One file cannot hold two sources. Where that is refused, nothing is written: half of what was asked
// would look like all of it.
func TestTwoSourcesInOneFile(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"save", "-o", filepath.Join(dir, "a")}, {"save", "-o", filepath.Join(dir, "a.tar")}, {"report", "-o", filepath.Join(dir, "r")}, {"report", "--html", "-o", filepath.Join(dir, "r.html")}, {"report", "--html"}} {
		out, said, status := call(t, append(args, db01, web01)...)
		if status != Wrong || out != "" || !strings.Contains(said, "web01 is another source") {
			t.Errorf("%s: status %d, %.200s%s", args, status, out, said)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("%v were written, %v", list, err)
	}
	// The only one that has a metric can be saved.
	if out, said, status := call(t, "save", "-o", filepath.Join(dir, "a"), "-m", "sample.longlong", db01, web01); status != Unreadable || !strings.Contains(out, "a.meta") || !strings.Contains(said, "db01") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 3 {
		t.Errorf("%v are there, %v", list, err)
	}
}

// A report that is written to a link, such as /dev/stdout is, goes where that leads, and the link stays.
func TestReportThroughALink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, []byte("kept"), 0o666), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	if _, said, status := call(t, "report", "-o", link, web01); status != Wrong || !strings.Contains(said, "exists") {
		t.Errorf("status %d, %q", status, said)
	}
	if text, _ := os.ReadFile(file); string(text) != "kept" {
		t.Errorf("without --force it was overwritten: %.40q", text)
	}
	if out, said, status := call(t, "report", "--force", "-o", link, web01); status != Done {
		t.Fatalf("status %d, %s%s", status, out, said)
	}
	want, _, _ := call(t, "report", web01)
	if text, _ := os.ReadFile(file); want == "" || string(text) != want {
		t.Errorf("the file has %.80q", text)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info.Mode(), err)
	}
}
