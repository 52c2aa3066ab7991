package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/compare"
	"pcpscope/web/format"
)

const (
	columns = 80 // maximum length of a line
	lines   = 80 // maximum number of lines, without notes and the comparison
	longest = 12 // maximum length of a list of events or problems
)

// Text writes who was logged, when, how completely, how it went and what
// deserves attention; the differences between two windows if they are compared;
// and the rules that were changed. Lines have 80 columns, and even a report on
// months has at most 80 lines. With markdown, names are escaped and the result
// is valid Markdown.
func (about *Report) Text(markdown bool) string {
	for limit := longest; ; limit-- {
		t := text{about: about, markdown: markdown, limit: limit}
		t.known()
		if len(t.lines) > lines-2 && limit > 1 { // two for the footer
			continue
		}
		t.notes()
		t.changes()
		t.line("")
		t.line("Made by pcpscope " + about.Version + ".")
		return strings.Join(t.lines, "\n") + "\n"
	}
}

// A text is built line by line.
type text struct {
	about    *Report
	lines    []string
	markdown bool
	limit    int // of a list
}

func (t *text) known() {
	about, o := t.about, t.about.Overview
	t.say("", "# "+t.own(about.Title)+", "+t.own(about.Subtitle))
	t.line("")
	if about.Source != "" && about.Source != about.Title {
		t.item("source: " + t.own(about.Source))
	}
	for _, f := range about.Facts {
		t.item(f[0] + ": " + brief(t.own(f[1]), t.limit))
	}
	if about.Fingerprint != "" {
		t.item("fingerprint: " + about.Fingerprint)
	}
	t.problems()
	if o != nil {
		t.findings(o.Findings)
		t.worst(o.Tiles)
		t.history(about.events())
	}
	if list := about.changedRules(); len(list) > 0 {
		t.head("Changed rules")
		for r := range min(len(list), t.limit) {
			t.item(fmt.Sprintf("%s: %s %s, usually %s", t.own(list[r].Text), number(list[r].Value), list[r].Unit, number(list[r].Usual)))
		}
		t.more(len(list), "rule")
	}
}

// brief shortens a list: "a; b; c and 40 more".
func brief(text string, limit int) string {
	list := strings.Split(text, "; ")
	if keep := max(1, limit/4); len(list) > keep+1 {
		return strings.Join(list[:keep], "; ") + " and " + format.Count(len(list)-keep) + " more"
	}
	return text
}

// more says how many of n were left out.
func (t *text) more(n int, what string) {
	if n > t.limit {
		t.item("and " + format.Plural(n-t.limit, "more "+what))
	}
}

func (t *text) problems() {
	about := t.about
	t.head("Completeness")
	if about.Missing != "" {
		t.say("", t.own(about.Missing))
	}
	if len(about.Problems) == 0 && about.Missing == "" {
		t.say("", "No missing or damaged files and no outages were found.")
	}
	if about.Missing != "" && len(about.Problems) > 0 {
		t.line("")
	}
	for i := range min(len(about.Problems), t.limit) {
		t.item(problem(about.Problems[i], t.own))
	}
	t.more(len(about.Problems), "problem")
}

// problem says where something is wrong, what, and what was done about it.
func problem(f pcp.Fault, own func(text string) string) string {
	where := own(fileOf(f))
	if f.Offset != nil {
		where += ", byte " + format.Count(int(*f.Offset))
	}
	if where != "" {
		where += ": "
	}
	return where + strings.TrimSpace(own(f.Message)+" "+own(f.Done))
}

// fileOf is the file of a problem without its folders, which were on another
// machine.
func fileOf(f pcp.Fault) string { return f.File[strings.LastIndexByte(f.File, '/')+1:] }

// findings are written in full: there are few, even for months.
func (t *text) findings(list []api.Finding) {
	t.head("Findings")
	if len(list) == 0 {
		t.say("", "None.")
	}
	for i, f := range list {
		if i == longest {
			t.item("and " + format.Plural(len(list)-longest, "more finding"))
			break
		}
		level := levels[f.Level]
		if level != "" {
			level += ", "
			if t.markdown {
				level = "**" + level[:len(level)-2] + "**, "
			}
		}
		said := level + t.about.moments(f.Start, f.End) + ": " + ended(t.own(f.Text))
		if t.limit > longest/2 && f.Rule != "" {
			said += " Rule: " + t.own(f.Rule) + "."
		}
		t.item(said)
	}
}

func ended(sentence string) string {
	if strings.HasSuffix(sentence, ".") {
		return sentence
	}
	return sentence + "."
}

func (t *text) worst(tiles []api.Tile) {
	if len(tiles) == 0 {
		return
	}
	t.head("Worst case")
	known, without := logged(tiles)
	for _, tile := range known {
		var said []string
		for _, cell := range []struct {
			name string
			api.TileCell
		}{{"utilisation", tile.Utilisation}, {"saturation", tile.Saturation}, {"errors", tile.Errors}} {
			if cell.State != "not logged" {
				said = append(said, cell.name+" "+t.own(cmp.Or(cell.Text, cell.State)))
			}
		}
		t.item(tile.Resource + ": " + strings.Join(said, "; "))
	}
	if without != "" {
		t.item(strings.TrimSuffix(without, "."))
	}
}

