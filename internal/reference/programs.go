package reference

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Program returns the path of a system program that a test compares with. The
// test is skipped if the program is not installed. Tests run programs only
// through this package (and Node through internal/nodejs): a test that needs
// another program would fail on the next machine.
func Program(t testing.TB, name string) string {
	t.Helper()
	path := find(name)
	if path == "" {
		t.Skipf("0 compared: %s is not installed", name)
	}
	return path
}

// Installed reports whether a program exists, for a test that does more than
// compare with it.
func Installed(name string) bool { return find(name) != "" }

// find returns the path of a program, "" if it is not installed. Some of PCP's
// are not on the path, but in its folder of administrative programs.
func find(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	if path := filepath.Join("/usr/lib/pcp/bin", name); isFile(path) {
		return path
	}
	return ""
}

// Python returns a Python that has a module; the test is skipped if there is
// none.
func Python(t testing.TB, module string) string {
	t.Helper()
	python := PythonWith(module)
	if python == "" {
		t.Skipf("0 compared: no Python here has %s", module)
	}
	return python
}

// PythonWith returns a Python that has a module; "" if there is none.
func PythonWith(module string) string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+module).Run() == nil {
			return python
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Output returns the output of a command line, run in dir with in as its input.
// The test is skipped if one of its programs is not installed.
func Output(t testing.TB, dir, command string, in []byte) []byte {
	t.Helper()
	for _, step := range regexp.MustCompile(`\|\|?|&&`).Split(command, -1) {
		if name := strings.Trim(strings.Fields(step)[0], "("); name != "test" {
			Program(t, name)
		}
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && strings.HasPrefix(command, "compress ") && exit.ExitCode() == 2 {
		err = nil // "no savings", but the output is written
	}
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return out
}

// Pipe starts a program and returns its output as it comes, for what is too large to
// hold. It fails the test if the program does. The test is skipped if it is not
// installed.
func Pipe(t testing.TB, name string, args ...string) io.ReadCloser {
	t.Helper()
	cmd := exec.Command(Program(t, name), args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return &pipe{out, t, cmd}
}

type pipe struct {
	io.Reader
	t   testing.TB
	cmd *exec.Cmd
}

// Close discards what has not been read, and waits for the program.
func (p *pipe) Close() error {
	io.Copy(io.Discard, p.Reader)
	err := p.cmd.Wait()
	if err != nil {
		p.t.Errorf("%s: %v", p.cmd, err)
	}
	return err
}

// Recorded returns the output of a command line from a recording in the test's
// folder testdata/recorded, so that the test does not need the programs. The
// input, or the files in dir, are part of the recording's name: if they change,
// PCPSCOPE_GOLDEN=update runs the programs and records again.
func Recorded(t testing.TB, dir, command string, in []byte) []byte {
	t.Helper()
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s", command, in)
	if dir != "" {
		if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			fmt.Fprintf(h, "\n%s\n%s", strings.TrimPrefix(path, dir), data)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	slug := strings.Trim(regexp.MustCompile(`[^A-Za-z0-9.=]+`).ReplaceAllString(command, "-"), "-")
	path := filepath.Join("testdata", "recorded", fmt.Sprintf("%.60s.%.4x", slug, h.Sum(nil)))
	if os.Getenv("PCPSCOPE_GOLDEN") == "update" {
		out := Output(t, dir, command, in)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; PCPSCOPE_GOLDEN=update records it, where the programs are installed", err)
	}
	return out
}
