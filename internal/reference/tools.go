package reference

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Tool runs one of PCP's own tools, where it is installed, in UTC, and returns
// all that it prints; false where it is not installed. Some are not on the
// path but where PCP keeps what administrators use.
func Tool(t testing.TB, name string, args ...string) (out string, ok bool) {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		program = filepath.Join("/usr/lib/pcp/bin", name)
		if _, err := os.Stat(program); err != nil {
			t.Logf("%s is not installed", name)
			return "", false
		}
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "PCP_DERIVED_CONFIG=", "LC_ALL=C")
	text, err := cmd.CombinedOutput()
	if err != nil {
		if _, exited := err.(*exec.ExitError); !exited {
			t.Fatal(err)
		}
	}
	return string(text), true
}
