// Package tree is the metric tree in the left pane: names as a tree that can be
// folded, filtered and navigated with the keyboard.
package tree

import (
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// A Tree is the names of metrics as a tree, or, while a filter is set, the part
// of it that matches.
type Tree struct {
	Rows   []Row // all that are unfolded; the page draws those on screen
	Filter string
	Found  int // metrics that match the filter
	At     int // the row with the keyboard cursor, -1 for none
	First  int // the first row on screen

	// HideConstant leaves out metrics known never to change.
	HideConstant bool

	root   *node
	nodes  []*node // all but the root, each behind its parent
	list   []api.Metric
	found  []uint8 // by metric: 1 if the engine found the filter in its texts; nil if none
	folds  map[string]folding
	states map[string]string // of activity, by metric; nil until known
}

// A folding says how much of a prefix is shown.
type folding int8

const (
	folded folding = iota
	partly         // only what was revealed, and how many more there are
	unfolded
)

// A Row is one line of the tree.
type Row struct {
	Path     string // name of the metric or of the prefix
	Name     string // its last part
	Depth    int
	Metric   *api.Metric // nil for a prefix
	Count    int         // of metrics below a prefix
	Open     bool
	More     int    // number of metrics below Path that this row stands for, because they are not shown
	State    string // of activity: "empty", "constant", "moving"; "" where not known
	Constant bool   // it contains only metrics that never change
}

// Letter is the metric's semantics: C, I or D.
func (r *Row) Letter() string {
	if r.Metric == nil || r.Metric.Semantics == "" {
		return ""
	}
	return strings.ToUpper(r.Metric.Semantics[:1])
}

// Branch reports whether the row is a prefix, which can be folded.
func (r *Row) Branch() bool { return r.Metric == nil && r.More == 0 }

// Unit is the abbreviated unit of the metric; a dash for none.
func (r *Row) Unit() string {
	if r.Metric == nil {
		return ""
	}
	if r.Metric.Type == "STRING" {
		return "text"
	}
	if u := format.Short(r.Metric.Units); u != "" {
		return u
	}
	return format.Dash
}

type node struct {
	parent     *node // nil for the root
	name, path string
	metric     *api.Metric
	at         int     // index of the metric in the list
	children   []*node // by name, prefixes and metrics mixed
	count      int     // of metrics in it
	matching   int     // number of those that pass the filter
	moving     int     // number of those that change or may change
	revealed   bool    // it is or contains a metric that was revealed
	byName     map[string]*node
}

// New makes the tree of metrics that are sorted by name.
func New(list []api.Metric) Tree { return NewYielding(list, func() {}) }

// yieldEvery is how many metrics are put into a tree between two rests.
const yieldEvery = 1000

// NewYielding does the same, and calls rest often while it works.
func NewYielding(list []api.Metric, rest func()) Tree {
	t := Tree{root: &node{}, list: list, folds: map[string]folding{}, At: -1}
	for i := range list {
		if i%yieldEvery == 0 {
			rest()
		}
		t.insert(&list[i], i)
	}
	rest()
	if len(t.root.children) == 1 { // an MMV file: one prefix holds everything
		for n := t.root; len(n.children) == 1; n = n.children[0] {
			t.folds[n.children[0].path] = unfolded
		}
	}
	t.filter()
	return t
}

func (t *Tree) insert(m *api.Metric, at int) {
	n := t.root
	for rest := m.Name; ; {
		n.count++
		part, after, more := strings.Cut(rest, ".")
		n = t.child(n, part, m.Name[:len(m.Name)-len(rest)+len(part)])
		if !more {
			n.metric, n.at = m, at
			n.count++
			return
		}
		rest = after
	}
}

// child finds the child of a name, or makes it.
func (t *Tree) child(n *node, name, path string) *node {
	if last := len(n.children) - 1; last >= 0 && n.children[last].name == name { // metrics are sorted, so it is usually the last one
		return n.children[last]
	}
	if c := n.byName[name]; c != nil {
		return c
	}
	c := &node{parent: n, name: name, path: path}
	n.children = append(n.children, c)
	t.nodes = append(t.nodes, c)
	if n.byName == nil {
		n.byName = map[string]*node{}
	}
	n.byName[name] = c
	return c
}

// Adopt takes over the state of an older tree of the same source.
func (t *Tree) Adopt(old Tree) {
	if old.root == nil {
		return
	}
	t.folds, t.states, t.Filter, t.HideConstant = old.folds, old.states, old.Filter, old.HideConstant
	t.filter()
	t.First = max(0, min(old.First, len(t.Rows)-1))
}

// SetFilter shows only metrics that have all the words of text in their name,
// their help or their unit.
func (t *Tree) SetFilter(text string) {
	t.Filter, t.found = text, nil
	t.First, t.At = 0, -1
	t.filter()
}

// SetFound adds metrics to those that the filter shows, by their places in the list:
// matches in texts that the list does not have, such as help. A result for another
// list is ignored.
func (t *Tree) SetFound(found []uint8) {
	if len(found) == len(t.list) {
		t.found = found
		t.filter()
	}
}

func (t *Tree) filter() {
	words := strings.Fields(strings.ToLower(t.Filter))
	t.Found = 0
	if t.root != nil {
		t.match(words)
		t.Found = t.root.matching
	}
	t.flatten()
}

// match counts the metrics that pass the filter, and those of them that change: of
// each node, and of all below it. Names may have thousands of levels, so this iterates
// over the nodes instead of recursing.
func (t *Tree) match(words []string) {
	t.root.matching, t.root.moving = 0, 0
	for _, n := range t.nodes {
		n.matching, n.moving = 0, 0
		if n.metric != nil && (t.found != nil && t.found[n.at] != 0 || matches(n.metric, words)) {
			still := t.IsConstant(n.path)
			if !still || !t.HideConstant {
				n.matching++
			}
			if !still {
				n.moving++
			}
		}
	}
	for _, n := range slices.Backward(t.nodes) {
		n.parent.matching += n.matching
		n.parent.moving += n.moving
	}
}

// IsConstant reports whether a metric is known never to change.
func (t *Tree) IsConstant(metric string) bool {
	state := t.states[metric]
	return state == "empty" || state == "constant"
}

// ActivityKnown reports whether it is known which metrics change, and for how many.
func (t *Tree) ActivityKnown() (metrics int, known bool) { return len(t.states), t.states != nil }

// State is what is known of a metric's activity: "empty", "constant", "moving", or ""
// if unknown.
func (t *Tree) State(metric string) string { return t.states[metric] }

// States are those of all metrics, by name; nil if unknown. The map is not changed.
func (t *Tree) States() map[string]string { return t.states }

// SetActivity sets which metrics change.
func (t *Tree) SetActivity(states map[string]string) {
	t.states = states
	t.filter()
}

// SetHideConstant hides metrics that never change, or shows them again.
func (t *Tree) SetHideConstant(hide bool) {
	t.HideConstant = hide
	t.First, t.At = 0, -1
	t.filter()
}

func matches(m *api.Metric, words []string) bool {
	for _, w := range words {
		if !contains(m.Name, w) && !contains(m.Oneline, w) && !contains(m.Help, w) && !contains(m.Units, w) {
			return false
		}
	}
	return true
}

// contains looks for a lower-case word, whatever the case of s.
func contains(s, word string) bool {
	if strings.Contains(s, word) {
		return true
	}
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return strings.Contains(strings.ToLower(s), word)
		}
	}
	return false
}

