package dashboard

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A Metric is the input for a generated dashboard.
type Metric struct {
	Name      string
	Desc      pcp.Desc
	Oneline   string
	Instances []string // names; empty for a singular metric
	Constant  bool     // as far as known
	Moves     float64  // fraction of its records in which a value changed; 0 if not known yet
}

// covered are the subtrees that hand-made dashboards cover, or that are useless
// in any.
var covered = []string{"kernel", "hinv", "mem", "swap", "disk", "filesys", "network", "proc", "hotproc", "cgroup", "nfs", "nfs3", "nfs4", "nfsclient", "rpc",
	"xfs", "vfs", "ipc", "nvidia", "amdgpu", "pmcd", "quota", "pmda", "event", "tty", "netfilter"}

// never are those of them that are only about the recording itself.
var never = []string{"pmcd", "pmda", "event"}

// deep are subtrees in which every branch is a subject of its own.
var deep = []string{"mmv", "openmetrics", "prometheus"}

const (
	maxPanels = 40  // of a generated dashboard
	maxSeries = 200 // of a generated panel
	maxTrees  = 60  // that get a dashboard each; the others share one
	maxLines  = 12  // number of instances above which only the largest are drawn
)

// Generate makes a dashboard for every subtree that hand-made ones do not cover
// or show nothing of: a panel for each group of sibling metrics of the same
// kind, those that change most first. shown are the names that hand-made ones
// show. at describes each of n metrics, which must be sorted by name. It calls
// rest again and again meanwhile, with the work done, in values.
func Generate(n int, at func(i int) Metric, shown map[string]bool, rest func(values int)) []Dashboard {
	has := map[string]bool{}
	for name := range shown {
		has[subtree(name)] = true
	}
	trees := map[string]int{} // their indexes
	var of [maxTrees]numbered
	var names []string
	others := numbered{at: at} // those beyond the limit of dashboards
	for i := range n {
		rest(oneMetric)
		m := at(i)
		tree := subtree(m.Name)
		if slices.Contains(covered, tree) && (has[tree] || slices.Contains(never, tree)) {
			continue
		}
		k, known := trees[tree]
		if !known {
			k = len(trees)
			trees[tree] = k
			if k < maxTrees {
				names = append(names, tree)
			}
		}
		if k < maxTrees {
			of[k].at, of[k].list = at, append(of[k].list, int32(i))
		}
		if k >= maxTrees-1 {
			others.list = append(others.list, int32(i))
		}
	}
	var list []Dashboard
	for i, tree := range names {
		if i == maxTrees-1 && len(trees) > maxTrees {
			d := generated("", others, rest)
			d.ID, d.Title, d.What = "tree", "Others", fmt.Sprintf("Generated from the metrics of %d more subtrees, up to a limit.", len(trees)-i)
			return append(list, d)
		}
		list = append(list, generated(tree, of[i], rest))
	}
	return list
}

// A numbered is a selection of metrics by their numbers.
type numbered struct {
	at   func(i int) Metric
	list []int32
}

// all goes through them.
func (n numbered) all() iter.Seq[*Metric] {
	return func(yield func(*Metric) bool) {
		var m Metric
		for _, i := range n.list {
			if m = n.at(int(i)); !yield(&m) {
				return
			}
		}
	}
}

// oneMetric is about what a metric takes here: as long as so many values.
const oneMetric = 1 << 5

// subtree returns the dashboard that a metric belongs to.
func subtree(name string) string {
	first, rest, _ := strings.Cut(name, ".")
	if second, _, more := strings.Cut(rest, "."); slices.Contains(deep, first) && second != "" && (more || first == "mmv") {
		return first + "." + second
	}
	return first
}

// kind is what metrics in one panel must have in common.
type kind struct {
	parent   string
	units    pcp.Units
	counter  bool
	discrete bool
	text     bool
	event    bool
	constant bool
	indom    pcp.InDom
}

func kindOf(m *Metric) kind {
	parent := m.Name
	if i := strings.LastIndexByte(m.Name, '.'); i >= 0 {
		parent = m.Name[:i]
	}
	k := kind{parent: parent, units: m.Desc.Units, counter: m.Desc.Sem == pcp.Counter, discrete: m.Desc.Sem == pcp.Discrete, indom: m.Desc.InDom, constant: m.Constant}
	k.units = convertible(k.units)
	if m.Desc.Type.Events() {
		return kind{parent: parent, event: true, indom: k.indom}
	}
	if k.text = !m.Desc.Type.Numeric(); k.text {
		return kind{parent: subtree(m.Name), text: true, indom: k.indom}
	}
	if m.Constant { // constants need no chart: all of them are in one table
		return kind{parent: subtree(m.Name), constant: true, indom: k.indom}
	}
	return k
}

// convertible leaves out the scale that makes no difference to what shares a panel: where
// a unit is an amount of data or of time, over anything, each value is converted to one
// unit. Counts, and what a unit is per, are shown as they were logged.
func convertible(u pcp.Units) pcp.Units {
	switch {
	case u.Space == 1 && u.Time <= 0 && u.Count <= 0:
		u.SpaceScale = 0
	case u.Time == 1 && u.Space <= 0 && u.Count <= 0:
		u.TimeScale = 0
	}
	if u.Space == 0 {
		u.SpaceScale = 0
	}
	if u.Time == 0 {
		u.TimeScale = 0
	}
	if u.Count == 0 {
		u.CountScale = 0
	}
	return u
}

