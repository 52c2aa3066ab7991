package render

import "github.com/vugu/vugu"

// A matching pairs the existing nodes of an element with its new children.
type matching struct {
	old   []*node
	taken []bool
	at    int // the first one without a component that has not been considered
	more  int // number of places minus number of nodes, of those without a component
	tops  map[any]int
}

// sameNodes reports whether each child can reuse the node in its present
// position, as is nearly always so. A matching would give the same result.
func sameNodes(old []*node, list []place) bool {
	if len(old) != len(list) {
		return false
	}
	for i, p := range list {
		if old[i].of != p.of || !same(old[i].from, p.from) {
			return false
		}
	}
	return true
}

func match(old []*node, list []place) *matching {
	m := &matching{old: old, taken: make([]bool, len(old))}
	for _, p := range list {
		if p.of == nil {
			m.more++
		}
	}
	for i, n := range old {
		if n.of == nil {
			m.more--
		} else {
			if m.tops == nil {
				m.tops = map[any]int{}
			}
			m.tops[n.of] = i
		}
	}
	return m
}

// take finds the node for a child: the component's own, or the next that can
// be changed into it. It is nil if a new one is needed.
func (m *matching) take(list []place, i int) *node {
	p := list[i]
	if p.of != nil {
		k, ok := m.tops[p.of]
		if !ok || m.taken[k] || !same(m.old[k].from, p.from) {
			return nil
		}
		m.taken[k] = true
		return m.old[k]
	}
	m.at = m.plain(m.at)
	if m.at == len(m.old) {
		return nil
	}
	here := m.old[m.at].from
	if alike(here, p.from) {
		return m.use()
	}
	if m.more < 0 { // a node was removed: does the place match what follows it?
		for k, gone := m.plain(m.at+1), 1; k < len(m.old) && gone <= min(reach, -m.more); k, gone = m.plain(k+1), gone+1 {
			if alike(m.old[k].from, p.from) {
				m.at, m.more = k, m.more+gone
				return m.use()
			}
		}
	}
	if m.more > 0 { // a node was inserted: does a later place match this one?
		for _, next := range list[i+1 : min(len(list), i+1+reach)] {
			if next.of == nil && alike(here, next.from) {
				m.more--
				return nil
			}
		}
	}
	if !same(here, p.from) {
		return nil
	}
	return m.use()
}

// reach is how many nodes may have been removed or inserted at one place for
// the following ones to be recognised.
const reach = 4

func (m *matching) use() *node {
	m.taken[m.at] = true
	m.at++
	return m.old[m.at-1]
}

// plain is the first node from i on that no component built.
func (m *matching) plain(i int) int {
	for i < len(m.old) && m.old[i].of != nil {
		i++
	}
	return i
}

// left are the nodes that no child reuses.
func (m *matching) left() []*node {
	var list []*node
	for i, n := range m.old {
		if !m.taken[i] {
			list = append(list, n)
		}
	}
	return list
}

// inOrder returns the nodes that need not be moved: the longest run of
// children, counted from the last, whose nodes are in the same order as
// before.
func (m *matching) inOrder(children []*node) map[*node]bool {
	where := make(map[*node]int, len(m.old))
	for i, n := range m.old {
		where[n] = i
	}
	stays := make(map[*node]bool, len(children))
	before := len(m.old)
	for i := len(children) - 1; i >= 0; i-- {
		if n := children[i]; n != nil && where[n] < before {
			before = where[n]
			stays[n] = true
		}
	}
	return stays
}

// same reports whether a node can be updated to what another was drawn from.
func same(a, b *vugu.VGNode) bool {
	return a.Type == b.Type && (a.Type != vugu.ElementNode || a.Data == b.Data && a.Namespace == b.Namespace)
}

// alike reports whether both nodes seem to come from the same place in a template,
// judging by the element's static attributes, which come first.
func alike(a, b *vugu.VGNode) bool {
	return same(a, b) && len(a.Attr) > 0 == (len(b.Attr) > 0) && (len(a.Attr) == 0 || a.Attr[0] == b.Attr[0])
}
