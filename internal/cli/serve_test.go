package cli

import (
	"strings"
	"testing"
)

// Unless told otherwise, archives are served to this machine alone.
func TestServesThisMachineByDefault(t *testing.T) {
	out, said, _ := call(t, "serve", "--help")
	if !strings.Contains(out+said, "(default 127.0.0.1:8080)") && !strings.Contains(out+said, `(default "127.0.0.1:8080")`) {
		t.Errorf("the help says %s%s", out, said)
	}
}
