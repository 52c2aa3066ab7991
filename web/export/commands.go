package export

import (
	"math"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/core/shell"
	"pcpscope/web/metric"
	"pcpscope/web/timeline"
)

// anySpan is the placeholder for the window in a dashboard's command lines.
const anySpan = " -z -t 10 "

// Commands are command lines of PCP's tools that print the numbers of a
// panel.
func (w *Sheet) Commands(p Panel) []string {
	if !shell.Pasteable(shell.Archives(w.Source.Name, w.Source.Members)) || !shell.Pasteable(w.Clock.Name) {
		return nil
	}
	if len(p.Commands) > 0 || p.Part != "" {
		var list []string
		archive := " -a " + shell.Quote(shell.Archives(w.Source.Name, w.Source.Members))
		for _, c := range p.Commands {
			if tool, rest, ok := strings.Cut(c, archive+anySpan); ok { // cut after the archive's name, which may contain it too
				c = tool + archive + w.span(p) + withTimes(tool) + " " + rest
			}
			list = append(list, c)
		}
		return list
	}
	return w.commandsFor(p)
}

// commandsFor are command lines that print the numbers of one of the user's
// own panels for the present window, at the times of the chart: pmrep for the
// whole panel, pmval for a single metric. Derived metrics and expressions are
// defined on the command line. A name that is unsafe in a terminal makes no
// command. Times are written as in PCPIntro(1), in the zone on screen.
func (w *Sheet) commandsFor(p Panel) []string {
	var names, defs []string
	events := false
	for i, name := range p.Metrics {
		m := w.Metric(name)
		expression := ""
		switch {
		case m == nil:
			expression, name = name, "panel.e"+strconv.Itoa(i+1)
		case m.Expression != "":
			expression = m.Expression
		}
		events = events || m != nil && metric.HasEvents(m.Type)
		if expression != "" {
			if pattern.Extended(expression) || strings.Contains(expression, ";") {
				return nil
			}
			expression = strings.Join(strings.Fields(expression), " ")
			if !shell.Pasteable(name + expression) {
				return nil
			}
			defs = append(defs, " -e "+shell.Quote(name+" = "+expression))
		}
		if !shell.Operand(name) {
			return nil
		}
		names = append(names, shell.Quote(name))
	}
	if p.Breakdown != nil || len(names) == 0 || w.Source.Kind != "archive" {
		return nil
	}
	span := " -a " + shell.Quote(shell.Archives(w.Source.Name, w.Source.Members)) + w.span(p)
	var list []string
	if !events { // pmrep refuses it for events
		list = append(list, "pmrep"+span+withTimes("pmrep")+strings.Join(defs, "")+" "+strings.Join(names, " "))
	}
	if len(names) == 1 && len(defs) == 0 {
		list = append(list, "pmval"+span+" "+names[0])
	}
	return list
}

// withTimes has pmrep(1) print the times of its rows; pmval(1) does so anyway.
func withTimes(tool string) string {
	if tool == "pmrep" {
		return " -p"
	}
	return ""
}

// span are the options that tell PCP's tools the zone, the window and the
// interval of a panel.
func (w *Sheet) span(p Panel) string {
	span := " -z" // the archive's zone
	if w.OtherZone {
		span = " -Z " + shell.Quote(w.Clock.Name)
	}
	if p.Frame != nil && p.Step > 0 {
		first, last := pcp.MaxTime, pcp.MinTime
		for i := range p.Frame.Times {
			if t := timeline.At(p.Frame, i); w.Window.Contains(t) {
				first, last = min(first, t), max(last, t)
			}
		}
		if first < last {
			span += " -S " + shell.Quote(w.toolTime(first, w.Source.Start)) + " -T " + shell.Quote(w.toolTime(last, first)) + " -t " + seconds(p.Step)
		}
	}
	return span
}

// toolTime writes a time for PCP's tools, to the microsecond. What a local time that occurs
// twice means to them depends on the tool and the C library, so it is written as the time
// since the moment that they count from: the start of the archive, or of the window.
func (w *Sheet) toolTime(t, since pcp.Time) string {
	if len(w.Clock.Same(t)) > 1 {
		return seconds(int64(t - since))
	}
	return "@" + (t + 500).Std().Add(time.Duration(w.Clock.At(t))*time.Second).Format("Jan _2 15:04:05.000000 2006")
}

// seconds writes a length of time for PCP's tools, to the microsecond.
func seconds(nanos int64) string {
	return strconv.FormatFloat(math.Round(float64(nanos)/1e3)/1e6, 'f', -1, 64) + "sec"
}
