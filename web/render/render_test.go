package render

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/vugu/vugu"
)

// An element is a node of the page, as in a browser.
type element struct {
	tag, text, markup string
	attributes        [][2]string
	properties        map[string]string
	listens           map[string]bool
	children          []*element
	parent            *element
}

// A page does what drawing.js does, without a browser.
type page struct {
	t     *testing.T
	nodes map[int]*element
	top   *element
	steps int
}

func (p *page) apply(text []byte) {
	p.t.Helper()
	var list []any
	if err := json.Unmarshal(text, &list); err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	next := func() any { v := list[0]; list = list[1:]; return v }
	number := func() int { return int(next().(float64)) }
	str := func() string { return next().(string) }
	p.steps = 0
	for len(list) > 0 {
		p.steps++
		step, id := str(), number()
		n := p.nodes[id]
		if n == nil && !slices.Contains([]string{"element", "text", "comment", "replace"}, step) {
			p.t.Fatalf("step %s: node %d does not exist", step, id)
		}
		switch step {
		case "element":
			p.nodes[id] = &element{tag: str(), properties: map[string]string{}, listens: map[string]bool{}}
			str() // name space
		case "text", "comment":
			p.nodes[id] = &element{text: str()}
		case "attributes":
			n.attributes = nil
			for range number() {
				n.attributes = append(n.attributes, [2]string{str(), str()})
			}
		case "property":
			key := str()
			value, _ := json.Marshal(next())
			n.properties[key] = string(value)
		case "content", "markup":
			n.children = nil
			n.text, n.markup = str(), step
		case "listen":
			n.listens[str()] = true
		case "ignore":
			delete(n.listens, str())
		case "insert":
			n.text = ""
			child, before := p.nodes[number()], number()
			if child.parent != nil {
				child.parent.children = slices.DeleteFunc(child.parent.children, func(k *element) bool { return k == child })
			}
			at := len(n.children)
			if before != 0 {
				if at = slices.Index(n.children, p.nodes[before]); at < 0 {
					p.t.Fatalf("insert before node %d, which has another parent", before)
				}
			}
			n.children, child.parent = slices.Insert(n.children, at, child), n
		case "replace":
			p.top = p.nodes[number()]
		case "remove":
			n.parent.children = slices.DeleteFunc(n.parent.children, func(k *element) bool { return k == n })
			delete(p.nodes, id)
		case "forget":
			delete(p.nodes, id)
		default:
			p.t.Fatalf("unknown step %s", step)
		}
	}
}

// shown returns a page as text.
func (e *element) shown() string {
	if e.tag == "" {
		return html.EscapeString(e.text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<%s", e.tag)
	for _, a := range e.attributes {
		fmt.Fprintf(&b, " %s=%q", a[0], a[1])
	}
	var rest []string
	for k, v := range e.properties {
		rest = append(rest, " ."+k+"="+v)
	}
	for k := range e.listens {
		rest = append(rest, " @"+k)
	}
	slices.Sort(rest)
	b.WriteString(strings.Join(rest, "") + ">")
	if e.markup == "markup" && len(e.children) == 0 {
		b.WriteString(e.text)
	} else if len(e.children) == 0 {
		b.WriteString(html.EscapeString(e.text))
	}
	for _, k := range e.children {
		b.WriteString(k.shown())
	}
	return b.String() + "</" + e.tag + ">"
}

// wanted returns the output of the components as text.
func wanted(r *vugu.BuildResults, n *vugu.VGNode) string {
	for n.Component != nil {
		n = r.ResultFor(n.Component).Out[0]
	}
	if n.Type == vugu.TextNode {
		return html.EscapeString(n.Data)
	}
	var b strings.Builder
	children := func() {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			b.WriteString(wanted(r, c))
		}
	}
	if n.IsTemplate() {
		children()
		return b.String()
	}
	fmt.Fprintf(&b, "<%s", n.Data)
	for _, a := range n.Attr {
		fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
	}
	var rest []string
	for _, p := range n.Prop {
		rest = append(rest, " ."+p.Key+"="+string(p.JSONVal))
	}
	for _, h := range n.DOMEventHandlerSpecList {
		rest = append(rest, " @"+h.EventType)
	}
	slices.Sort(rest)
	b.WriteString(strings.Join(rest, "") + ">")
	if n.InnerHTML != nil {
		b.WriteString(*n.InnerHTML)
	}
	children()
	return b.String() + "</" + n.Data + ">"
}

// A component has a fixed output.
type component struct {
	out      *vugu.VGNode
	children []vugu.Builder
}

func (c *component) Build(*vugu.BuildIn) *vugu.BuildOut {
	return &vugu.BuildOut{Out: []*vugu.VGNode{c.out}, Components: c.children}
}

func text(s string) *vugu.VGNode { return &vugu.VGNode{Type: vugu.TextNode, Data: s} }

func el(tag, class string, children ...*vugu.VGNode) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: tag}
	if class != "" {
		n.Attr = []vugu.VGAttribute{{Key: "class", Val: class}}
	}
	for _, k := range children {
		n.AppendChild(k)
	}
	return n
}

