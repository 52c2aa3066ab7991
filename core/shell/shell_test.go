package shell

import (
	"os/exec"
	"testing"
)

// Any quoted text reaches the command unchanged and as one word.
func TestQuote(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not installed")
	}
	for _, s := range []string{"", "a.b", "it's", "a.b;touch pwned", "$(touch pwned)", "`touch pwned`", "a b", "*", "~", "a\\", "!!", "a\"b", "&& x", "#", "é€", "'", "''", "-x"} {
		cmd := exec.Command(sh, "-c", "printf '%s|' "+Quote(s))
		cmd.Dir = t.TempDir() // where nothing is quoted, commands leave files
		out, err := cmd.Output()
		if err != nil || string(out) != s+"|" {
			t.Errorf("%q is quoted as %s, which a shell takes for %q: %v", s, Quote(s), out, err)
		}
	}
}

// So does each character alone, and within a word.
func TestQuoteOfEachCharacter(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not installed")
	}
	line, want := "", ""
	for c := rune(' '); c < 0x180; c++ {
		for _, s := range []string{string(c), "a" + string(c) + "b", string(c) + "HOME"} {
			if Pasteable(s) {
				line, want = line+" "+Quote(s), want+s+"|"
			}
		}
	}
	cmd := exec.Command(sh, "-c", "printf '%s|'"+line)
	cmd.Dir = t.TempDir()
	if out, err := cmd.Output(); err != nil || string(out) != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

func TestOperand(t *testing.T) {
	for s, want := range map[string][2]bool{
		"a.b": {true, true}, "-F": {true, false}, "": {true, false}, "a\nb": {}, "a\x1b[201~b": {}, "a\rb": {}, "a\u009bb": {}, "a\u2028b": {}, "a\xffb": {}, "a\x7f": {},
	} {
		if got := [2]bool{Pasteable(s), Operand(s)}; got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// PCP's tools take the names of several archives with commas between them.
func TestArchives(t *testing.T) {
	for _, tt := range []struct {
		name    string
		members []string
		want    string
	}{
		{"a", []string{"a.0", "a.index", "a.meta"}, "a"},
		{"20170223 – 20170224", []string{"x.tar/20170223.0.xz", "x.tar/20170223.meta.xz", "x.tar/20170224.meta", "x.tar/20170224.0"}, "20170223,20170224"},
		{"acme", []string{"acme.mmv"}, "acme"},
	} {
		if got := Archives(tt.name, tt.members); got != tt.want {
			t.Errorf("archives of %q = %q, want %q", tt.members, got, tt.want)
		}
	}
}
