package dashboard

import (
	"fmt"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

// An Omission is something that an import left out.
type Omission struct {
	Line int // counted from 1; 0 if it is not one line
	Text string
	Why  string
}

// An Import is the result of importing a file of another tool.
type Import struct {
	Dashboards []Dashboard
	Left       []Omission
}

// ParseView reads a view of pmchart(1): one dashboard with a panel for each
// chart. name is the file's name, used as the default title. A file that is not
// a view, such as the shell scripts among the views that PCP ships, is rejected
// as a whole.
//
// Colours, schemes and antialiasing are ignored: they do not change what is
// shown.
func ParseView(name, text string) Import {
	p := viewParser{out: Dashboard{ID: "import-" + name, Title: strings.TrimSuffix(name, ".view"), Group: Imported, What: "Imported from the pmchart view " + name + "."}}
	lines := strings.Split(text, "\n")
	first := strings.TrimSpace(lines[0])
	switch {
	case strings.HasPrefix(first, "#!"):
		return Import{Left: []Omission{{1, clip(first), "This view is a program that prints a view when pmchart runs it. The dashboards of processes show the same."}}}
	case !strings.HasPrefix(first, "#kmchart") && !strings.HasPrefix(first, "#pmchart"):
		return Import{Left: []Omission{{1, clip(first), "A pmchart view begins with #kmchart."}}}
	}
	p.words(lines)
	p.run()
	p.finish()
	im := Import{Left: p.left}
	if len(p.out.Panels) > 0 {
		im.Dashboards = []Dashboard{p.out}
	}
	return im
}

// word is one word of a view.
type word struct {
	text   string
	line   int
	quoted bool
}

type viewParser struct {
	all   []word
	at    int
	lines []string
	out   Dashboard
	left  []Omission
	panel *Panel
}

// words splits a view into words, separated by blanks or in double quotes.
func (p *viewParser) words(lines []string) {
	p.lines = lines
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for rest := strings.TrimLeft(line, " \t\r"); rest != ""; rest = strings.TrimLeft(rest, " \t\r") {
			if rest[0] == '"' {
				body, after, _ := strings.Cut(rest[1:], `"`)
				p.all, rest = append(p.all, word{body, i + 1, true}), after
				continue
			}
			end := strings.IndexAny(rest, " \t\r")
			if end < 0 {
				end = len(rest)
			}
			p.all, rest = append(p.all, word{rest[:end], i + 1, false}), rest[end:]
		}
	}
}

// is reports whether the next word is one of several keywords, in any case.
func (p *viewParser) is(keywords ...string) bool {
	if p.at == len(p.all) || p.all[p.at].quoted {
		return false
	}
	for _, k := range keywords {
		if strings.EqualFold(p.all[p.at].text, k) {
			return true
		}
	}
	return false
}

// accept consumes the next word if it is one of the keywords.
func (p *viewParser) accept(keywords ...string) bool {
	if p.is(keywords...) {
		p.at++
		return true
	}
	return false
}

// next consumes any word; "" at the end.
func (p *viewParser) next() string {
	if p.at == len(p.all) {
		return ""
	}
	p.at++
	return p.all[p.at-1].text
}

func (p *viewParser) line() int {
	if p.at < len(p.all) {
		return p.all[p.at].line
	}
	return len(p.lines)
}

func (p *viewParser) leave(line int, why string) {
	text := ""
	if line >= 1 && line <= len(p.lines) {
		text = clip(strings.TrimSpace(p.lines[line-1]))
	}
	p.left = append(p.left, Omission{line, text, why})
}

func (p *viewParser) run() {
	for p.at < len(p.all) {
		line := p.line()
		switch {
		case p.accept("version"):
			p.next()
			if p.accept("host") {
				p.next()
			}
		case p.accept("chart"):
			p.chart()
		case p.is("plot", "optional-plot"):
			p.plot(strings.EqualFold(p.next(), "optional-plot"))
		case p.accept("global"):
			p.next()
			p.next()
		case p.accept("scheme"):
			p.restOf(line)
		case p.accept("tab", "view"):
			p.leave(line, "All charts are on one page; there are no tabs.")
			p.restOf(line)
		default:
			p.leave(line, fmt.Sprintf("%q is not a keyword of pmchart views.", clip(p.next())))
			p.restOf(line)
		}
	}
}

// restOf skips the other words of a line.
func (p *viewParser) restOf(line int) {
	for p.at < len(p.all) && p.all[p.at].line == line {
		p.at++
	}
}

var viewStyles = map[string]Style{"plot": Line, "line": Line, "bar": Bar, "stacking": Stack, "area": Stack, "utilization": Utilisation, "event": Event}

func (p *viewParser) chart() {
	p.finish()
	p.panel = &Panel{ID: fmt.Sprintf("chart%d", len(p.out.Panels)+1), Style: Line, What: "From a view of pmchart."}
	for {
		line := p.line()
		switch {
		case p.accept("title"):
			p.panel.Title = p.next()
		case p.accept("style"):
			name := p.next()
			style, known := viewStyles[strings.ToLower(name)]
			if !known {
				p.leave(line, fmt.Sprintf("%q is not a style of pmchart; drawn as lines.", clip(name)))
				style = Line
			}
			p.panel.Style = style
			if style == Utilisation {
				p.panel.Max, p.panel.Unit = 100, "%"
			}
		case p.accept("scale"):
			p.accept("from")
			p.next()
			p.accept("to")
			if v, err := strconv.ParseFloat(p.next(), 64); err == nil && p.panel.Max == 0 {
				p.panel.Max = v
			}
		case p.accept("legend", "antialiasing"):
			p.next()
		default:
			return
		}
	}
}

