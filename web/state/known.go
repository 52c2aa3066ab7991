package state

import (
	"math"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// A Known is one thing that is known of a source while it is being read.
type Known struct{ Name, Value string }

// early are metrics that say what kind of machine it was. They are logged at
// the start of an archive.
var early = []string{"kernel.uname.distro", "kernel.uname.sysname", "kernel.uname.release", "hinv.ncpu", "hinv.physmem", "hinv.ndisk", "pmcd.version"}

// learn asks early for what is known of the host.
func (w *Work) learn() {
	if w.Source.Loaded >= 1 {
		return
	}
	var names []string
	for _, name := range early {
		if w.Metric(name) != nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	w.app.work(func() func() {
		f, err := w.app.Engine.Fetch(w.ctx, api.Query{Source: w.Source.ID, Metrics: names, Mode: "raw", Partial: true}, nil)
		return func() {
			if err == nil {
				w.facts = facts(f)
			}
		}
	})
}

// facts makes sentences of the first values of the metrics.
func facts(f *api.Frame) []Known {
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
	var list []Known
	say := func(name string, parts ...string) {
		value := ""
		for _, p := range parts {
			if p != "" && value != "" {
				value += ", "
			}
			value += p
		}
		if value != "" {
			list = append(list, Known{name, value})
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

// KnownSoFar lists what is known of a source already.
func (w *Work) KnownSoFar() []Known {
	list := append([]Known(nil), w.facts...)
	list = append(list, Known{"Logged", format.Plural(w.Source.Metrics, "metric")})
	problems := "none so far"
	if n := len(w.Source.Problems); n > 0 {
		problems = format.Count(n)
	} else if w.Source.Loaded >= 1 {
		problems = "none"
	}
	return append(list, Known{"Problems", problems})
}

// When is the span of a source with its date and zone.
func (w *Work) When() string {
	s := w.Source
	return w.Clock.Dated(s.Start, s.End) + " " + w.Clock.Offset(s.Start)
}

// Sources are those whose files are being read, opened so far.
func (r *Reading) Sources() []*Work { return r.works }
