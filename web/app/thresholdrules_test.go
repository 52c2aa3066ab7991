package app

import (
	"strings"
	"testing"
)

// The thresholds are rules that the archive has the metrics of; of the others it is said
// why not. Rules of the user stay.
func TestThresholdsAsLanes(t *testing.T) {
	b, tab := opened(t)
	l := &tab.Lanes
	l.ShowThresholds()
	b.run()
	if !l.Open || l.Fault != nil || l.Result == nil {
		t.Fatalf("open %v, %v", l.Open, l.Fault)
	}
	said := map[string]bool{}
	for _, r := range l.Result.Rules {
		said[r.Name] = true
		if r.Fault != nil {
			t.Errorf("%s: %v", r.Name, r.Fault)
		}
	}
	for _, r := range tab.Rules.List {
		if r.Pmie == "" && !strings.Contains(l.Text, "// "+r.Name+": "+r.Why+"\n") {
			t.Errorf("nothing is said of %s", r.Name)
		}
	}
	if !said["disk_busy"] || strings.Count(l.Text, "delta = ") != 1 || !strings.HasPrefix(l.Text, thresholdsHeading) {
		t.Errorf("%s", l.Text)
	}
	tab.Rules.Change("diskBusy", "7")
	b.run()
	l.ShowThresholds()
	b.run()
	if !strings.Contains(l.Text, "@0..11 > 7)") || strings.Count(l.Text, thresholdsHeading) != 1 {
		t.Errorf("after a change: %s", l.Text)
	}
	const mine = "mine = kernel.all.load #'1 minute' > 2;"
	l.Text = mine
	l.ShowThresholds()
	b.run()
	if !strings.HasPrefix(l.Text, mine+"\n\n"+thresholdsHeading) {
		t.Errorf("with a rule of the user: %s", l.Text)
	}
}
