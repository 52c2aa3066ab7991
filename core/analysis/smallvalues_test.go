package analysis

import "testing"

// What is more than nothing is not 0.
func TestSmallValuesAreNotZero(t *testing.T) {
	f := new(fake).cpu(2, 60, 0.25).rate("disk.dev.avactive", "sda", ms, 30, 3, 30, 0).rate("disk.dev.aveq", "sda", ms, 30, 4, 30, 0)
	if got := tileOf(t, f, "CPU").Utilisation.Text; got != "<1 % at most" {
		t.Errorf("CPU 0.25 %% busy: %q", got)
	}
	disks := tileOf(t, f, "Disks")
	if disks.Utilisation.Text != "sda <1 %" || disks.Saturation.Text != "sda queue <0.1 at most" {
		t.Errorf("a disk that is busy 0.3 %% of the time, with a queue of 0.004: %q, %q", disks.Utilisation.Text, disks.Saturation.Text)
	}
	idle := tileOf(t, new(fake).rate("disk.dev.avactive", "sda", ms, 60, 0).rate("disk.dev.aveq", "sda", ms, 60, 0), "Disks")
	if idle.Utilisation.Text != "sda 0 %" || idle.Saturation.Text != "sda queue 0 at most" {
		t.Errorf("a disk that does nothing: %q, %q", idle.Utilisation.Text, idle.Saturation.Text)
	}
}
