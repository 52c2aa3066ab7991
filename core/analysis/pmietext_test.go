package analysis

import (
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/pmie"
)

// Each threshold is in a rule, or it is said why not, and the language has every rule.
func TestEveryThresholdIsExpressed(t *testing.T) {
	all := func(metric string) (pcp.Desc, bool) { return pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter}, true }
	rules := DefaultRules
	list := rules.List()
	Express(list, Logged{Desc: all, Interval: 10})
	expressed, seen := 0, map[string]bool{}
	for _, r := range list {
		reason := notInPmie[r.Name]
		switch {
		case r.Pmie != "" && reason == "" && r.Why == "":
			expressed++
		case r.Pmie == "" && reason == "" && strings.HasPrefix(r.Why, "It is part of the rule"):
			expressed++
		case r.Pmie == "" && reason != "" && r.Why == reason:
		case r.Pmie == "" && reason == "":
			t.Errorf("%s is in no rule of pmie, and notInPmie does not say why", r.Name)
		default:
			t.Errorf("%s: rules %q, why not: %q, listed as %q", r.Name, r.Pmie, r.Why, reason)
		}
		if r.Pmie == "" {
			continue
		}
		program, err := pmie.Parse(r.Pmie)
		if err != nil {
			t.Errorf("%s: %v", r.Pmie, err)
			continue
		}
		for _, one := range program.Rules {
			if one.Fault != nil {
				t.Errorf("%s: %v", r.Pmie, one.Fault)
			}
			if seen[one.Name] {
				t.Errorf("two rules have the name %s", one.Name)
			}
			seen[one.Name] = true
		}
	}
	if len(seen) != len(pmieRules) || expressed+len(notInPmie) != len(list) {
		t.Errorf("%d of %d rules; %d thresholds are expressed and %d are not, of %d", len(seen), len(pmieRules), expressed, len(notInPmie), len(list))
	}
}