// flatten makes the rows of all that is unfolded.
func (t *Tree) flatten() {
	t.Rows = t.Rows[:0]
	type level struct {
		n    *node
		next int // next child to visit
		more int // metrics below it that are not shown
	}
	var levels []level // from the root down to the present node
	if t.root != nil {
		levels = append(levels, level{n: t.root})
	}
	for len(levels) > 0 {
		depth := len(levels) - 1
		l := &levels[depth]
		if l.next == len(l.n.children) {
			if l.more > 0 {
				t.Rows = append(t.Rows, Row{Path: l.n.path, Depth: depth, More: l.more})
			}
			levels = levels[:depth]
			continue
		}
		c := l.n.children[l.next]
		l.next++
		if c.matching == 0 {
			continue
		}
		if t.Filter == "" && t.folds[l.n.path] == partly && !c.revealed {
			l.more += c.matching
			continue
		}
		if c.metric != nil {
			t.Rows = append(t.Rows, Row{Path: c.path, Name: c.name, Depth: depth, Metric: c.metric, State: t.states[c.path], Constant: t.IsConstant(c.path)})
		}
		if len(c.children) == 0 {
			continue
		}
		// If few metrics match the filter, all are shown; otherwise prefixes stay
		// folded.
		open := t.folds[c.path] != folded || t.Filter != "" && (t.Found <= 200 || depth == 0)
		t.Rows = append(t.Rows, Row{Path: c.path, Name: c.name, Depth: depth, Count: c.matching, Open: open, Constant: c.moving == 0})
		if open {
			levels = append(levels, level{n: c})
		}
	}
	t.At = min(t.At, len(t.Rows)-1)
	t.First = max(0, min(t.First, len(t.Rows)-1))
}

// Fold opens or closes a prefix.
func (t *Tree) Fold(path string, open bool) {
	t.folds[path] = folded
	if open {
		t.folds[path] = unfolded
	}
	t.flatten()
}

// Reveal opens the prefixes above a metric, moves the keyboard cursor to it, and
// returns its row, -1 if the filter hides it.
func (t *Tree) Reveal(name string) int {
	if t.root == nil {
		return -1
	}
	for n := t.root; n != nil && n.path != name; {
		if n != t.root && t.folds[n.path] == folded {
			t.folds[n.path] = partly
		}
		i := slices.IndexFunc(n.children, func(c *node) bool { return c.path == name || strings.HasPrefix(name, c.path+".") })
		if i < 0 {
			break
		}
		n = n.children[i]
		n.revealed = true
	}
	t.flatten()
	t.At = slices.IndexFunc(t.Rows, func(r Row) bool { return r.Metric != nil && r.Path == name })
	return t.At
}

// Move moves the keyboard cursor by rows.
func (t *Tree) Move(by int) {
	if len(t.Rows) > 0 {
		t.At = max(0, min(len(t.Rows)-1, t.At+by))
	}
}

// Row is the row with the keyboard cursor; nil for none.
func (t *Tree) Row() *Row {
	if t.At < 0 || t.At >= len(t.Rows) {
		return nil
	}
	return &t.Rows[t.At]
}

// Visible returns the rows on screen when n fit.
func (t *Tree) Visible(n int) []Row {
	from := max(0, min(t.First, len(t.Rows)-1))
	to := min(len(t.Rows), from+n)
	if from >= to {
		return nil
	}
	return t.Rows[from:to]
}
