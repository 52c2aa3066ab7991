package state

import (
	"context"
	"testing"

	"pcpscope/core/api"
)

// rulebook is an engine that has one rule.
type rulebook struct {
	Insight
	value float64
}

func (r *rulebook) Rules(context.Context, api.SourceID) ([]api.Rule, error) {
	return []api.Rule{{Name: "cpuBusy", Value: r.value, Usual: 90}}, nil
}

func (r *rulebook) SetRule(ctx context.Context, id api.SourceID, _ string, v *float64) ([]api.Rule, error) {
	if r.value = 90; v != nil {
		r.value = *v
	}
	return r.Rules(ctx, id)
}

// A session keeps the rules that somebody changed, and no others.
func TestRulesAreKept(t *testing.T) {
	book := &rulebook{value: 90}
	a := still(&fake{})
	a.Go = func(f func()) { f() }
	a.Insight = book
	w := a.newWork((&fake{}).source())
	w.ToggleRules()
	if len(w.Rules) != 1 || w.keptRules() != nil {
		t.Fatalf("rules %+v, kept %v", w.Rules, w.keptRules())
	}
	w.ChangeRule("cpuBusy", "seventy")
	if book.value != 90 {
		t.Errorf("what is no number makes the rule %v", book.value)
	}
	w.ChangeRule("cpuBusy", " 72.5 ")
	kept := w.keptRules()
	if book.value != 72.5 || len(kept) != 1 || kept["cpuBusy"] != 72.5 {
		t.Errorf("the rule is %v, kept is %v", book.value, kept)
	}
	w.ChangeRule("cpuBusy", "")
	if book.value != 90 || w.keptRules() != nil {
		t.Errorf("brought back the rule is %v, kept is %v", book.value, w.keptRules())
	}
	w.takeRules(kept)
	if book.value != 72.5 || w.Rules[0].Value != 72.5 {
		t.Errorf("out of a session the rule is %v", book.value)
	}
}