func (c *component) node() *vugu.VGNode { return &vugu.VGNode{Component: c} }

// A screen draws components repeatedly.
type screen struct {
	t      *testing.T
	page   page
	render Renderer
	build  *vugu.BuildEnv
}

func newScreen(t *testing.T) *screen {
	build, err := vugu.NewBuildEnv(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &screen{t: t, page: page{t: t, nodes: map[int]*element{0: {tag: "div"}}}, build: build}
}

// draw draws, compares the page with the output, and returns the number of steps.
func (s *screen) draw(root vugu.Builder) int {
	s.t.Helper()
	results := s.build.RunBuild(root)
	s.page.apply(s.render.Update(results))
	if got, want := s.page.top.shown(), wanted(results, results.Out.Out[0]); got != want {
		s.t.Fatalf("the page shows\n%s\nwant\n%s", got, want)
	}
	return s.page.steps
}

// random returns a random tree of everything that templates can contain. Components
// are taken from a pool, each at most once.
func random(rnd *rand.Rand, depth int, pool *[]*component, into *component) *vugu.VGNode {
	if depth == 0 || rnd.Intn(6) == 0 {
		return text([]string{"\n\t", "a", "“b” & <c>", "\x01\"\\"}[rnd.Intn(4)])
	}
	if len(*pool) > 0 && rnd.Intn(3) == 0 {
		i := rnd.Intn(len(*pool))
		c := (*pool)[i]
		*pool = slices.Delete(slices.Clone(*pool), i, i+1)
		c.children = nil
		c.out = el([]string{"div", "section"}[rnd.Intn(2)], "of a component", random(rnd, depth-1, pool, c))
		into.children = append(into.children, c)
		return c.node()
	}
	n := el([]string{"div", "span", "button"}[rnd.Intn(3)], []string{"", "x", "y"}[rnd.Intn(3)])
	if rnd.Intn(8) == 0 {
		n.Data, n.Attr = "", nil // a template
	} else {
		if rnd.Intn(3) == 0 {
			n.Prop = []vugu.VGProperty{{Key: "value", JSONVal: []byte(`"v"`)}}
		}
		if rnd.Intn(3) == 0 {
			n.DOMEventHandlerSpecList = []vugu.DOMEventHandlerSpec{{EventType: []string{"click", "input"}[rnd.Intn(2)]}}
		}
		if rnd.Intn(4) == 0 {
			n.SetInnerHTML([]any{"plain", "", "“b” & <c>", vugu.HTML("<i>x</i>")}[rnd.Intn(4)])
			return n
		}
	}
	for range rnd.Intn(5) {
		n.AppendChild(random(rnd, depth-1, pool, into))
	}
	return n
}

func TestAnyTreeAfterAnyOther(t *testing.T) {
	for seed := range int64(300) {
		rnd := rand.New(rand.NewSource(seed))
		s := newScreen(t)
		root := &component{}
		all := make([]*component, 6)
		for i := range all {
			all[i] = &component{}
		}
		for range 12 {
			pool := all
			root.children = nil
			out := el("div", "app")
			for range rnd.Intn(5) {
				out.AppendChild(random(rnd, 4, &pool, root))
			}
			root.out = out
			// A property keeps its value, as in a browser, so compare only names that occur once.
			for _, n := range s.page.nodes {
				clear(n.properties)
			}
			s.draw(root)
			for id, n := range s.render.nodes {
				if p := s.page.nodes[id]; p == nil || len(p.listens) == 0 || n.id != id {
					t.Fatalf("seed %d: node %d is kept for its handlers, but listens for nothing on the page", seed, id)
				}
			}
		}
	}
}

// The cost of a drawing depends only on what has changed.
func TestNothingChanged(t *testing.T) {
	s := newScreen(t)
	row := func(i int, class string) *vugu.VGNode {
		n := el("div", class, el("span", "", text(fmt.Sprint("row ", i))))
		n.DOMEventHandlerSpecList = []vugu.DOMEventHandlerSpec{{EventType: "click", Func: func(vugu.DOMEvent) {}}}
		return n
	}
	rows := func(chosen int) *component {
		out := el("div", "list")
		for i := range 100 {
			class := "row"
			if i == chosen {
				class = "row chosen"
			}
			out.AppendChild(row(i, class))
		}
		return &component{out: out}
	}
	c := rows(-1)
	s.draw(c)
	c.out = rows(-1).out
	if n := s.draw(c); n != 0 {
		t.Errorf("%d steps when nothing changed, want none", n)
	}
	c.out = rows(17).out
	if n := s.draw(c); n != 1 {
		t.Errorf("%d steps when one class changed, want 1", n)
	}
}

// Inserting an element leaves its following siblings alone, and a component's
// elements move with it.
func TestElementsStay(t *testing.T) {
	s := newScreen(t)
	a, b := &component{out: el("section", "", text("a"))}, &component{out: el("section", "", text("b"))}
	island := func() *vugu.VGNode { return el("div", "island") }
	root := &component{children: []vugu.Builder{a, b}}
	root.out = el("div", "app", text("\n"), el("div", "panels", island(), a.node(), b.node()), text("\n"))
	s.draw(root)
	before := slices.Clone(s.page.top.children[1].children)
	before[0].children = []*element{{text: "a script's"}}
	root.out = el("div", "app", text("\n"), el("div", "banner", text("new")), text("\n"), el("div", "panels", island(), b.node(), a.node()), text("\n"))
	results := s.build.RunBuild(root)
	s.page.apply(s.render.Update(results))
	after := s.page.top.children[3].children
	if after[0] != before[0] || after[1] != before[2] || after[2] != before[1] {
		t.Error("elements were recreated or reordered")
	}
	if len(after[0].children) != 1 {
		t.Error("content that a script put into an empty element was removed")
	}
}

// A component with the same output as before is not compared again; components
// below it are.
func TestSameOutput(t *testing.T) {
	s := newScreen(t)
	inner := &component{out: el("b", "", text("one"))}
	outer := &component{out: el("div", "", el("p", "", inner.node())), children: []vugu.Builder{inner}}
	still := &component{out: el("div", "", text("still"))}
	root := &component{children: []vugu.Builder{outer, still}}
	root.out = el("div", "", outer.node(), still.node())
	s.draw(root)
	inner.out = el("b", "", text("two"))
	if n := s.draw(root); n != 1 {
		t.Errorf("%d steps when an inner component changed, want 1", n)
	}
	still.out.FirstChild.Data = "changed in place, which nobody may"
	s.page.apply(s.render.Update(s.build.RunBuild(root)))
	if s.page.steps != 0 {
		t.Errorf("%d steps for an unchanged output, want none", s.page.steps)
	}
}

// Events call the handlers of the latest drawing.
func TestHandler(t *testing.T) {
	s := newScreen(t)
	called := ""
	button := func(name string) *vugu.VGNode {
		n := el("button", "")
		n.DOMEventHandlerSpecList = []vugu.DOMEventHandlerSpec{{EventType: "click", Func: func(vugu.DOMEvent) { called = name }}}
		return n
	}
	c := &component{out: button("first")}
	s.draw(c)
	c.out = button("second")
	s.draw(c)
	if handle := s.render.Handler(s.render.root.id, "click"); handle == nil {
		t.Fatal("the click handler is missing")
	} else if handle(nil); called != "second" {
		t.Errorf("the %s handler was called, want the second", called)
	}
	if s.render.Handler(s.render.root.id, "keydown") != nil || s.render.Handler(99, "click") != nil {
		t.Error("there are handlers for events or nodes without one")
	}
}
