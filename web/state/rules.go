package state

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"pcpscope/core/api"
)

// A Ruler knows the thresholds that findings, tiles and lines in charts rest
// on.
type Ruler interface {
	Rules(ctx context.Context, id api.SourceID) ([]api.Rule, error)
	SetRule(ctx context.Context, id api.SourceID, name string, value *float64) ([]api.Rule, error)
}

// Ruling is what the page knows of the rules of a source.
type Ruling struct {
	Rules     []api.Rule // nil while they are not known
	RulesOpen bool       // they are listed
	changed   map[string]float64
}

// ToggleRules lists the rules, or the findings again.
func (w *Work) ToggleRules() {
	w.RulesOpen = !w.RulesOpen
	if w.RulesOpen && w.Rules == nil {
		w.rule(nil)
	}
}

// ChangeRule gives a rule the value that somebody typed; without any the usual
// one holds again. What is no number changes nothing.
func (w *Work) ChangeRule(name, text string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, ",", ""))
	if text == "" {
		w.rule(map[string]*float64{name: nil})
	} else if v, err := strconv.ParseFloat(text, 64); err == nil {
		w.rule(map[string]*float64{name: &v})
	}
}

// rule sets rules, nil for the usual value, and finds out anew what rests on
// them.
func (w *Work) rule(values map[string]*float64) {
	ruler, ok := w.app.Insight.(Ruler)
	if !ok {
		return
	}
	w.app.work(func() func() {
		var list []api.Rule
		var err error
		for name, v := range values {
			if list, err = ruler.SetRule(w.ctx, w.Source.ID, name, v); err != nil {
				break
			}
		}
		if list == nil {
			all, fault := ruler.Rules(w.ctx, w.Source.ID)
			if list = all; err == nil {
				err = fault
			}
		}
		return func() {
			if err != nil {
				w.app.failed(err)
				w.app.refuse("rule", err)
			}
			w.Rules, w.changed = list, map[string]float64{}
			for _, r := range list {
				if r.Value != r.Usual {
					w.changed[r.Name] = r.Value
				}
			}
			if len(values) > 0 && w.Overview != nil {
				w.assess()
			}
		}
	})
}

// keptRules are the rules that somebody changed, for a session.
func (w *Work) keptRules() map[string]float64 {
	if len(w.changed) == 0 {
		return nil
	}
	return maps.Clone(w.changed)
}

// takeRules sets the rules of a session.
func (w *Work) takeRules(kept map[string]float64) {
	if len(kept) == 0 {
		return
	}
	values := map[string]*float64{}
	for name, v := range kept {
		values[name] = &v
	}
	w.rule(values)
}
