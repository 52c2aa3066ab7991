package app

import (
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/timeline"
)

// Moves says what moves with a series, above the panels. It follows the window.
type Moves struct {
	Name   string     // of the series
	Result *api.Moves // of the series; nil until it is known
	Fault  string
	Filter string // of the lines that the menus of panels offer

	tab    *Tab
	wanted movesRequest // without metric and command if nothing is to be shown
	asked  movesRequest // last
	asking bool
}

// A movesRequest is what is asked about: a series, or a command, in a window.
type movesRequest struct {
	metric, instance, command string
	window                    timeline.Window
}

// like reports whether two requests are about the same series.
func (r movesRequest) like(other movesRequest) bool {
	r.window = other.window
	return r == other
}

// Show shows what moves with a series: of a metric or an expression, and of an instance,
// or "".
func (m *Moves) Show(metric, instance, name string) {
	m.show(movesRequest{metric: metric, instance: instance}, name)
}

// ShowCommand shows what moves with the CPU time of a command.
func (m *Moves) ShowCommand(command, name string) { m.show(movesRequest{command: command}, name) }

func (m *Moves) show(wanted movesRequest, name string) {
	m.Name, m.Result, m.Fault, m.asked = name, nil, "", movesRequest{}
	m.wanted = wanted
	layout := &m.tab.app.Layout
	layout.Menu, layout.Sheet = "", ""
	layout.endComparison()
	layout.ToTopRev++
}

// Close hides it.
func (m *Moves) Close() { m.wanted = movesRequest{} }

// Visible reports whether it is above the panels.
func (m *Moves) Visible() bool {
	return m.tab.Explain.Available() && (m.wanted.metric != "" || m.wanted.command != "")
}

// Settled reports whether the answer is about the visible window.
func (m *Moves) Settled() bool { return !m.asking && m.asked.window == m.tab.Window }

// refresh requests what moves with the series in the present window.
func (m *Moves) refresh() {
	tab, now := m.tab, m.wanted
	now.window = tab.Window
	if !m.Visible() || tab.Explain.Waiting() || m.asking || m.asked == now {
		return
	}
	m.asked, m.asking = now, true
	start, end := int64(now.window.Start), int64(now.window.End)
	q := api.MovesQuery{Source: tab.Source.ID, Metric: now.metric, Instance: now.instance, Command: now.command, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}
	tab.app.work(func() func() {
		r, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Moves, q, nil)
		return func() {
			m.asking = false
			if !m.wanted.like(now) {
				return // another was chosen in the meantime
			}
			m.Fault, m.Result = "", nil
			if err != nil {
				m.Fault = pcp.AsFault(err).Message
				return
			}
			m.Result = &r
		}
	})
}

// Open shows the series of a row in a panel, or for a command the table of processes.
func (m *Moves) Open(r *api.Mover) { m.tab.Explain.ShowRow(r.Metric, r.Command) }

// moves adds a command for the metric in the details.
func (m *menu) moves(tab *Tab) {
	if d := tab.Detail; d != nil && tab.Explain.Available() && d.Single() {
		m.add("moves", "What moves with "+d.Metric.Name, "", func() { tab.Moves.Show(d.Metric.Name, "", d.Metric.Name) })
	}
}
