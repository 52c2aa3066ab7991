package app

import (
	"path"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// Lanes are the user's rules, in the language of pmie(1), and when each was true.
type Lanes struct {
	Open    bool
	Text    string           // as it is being written
	File    string           // that it was loaded from; "" if it was written here
	Result  *api.RuleResults // of Ran; nil until there is one
	Ran     string           // the text that was evaluated last
	Fault   *pcp.Fault       // why Ran could not be evaluated as a whole
	Running bool

	tab *Tab
	run int // number of the last evaluation
}

// LaneWidth is how many pixels wide lanes are drawn.
const LaneWidth = 1000

// ExampleRules is a text to begin with.
const ExampleRules = `// When was it true? Change the rules, and run them.
delta = 10 sec;
busy = kernel.all.cpu.user + kernel.all.cpu.sys > 0.5 * hinv.ncpu;
disks = some_inst disk.dev.total > 60 count/sec
  -> print "busy disks:" " %i";
// without some_inst: a lane for each
disk = disk.dev.total > 60 count/sec;
`

// Available reports whether there is time over which to evaluate rules.
func (l *Lanes) Available() bool {
	tab := l.tab
	return tab != nil && tab.Source.Kind == "archive" && tab.Rates()
}

// Visible reports whether they are above the panels.
func (l *Lanes) Visible() bool { return l.Available() && l.Open }

// Toggle shows the rules, or hides them.
func (l *Lanes) Toggle() {
	l.Open = !l.Open
	if !l.Open {
		return
	}
	if l.Text == "" {
		l.Text = ExampleRules
	}
	layout := &l.tab.app.Layout
	layout.Menu, layout.Sheet = "", ""
	layout.endComparison()
	layout.ToTopRev++
}

// Run evaluates the rules over the window.
func (l *Lanes) Run() {
	tab, text, w := l.tab, l.Text, l.tab.Window
	start, end := int64(w.Start), int64(w.End)
	q := api.RulesQuery{Source: tab.Source.ID, Text: text, File: l.File, Zone: tab.Times.Zone, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}, Pixels: LaneWidth}
	l.run++
	n := l.run
	l.Running = true
	tab.app.work(func() func() {
		r, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.RunRules, q, nil)
		return func() {
			if l.run != n {
				return // it was run again in the meantime
			}
			l.Running, l.Ran, l.Fault, l.Result = false, text, nil, nil
			if err != nil {
				l.Fault = pcp.AsFault(err)
				return
			}
			l.Result = &r
		}
	})
}

// load replaces the rules by those of a file, and evaluates them.
func (l *Lanes) load(name, text string) {
	l.Text, l.File = text, path.Base(name)
	if !l.Open {
		l.Toggle()
	}
	l.Run()
}

// Show zooms to a time range in which a rule was true.
func (l *Lanes) Show(run api.RuleRun) {
	tab := l.tab
	around := max((run.End-run.Start)/2, pcp.Time(30*time.Second))
	tab.Zoom(run.Start-around, run.End+around)
	tab.app.Cursor.Set(run.Start)
}

// kept is the text for a session: what the user wrote or loaded.
func (l *Lanes) kept() string {
	if l.Text == ExampleRules {
		return ""
	}
	return l.Text
}