func generated(tree string, metrics numbered, rest func(values int)) Dashboard {
	d := Dashboard{ID: "tree-" + tree, Title: tree, Group: Generated, What: "Generated from the metrics below " + tree + "."}
	type group struct {
		kind  kind
		moves float64 // of its most active metric
		quiet bool    // tables of strings and constants come last
	}
	var groups []group
	number := map[kind]int{}
	for m := range metrics.all() {
		rest(oneMetric)
		if m.Desc.Type == pcp.Aggregate || m.Desc.Type == pcp.NoSupport {
			continue
		}
		k := kindOf(m)
		at, known := number[k]
		if !known {
			at = len(groups)
			number[k] = at
			groups = append(groups, group{kind: k, quiet: k.text || k.constant})
		}
		groups[at].moves = max(groups[at].moves, m.Moves)
	}
	rank := func(g *group) int {
		if g.quiet {
			return 1
		}
		return 0
	}
	sorting.Stable(groups, func(a, b group) int { return cmp.Or(rank(&a)-rank(&b), cmp.Compare(b.moves, a.moves)) })
	groups = groups[:min(len(groups), maxPanels)]
	clear(number)
	of := make([][]Metric, len(groups))
	for i := range groups {
		number[groups[i].kind] = i
	}
	for m := range metrics.all() {
		rest(oneMetric)
		if m.Desc.Type == pcp.Aggregate || m.Desc.Type == pcp.NoSupport {
			continue
		}
		if at, shown := number[kindOf(m)]; shown && len(of[at]) < maxSeries {
			of[at] = append(of[at], *m)
		}
	}
	for i := range groups {
		d.Panels = append(d.Panels, panelOf(tree, groups[i].kind, of[i]))
	}
	distinguish(tree, d.Panels, of)
	for i := range d.Panels {
		if p := &d.Panels[i]; p.Style != Table && p.Style != Event && len(p.Series) > 0 {
			d.Spark = Spark{Exprs: p.Series[0].Exprs[:1], Name: p.Series[0].Name}
			break
		}
	}
	return d
}

// panelOf makes a panel of metrics of one kind, at most maxSeries.
func panelOf(tree string, k kind, ms []Metric) Panel {
	p := Panel{ID: ms[0].Name, Title: strings.TrimPrefix(strings.TrimPrefix(k.parent, tree), "."), Style: Line}
	if len(ms) == 1 {
		p.What = sentence(ms[0].Oneline)
	}
	largest := 0
	rate := "rate("
	if t := k.units; k.counter && !k.constant && t.Time == 1 && t.Space == 0 && t.Count == 0 { // a time counter, so its rate is a share of time
		p.Unit, rate = "% of time", "100 * rate("
	}
	for i := range ms {
		m := &ms[i]
		largest = max(largest, len(m.Instances))
		name := m.Name[strings.LastIndexByte(m.Name, '.')+1:]
		if k.text || k.constant {
			name = strings.TrimPrefix(strings.TrimPrefix(m.Name, tree), ".")
		}
		expr := m.Name
		switch {
		case k.constant && m.Desc.Sem == pcp.Counter:
			expr = "instant(" + m.Name + ")" // the value, not its rate of 0
		case k.counter:
			expr = rate + m.Name + ")"
		}
		p.Series = append(p.Series, plain(name, expr))
	}
	switch {
	case k.text:
		p.Title, p.Style, p.What = "Texts", Table, "Metrics with string values."
	case k.constant:
		p.Title, p.Style, p.What = "Constants", Table, "Metrics that had one value throughout."
	case k.event:
		p.Style = Event
		if len(ms) > 1 {
			p.What = "Events, by the clock of the agent that logged them."
		}
	case histogram(ms[0].Instances):
		p.Style, p.What = Heatmap, sentence(ms[0].Oneline)
	case k.discrete:
		p.Style = State
	case largest > maxLines:
		p.Style, p.Top = TopN, 8
	}
	if len(ms) == 1 && !k.text && !k.constant {
		p.Title = p.Series[0].Name
		if largest > 1 {
			p.Series[0].Name = ""
		}
	}
	if p.Title == "" {
		p.Title = tree
	}
	return p
}

// distinguish gives panels that have the same title, because metrics below one name differ in
// units or semantics, titles with the names of their metrics.
func distinguish(tree string, panels []Panel, of [][]Metric) {
	number := map[string]int{}
	for i := range panels {
		number[panels[i].Title]++
	}
	for i := range panels {
		p, ms := &panels[i], of[i]
		below := strings.TrimPrefix(ms[0].Name, tree+".")
		switch {
		case number[p.Title] == 1:
		case len(ms) == 1:
			p.Title = below
		default:
			p.Title += ": " + p.Series[0].Name + ", " + p.Series[1].Name
			if len(ms) > 2 {
				p.Title += ", …"
			}
		}
	}
}

// bucket matches the name of a histogram bucket: "0-1", "128 - 255", "<= 10",
// "le=0.5", "+Inf", as in bcc and OpenMetrics.
var bucket = pattern.New(`^(le[=:]?"?[0-9.+eEInf]+"?|<=? ?[0-9.]+|\[?[0-9.]+ ?(-|\.\.|:) ?[0-9.+Inf]+[\])]?|\+Inf)$`)

func histogram(names []string) bool {
	n := 0
	for _, name := range names {
		if bucket().MatchString(strings.TrimSpace(name)) {
			n++
		}
	}
	return n >= 4 && n*4 >= len(names)*3
}

// sentence makes a sentence of the one-line help.
func sentence(oneline string) string {
	s := strings.TrimSpace(oneline)
	if s == "" {
		return ""
	}
	return strings.TrimRight(strings.ToUpper(s[:1])+s[1:], ". ") + "."
}
