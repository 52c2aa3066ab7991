package panel

import (
	"math"
	"regexp"
	"slices"

	"pcpscope/core/chart"
	"pcpscope/core/pattern"
)

// limit is the maximum number of lines drawn.
func (p *showing) limit() int {
	switch {
	case p.ByInstance() || p.Breakdown != nil || p.Stacked() && p.Style != "topn" && !p.wide():
		return math.MaxInt
	case p.Top > 0:
		return p.Top
	}
	return MaxLines
}

// wide reports whether there are lines per instance.
func (p *showing) wide() bool {
	return slices.ContainsFunc(p.Series, func(s Series) bool { return s.Instance != "" })
}

// matches reports whether a label passes the filter; text that is not a valid regular
// expression, or would be too large compiled, is matched literally.
func (p *showing) matches() func(label string) bool {
	if p.Filter == "" {
		return func(string) bool { return true }
	}
	re, err := pattern.Compile("(?i)" + p.Filter)
	if err != nil {
		re = regexp.MustCompile("(?i)" + regexp.QuoteMeta(p.Filter))
	}
	return re.MatchString
}

// restKey is the key of the line that sums the lines not drawn individually.
const restKey = "\x00rest"

// choose picks the lines to draw: if there are too many, the largest, and the rest as one
// line if a sum is meaningful.
func (p *showing) choose() {
	if len(p.Series) > p.limit() { // no value in the window, no line
		if lines := p.valued(); len(lines) > 0 {
			p.Series = lines
		}
	}
	var candidates []int
	match, alone := p.matches(), p.HasOthers(p.in.Only)
	for i := range p.Series {
		if alone && p.Series[i].Instance != p.in.Only && p.Series[i].Instance != "" {
			continue
		}
		if match(p.Series[i].Label) {
			candidates = append(candidates, i)
		}
	}
	p.Matching, p.Alone = len(candidates), alone
	limit := p.limit()
	if len(candidates) > limit {
		p.rank(candidates)
		candidates = candidates[:limit]
		if p.Style != "topn" {
			slices.Sort(candidates)
		}
	} else if p.Style == "topn" && p.Breakdown == nil {
		p.rank(candidates)
	}
	drawn := make([]Series, 0, len(candidates)+1)
	for _, i := range candidates {
		drawn = append(drawn, p.Series[i])
	}
	if p.Stacked() && p.additive() && p.Filter == "" && !alone && len(p.Series) > len(candidates) && p.Others >= 0 {
		if rest := p.rest(); p.Style == "topn" { // on top, as in the legend
			drawn = append([]Series{rest}, drawn...)
		} else {
			drawn = append(drawn, rest)
		}
	}
	p.All = len(p.Series) + p.Cut
	chosen := make([]bool, len(p.Series))
	for _, i := range candidates {
		chosen[i] = true
	}
	for i, s := range p.Series {
		if !chosen[i] {
			p.Left = append(p.Left, s)
		}
	}
	p.Series = drawn
	for i := range p.Series {
		s := &p.Series[i]
		s.Stats = p.Known[s.Column].Stats()
	}
}

// valued lists the series that have a value in the window, or a fault instead.
func (p *showing) valued() []Series {
	return slices.DeleteFunc(slices.Clone(p.Series), func(s Series) bool { return s.Fault == "" && p.Known[s.Column].Empty })
}

// rank sorts candidates, largest first: by sum if that is meaningful, else by maximum.
func (p *showing) rank(candidates []int) {
	chart.Rank(candidates, func(i int) float64 { return chart.Weight(&p.Known[p.Series[i].Column], p.additive()) })
}

// rest is the sum, computed by the engine, of all but the largest lines.
func (p *showing) rest() Series {
	return Series{Key: restKey, Label: "all others", Metric: p.Frame.Columns[p.Others].Metric, Column: p.Others, Kind: "others"}
}

// HasOthers reports whether the panel has lines of this instance and of others.
func (v *View) HasOthers(instance string) bool {
	named := func(s Series) bool { return s.Instance == instance }
	other := func(s Series) bool { return s.Instance != instance && s.Instance != "" }
	return instance != "" && slices.ContainsFunc(v.Series, named) && slices.ContainsFunc(v.Series, other)
}
