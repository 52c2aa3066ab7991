package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const live = "../../testdata/live"

// liveFiles returns the members of the project's own archives by name.
func liveFiles(t testing.TB) map[string][]byte {
	t.Helper()
	paths, _ := filepath.Glob(live + "/web01*")
	if len(paths) < 6 {
		t.Fatalf("only %d files in %s", len(paths), live)
	}
	files := map[string][]byte{}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(p)] = b
	}
	return files
}

func memFile(name string, b []byte) File {
	return File{Name: name, Size: int64(len(b)), At: bytes.NewReader(b)}
}

func expand(t testing.TB, opt Options, files ...File) *Expanded {
	t.Helper()
	x, err := Expand(t.Context(), files, opt, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func content(t testing.TB, f File) []byte {
	t.Helper()
	b, err := io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
	if err != nil || int64(len(b)) != f.Size {
		t.Fatalf("%s: %d of %d bytes, %v", f.Name, len(b), f.Size, err)
	}
	return b
}

func run(t testing.TB, dir, command string) []byte {
	t.Helper()
	f := strings.Fields(command)
	if _, err := exec.LookPath(f[0]); err != nil {
		t.Skipf("%s is not installed", f[0])
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "XZ_OPT=-0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return out
}

func zipOf(t testing.TB, nameAndText ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(nameAndText); i += 2 {
		w, err := z.Create(nameAndText[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, nameAndText[i+1])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t testing.TB, nameAndText ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(nameAndText); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: nameAndText[i], Size: int64(len(nameAndText[i+1])), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, nameAndText[i+1])
	}
	w.Close()
	return b.Bytes()
}
