package state

import (
	"context"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/shell"
)

// Alter changes how a panel shows its values.
func (w *Work) Alter(id int, change func(p *Panel)) {
	p := w.find(id)
	if p == nil {
		return
	}
	w.remember()
	change(p)
	p.Rev++
	w.fetch(p)
	if !p.Dots {
		p.Observed = nil
	}
}

// SelectsInstances says whether the dashboard leaves instances out at first.
func (p *Panel) SelectsInstances() bool {
	return p.Leaves || slices.ContainsFunc(p.Strokes, func(s Stroke) bool { return s.All != "" })
}

// swap shows what the dashboard leaves out at first, or leaves it out again.
func (p *Panel) swap() {
	p.Whole, p.Slices = !p.Whole, false
	p.Metrics, p.Strokes = slices.Clone(p.Metrics), slices.Clone(p.Strokes)
	for i := range p.Strokes {
		if all := p.Strokes[i].All; all != "" {
			p.Strokes[i].All, p.Metrics[i] = p.Metrics[i], all
		}
	}
}

// ToggleWhole shows all instances of a panel, or those that the dashboard
// chose.
func (w *Work) ToggleWhole(id int) { w.Alter(id, (*Panel).swap) }

// ToggleTables shows all panels as tables, or as charts.
func (a *App) ToggleTables() {
	a.Tables = !a.Tables
	if w := a.current; w != nil {
		for _, p := range w.Panels {
			p.Rev++
		}
	}
}

// DuplicatePanel makes another panel like one, below it.
func (w *Work) DuplicatePanel(id int) {
	p := w.find(id)
	if p == nil {
		return
	}
	w.remember()
	n := w.addPanel(p.settings())
	from, to := len(w.Panels)-1, slices.Index(w.Panels, p)+1
	copy(w.Panels[to+1:], w.Panels[to:from])
	w.Panels[to] = n
	for _, moved := range w.Panels[to:] { // the charts stay where they are in the page
		moved.Rev++
	}
	w.Active = n.ID
}

// mostObserved is how many observations a chart has room for.
const mostObserved = 3000

// observe asks for the logged values of a panel's lines, to be drawn over
// them. Where there are more than a chart has room for, they are left out.
func (w *Work) observe(p *Panel) {
	window, metrics := w.Window, slices.Clone(p.Metrics)
	var instances []string
	for i := range p.Series {
		if s := &p.Series[i]; s.Instance != "" && !slices.Contains(instances, s.Instance) {
			instances = append(instances, s.Instance)
		}
	}
	if p.Who != nil {
		return
	}
	w.app.work(func() func() {
		at := func(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }
		f, err := w.app.Engine.Fetch(context.Background(), api.Query{Source: w.Source.ID, Metrics: metrics, Instances: instances, Mode: "raw", Convert: "rate", Start: at(window.Start), End: at(window.End)}, nil)
		return func() {
			if err != nil {
				p.Dots = false
				w.app.refuse(p.Heading(), err)
				return
			}
			p.Observed = map[string]Observations{}
			if len(f.Times) > mostObserved {
				return
			}
			for _, c := range f.Columns {
				key := c.Metric
				if c.Instance != nil {
					key += "\x00" + c.Instance.Name
				}
				if len(c.Values) == len(f.Times) {
					p.Observed[key] = Observations{f.Start, f.Times, c.Values}
				}
			}
			p.Rev++
		}
	})
}

// anySpan is what a dashboard's command lines have where the window belongs.
const anySpan = " -z -t 10 "

// CommandsOf are command lines of PCP's tools that print a panel's numbers.
func (w *Work) CommandsOf(p *Panel) []string {
	if !shell.Pasteable(w.Source.Name) || !shell.Pasteable(w.Clock.Name) {
		return nil
	}
	if len(p.Commands) > 0 || p.Part != "" {
		var list []string
		archive := " -a " + shell.Quote(w.Source.Name)
		for _, c := range p.Commands {
			if tool, rest, ok := strings.Cut(c, archive+anySpan); ok { // not within the name of the archive
				c = tool + archive + w.toolSpan(p) + " " + rest
			}
			list = append(list, c)
		}
		return list
	}
	return w.toolCommands(p)
}
