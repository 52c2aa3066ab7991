package core

import (
	"context"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
	"pcpscope/core/pmie"
	"pcpscope/core/series"
)

// RunRules evaluates rules in the language of pmie(1), and returns when each was
// true, false or unknown. It returns an error only if the file as a whole makes
// no sense; a rule that is not supported has a fault.
func (s *Session) RunRules(ctx context.Context, q api.RulesQuery, progress func(api.Progress)) (api.RuleResults, error) {
	out := api.RuleResults{Rules: []api.RuleResult{}}
	src, err := s.source(q.Source)
	if err != nil {
		return out, err
	}
	text, help, off := q.Text, map[string]string{}, map[string]bool{}
	conf := pmie.IsConf(text)
	if conf {
		text, help, off, err = pmie.Conf(text)
	}
	var program *pmie.Program
	if err == nil {
		program, err = pmie.Parse(text)
	}
	if err != nil {
		return out, pcp.AsFault(err).In(q.File)
	}
	w, err := s.windowOnceRead(ctx, src, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return out, err
	}
	loc, err := s.location(src, q.Zone)
	if err != nil {
		return out, err
	}
	out.Start, out.End = w.from, w.to
	turn := s.newPace(ctx)
	claim := s.memory.Claim(0)
	defer claim.Release()
	host := pmie.Host{Take: claim.Take, Next: func(values int) error {
		turn.worked(values)
		return turn.ended
	}}
	results, err := program.Run(&ruleSource{ctx, src}, pmie.Window{Span: pcp.Span{Start: w.from, End: w.to}, Zone: loc}, host)
	if err != nil {
		return out, err
	}
	for i := range results {
		r := ruleResult(&results[i])
		r.Help, r.Off = help[r.Name], off[r.Name]
		if r.Fault != nil && conf { // its place is in the file that pmieconf would write
			f := *r.Fault
			f.Span, r.Fault = nil, &f
		}
		out.Rules = append(out.Rules, r)
	}
	if q.Pixels > 0 {
		chart.Lanes(&out, q.Pixels)
	}
	return out, nil
}

// ruleSource is a source as rules see it.
type ruleSource struct {
	ctx context.Context
	src *source
}

func (r *ruleSource) Host() string { return r.src.about.Host }

func (r *ruleSource) Lookup(metric string) (pcp.Desc, bool) {
	if ms, known := r.src.lookup(metric); known {
		return descOf(ms), true
	}
	if !r.src.defines(metric) {
		return pcp.Desc{}, false
	}
	b, err := r.src.bind(metric)
	if err != nil {
		return pcp.Desc{}, false
	}
	return b.Desc, true
}

func (r *ruleSource) Frame(metric string, grid series.Grid) (series.Frame, error) {
	e := r.src.newEvaluation(grid)
	defer e.done()
	e.ctx = r.ctx
	f, err := e.frame(metric)
	if e.ended != nil {
		err = e.ended
	}
	return f, err
}

func ruleResult(r *pmie.Result) api.RuleResult {
	out := api.RuleResult{Name: r.Name, Text: r.Text, Delta: float64(r.Delta) / 1e9, Fault: r.Fault, Actions: []api.RuleAction{}, Lanes: []api.RuleLane{},
		Number: r.Fault == nil && !r.Condition(), Of: len(r.Lanes)}
	for _, a := range r.Actions {
		out.Actions = append(out.Actions, api.RuleAction{Kind: a.Kind, Text: strings.Join(a.Args, ""), Holdoff: float64(a.Holdoff) / 1e9, Else: a.Else})
	}
	for i := range r.Lanes {
		l := &r.Lanes[i]
		lane := api.RuleLane{Runs: make([]api.RuleRun, 0, len(l.Runs))}
		if l.ID != pcp.NoInstance {
			lane.Instance = &api.InstanceRef{ID: l.ID, Name: l.Name}
		}
		for _, run := range l.Runs {
			lane.Runs = append(lane.Runs, api.RuleRun{Start: run.Start, End: run.End, State: run.State.String(), Says: run.Says})
			if run.State == pmie.True {
				lane.Times++
				lane.True += run.End.Since(run.Start)
			}
		}
		out.Lanes = append(out.Lanes, lane)
		out.True = max(out.True, lane.True)
	}
	return out
}
