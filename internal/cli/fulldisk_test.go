//go:build linux

package cli

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Files get their names when all of them are whole, also if the disk becomes full with the last of
// their bytes: here files cannot be longer than 4 KiB, in a process of its own.
func TestConvertToAFullDisk(t *testing.T) {
	const inside = "PCPSCOPE_TEST_FULL_DISK"
	if args := os.Getenv(inside); args != "" {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4 << 10, Max: 4 << 10}); err != nil {
			t.Fatal(err)
		}
		os.Exit(Run(t.Context(), Streams{Out: io.Discard, Err: os.Stderr}, strings.Split(args, "\n")))
	}
	for _, format := range []string{"parquet", "arrow", "csv", "jsonl", "openmetrics"} {
		dir := t.TempDir()
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConvertToAFullDisk$")
		c.Env = append(os.Environ(), inside+"="+strings.Join([]string{"convert", "-o", dir, "--to", format, web01}, "\n"))
		said, err := c.CombinedOutput()
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != Unreadable || len(said) == 0 {
			t.Errorf("%s: %v, %s", format, err, said)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
			t.Errorf("%s: %v were written, %v", format, list, err)
		}
	}
}
