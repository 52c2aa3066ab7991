package export

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/compare"
	"pcpscope/web/format"
	"pcpscope/web/session"
)

// A Report is what is known of a source, for people who have neither the archive
// nor this page.
type Report struct {
	Version         string // of pcpscope
	Title, Subtitle string
	Facts           [][2]string
	Fingerprint     string
	Missing         string // what is not recorded, in sentences; "" where nothing is missing
	Problems        []pcp.Fault
	Overview        *api.Overview // nil where there is none
	Notes           []session.Note
	Compare         *compare.State // where two windows are compared
	Utilisation     func(metric string) bool
	Rules           []api.Rule
	Clock           format.Clock
	Replace         func(text string) string // puts others in place of texts from anywhere; nil keeps them
}

// Texts lists all texts of the report that come from anywhere.
func (about *Report) Texts() []string {
	var list []string
	all := *about
	all.Replace = func(text string) string {
		list = append(list, text)
		return text
	}
	all.Markdown()
	return list
}

// Markdown says who was logged, when, how completely, how it went and what
// deserves a look, the differences between two windows where these are
// compared, and the rules by which all that was judged.
func (about *Report) Markdown() string {
	r := &report{clock: about.Clock, replace: about.Replace}
	r.line("# %s, %s\n", r.plain(about.Title), r.plain(about.Subtitle))
	r.table("what", "value")
	for _, f := range about.Facts {
		r.row(f[0], r.plain(f[1]))
	}
	if about.Fingerprint != "" {
		r.row("fingerprint", about.Fingerprint)
	}
	r.problems(about.Missing, about.Problems)
	if about.Overview != nil {
		r.worst(about.Overview.Tiles)
		r.findings(about.Overview.Findings)
	}
	if len(about.Notes) > 0 {
		r.head("Notes")
		for _, n := range about.Notes {
			r.line("- %s: %s", r.moments(n.At, n.At), r.plain(n.Text))
		}
	}
	if about.Compare != nil && about.Compare.Result != nil {
		r.changes(about.Compare, about.Utilisation)
	}
	r.rules(about.Rules)
	r.line("\nMade by pcpscope %s.", about.Version)
	return r.String()
}

// A report is Markdown that grows.
type report struct {
	strings.Builder
	clock   format.Clock
	replace func(text string) string
}

func (r *report) line(text string, args ...any) { fmt.Fprintf(r, text+"\n", args...) }

func (r *report) head(text string) { r.line("\n## %s\n", text) }

// table begins a table; columns whose names begin with ">" hold numbers.
func (r *report) table(columns ...string) {
	under := make([]string, len(columns))
	for i, c := range columns {
		under[i] = "---"
		if columns[i] = strings.TrimPrefix(c, ">"); columns[i] != c {
			under[i] = "---:"
		}
	}
	r.row(columns...)
	r.row(under...)
}

func (r *report) row(cells ...string) { r.line("| %s |", strings.Join(cells, " | ")) }

// plain keeps a text from anywhere from being Markdown or HTML.
func (r *report) plain(text string) string {
	if r.replace != nil && text != "" {
		text = r.replace(text)
	}
	return escape(text)
}

var escape = strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "\n", " ", `\`, `\\`, "#", `\#`).Replace

func (r *report) problems(missing string, list []pcp.Fault) {
	r.head("How complete it is")
	if missing != "" {
		r.line("%s\n", r.plain(missing))
	}
	if len(list) == 0 && missing == "" {
		r.line("Nothing is missing or damaged, as far as can be seen.")
	}
	for _, f := range list {
		where := r.plain(f.File)
		if f.Offset != nil {
			where += ", byte " + format.Count(int(*f.Offset))
		}
		if where != "" {
			where += ": "
		}
		r.line("- %s%s", where, strings.TrimSpace(r.plain(f.Message)+" "+r.plain(f.Done)))
	}
}

func (r *report) worst(tiles []api.Tile) {
	r.head("Worst case")
	r.table("resource", "utilisation", "saturation", "errors")
	for _, t := range tiles {
		r.row(t.Resource, r.plain(t.Utilisation.Text), r.plain(t.Saturation.Text), r.plain(t.Errors.Text))
	}
}

func (r *report) findings(list []api.Finding) {
	r.head("Findings")
	if len(list) == 0 {
		r.line("None by the rules below.")
	}
	for _, f := range list {
		level := map[string]string{"broken": "**Broken**, ", "look": "**Warning**, "}[f.Level]
		r.line("- %s%s: %s Rule: %s.", level, r.moments(f.Start, f.End), ended(r.plain(f.Text)), r.plain(f.Rule))
	}
}

func ended(sentence string) string {
	if strings.HasSuffix(sentence, ".") {
		return sentence
	}
	return sentence + "."
}

func (r *report) changes(c *compare.State, utilisation func(metric string) bool) {
	r.head("What changed")
	r.line("From A, %s, to B, %s. %s of %s differ: those with an effect of at least %.2f and a median that shifts by at least %.0f %%.\n",
		r.moments(c.A.Start, c.A.End), r.moments(c.B.Start, c.B.End), format.Count(c.Result.Differ), format.Count(c.Result.Compared)+" series", c.Effect, 100*c.Shift)
	if off := slices.DeleteFunc(slices.Clone(compare.Families), func(f string) bool { return !c.Off[f] }); len(off) > 0 {
		r.line("Left out: %s.\n", strings.Join(off, ", "))
	}
	r.table("metric", "unit", ">median A", ">median B", ">shift", ">effect", "moved with it")
	for i := range c.Shown {
		ch := &c.Shown[i]
		s := compare.ShownOf(ch, utilisation(ch.Metric))
		name := ch.Series()
		if ch.Name != "" {
			name = ch.Called() + ": " + name
		}
		with := ch.With[:min(3, len(ch.With))]
		more := ""
		if len(with) < len(ch.With) {
			more = " and " + format.Count(len(ch.With)-len(with)) + " more"
		}
		r.row(r.plain(name), s.Unit, s.Text(ch.MedianA), s.Text(ch.MedianB), s.Text(ch.Shift), strings.Replace(fmt.Sprintf("%+.2f", ch.Effect), "-", "−", 1), r.plain(strings.Join(with, ", ")+more))
	}
}

func (r *report) rules(list []api.Rule) {
	if len(list) == 0 {
		return
	}
	r.head("Rules")
	r.table("rule", ">limit", "unit", ">usual", "from")
	for _, x := range list {
		limit := number(x.Value)
		if x.Value != x.Usual {
			limit = "**" + limit + "**"
		}
		r.row(r.plain(x.Text), limit, x.Unit, number(x.Usual), r.plain(x.From))
	}
}

func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return format.Count(int(v))
	}
	return fmt.Sprintf("%g", v)
}

// moments is a stretch of time, or one moment, with the zone's offset.
func (r *report) moments(from, to pcp.Time) string {
	if from == to {
		return r.clock.DateTime(from) + " " + r.clock.Offset(from)
	}
	text := r.clock.Range(from, to) // with dates, where there are two
	if r.clock.Date(from) == r.clock.Date(to) {
		text = r.clock.Date(from) + " " + text
	}
	return text + " " + r.clock.Offset(from)
}