// plot reads one curve, or one for each instance.
func (p *viewParser) plot(optional bool) {
	var s Series
	line := p.line()
	for {
		switch {
		case p.accept("title", "legend"):
			s.Name = p.next()
		case p.accept("color", "colour"):
			p.next()
		case p.accept("host"):
			if h := p.next(); h != "*" {
				p.leave(p.line(), fmt.Sprintf("The curve is of the host %s; it is shown for the archive that is open.", clip(h)))
			}
		default:
			goto metric
		}
	}
metric:
	if !p.accept("metric") {
		p.leave(line, "A plot without a metric.")
		p.restOf(line)
		return
	}
	metric := p.next()
	expr := metric
	switch {
	case p.accept("instance"):
		expr = metric + "[" + strings.ReplaceAll(p.instance(), "]", `\]`) + "]"
	case p.accept("matching"):
		expr = "matchinst(/" + strings.ReplaceAll(p.next(), "/", `\/`) + "/, " + metric + ")"
	case p.accept("not-matching"):
		expr = "matchinst(!/" + strings.ReplaceAll(p.next(), "/", `\/`) + "/, " + metric + ")"
	}
	if p.panel == nil {
		p.leave(line, "A plot outside a chart.")
		return
	}
	if p.panel.Style == Utilisation {
		// pmchart shows the parts of whatever is the total: bare time counters
		// need no divisor there, and are divided by the number of CPUs here.
		s.Exprs = []string{"100 * " + ratesIn(expr) + " / hinv.ncpu", "100 * " + ratesIn(expr)}
		if !strings.HasPrefix(metric, "kernel.all.cpu") {
			s.Exprs = s.Exprs[1:]
		}
	}
	s.Exprs = append(s.Exprs, expr)
	s.Role = roles[metric]
	s.Name = substituted(s.Name, metric)
	if s.Name == "" {
		s.Name = metric[strings.LastIndexByte(metric, '.')+1:]
	}
	_ = optional // every series may be missing here
	p.panel.Series = append(p.panel.Series, s)
}

// instance reads an instance's name. Old views do not quote it and let it run
// to the end of the line.
func (p *viewParser) instance() string {
	if p.at == len(p.all) || p.all[p.at].quoted {
		return p.next()
	}
	line := p.line()
	var words []string
	for p.at < len(p.all) && p.all[p.at].line == line {
		words = append(words, p.next())
	}
	return strings.Join(words, " ")
}

// ratesIn wraps the metric in a plot's expression in rate().
func ratesIn(expr string) string {
	if at := strings.LastIndex(expr, ", "); strings.HasPrefix(expr, "matchinst(") && at > 0 {
		return expr[:at+2] + "rate(" + strings.TrimSuffix(expr[at+2:], ")") + "))"
	}
	if name, inst, found := strings.Cut(expr, "["); found {
		return "(rate(" + name + "))[" + inst
	}
	return "rate(" + expr + ")"
}

// roles are the roles of metrics that views show, so that they get the colours
// of the other dashboards.
var roles = map[string]Role{
	"kernel.all.cpu.user": User, "kernel.all.cpu.sys": Sys, "kernel.all.cpu.nice": Nice, "kernel.all.cpu.intr": Intr, "kernel.all.cpu.wait.total": Wait,
	"kernel.all.cpu.steal": Steal, "kernel.all.cpu.guest": Guest, "kernel.all.cpu.idle": Idle,
	"disk.all.read": Read, "disk.all.write": Write, "disk.all.read_bytes": Read, "disk.all.write_bytes": Write,
	"mem.util.free": Free, "mem.util.cached": Cache, "mem.util.bufmem": Buffers, "mem.util.slab": Slab, "mem.util.other": Program,
}

// substituted replaces the placeholders of curve names as pmchart does;
// instances have their own names, and the host is the page's.
func substituted(name, metric string) string {
	short := metric[strings.LastIndexByte(metric, '.')+1:]
	return strings.TrimSpace(strings.NewReplacer("%i", "", "%I", "", "%m", short, "%M", metric, "%h", "", "%H", "").Replace(name))
}

// OfHost replaces the host in the titles of an import, as pmchart does: "%h" is
// the host's name up to the first dot, "%H" the full name.
func (im Import) OfHost(host string) Import {
	short, _, _ := strings.Cut(host, ".")
	in := strings.NewReplacer("%h", short, "%H", host)
	for d := range im.Dashboards {
		panels := im.Dashboards[d].Panels
		for i := range panels {
			panels[i].Title = in.Replace(panels[i].Title)
		}
	}
	return im
}

// finish closes the chart being read.
func (p *viewParser) finish() {
	if p.panel == nil {
		return
	}
	if p.panel.Title == "" && len(p.panel.Series) > 0 {
		p.panel.Title = p.panel.Series[0].Name
	}
	p.panel.Title = strings.TrimSpace(strings.NewReplacer("%i", "", "%I", "", "%m", "", "%M", "").Replace(p.panel.Title))
	if len(p.panel.Series) > 0 {
		p.out.Panels = append(p.out.Panels, *p.panel)
	}
	p.panel = nil
}

func clip(s string) string { return pcp.Clip(s, 80) }