func (t *text) history(list []api.Event) {
	if len(list) == 0 {
		return
	}
	t.head("History of the host")
	for i := range min(len(list), t.limit) {
		t.item(t.about.Clock.DateTime(list[i].At) + " " + t.about.Clock.Offset(list[i].At) + ": " + ended(t.own(list[i].Text)))
	}
	t.more(len(list), "change")
}

func (t *text) notes() {
	if len(t.about.Notes) == 0 {
		return
	}
	t.head("Notes")
	for _, n := range t.about.Notes {
		t.item(t.about.moments(n.At, n.At) + ": " + t.own(n.Text))
	}
}

func (t *text) changes() {
	c := t.about.Compare
	if c == nil || c.Result == nil {
		return
	}
	t.head("What changed")
	t.say("", t.about.compared(c))
	if off := leftOut(c); off != "" {
		t.say("", off)
	}
	t.line("")
	for i := range c.Shown {
		ch := changeOf(t.about, &c.Shown[i])
		said := t.own(ch.name) + ": " + ch.medianA + " to " + ch.medianB
		if ch.unit != "" {
			said += " " + ch.unit
		}
		said += ", shift " + ch.shift + ", effect " + ch.effect
		if ch.with != "" {
			said += "; with it " + t.own(ch.with)
		}
		t.item(said)
	}
	for _, line := range c.Others() {
		t.item(t.own(line))
	}
}

// compared says which windows are compared and what counts as a difference.
func (about *Report) compared(c *compare.State) string {
	return fmt.Sprintf("From A, %s, to B, %s. %s of %s series differ: those with an effect of at least %.2f and a median or mean that shifts by at least %.0f %%, beyond what such series do anyway.",
		about.moments(c.A.Start, c.A.End), about.moments(c.B.Start, c.B.End), format.Count(c.Result.Differ), format.Count(c.Result.Compared), c.Effect, 100*c.Shift)
}

// leftOut names the families that are not compared, or "".
func leftOut(c *compare.State) string {
	off := slices.DeleteFunc(slices.Clone(compare.Families), func(f string) bool { return !c.Off[f] })
	if len(off) == 0 {
		return ""
	}
	return "Left out: " + strings.Join(off, ", ") + "."
}

// A change is one series that differs between two windows, formatted.
type change struct{ name, unit, medianA, medianB, shift, effect, with string }

func changeOf(about *Report, ch *api.Change) change {
	s := compare.ShownOf(ch, about.Utilisation(ch.Metric))
	name := ch.Series()
	if ch.Name != "" {
		name = ch.DisplayName() + ": " + name
	}
	with := ch.With[:min(3, len(ch.With))]
	more := ""
	if len(with) < len(ch.With) {
		more = " and " + format.Count(len(ch.With)-len(with)) + " more"
	}
	from, to, by, bursts := compare.Levels(ch)
	return change{name, s.Unit, compare.LevelText(s, from, bursts), compare.LevelText(s, to, bursts), s.Text(by),
		strings.Replace(fmt.Sprintf("%+.2f", ch.Effect), "-", format.Minus, 1), strings.Join(with, ", ") + more}
}

func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return format.Count(int(v))
	}
	return fmt.Sprintf("%g", v)
}

func (t *text) line(line string) { t.lines = append(t.lines, line) }

func (t *text) head(name string) {
	t.line("")
	t.line("## " + name)
	t.line("")
}

// item writes a list item.
func (t *text) item(said string) { t.say("- ", said) }

// glued are what stays on the line of the number before it.
var glued = map[string]bool{"%": true, "s": true, "min": true, "h": true, "d": true, "ms": true, "B": true, "KiB": true, "MiB": true, "GiB": true, "TiB": true}

// words splits a sentence where a line may end.
func words(said string) (list []string) {
	for _, word := range strings.Fields(said) {
		unit, _, _ := strings.Cut(strings.TrimRight(word, ".,;:)"), "/")
		if n := len(list); n > 0 && glued[unit] && strings.ContainsAny(list[n-1][len(list[n-1])-1:], "0123456789") {
			list[n-1] += " " + word
			continue
		}
		list = append(list, word)
	}
	return list
}

// say wraps a sentence; continuation lines are aligned with the text.
func (t *text) say(begin, said string) {
	line, room := begin, func(line string) int { return columns - utf8.RuneCountInString(line) }
	indent, fresh := strings.Repeat(" ", len(begin)), true
	for _, word := range words(said) {
		if !fresh && room(line) < 1+utf8.RuneCountInString(word) {
			t.line(line)
			line, fresh = indent, true
		}
		if !fresh {
			line += " "
		}
		for room(line) < utf8.RuneCountInString(word) { // a word longer than a line
			cut := string([]rune(word)[:room(line)])
			t.line(line + cut)
			line, word = indent, word[len(cut):]
		}
		line += word
		fresh = false
	}
	t.line(line)
}

// own makes a text from outside safe for Markdown and terminals.
func (t *text) own(said string) string {
	said = format.OneLine(t.about.own(said))
	if t.markdown {
		said = escape(said)
	}
	return said
}

var escape = strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, `\`, `\\`, "#", `\#`).Replace
