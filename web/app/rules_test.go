package app

import "testing"

// A session keeps the rules that somebody changed, and no others.
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
		t.Fatalf("rules %+v, kept %v", tab.Rules.List, tab.Rules.kept())
	}
	tab.Rules.Change("cpuBusy", "seventy")
	b.run()
	if value() != 90 {
		t.Errorf("an invalid number sets the rule to %v", value())
	}
	tab.Rules.Change("cpuBusy", " 72.5 ")
	b.run()
	kept := tab.Rules.kept()
	if value() != 72.5 || len(kept) != 1 || kept["cpuBusy"] != 72.5 {
		t.Errorf("the rule is %v, kept is %v", value(), kept)
	}
	tab.Rules.Change("cpuBusy", "")
	b.run()
	if value() != 90 || tab.Rules.kept() != nil {
		t.Errorf("brought back the rule is %v, kept is %v", value(), tab.Rules.kept())
	}
	tab.Rules.restore(kept)
	b.run()
	if value() != 72.5 {
		t.Errorf("out of a session the rule is %v", value())
	}
}
