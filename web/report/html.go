package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// Style is the style sheet of a report, on its own or when the page prints
// it.
//
//go:embed report.css
var Style string

// HTML is a self-contained page. It loads nothing and runs nothing, and its
// content security policy makes browsers enforce that.
func (about *Report) HTML() string {
	sum := sha256.Sum256([]byte(Style))
	var m markup
	m.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	m.start("meta", "http-equiv", "Content-Security-Policy", "content", "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'; base-uri 'none'; form-action 'none'")
	m.WriteString("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light\">\n")
	m.start("meta", "name", "generator", "content", "pcpscope "+about.Version)
	m.WriteByte('\n')
	m.put("title", about.own(about.Title)+", "+about.own(about.Subtitle))
	m.WriteString("\n<style>" + Style + "</style>\n</head>\n<body>\n")
	m.WriteString(about.Body())
	m.WriteString("\n</body>\n</html>\n")
	return m.String()
}

// Body is the content of the page, in the element that Style applies to.
func (about *Report) Body() string {
	h := &html{about: about}
	h.start("main", "class", "report")
	h.WriteString(patterns)
	h.head()
	h.completeness()
	if o := about.Overview; o != nil {
		h.findings(o.Findings)
		h.worst(o.Tiles)
	}
	if d := about.Days; d != nil {
		h.put("h2", "Days at a glance: "+about.own(d.Name))
		h.start("section", "class", "panel")
		d.calendar(about, &h.markup)
		h.end("section")
	}
	h.panels()
	h.changes()
	h.notes()
	h.history()
	h.host()
	h.problems()
	h.rules()
	h.put("p", "Made by pcpscope "+about.Version+".", "class", "made")
	h.end("main")
	return h.String()
}

// patterns hatch what was not recorded, and what is known only as a difference.
const patterns = `<svg class="patterns" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#F3F4F6"/><path d="M-1 1l2-2M0 6L6 0M5 7l2-2" stroke="` + ruled + `"/></pattern>` +
	`<pattern id="share" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="` + surface + `"/><path d="M-1 1l2-2M0 6L6 0M5 7l2-2" stroke="` + edge + `"/></pattern></defs></svg>`

type html struct {
	markup
	about   *Report
	numbers []bool // columns of the table that have numbers
}

func (h *html) own(text string) string { return h.about.own(text) }

func (h *html) head() {
	a := h.about
	h.start("header")
	h.put("h1", a.own(a.Title))
	h.put("p", a.own(a.Subtitle), "class", "lead")
	h.put("p", "Window: "+a.shown()+" ("+a.own(a.Clock.Name)+")", "class", "lead")
	source := "Source: " + a.own(a.Source)
	if n := len(a.Files); n > 1 {
		source += ", " + format.Plural(n, "file")
	}
	if a.Bytes > 0 {
		source += ", " + format.Bytes(float64(a.Bytes))
	}
	h.put("p", source, "class", "lead")
	h.end("header")
}

// completeness comes first.
func (h *html) completeness() {
	a := h.about
	if a.Missing == "" && len(a.Problems) == 0 {
		h.put("p", "No missing or damaged files and no outages were found.", "class", "lead")
		return
	}
	h.start("div", "class", "missing")
	if a.Missing != "" {
		h.put("p", a.own(a.Missing))
	}
	if n := len(a.Problems); n > 0 {
		h.put("p", format.Plural(n, "problem")+" of the files: see below.")
	}
	h.end("div")
}

func (h *html) findings(list []api.Finding) {
	h.put("h2", "Findings"+h.about.ofWhole())
	if len(list) == 0 {
		h.put("p", "None under the rules below.")
		return
	}
	h.start("ul")
	for _, f := range list {
		h.start("li")
		if level := levels[f.Level]; level != "" {
			h.put("span", level, "class", f.Level)
			h.say(": ")
		}
		h.say(ended(h.own(f.Text)))
		small := h.about.moments(f.Start, f.End)
		if f.Times > 1 {
			small += ", " + format.Count(f.Times) + " times"
		}
		if f.Rule != "" {
			small += ". Rule: " + h.own(f.Rule) + "."
		}
		h.put("small", small)
		h.end("li")
	}
	h.end("ul")
}

func (h *html) worst(tiles []api.Tile) {
	if len(tiles) == 0 {
		return
	}
	h.put("h2", "Worst case"+h.about.ofWhole())
	known, without := logged(tiles)
	if len(known) > 0 {
		h.table("resource", "utilisation", "saturation", "errors")
		for _, t := range known {
			h.row(t.Resource, h.own(t.Utilisation.Text), h.own(t.Saturation.Text), h.own(t.Errors.Text))
		}
		h.endTable()
	}
	if without != "" {
		h.put("p", without)
	}
}

