package reference

import (
	"bufio"
	"io"
	"iter"
	"os"
	"os/exec"
	"testing"
)

// Tool runs one of PCP's own tools, in UTC, and returns its output; false if it
// is not installed.
func Tool(t testing.TB, name string, args ...string) (out string, ok bool) {
	t.Helper()
	cmd := tool(t, name, args...)
	if cmd == nil {
		return "", false
	}
	text, err := cmd.CombinedOutput()
	if err != nil {
		if _, exited := err.(*exec.ExitError); !exited {
			t.Fatal(err)
		}
	}
	return string(text), true
}

// Lines is Tool line by line, for tools whose output does not fit into memory.
func Lines(t testing.TB, name string, args ...string) iter.Seq[string] {
	return func(yield func(string) bool) {
		cmd := tool(t, name, args...)
		if cmd == nil {
			return
		}
		r, w := io.Pipe()
		cmd.Stdout, cmd.Stderr = w, w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func() { w.CloseWithError(cmd.Wait()) }()
		lines := bufio.NewReaderSize(r, 1<<20)
		for {
			line, err := lines.ReadString('\n')
			if line == "" && err != nil || !yield(line) {
				r.Close() // the tool ends at its next line
				return
			}
		}
	}
}

func tool(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	program := find(name)
	if program == "" {
		t.Logf("%s is not installed", name)
		return nil
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "PCP_DERIVED_CONFIG=", "LC_ALL=C")
	return cmd
}
