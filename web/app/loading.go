package app

import (
	"context"
	"math"
	"path"
	"slices"
	"time"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// ReadAll reads the whole of a source that is shown as a preview.
func (l *Loading) ReadAll() {
	tab := l.tab
	a := tab.app
	if a.Intake.Reading != nil || !l.Preview() {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.Intake.Reading = &Reading{cancel: cancel, files: tab.files, Bytes: tab.Source.Bytes, tabs: []*Tab{tab}, began: time.Now()}
	for _, name := range tab.Source.Members {
		as, _ := GuessKind(name)
		a.Intake.Reading.Files = append(a.Intake.Reading.Files, ReadFile{Name: name, As: as})
	}
	l.progress, l.reads = api.Progress{}, nil
	left := 1
	a.Intake.load(ctx, tab, a.Intake.Reading, &left)
}

// Preview reports whether only some of the values are shown, because the source is on a
// server and has not been read, or because reading was cancelled.
func (l *Loading) Preview() bool {
	return (l.tab.Source.OnDemand || l.halted) && l.tab.Source.Loaded < 1
}

// A Fact is something known about a source while it is still being read.
type Fact struct{ Name, Value string }

// early are metrics that describe the machine and are logged at the start of an archive.
var early = []string{"kernel.uname.distro", "kernel.uname.sysname", "kernel.uname.release", "hinv.ncpu", "hinv.physmem", "hinv.ndisk", "pmcd.version"}

// askFacts requests early what is known of the host.
func (l *Loading) askFacts() {
	tab := l.tab
	if tab.Source.Loaded >= 1 {
		return
	}
	var names []string
	for _, name := range early {
		if tab.Metric(name) != nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	tab.app.work(func() func() {
		f, err := tab.data.query(tab.ctx, api.Query{Metrics: names, Mode: "raw", Partial: true})
		return func() {
			if err == nil {
				l.facts = facts(f)
			}
		}
	})
}

// facts turns the first values of the metrics into text.
func facts(f *api.Frame) []Fact {
	text, number := map[string]string{}, map[string]float64{}
	for i := range f.Columns {
		c := &f.Columns[i]
		for _, s := range c.Strings {
			if s != nil && text[c.Metric] == "" {
				text[c.Metric] = *s
			}
		}
		for _, v := range c.Values {
			if _, seen := number[c.Metric]; !seen && !math.IsNaN(v) {
				number[c.Metric] = v
			}
		}
	}
	var list []Fact
	say := func(name string, parts ...string) {
		value := ""
		for _, p := range parts {
			if p != "" && value != "" {
				value += ", "
			}
			value += p
		}
		if value != "" {
			list = append(list, Fact{name, value})
		}
	}
	count := func(metric, noun string) string {
		if n, ok := number[metric]; ok {
			return format.Plural(int(n), noun)
		}
		return ""
	}
	kernel := text["kernel.uname.sysname"]
	if r := text["kernel.uname.release"]; r != "" {
		kernel += " " + r
	}
	memory := ""
	if n, ok := number["hinv.physmem"]; ok { // Mbyte
		memory = format.Bytes(n * (1 << 20))
	}
	say("System", text["kernel.uname.distro"], kernel)
	say("Machine", count("hinv.ncpu", "CPU"), memory, count("hinv.ndisk", "disk"))
	if v := text["pmcd.version"]; v != "" {
		say("Collector", "PCP "+v)
	}
	return list
}

// Facts lists what is already known about a source.
func (l *Loading) Facts() []Fact {
	list := append([]Fact(nil), l.facts...)
	list = append(list, Fact{"Logged", format.Plural(l.tab.Source.Metrics, "metric")})
	problems := "none so far"
	if n := len(l.tab.Source.Problems); n > 0 {
		problems = format.Count(n)
	} else if l.tab.Source.Loaded >= 1 {
		problems = "none"
	}
	return append(list, Fact{"Problems", problems})
}

// Loading is the state of reading a source.
type Loading struct {
	facts     []Fact           // of the host
	progress  api.Progress     // of the last report
	reads     []api.SourceFile // progress of its files, as of then
	refreshed time.Time        // when newly read data was last shown
	answered  time.Time        // when panels last got replies for it
	halted    bool             // reading was cancelled
	shownTo   float64          // how much had been read when the charts were last updated
	reported  time.Time        // when the last report was passed on
	members   map[string]bool  // base names of the source's files; nil until they are looked for
	tab       *Tab
}

// has reports whether a file, by its original name, is part of the source.
func (l *Loading) has(name string) bool {
	if l.members == nil {
		l.members = map[string]bool{}
		for _, m := range l.tab.Source.Members {
			l.members[path.Base(m)] = true
		}
	}
	return l.members[path.Base(name)]
}

// amount returns how many bytes of a source have been read, and of how many: by its files,
// so that the numbers add up.
func (l *Loading) amount() (done, total float64) {
	for _, f := range l.reads {
		done, total = done+float64(f.Read), total+float64(f.Bytes)
	}
	if total == 0 {
		return l.progress.Done, l.progress.Total
	}
	return done, total
}

// reportEvery is how often the list of files is updated. Each update draws the page, which
// takes CPU time from reading.
const reportEvery = 250 * time.Millisecond

// due reports whether a report of reading is passed on: all of them until there are charts,
// which wait for one.
func (l *Loading) due() bool {
	if !l.refreshed.IsZero() && time.Since(l.reported) < reportEvery {
		return false
	}
	l.reported = time.Now()
	return true
}

// progressed records how far a source has been read, and updates the charts from time to
// time.
func (l *Loading) progressed(p api.Progress, files []api.SourceFile) {
	tab := l.tab
	if tab.Source.Loaded >= 1 || p.Done < l.progress.Done {
		return // an outdated report
	}
	l.progress, l.reads = p, files
	if p.Total > 0 {
		tab.Source.Loaded = min(p.Done/p.Total, 0.999)
	}
	if slices.ContainsFunc(tab.Dashboard.Panels, func(p *Panel) bool { return p.Loading }) {
		l.answered = time.Now()
		return
	}
	// The engine answers while it reads, which slows reading down, and over weeks each answer
	// takes longer than the one before. Waiting for half as much again limits the work to a few
	// times that of the last answer, however long the source is.
	if tab != tab.app.current || time.Since(l.refreshed) < max(time.Second, 5*l.answered.Sub(l.refreshed)) || p.Done < 1.5*l.shownTo {
		return
	}
	l.refreshed, l.shownTo = time.Now(), p.Done
	tab.data.cadence = map[string]api.Cadence{}
	tab.data.refresh()
	tab.Pulse.load()
}
