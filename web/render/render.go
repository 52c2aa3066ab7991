// Package render applies what Vugu's components build to the browser's page.
// Vugu's own renderer sends every element again at each drawing; this one
// remembers what it drew last and sends only the differences.
//
// A component's output replaces its previous output: elements stay with the
// component when it moves among its siblings. If a component returns the very
// output of last time (the same pointer), its subtree is skipped. The content
// of an element without children in its template belongs to scripts and is
// left alone.
package render

import (
	"slices"

	"github.com/vugu/vugu"
)

// Renderer is the state of the page as drawn.
type Renderer struct {
	root  *node
	nodes map[int]*node // those that listen, by number
	last  int           // last number assigned
	steps steps
	list  []place // stack of children: of the element being updated and those around it
}

// node is a node of the page: what it was drawn from, and its children.
type node struct {
	id       int
	from     *vugu.VGNode
	of       any // the component that it is the top of, or nil
	children []*node
	nested   bool // components are below it, which may have changed when it has not
}

// A place is a required child: what to draw, and the component it is the root
// of, if any.
type place struct {
	from *vugu.VGNode
	of   any
}

// Update returns the changes to the page as a JSON array for drawing.js. Node
// 0 is the element that the first drawing replaces. The result is valid until
// the next call.
func (r *Renderer) Update(results *vugu.BuildResults) []byte {
	r.steps.begin()
	top := resolve(results, results.Out.Out[0], nil)
	if r.root == nil {
		r.nodes = map[int]*node{}
		r.root = r.create(results, top)
		r.steps.add("replace", 0, r.root.id)
	} else {
		r.sync(results, r.root, top.from)
	}
	return r.steps.end()
}

// Handler returns the templates' handler for an event at a node.
func (r *Renderer) Handler(id int, event string) func(vugu.DOMEvent) {
	n := r.nodes[id]
	if n == nil {
		return nil
	}
	for _, h := range n.from.DOMEventHandlerSpecList {
		if h.EventType == event {
			return h.Func
		}
	}
	return nil
}

// resolve follows a component to the element that it built.
func resolve(results *vugu.BuildResults, from *vugu.VGNode, of any) place {
	for from.Component != nil {
		if of == nil {
			of = from.Component
		}
		from = results.ResultFor(from.Component).Out[0]
	}
	return place{from, of}
}

// places lists the children of an element, including those inside vg-template
// elements.
func places(results *vugu.BuildResults, list []place, from *vugu.VGNode) []place {
	for c := from.FirstChild; c != nil; c = c.NextSibling {
		if c.IsTemplate() {
			list = places(results, list, c)
		} else {
			list = append(list, resolve(results, c, nil))
		}
	}
	return list
}

func (r *Renderer) create(results *vugu.BuildResults, p place) *node {
	r.last++
	n := &node{id: r.last, of: p.of, from: p.from}
	switch p.from.Type {
	case vugu.TextNode:
		r.steps.add("text", n.id, p.from.Data)
		return n
	case vugu.CommentNode:
		r.steps.add("comment", n.id, p.from.Data)
		return n
	}
	r.steps.add("element", n.id, p.from.Data, p.from.Namespace)
	if len(p.from.Attr) > 0 {
		r.steps.attributes(n.id, p.from.Attr)
	}
	r.listen(n, nil)
	if p.from.InnerHTML != nil {
		r.steps.content(n.id, *p.from.InnerHTML)
	} else {
		for _, k := range places(results, nil, p.from) {
			child := r.create(results, k)
			n.children = append(n.children, child)
			n.nested = n.nested || k.of != nil || child.nested
			r.steps.add("insert", n.id, child.id, 0)
		}
	}
	r.properties(n)
	return n
}

// sync updates a node to its new state.
func (r *Renderer) sync(results *vugu.BuildResults, n *node, from *vugu.VGNode) {
	before := n.from
	if before == from && !n.nested {
		return
	}
	n.from = from
	if from.Type != vugu.ElementNode {
		if before.Data != from.Data {
			r.steps.add("content", n.id, from.Data)
		}
		return
	}
	if before != from {
		if !slices.Equal(before.Attr, from.Attr) {
			r.steps.attributes(n.id, from.Attr)
		}
		r.listen(n, before)
	}
	switch {
	case from.InnerHTML != nil:
		if before.InnerHTML == nil || *before.InnerHTML != *from.InnerHTML {
			r.forgetChildren(n)
			r.steps.content(n.id, *from.InnerHTML)
		}
	default:
		if before.InnerHTML != nil || len(n.children) == 0 && from.FirstChild != nil {
			r.steps.add("content", n.id, "") // or what scripts put there
		}
		before := len(r.list)
		r.list = places(results, r.list, from)
		r.syncChildren(results, n, r.list[before:])
		r.list = r.list[:before]
	}
	r.properties(n)
}

// syncChildren assigns a node to each place: an existing or a new one.
func (r *Renderer) syncChildren(results *vugu.BuildResults, n *node, list []place) {
	if sameNodes(n.children, list) {
		n.nested = false
		for i, p := range list {
			r.sync(results, n.children[i], p.from)
			n.nested = n.nested || p.of != nil || n.children[i].nested
		}
		return
	}
	children := make([]*node, len(list))
	n.nested = false
	m := match(n.children, list)
	for i := range list {
		children[i] = m.take(list, i)
	}
	// Removals come first, since others may take their places.
	for _, k := range m.left() {
		r.forget(k)
		r.steps.add("remove", k.id)
	}
	stays := m.inOrder(children)
	after := 0 // the node behind, 0 at the end
	for i := len(list) - 1; i >= 0; i-- {
		p := list[i]
		if children[i] == nil {
			children[i] = r.create(results, p)
			r.steps.add("insert", n.id, children[i].id, after)
		} else {
			if !stays[children[i]] {
				r.steps.add("insert", n.id, children[i].id, after)
			}
			children[i].of = p.of
			r.sync(results, children[i], p.from)
		}
		n.nested = n.nested || p.of != nil || children[i].nested
		after = children[i].id
	}
	n.children = children
}

// listen updates the set of events listened for.
func (r *Renderer) listen(n *node, before *vugu.VGNode) {
	has := func(list []vugu.DOMEventHandlerSpec, event string) bool {
		return slices.ContainsFunc(list, func(h vugu.DOMEventHandlerSpec) bool { return h.EventType == event })
	}
	var was []vugu.DOMEventHandlerSpec
	if before != nil {
		was = before.DOMEventHandlerSpecList
	}
	now := n.from.DOMEventHandlerSpecList
	if len(was) == 0 && len(now) == 0 {
		return
	}
	for _, h := range now {
		if !has(was, h.EventType) {
			r.steps.add("listen", n.id, h.EventType)
		}
	}
	for _, h := range was {
		if !has(now, h.EventType) {
			r.steps.add("ignore", n.id, h.EventType)
		}
	}
	if r.nodes[n.id] = n; len(now) == 0 {
		delete(r.nodes, n.id)
	}
}

// properties are set at each drawing, because the user may have changed them.
func (r *Renderer) properties(n *node) {
	for _, p := range n.from.Prop {
		r.steps.property(n.id, p.Key, p.JSONVal)
	}
}

func (r *Renderer) forgetChildren(n *node) {
	for _, k := range n.children {
		r.forget(k)
		r.steps.add("forget", k.id)
	}
	n.children, n.nested = nil, false
}

// forget drops a node that leaves the page, with its subtree.
func (r *Renderer) forget(n *node) {
	delete(r.nodes, n.id)
	r.forgetChildren(n)
}
