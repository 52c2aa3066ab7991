package cli

import (
	"archive/tar"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/recording"
)

// A file of an archive stands for the archive, as with pmdumplog(1): it is what a shell completes a
// name to. Of several, just these are meant.
func TestOneFileOfAnArchive(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"web01.0", "web01.1", "web01.index", "web01.meta", "web01.10.0", "web02.meta.xz", "web02.3.xz", "notes"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	os.Mkdir(filepath.Join(dir, "web01.7"), 0o777)
	t.Chdir(dir)
	for args, want := range map[string]string{
		"web01.1":                  "web01.0 web01.1 web01.index web01.meta",
		"./web01.index":            "web01.0 web01.1 web01.index web01.meta",
		"./web01.1 web01.meta":     "web01.1 web01.meta",
		"./web01.1 web01.1 .":      "notes web01.0 web01.1 web01.10.0 web01.index web01.meta web02.3.xz web02.meta.xz",
		dir + "/web02.3.xz":        dir + "/web02.3.xz " + dir + "/web02.meta.xz",
		"web01.meta web01.1":       "web01.1 web01.meta",
		"web01.meta web02.meta.xz": "web01.0 web01.1 web01.index web01.meta web02.3.xz web02.meta.xz",
		"web01":                    "web01.0 web01.1 web01.index web01.meta",
		"notes":                    "notes",
	} {
		var r run
		groups := r.folders(strings.Fields(args))
		if len(groups) != 1 {
			t.Fatalf("%s: %q", args, groups)
		}
		if slices.Sort(groups[0]); strings.Join(groups[0], " ") != want {
			t.Errorf("%s: %q, want %q", args, groups[0], want)
		}
	}
}

// A name that begins with "./", or goes through "..", is that of the same file, of an archive or of
// something else.
func TestFilesByOtherNames(t *testing.T) {
	t.Chdir(filepath.Dir(web01))
	plain, _, _ := call(t, "info", "web01")
	for _, name := range []string{"./web01.meta", "../live/web01.index", "..//live/./web01.0.zst"} {
		if out, said, status := call(t, "info", name); status != Done || out != plain || said != "" {
			t.Errorf("%s: status %d, %s%s", name, status, out, said)
		}
	}
	if _, said, status := call(t, "info", "./../README.md", "web01"); status != Unreadable || !strings.Contains(said, "README.md: ") {
		t.Errorf("no archive: status %d, %s", status, said)
	}
}

// Archives of the same name in one container, as of a pmlogger folder, are told apart by their
// folders, and so are those that are compared; each has a report of its own.
func TestFoldersInAContainer(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "both.tar"))
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(file)
	for i, host := range []string{"one", "two"} {
		for _, name := range (recording.Recording{Host: host, Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 20e9, Values: map[string]map[string]any{
			"kernel.all.nusers": {"": recording.Rising(4+i, 5, 1)},
		}}).Write(t) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			name = host + "/day" + filepath.Ext(name)
			w.WriteHeader(&tar.Header{Name: name, Mode: 0o666, Size: int64(len(data))})
			w.Write(data)
			os.Mkdir(filepath.Join(dir, host), 0o777)
			os.WriteFile(filepath.Join(dir, name), data, 0o666)
		}
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	one, two := filepath.Join("both.tar", "one", "day"), filepath.Join("both.tar", "two", "day")
	if out, said, status := call(t, "check", "kernel.all.nusers", "--above", "100", "both.tar"); status != Done || !strings.Contains(out, one+": ") || !strings.Contains(out, two+": ") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
	if out, said, status := call(t, "info", "both.tar"); status != Done || !strings.Contains(out, "source    "+one+"\n") || !strings.Contains(out, "source    "+two+"\n") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
	if _, said, status := call(t, "report", "-o", "reports/", "both.tar"); status != Done {
		t.Errorf("status %d, %s", status, said)
	}
	for _, name := range []string{"one-day-report.txt", "two-day-report.txt"} {
		if _, err := os.Stat(filepath.Join("reports", name)); err != nil {
			t.Error(err)
		}
	}
	one, two = filepath.Join("one", "day"), filepath.Join("two", "day")
	if out, said, status := call(t, "compare", one, two); status != Done || !strings.Contains(out, one+" of one,") || !strings.Contains(out, two+" of two,") {
		t.Errorf("status %d, %s%s", status, out, said)
	}
}

// One of several folders that has no archive is named: what was said of the others is not all that was
// asked. Of an archive and a container in folders, nothing is said.
func TestFolderWithoutAnArchiveAmongOthers(t *testing.T) {
	none, some := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(none, "README"), []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, said, status := call(t, "save", "-m", "hinv.ncpu", "-o", filepath.Join(some, "a.tar"), web01); status != Done {
		t.Fatalf("status %d, %s", status, said)
	}
	for _, args := range [][]string{{"info", none, web01}, {"info", web01, none + "/"}, {"findings", "--fail-on", "error", some, none}, {"check", "hinv.ncpu", "--above", "9", some, none, web01}} {
		out, said, status := call(t, args...)
		if status != Unreadable || out == "" || !strings.HasPrefix(said, "pcpscope: There is no archive and no MMV file in "+none) || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d, %s%s", args, status, out, said)
		}
	}
	t.Chdir(some)
	for _, args := range [][]string{{".", filepath.Join("..", filepath.Base(some), "a.tar")}, {"./", some}, {some + "/../" + filepath.Base(some), "a.tar"}} {
		if out, said, status := call(t, append([]string{"info"}, args...)...); status != Done || out == "" || said != "" {
			t.Errorf("%s: status %d, %s%s", args, status, out, said)
		}
	}
}
