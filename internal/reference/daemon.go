package reference

import (
	"bytes"
	"os/exec"
	"testing"
	"time"
)

// Daemon runs a server until the test ends. Its output is logged if the test
// fails.
func Daemon(t testing.TB, name string, args ...string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(Program(t, name), args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = time.Second // for its children
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s: %s", name, said.Bytes())
		}
	})
}
