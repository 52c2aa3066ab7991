package app

import "testing"

// What is copied has a line for each of ours, whatever is in the names.
func TestCopiedLines(t *testing.T) {
	if got, want := copied([]string{"web01\n# not ours", "Disk <img src=x>"}), "web01 # not ours\nDisk \\<img src=x>\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
