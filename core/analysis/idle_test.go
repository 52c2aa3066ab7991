package analysis

import "testing"

// Two CPUs are idle for 40 of 100 s at most. Where waiting for a disk was logged, it is not busy time.
func TestIdleAlone(t *testing.T) {
	f := new(fake).level("hinv.ncpu", "", 1, 2).level("kernel.all.load", "1 minute", 60, 1).rate("kernel.all.cpu.idle", "", ms, 60, 800)
	if got, want := tileOf(t, f, "CPU").Utilisation.Text, "60 % not idle"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.rate("kernel.all.cpu.wait.total", "", ms, 60, 200)
	if got, want := tileOf(t, f, "CPU").Utilisation.Text, "50 % at most"; got != want {
		t.Errorf("with wait: got %q, want %q", got, want)
	}
}
