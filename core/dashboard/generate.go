package dashboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A Metric is what a dashboard is generated from.
type Metric struct {
	Name      string
	Desc      pcp.Desc
	Oneline   string
	Instances []string // names; empty for a singular metric
	Constant  bool     // as far as is known
	Moves     float64  // in which part of its records a value was another than before, 0 to 1; 0 while that is not known
}

// covered are the subtrees that have hand-made dashboards, or are of no use in
// any.
var covered = []string{"kernel", "hinv", "mem", "swap", "disk", "filesys", "network", "proc", "hotproc", "cgroup", "nfs", "nfs3", "nfs4", "nfsclient", "rpc",
	"xfs", "vfs", "ipc", "nvidia", "amdgpu", "pmcd", "quota", "pmda", "event", "tty", "netfilter"}

// never are those of them that tell of the recording alone.
var never = []string{"pmcd", "pmda", "event"}

// deep are subtrees of which every branch is a subject of its own.
var deep = []string{"mmv", "openmetrics", "prometheus"}

const (
	maxPanels = 40  // of a generated dashboard
	maxSeries = 200 // of a generated panel
	maxTrees  = 60  // that have a dashboard each; those after them share one
	maxLines  = 12  // instances above which the largest are chosen
)

// Generate makes a dashboard of every subtree that has no hand-made one, or of
// which no hand-made one shows anything: a panel for each group of metrics that
// are siblings of the same kind, those that move most first. shown are the
// names that hand-made ones show; metrics must be sorted by name.
func Generate(metrics []Metric, shown map[string]bool) []Dashboard {
	has := map[string]bool{}
	for name := range shown {
		has[subtree(name)] = true
	}
	trees := map[string]int{} // their numbers
	var of [maxTrees][]*Metric
	var names []string
	var rest []*Metric // from the last one that has a dashboard if there are no more
	for i := range metrics {
		m := &metrics[i]
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
			of[k] = append(of[k], m)
		}
		if k >= maxTrees-1 {
			rest = append(rest, m)
		}
	}
	var list []Dashboard
	for i, tree := range names {
		if i == maxTrees-1 && len(trees) > maxTrees {
			d := generated("", rest)
			d.ID, d.Title, d.What = "tree", "Others", fmt.Sprintf("Made of the metrics of %d further subtrees, as far as there is room.", len(trees)-i)
			return append(list, d)
		}
		list = append(list, generated(tree, of[i]))
	}
	return list
}

// subtree names the dashboard that a metric belongs to.
func subtree(name string) string {
	first, rest, _ := strings.Cut(name, ".")
	if second, _, more := strings.Cut(rest, "."); slices.Contains(deep, first) && second != "" && (more || first == "mmv") {
		return first + "." + second
	}
	return first
}

// kind is what metrics must have in common to share a panel.
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
	k.units.SpaceScale, k.units.TimeScale, k.units.CountScale = 0, 0, 0
	if eventful(m.Desc.Type) {
		return kind{parent: parent, event: true, indom: k.indom}
	}
	if k.text = !m.Desc.Type.Numeric(); k.text {
		return kind{parent: subtree(m.Name), text: true, indom: k.indom}
	}
	if m.Constant { // nothing to see in a chart: all of them in one table
		return kind{parent: subtree(m.Name), constant: true, indom: k.indom}
	}
	return k
}

func generated(tree string, metrics []*Metric) Dashboard {
	d := Dashboard{ID: "tree-" + tree, Title: tree, Group: Generated, What: "Made of the metrics below " + tree + "."}
	type group struct {
		first *Metric
		moves float64 // of what moves most
		quiet bool    // tables of texts and constants stand last
	}
	var groups []group
	number := map[kind]int{}
	for _, m := range metrics {
		if m.Desc.Type == pcp.Aggregate || m.Desc.Type == pcp.NoSupport {
			continue
		}
		k := kindOf(m)
		at, known := number[k]
		if !known {
			at = len(groups)
			number[k] = at
			groups = append(groups, group{first: m, quiet: k.text || k.constant})
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
	of := make([][]*Metric, len(groups))
	for i := range groups {
		number[kindOf(groups[i].first)] = i
	}
	for _, m := range metrics {
		if m.Desc.Type == pcp.Aggregate || m.Desc.Type == pcp.NoSupport {
			continue
		}
		if at, shown := number[kindOf(m)]; shown {
			of[at] = append(of[at], m)
		}
	}
	for i := range groups {
		d.Panels = append(d.Panels, panelOf(tree, kindOf(groups[i].first), of[i]))
	}
	for i := range d.Panels {
		if p := &d.Panels[i]; p.Style != Table && p.Style != Event && len(p.Series) > 0 {
			d.Spark = Spark{Exprs: p.Series[0].Exprs[:1], Name: p.Series[0].Name}
			break
		}
	}
	return d
}

func panelOf(tree string, k kind, ms []*Metric) Panel {
	p := Panel{ID: ms[0].Name, Title: strings.TrimPrefix(strings.TrimPrefix(k.parent, tree), "."), Style: Line}
	if len(ms) == 1 {
		p.What = sentence(ms[0].Oneline)
	}
	most := 0
	rate := "rate("
	if t := k.units; k.counter && !k.constant && t.Time == 1 && t.Space == 0 && t.Count == 0 { // time that passes in a time
		p.Unit, rate = "% of time", "100 * rate("
	}
	for _, m := range ms[:min(len(ms), maxSeries)] {
		most = max(most, len(m.Instances))
		name := m.Name[strings.LastIndexByte(m.Name, '.')+1:]
		if k.text || k.constant {
			name = strings.TrimPrefix(strings.TrimPrefix(m.Name, tree), ".")
		}
		expr := m.Name
		switch {
		case k.constant && m.Desc.Sem == pcp.Counter:
			expr = "instant(" + m.Name + ")" // the value, not that it did not grow
		case k.counter:
			expr = rate + m.Name + ")"
		}
		p.Series = append(p.Series, plain(name, expr))
	}
	switch {
	case k.text:
		p.Title, p.Style, p.What = "Texts", Table, "What the metrics say in words."
	case k.constant:
		p.Title, p.Style, p.What = "Constants", Table, "Metrics that had one value throughout."
	case k.event:
		p.Style = Event
		if len(ms) > 1 {
			p.What = "What happened, by the clock of who logged it."
		}
	case histogram(ms[0].Instances):
		p.Style, p.What = Heatmap, sentence(ms[0].Oneline)
	case k.discrete:
		p.Style = State
	case most > maxLines:
		p.Style, p.Top = TopN, 8
	}
	if len(ms) == 1 && !k.text && !k.constant {
		p.Title = p.Series[0].Name
		if most > 1 {
			p.Series[0].Name = ""
		}
	}
	if p.Title == "" {
		p.Title = tree
	}
	return p
}

// bucket is the name of one class of a histogram: "0-1", "128 - 255",
// "<= 10", "le=0.5", "+Inf", as bcc and OpenMetrics have them.
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

// sentence makes one of a help text's first line.
func sentence(oneline string) string {
	s := strings.TrimSpace(oneline)
	if s == "" {
		return ""
	}
	return strings.TrimRight(strings.ToUpper(s[:1])+s[1:], ". ") + "."
}
