package reference

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Pmrep finds PCP's own reporter: a program in Python, which needs the Python
// that it was packaged for. It returns the environment to run it in, and its
// version; the test is skipped where there is none.
func Pmrep(t testing.TB) (environment []string, version string) {
	t.Helper()
	if _, err := exec.LookPath("pmrep"); err != nil {
		t.Skip("pmrep is not installed")
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		env := append(os.Environ(), "PCP_PYTHON_PROG="+python)
		run := exec.Command("pmrep", "--version")
		run.Env = env
		if out, err := run.CombinedOutput(); err == nil {
			words := strings.Fields(string(out))
			if len(words) > 0 {
				version = words[len(words)-1]
			}
			return env, version
		}
	}
	t.Skip("pmrep does not run: its module for Python is missing")
	return nil, ""
}