// logged are the resources about which something is known; the others share a
// line.
func logged(tiles []api.Tile) (known []api.Tile, without string) {
	var names []string
	for _, t := range tiles {
		cells := []api.TileCell{t.Utilisation, t.Saturation, t.Errors}
		if slices.ContainsFunc(cells, func(c api.TileCell) bool { return c.State != "not logged" }) {
			known = append(known, t)
		} else {
			names = append(names, t.Resource)
		}
	}
	if len(names) > 0 {
		without = "Not logged: " + strings.Join(names, ", ") + "."
	}
	return known, without
}

// table begins a table; headers that begin with ">" are of numeric columns.
func (h *html) table(heads ...string) {
	h.start("div", "class", "wide")
	h.start("table")
	h.start("tr")
	for _, head := range heads {
		name, number := strings.CutPrefix(head, ">")
		h.numbers = append(h.numbers, number)
		if number {
			h.put("th", name, "class", "n")
		} else {
			h.put("th", name)
		}
	}
	h.end("tr")
}

// row writes the cells of a row. Their text is taken literally: only headers
// use the ">" mark.
func (h *html) row(cells ...string) {
	h.start("tr")
	for i, c := range cells {
		if i < len(h.numbers) && h.numbers[i] {
			h.put("td", c, "class", "n")
		} else {
			h.put("td", c)
		}
	}
	h.end("tr")
}

func (h *html) endTable() {
	h.numbers = nil
	h.end("table")
	h.end("div")
}

// panels writes all panels of the view.
func (h *html) panels() {
	a := h.about
	if len(a.Panels) == 0 {
		return
	}
	h.put("h2", strings.TrimPrefix(a.own(a.View)+": "+a.shown(), ": "))
	for i := range a.Panels {
		h.start("section", "class", "panel")
		h.panel(&a.Panels[i])
		h.end("section")
	}
}

func (h *html) panel(p *Panel) {
	a := h.about
	h.start("h3")
	h.say(h.own(p.Heading()))
	if p.Frame != nil && !p.Tabular() {
		h.put("small", p.Shown.Name())
	}
	h.end("h3")
	switch {
	case p.Fault != "":
		h.put("p", h.own(p.Fault), "class", "none")
		return
	case p.Frame == nil:
		h.put("p", "Its values had not been read when this was printed.", "class", "none")
		return
	}
	if text := panel.GridText(p.Settings, p.View); text != "" {
		h.put("p", text, "class", "about")
	}
	for i, t := range p.Texts {
		if i == 20 {
			h.put("p", "and "+format.Plural(len(p.Texts)-20, "more change"), "class", "about")
			break
		}
		h.put("p", a.Clock.Within(t.At, a.Window.Start, a.Window.End)+" "+h.own(t.Who)+": "+h.own(t.Value))
	}
	if len(p.Series) == 0 {
		return
	}
	if p.Tabular() {
		p.table(a, &h.markup)
		return
	}
	c := a.chartOf(p)
	switch {
	case p.Lanes():
		c.states()
	case p.HasEvents():
		c.events()
	case p.Heat():
		c.heat()
	default:
		c.draw()
	}
	h.WriteString(c.String())
	h.legend(p)
}

const maxLegend = 20

// legend summarises each line's observations in the window.
func (h *html) legend(p *Panel) {
	var list []*panel.Series
	for i := range p.Series {
		if s := &p.Series[i]; p.Drawn(s) {
			list = append(list, s)
		}
	}
	if p.Lanes() {
		return
	}
	if p.HasEvents() {
		h.put("p", h.own(p.DescribeEvents()), "class", "none")
		return
	}
	limit := maxLegend
	if p.Heat() {
		limit = maxLegend / 2
		highestFirst(list)
	}
	h.start("div", "class", "wide legend")
	h.start("table")
	h.start("tr")
	h.put("th", "")
	for _, name := range []string{"mean", "p95", "min", "max", "max at", "last"} {
		h.put("th", name, "class", "n"+spare(name))
	}
	h.end("tr")
	for _, s := range list[:min(len(list), limit)] {
		h.series(p, s)
	}
	h.end("table")
	h.end("div")
	if n := max(0, len(list)-limit) + max(0, p.All-p.Count()); n > 0 {
		h.put("p", "and "+format.Plural(n, "more line"), "class", "none")
	}
}

// spare marks columns that a narrow page hides.
func spare(name string) string {
	if name == "p95" || name == "min" || name == "max at" {
		return " spare"
	}
	return ""
}

