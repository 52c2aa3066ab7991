package render

import "github.com/vugu/vugu"

// matching pairs the nodes that are in an element with the places that there
// are in it now.
type matching struct {
	old   []*node
	taken []bool
	at    int // the first of those without a component that was not passed
	more  int // places there are, less the nodes for them; of both those without a component
	tops  map[any]int
}

// asBefore says that each place can take the node that is there already, as
// nearly always. A matching would come to the same.
func asBefore(old []*node, list []place) bool {
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

// take finds the node for a place: the component's own, or the next that can
// become what is wanted. It is nil where a new one is needed.
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
	if m.more < 0 { // something is gone: is what follows it wanted here?
		for k, gone := m.plain(m.at+1), 1; k < len(m.old) && gone <= min(reach, -m.more); k, gone = m.plain(k+1), gone+1 {
			if alike(m.old[k].from, p.from) {
				m.at, m.more = k, m.more+gone
				return m.use()
			}
		}
	}
	if m.more > 0 { // something was put in: is what was here wanted behind it?
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

// reach is how many nodes may be gone or put in at one place for what follows
// them to be recognised.
const reach = 4

func (m *matching) use() *node {
	m.taken[m.at] = true
	m.at++
	return m.old[m.at-1]
}

// plain is the first node from i on that no component has built.
func (m *matching) plain(i int) int {
	for i < len(m.old) && m.old[i].of != nil {
		i++
	}
	return i
}

// left are the nodes that no place took.
func (m *matching) left() []*node {
	var list []*node
	for i, n := range m.old {
		if !m.taken[i] {
			list = append(list, n)
		}
	}
	return list
}

// inOrder says which nodes need not be moved: of those that stay, the longest
// run of places, from the last, in which they follow each other as they did.
func (m *matching) inOrder(kids []*node) map[*node]bool {
	where := make(map[*node]int, len(m.old))
	for i, n := range m.old {
		where[n] = i
	}
	stays := make(map[*node]bool, len(kids))
	before := len(m.old)
	for i := len(kids) - 1; i >= 0; i-- {
		if n := kids[i]; n != nil && where[n] < before {
			before = where[n]
			stays[n] = true
		}
	}
	return stays
}

// same says that a node can be made what another was drawn from.
func same(a, b *vugu.VGNode) bool {
	return a.Type == b.Type && (a.Type != vugu.ElementNode || a.Data == b.Data && a.Namespace == b.Namespace)
}

// alike says that both come from one place in a template, as far as can be
// told: what the template says of an element itself comes first.
func alike(a, b *vugu.VGNode) bool {
	return same(a, b) && len(a.Attr) > 0 == (len(b.Attr) > 0) && (len(a.Attr) == 0 || a.Attr[0] == b.Attr[0])
}
