package app

import (
	"maps"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
)

// Rules is the state of a source's rules.
type Rules struct {
	List    []api.Rule // nil until known
	Open    bool       // the list is shown
	changed map[string]float64
	tab     *Tab
}

// Toggle switches between rules and findings.
func (r *Rules) Toggle() {
	r.Open = !r.Open
	if r.Open && r.List == nil {
		r.set(nil)
	}
}

// Change sets a rule to the typed value; an empty text restores the default. Text that is
// not a number changes nothing.
func (r *Rules) Change(name, text string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, ",", ""))
	if text == "" {
		r.set(map[string]*float64{name: nil})
	} else if v, err := strconv.ParseFloat(text, 64); err == nil {
		r.set(map[string]*float64{name: &v})
	}
}

// set sets rules, nil for the default, and repeats the analysis that depends on them.
func (rules *Rules) set(values map[string]*float64) {
	tab := rules.tab
	tab.app.work(func() func() {
		var list []api.Rule
		var err error
		for name, v := range values {
			if list, err = rpc.Invoke(tab.ctx, tab.app.Engine, rpc.SetRule, rpc.SetRuleRequest{Source: tab.Source.ID, Name: name, Value: v}, nil); err != nil {
				break
			}
		}
		if list == nil {
			all, fault := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Rules, rpc.SourceRequest{Source: tab.Source.ID}, nil)
			if list = all; err == nil {
				err = fault
			}
		}
		return func() {
			if err != nil {
				tab.app.failed(err)
				tab.app.refuse("rule", err)
			}
			rules.List, rules.changed = list, map[string]float64{}
			for _, r := range list {
				if r.Value != r.Usual {
					rules.changed[r.Name] = r.Value
				}
			}
			if len(values) > 0 && tab.Findings.Overview != nil {
				tab.Findings.assess()
			}
		}
	})
}

// known calls what uses the thresholds, once they are known.
func (r *Rules) known(use func([]api.Rule)) {
	if r.List != nil {
		use(r.List)
		return
	}
	tab := r.tab
	tab.app.work(func() func() {
		list, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Rules, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		return func() {
			if err != nil {
				tab.app.failed(err)
				return
			}
			use(list)
		}
	})
}

// kept are the changed rules, for a session.
func (r *Rules) kept() map[string]float64 {
	if len(r.changed) == 0 {
		return nil
	}
	return maps.Clone(r.changed)
}

// restore applies the rules of a session.
func (r *Rules) restore(kept map[string]float64) {
	if len(kept) == 0 {
		return
	}
	values := map[string]*float64{}
	for name, v := range kept {
		values[name] = &v
	}
	r.set(values)
}
