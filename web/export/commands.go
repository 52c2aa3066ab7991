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

// anySpan is what a dashboard's command lines have where the window belongs.
const anySpan = " -z -t 10 "

// Commands are command lines of PCP's tools that print a panel's numbers.
func (w *Sheet) Commands(p Panel) []string {
	if !shell.Pasteable(w.Source.Name) || !shell.Pasteable(w.Clock.Name) {
		return nil
	}
	if len(p.Commands) > 0 || p.Part != "" {
		var list []string
		archive := " -a " + shell.Quote(w.Source.Name)
		for _, c := range p.Commands {
			if tool, rest, ok := strings.Cut(c, archive+anySpan); ok { // not within the name of the archive
				c = tool + archive + w.span(p) + " " + rest
			}
			list = append(list, c)
		}
		return list
	}
	return w.commandsFor(p)
}

// ours are functions that PCP's own language does not have.
var ours = pattern.New(`\b(topn|percentile|median|p90|p95|p99|movavg|movslope|slope|tally)\(`)

// commandsFor are command lines that print the numbers of a panel of the
// user's for the window that is shown, at the times of the chart: of pmrep for
// all of it, of pmval for a single metric. Derived metrics and expressions are
// defined on the line. Names that no terminal should be given make no command.
// Times: PCPIntro(1), in the zone that is shown.
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
			if ours().MatchString(expression) || strings.Contains(expression, ";") {
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
	span := " -a " + shell.Quote(w.Source.Name) + w.span(p)
	var list []string
	if !events { // which pmrep refuses
		list = append(list, "pmrep"+span+strings.Join(defs, "")+" "+strings.Join(names, " "))
	}
	if len(names) == 1 && len(defs) == 0 {
		list = append(list, "pmval"+span+" "+names[0])
	}
	return list
}

// span are the options that give PCP's tools the zone, the window and the
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
			span += " -S " + shell.Quote(w.toolTime(first)) + " -T " + shell.Quote(w.toolTime(last)) +
				" -t " + strconv.FormatFloat(math.Round(float64(p.Step)/1e3)/1e6, 'f', -1, 64) + "sec"
		}
	}
	return span
}

// toolTime writes a time as PCP's tools read it, to the microsecond.
func (w *Sheet) toolTime(t pcp.Time) string {
	return "@" + (t + 500).Std().Add(time.Duration(w.Clock.At(t))*time.Second).Format("Jan _2 15:04:05.000000 2006")
}
