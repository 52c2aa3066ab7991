package analysis

import "testing"

// Committed memory matters where little memory is available, which must be known.
func TestCommittedMemory(t *testing.T) {
	f := new(fake).level("mem.physmem", "", 60, 1000).level("mem.util.committed_AS", "", 60, 1500).level("mem.util.commitLimit", "", 60, 1000).level("mem.util.used", "", 60, 900)
	if got := judged(f); got != "" {
		t.Errorf("without available memory: %q", got)
	}
	f.level("mem.util.available", "", 60, 600)
	if got := judged(f); got != "" {
		t.Errorf("with 60 %% available: %q", got)
	}
	f.level("mem.util.available", "", 60, 400)
	if got, want := judged(f), "know 0-590 Committed memory reached 150 % of the commit limit"; got != want {
		t.Errorf("with 40 %% available: %q, want %q", got, want)
	}
}
