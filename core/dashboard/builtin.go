package dashboard

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// builtinText is what the Go code of this package defines (see defined), one item a
// line: a letter, and its fields, separated by tabs. Empty fields at the end are
// left out.
//
//	D  ID, title, group, what, logging
//	K  unit, name, expressions of the dashboard's spark
//	P  ID, title, unit, style, what, usual, next, maximum, flags, top, decimals, metricset, only, instead, unless
//	S  name, role, unit, flags, expressions of a series
//	T  value, expression, label, rule, flags of a threshold
//
// PCPSCOPE_GOLDEN=update go test ./core/dashboard -run TestBuiltinIsDefined
// writes it.
//
//go:embed builtin.txt
var builtinText string

// Flags in builtinText: what is true of an item, a letter for each.
const (
	flagLogging   = "g"
	flagInnermost = "i"
	flagLog       = "l"
	flagBelow     = "v"
	flagBold      = "b"
	flagRight     = "r"
	flagHidden    = "h"
	flagUnder     = "u"
)

// Builtin lists the hand-made dashboards, in the order of the list on the page.
func Builtin() []Dashboard { return slices.Clone(builtin()) }

// builtin reads them, once: nothing that is reached from them may be modified.
var builtin = sync.OnceValue(func() []Dashboard {
	var list []Dashboard
	for line := range strings.Lines(builtinText) {
		f := row(strings.Split(line[:len(line)-1], "\t"))
		if f[0] == "D" {
			list = append(list, Dashboard{ID: f.text(1), Title: f.text(2), Group: Group(f.text(3)), What: f.text(4), Logging: f.has(5, flagLogging)})
			continue
		}
		d := &list[len(list)-1]
		switch f[0] {
		case "K":
			d.Spark = Spark{Unit: f.text(1), Name: f.text(2), Exprs: f.rest(3)}
			continue
		case "P":
			d.Panels = append(d.Panels, f.panel())
			continue
		}
		p := &d.Panels[len(d.Panels)-1]
		if f[0] == "S" {
			p.Series = append(p.Series, Series{Name: f.text(1), Role: Role(f.text(2)), Unit: f.text(3), Exprs: f.rest(5),
				Below: f.has(4, flagBelow), Bold: f.has(4, flagBold), Right: f.has(4, flagRight), Hidden: f.has(4, flagHidden)})
		} else {
			p.Thresholds = append(p.Thresholds, Threshold{Value: f.number(1), Expr: f.text(2), Label: f.text(3), Rule: f.text(4), Under: f.has(5, flagUnder)})
		}
	}
	for _, d := range list { // what is appended to these is not written into them
		for i := range d.Panels {
			p := &d.Panels[i]
			p.Series, p.Thresholds = slices.Clip(p.Series), slices.Clip(p.Thresholds)
		}
	}
	return list
})

// row is the fields of a line of builtinText.
type row []string

func (f row) text(i int) string {
	if i < len(f) {
		return f[i]
	}
	return ""
}

func (f row) has(i int, flag string) bool { return strings.Contains(f.text(i), flag) }

func (f row) number(i int) float64 {
	v, _ := strconv.ParseFloat(f.text(i), 64) // 0 where there is none
	return v
}

func (f row) rest(i int) []string {
	if i < len(f) {
		return f[i:len(f):len(f)]
	}
	return nil
}

func (f row) panel() Panel {
	p := Panel{ID: f.text(1), Title: f.text(2), Unit: f.text(3), Style: Style(f.text(4)), What: f.text(5), Usual: f.text(6), Next: f.text(7),
		Max: f.number(8), InnermostOnly: f.has(9, flagInnermost), Log: f.has(9, flagLog), Top: int(f.number(10)),
		Metricset: f.text(12), Only: f.text(13), Instead: f.text(14), Unless: f.text(15)}
	if f.text(11) != "" {
		n := int(f.number(11))
		p.Decimals = &n
	}
	return p
}

// Find returns the built-in dashboard with an ID.
func Find(id string) (Dashboard, bool) {
	for _, d := range builtin() {
		if d.ID == id {
			return d, true
		}
	}
	return Dashboard{}, false
}
