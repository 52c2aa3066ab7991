//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The program tidies up when it is interrupted, and when it is told to end, as by timeout(1) or
// systemd.
func TestEndsInOrder(t *testing.T) {
	const inside = "PCPSCOPE_TEST_SITE"
	if site := os.Getenv(inside); site != "" {
		os.Args = []string{"pcpscope", "serve", "--listen", "127.0.0.1:0", "--site", site}
		main()
	}
	site := t.TempDir()
	if err := os.WriteFile(filepath.Join(site, "index.html"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestEndsInOrder$")
		c.Env = append(os.Environ(), inside+"="+site)
		said, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(said).ReadString('\n'); !strings.Contains(line, "http://127.0.0.1:") {
			t.Errorf("it says %q, %v", line, err)
		}
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(10*time.Second, func() { c.Process.Kill() })
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %v, want success", signal, err)
		}
		late.Stop()
	}
}
