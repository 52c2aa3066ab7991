package dashboard

import (
	"slices"
	"strings"
	"sync"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
)

// A Resolved dashboard is what one archive can show of a dashboard.
type Resolved struct {
	Dashboard         // only with panels that can be shown; Exprs[0] is the expression to use
	Bound     []Bound // by panel
	Missing   []Missing
}

// Bound has the results of binding a panel.
type Bound struct {
	Series     []pcp.Desc // by series
	Thresholds []Threshold
}

// Missing is a panel or a series that cannot be shown.
type Missing struct {
	Panel  string   // its title
	Series string   // its name; "" for the whole panel
	Needs  []string // metrics that the archive lacks, each once
}

// Available reports whether there is anything to show.
func (r *Resolved) Available() bool { return len(r.Panels) > 0 }

// Shown returns the metrics that hand-made dashboards show of an archive,
// except for the tool look-alikes and the one about the recording.
func Shown(list []Dashboard, md derived.Metadata) map[string]bool {
	shown := map[string]bool{}
	for _, d := range list {
		if d.Group != Main || d.Logging {
			continue
		}
		r := Resolve(d, md)
		for _, p := range r.Panels {
			for _, s := range p.Series {
				if e, err := parsed(s.Exprs[0]); err == nil {
					for _, name := range e.Names() {
						shown[name] = true
					}
				}
			}
		}
	}
	return shown
}

// Resolve keeps the parts of a dashboard that can be computed from the metrics
// of an archive, by the rules in the package comment.
func Resolve(d Dashboard, md derived.Metadata) Resolved {
	r := Resolved{Dashboard: d}
	r.Panels = nil
	for _, p := range ofPlatform(d.Panels, md) {
		all := p.Series
		p.Series = nil
		var b Bound
		var missing []Missing
		for _, s := range all {
			expr, desc, needs := Choose(s.Exprs, md)
			if expr == "" {
				missing = append(missing, Missing{p.Title, s.Name, needs})
				continue
			}
			s.Exprs = []string{expr}
			p.Series, b.Series = append(p.Series, s), append(b.Series, desc)
		}
		if len(p.Series) == 0 {
			whole := Missing{Panel: p.Title}
			for _, m := range missing {
				whole.Needs = append(whole.Needs, m.Needs...)
			}
			slices.Sort(whole.Needs)
			whole.Needs = slices.Compact(whole.Needs)
			r.Missing = append(r.Missing, whole)
			continue
		}
		r.Missing = append(r.Missing, missing...)
		if !slices.ContainsFunc(p.Series, func(s Series) bool { return !s.Hidden }) {
			for i := range p.Series { // what is left is not beside anything
				p.Series[i].Hidden = false
			}
		}
		for _, t := range p.Thresholds {
			if t.Expr != "" {
				same := func(o Threshold) bool { return o.Label == t.Label } // an alternative that was found before
				if expr, _, _ := Choose([]string{t.Expr}, md); expr == "" || slices.ContainsFunc(b.Thresholds, same) {
					continue
				}
			}
			b.Thresholds = append(b.Thresholds, t)
		}
		p.Thresholds = b.Thresholds
		r.Panels, r.Bound = append(r.Panels, p), append(r.Bound, b)
	}
	if len(r.Panels)+len(r.Missing) == 0 { // all of it is for another platform
		for _, p := range d.Panels {
			r.Missing = append(r.Missing, Missing{Panel: p.Title, Needs: []string{p.Only}})
		}
	}
	return r
}

// ofPlatform drops panels of other platforms, and panels that have a better
// variant, and puts the platform's own panels in their place.
func ofPlatform(panels []Panel, md derived.Metadata) []Panel {
	list := slices.Clone(panels)
	for _, p := range panels {
		if p.Only == "" && p.Unless == "" {
			continue
		}
		list = slices.DeleteFunc(list, func(o Panel) bool { return o.ID == p.ID && o.Only == p.Only && o.Unless == p.Unless }) // a variant may have the ID of what it replaces
		_, only := md.Desc(p.Only)
		if _, more := md.Desc(p.Unless); !only && p.Only != "" || more || !bindable(p, md) {
			continue
		}
		at := len(list)
		for _, id := range slices.Backward(strings.Fields(p.Instead)) {
			if i := slices.IndexFunc(list, func(o Panel) bool { return o.ID == id }); i >= 0 {
				at, list = i, slices.Delete(list, i, i+1)
			}
		}
		list = slices.Insert(list, at, p)
	}
	return list
}

// bindable reports whether the first series of a panel can be computed.
func bindable(p Panel, md derived.Metadata) bool {
	expr, _, _ := Choose(p.Series[0].Exprs, md)
	return expr != ""
}

// Choose returns the first of several expressions that can be computed, with
// its descriptor; or "" and the missing metrics of the (first) expression that
// lacks the fewest.
func Choose(exprs []string, md derived.Metadata) (expr string, desc pcp.Desc, needs []string) {
	for i, text := range exprs {
		if d, ok := md.Desc(text); ok && d.Type.Events() {
			return text, d, nil // it never has a value
		}
		e, err := parsed(text)
		if err != nil {
			continue
		}
		var lacks []string
		for _, name := range e.Names() {
			if _, ok := md.Desc(name); !ok {
				lacks = append(lacks, name)
			}
		}
		if len(lacks) == 0 {
			if text, e = ofRates(text, e, md); e == nil {
				continue
			}
			if b, faults := e.Bind(md); len(faults) == 0 {
				return text, b.Desc, nil
			}
		}
		if i == 0 || len(lacks) < len(needs) {
			needs = lacks
		}
	}
	return "", pcp.Desc{}, needs
}

// ofRates adapts an expression over counters to an archive in which some of them
// were logged as rates: these are used as they are. It returns nil if the
// expression needs the counts themselves.
func ofRates(text string, e *derived.Expr, md derived.Metadata) (string, *derived.Expr) {
	adapted := text
	for _, name := range e.Names() {
		d, _ := md.Desc(name)
		if !d.IsRate() || !strings.Contains(text, "("+name+")") {
			continue
		}
		if strings.Contains(text, "delta("+name+")") {
			return text, nil
		}
		if d.IsLatency(name, func(other string) bool { _, known := md.Desc(other); return known }) {
			return text, nil
		}
		adapted = strings.ReplaceAll(adapted, "rate("+name+")", name)
	}
	if adapted != text {
		e, _ = parsed(adapted)
	}
	return adapted, e
}

// kept are parsed expressions: those of the built-in dashboards are looked at again and
// again, for each of several archives, before and after these have been read.
var kept struct {
	sync.Mutex
	exprs map[string]*derived.Expr
}

// maxKept is more than the built-in dashboards have; longer ones than maxText are others.
const (
	maxKept = 1 << 12
	maxText = 1 << 10
)

func parsed(text string) (*derived.Expr, error) {
	kept.Lock()
	defer kept.Unlock()
	if e := kept.exprs[text]; e != nil {
		return e, nil
	}
	e, err := derived.Parse(text)
	if err == nil && len(text) <= maxText {
		if kept.exprs == nil || len(kept.exprs) == maxKept {
			kept.exprs = map[string]*derived.Expr{}
		}
		kept.exprs[text] = e
	}
	return e, err
}
