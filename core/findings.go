package core

import (
	"context"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Findings lists what happened: first what is broken, then warnings, then
// notes, each in order of cost. It waits until the source has been read.
func (s *Session) Findings(ctx context.Context, id api.SourceID, progress func(api.Progress)) ([]api.Finding, error) {
	o, err := s.Overview(ctx, id, progress)
	return o.Findings, err
}

// Rules lists the thresholds behind a source's findings and tiles.
func (s *Session) Rules(id api.SourceID) ([]api.Rule, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	return src.expressed(src.rules()), nil
}

// expressed adds the rules of pmie(1) to thresholds.
func (src *source) expressed(list []api.Rule) []api.Rule {
	logged := analysis.Logged{Desc: func(metric string) (d pcp.Desc, known bool) {
		ms, known := src.lookup(metric)
		if known {
			d = descOf(ms)
		}
		return d, known
	}}
	if every := src.usualInterval(); every > 0 {
		logged.Interval = roundInterval(float64(every) / 1e9)
	}
	src.insight.mu.Lock()
	if counting := src.insight.counting; counting != nil {
		logged.Averaged, logged.NICsByName = counting.MeanOfCPUs, counting.NICsByName
	}
	src.insight.mu.Unlock()
	analysis.Express(list, logged)
	return list
}

func (src *source) rules() []api.Rule {
	src.insight.mu.Lock()
	defer src.insight.mu.Unlock()
	return src.insight.ruleset().List()
}

// SetRule changes a threshold of a source; nil restores the default. Overview
// and Findings use it from then on.
func (s *Session) SetRule(id api.SourceID, name string, value *float64) ([]api.Rule, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	if err := src.setRule(name, value); err != nil {
		return nil, err
	}
	return src.expressed(src.rules()), nil
}

func (src *source) setRule(name string, value *float64) error {
	src.insight.mu.Lock()
	defer src.insight.mu.Unlock()
	if err := src.insight.ruleset().Set(name, value); err != nil {
		return err
	}
	src.insight.overview, src.insight.dashboards = nil, nil
	return nil
}

// ruleset returns the current rules. The lock is held.
func (i *insight) ruleset() *analysis.Rules {
	if !i.ruled {
		i.rules, i.ruled = analysis.DefaultRules, true
	}
	return &i.rules
}

// decimals and quantity format numbers for headlines.
func decimals(v float64, n int) string        { return analysis.Decimals(v, n) }
func quantity(v float64, units string) string { return analysis.Quantity(v, units) }
