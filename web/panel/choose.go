package panel

import (
	"math"
	"regexp"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/web/timeline"
)

// limit is how many lines are drawn.
func (p *showing) limit() int {
	switch {
	case p.ByInstance() || p.Who != nil || p.Stacked() && p.Style != "topn" && !p.wide():
		return math.MaxInt
	case p.Top > 0:
		return p.Top
	}
	return MaxLines
}

// wide says whether there are lines for instances.
func (p *showing) wide() bool {
	return slices.ContainsFunc(p.Series, func(s Series) bool { return s.Instance != "" })
}

// matches says whether a label passes the filter; a text that is no regular
// expression is looked for as it is.
func (p *showing) matches() func(label string) bool {
	if p.Filter == "" {
		return func(string) bool { return true }
	}
	re, err := regexp.Compile("(?i)" + p.Filter)
	if err != nil {
		re = regexp.MustCompile("(?i)" + regexp.QuoteMeta(p.Filter))
	}
	return re.MatchString
}

// restKey is the line that sums up those that are not drawn by themselves.
const restKey = "\x00rest"

// choose picks the lines that are drawn: where there are too many the
// largest, and as one the rest of them, where a sum means something.
func (p *showing) choose(window timeline.Window) {
	if len(p.Series) > p.limit() { // what has no value in the window is no line
		if lines := p.valued(window); len(lines) > 0 {
			p.Series = lines
		}
	}
	var candidates []int
	match, alone := p.matches(), p.HasBeside(p.in.Only)
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
		p.rank(candidates, window)
		candidates = candidates[:limit]
		if p.Style != "topn" {
			slices.Sort(candidates)
		}
	} else if p.Style == "topn" && p.Who == nil {
		p.rank(candidates, window)
	}
	drawn := make([]Series, 0, len(candidates)+1)
	for _, i := range candidates {
		drawn = append(drawn, p.Series[i])
	}
	if p.Stacked() && p.additive() && p.Filter == "" && !alone && len(p.Series) > len(candidates) {
		if rest := p.rest(candidates); p.Style == "topn" { // on top, as the legend lists them
			drawn = slices.Insert(drawn, 0, rest)
		} else {
			drawn = append(drawn, rest)
		}
	}
	p.All = len(p.Series)
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
		s.Stats = StatsOf(p.Frame.Start, p.Frame.Times, p.Frame.Columns[s.Column].Values, window)
	}
}

// valued lists the series that have a value in the window, or a fault instead.
func (p *showing) valued(window timeline.Window) []Series {
	from, to := float64(window.Start-p.Frame.Start)/1e9, float64(window.End-p.Frame.Start)/1e9
	var list []Series
	for _, s := range p.Series {
		for k, v := range p.Frame.Columns[s.Column].Values {
			if s.Fault != "" || !math.IsNaN(v) && p.Frame.Times[k] >= from && p.Frame.Times[k] <= to {
				list = append(list, s)
				break
			}
		}
	}
	return list
}

// rank sorts candidates, the largest first: by sum where a sum means
// something, else by maximum.
func (p *showing) rank(candidates []int, window timeline.Window) {
	from, to := float64(window.Start-p.Frame.Start)/1e9, float64(window.End-p.Frame.Start)/1e9
	weight := make(map[int]float64, len(candidates))
	sums := p.additive()
	for _, i := range candidates {
		total := math.Inf(-1)
		for k, v := range p.Frame.Columns[p.Series[i].Column].Values {
			if math.IsNaN(v) || p.Frame.Times[k] < from || p.Frame.Times[k] > to {
				continue
			}
			switch {
			case math.IsInf(total, -1):
				total = v
			case sums:
				total += v
			default:
				total = max(total, v)
			}
		}
		weight[i] = total
	}
	sorting.Stable(candidates, func(a, b int) int {
		switch x, y := weight[a], weight[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
}

// rest appends to the frame the sum of all lines but those chosen.
func (p *showing) rest(chosen []int) Series {
	keep := map[int]bool{}
	for _, i := range chosen {
		keep[i] = true
	}
	n := len(p.Frame.Times)
	sum := make([]float64, n)
	for k := range sum {
		sum[k] = math.NaN()
	}
	like := api.Column{}
	for i := range p.Series {
		if keep[i] {
			continue
		}
		c := p.Frame.Columns[p.Series[i].Column]
		like = c
		for k, v := range c.Values {
			if !math.IsNaN(v) {
				if math.IsNaN(sum[k]) {
					sum[k] = 0
				}
				sum[k] += v
			}
		}
	}
	p.Frame.Columns = append(p.Frame.Columns, api.Column{Metric: like.Metric, Units: like.Units, Type: like.Type, Semantics: like.Semantics, Values: sum})
	return Series{Key: restKey, Label: "all others", Metric: like.Metric, Column: len(p.Frame.Columns) - 1, Kind: "others"}
}

// HasBeside says whether the panel has lines of an instance, and of others.
func (v *View) HasBeside(instance string) bool {
	named := func(s Series) bool { return s.Instance == instance }
	other := func(s Series) bool { return s.Instance != instance && s.Instance != "" }
	return instance != "" && slices.ContainsFunc(v.Series, named) && slices.ContainsFunc(v.Series, other)
}
