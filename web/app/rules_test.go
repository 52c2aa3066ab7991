package app

import "testing"

// A session stores the rules that the user changed, and no others.
func TestRulesAreKept(t *testing.T) {
	b, tab := opened(t)
	value := func() float64 {
		for _, r := range tab.Rules.List {
			if r.Name == "cpuBusy" {
				return r.Value
			}
		}
		return 0
	}
	tab.Rules.Toggle()
	b.run()
	if value() != 90 || tab.Rules.kept() != nil {
		t.Fatalf("rules %+v, saved %v; want 90, none saved", tab.Rules.List, tab.Rules.kept())
	}
	tab.Rules.Change("cpuBusy", "seventy")
	b.run()
	if value() != 90 {
		t.Errorf("threshold after an invalid number = %v, want 90", value())
	}
	tab.Rules.Change("cpuBusy", " 72.5 ")
	b.run()
	kept := tab.Rules.kept()
	if value() != 72.5 || len(kept) != 1 || kept["cpuBusy"] != 72.5 {
		t.Errorf("threshold = %v, saved %v; want 72.5, saved", value(), kept)
	}
	tab.Rules.Change("cpuBusy", "")
	b.run()
	if value() != 90 || tab.Rules.kept() != nil {
		t.Errorf("threshold after resetting it = %v, saved %v; want 90, none saved", value(), tab.Rules.kept())
	}
	tab.Rules.restore(kept)
	b.run()
	if value() != 72.5 {
		t.Errorf("threshold restored from a session = %v, want 72.5", value())
	}
}