func (h *html) series(p *Panel, s *panel.Series) {
	shown, at := s.ShownIn(p.View), format.Dash
	if s.Stats.Count > 0 {
		at = h.about.Clock.Within(s.Stats.MaxAt, p.View.Window.Start, p.View.Window.End)
	}
	h.start("tr")
	h.start("td")
	if !p.Heat() {
		h.WriteString(`<svg width="12" height="4" aria-hidden="true"><rect width="12" height="4" fill="` + hue(s.Colour) + `"/></svg>`)
	}
	label := h.own(s.Label)
	if shown.Unit != p.Shown.Unit && shown.Unit != "" {
		label += ", " + shown.Unit
	}
	h.say(label)
	if s.Fault != "" {
		h.say(": " + h.own(s.Fault))
	}
	h.end("td")
	st, text := s.Stats, func(v float64) string { return shown.For(v).Text(v) }
	for _, c := range [][2]string{{"mean", text(st.Avg)}, {"p95", text(st.P95)}, {"min", text(st.Min)}, {"max", text(st.Max)}, {"max at", at}, {"last", text(st.Last)}} {
		h.put("td", c[1], "class", "n"+spare(c[0]))
	}
	h.end("tr")
}

func (h *html) changes() {
	c := h.about.Compare
	if c == nil || c.Result == nil {
		return
	}
	h.put("h2", "What changed")
	h.put("p", h.about.compared(c))
	if off := leftOut(c); off != "" {
		h.put("p", off)
	}
	h.table("metric", "unit", ">median A", ">median B", ">shift", ">effect", "with it")
	for i := range c.Shown {
		ch := changeOf(h.about, &c.Shown[i])
		h.row(h.own(ch.name), ch.unit, ch.medianA, ch.medianB, ch.shift, ch.effect, h.own(ch.with))
	}
	h.endTable()
	if list := c.Others(); len(list) > 0 {
		h.start("ul")
		for _, line := range list {
			h.put("li", h.own(line))
		}
		h.end("ul")
	}
}

func (h *html) notes() {
	if len(h.about.Notes) == 0 {
		return
	}
	h.put("h2", "Notes")
	h.start("ul")
	for i, n := range h.about.Notes {
		h.put("li", fmt.Sprintf("%d. %s: %s", i+1, h.about.moments(n.At, n.At), h.own(n.Text)))
	}
	h.end("ul")
}

func (h *html) history() {
	list := h.about.events()
	if len(list) == 0 {
		return
	}
	const limit = 40
	h.put("h2", "History of the host")
	h.table("time", "what happened")
	for _, e := range list[:min(len(list), limit)] {
		h.row(h.about.Clock.DateTime(e.At)+" "+h.about.Clock.Offset(e.At), h.own(e.Text))
	}
	h.endTable()
	if n := len(list) - limit; n > 0 {
		h.put("p", "and "+format.Plural(n, "more change"), "class", "about")
	}
}

func (h *html) host() {
	a := h.about
	h.put("h2", "Host and recording")
	h.start("div", "class", "wide")
	h.start("table")
	for _, f := range a.Facts {
		h.row(f[0], brief(h.own(f[1]), 40))
	}
	if a.Fingerprint != "" {
		h.row("fingerprint", a.Fingerprint)
	}
	if n := len(a.Files); n > 0 {
		const limit = 12
		var names []string
		for _, name := range a.Files[:min(n, limit)] {
			names = append(names, h.own(name))
		}
		text := strings.Join(names, ", ")
		if n > limit {
			text += " and " + format.Count(n-limit) + " more"
		}
		h.row("files", text)
	}
	if o := a.Overview; o != nil {
		for _, c := range o.Coverage {
			every := "once"
			if c.Interval > 0 {
				every = "every " + format.Span(int64(c.Interval*1e9))
			}
			h.row("logged "+every, format.Plural(c.Metrics, "metric")+", such as "+h.own(strings.Join(c.Examples[:min(2, len(c.Examples))], ", ")))
		}
	}
	h.endTable()
}

func (h *html) problems() {
	list := h.about.Problems
	if len(list) == 0 {
		return
	}
	const limit = 100
	h.put("h2", "Problems of the files")
	h.start("ul")
	for _, f := range list[:min(len(list), limit)] {
		h.put("li", problem(f, h.own))
	}
	h.end("ul")
	if n := len(list) - limit; n > 0 {
		h.put("p", "and "+format.Plural(n, "more problem"), "class", "about")
	}
}

func (h *html) rules() {
	if len(h.about.Rules) == 0 {
		return
	}
	h.put("h2", "Rules")
	h.table("rule", ">limit", "unit", ">usual", "from")
	for _, x := range h.about.Rules {
		h.row(h.own(x.Text), number(x.Value), x.Unit, number(x.Usual), h.own(x.From))
	}
	h.endTable()
}
