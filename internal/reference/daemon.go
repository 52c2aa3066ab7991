package reference

import (
	"bytes"
	"os/exec"
	"testing"
	"time"
)

// Daemon runs a program that serves until the test ends. What it said is
// logged where the test failed.
func Daemon(t testing.TB, name string, args ...string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(Program(t, name), args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = time.Second // for what it has started itself
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
