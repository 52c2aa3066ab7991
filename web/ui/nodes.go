package ui

import (
	"strings"

	"github.com/vugu/vjson"
	"github.com/vugu/vugu"
)

// The generated files call these instead of the code that vugugen would emit inline:
// internal/build rewrites them. Variable names are vugugen's.

// text adds a text.
func text(vgparent *vugu.VGNode, data string) *vugu.VGNode {
	vgn := &vugu.VGNode{Type: vugu.TextNode, Data: data}
	vgparent.AppendChild(vgn)
	return vgn
}

// element adds an element, whose name may have a namespace prefix and a colon, with
// attributes: each "key=value", separated by zero bytes.
func element(vgparent *vugu.VGNode, name, attributes string) *vugu.VGNode {
	vgn := &vugu.VGNode{Type: vugu.ElementNode, Data: name}
	if space, name, found := strings.Cut(name, ":"); found {
		vgn.Namespace, vgn.Data = space, name
	}
	if attributes != "" {
		vgn.Attr = make([]vugu.VGAttribute, 0, strings.Count(attributes, "\x00")+1)
		for more := true; more; {
			var pair string
			pair, attributes, more = strings.Cut(attributes, "\x00")
			key, value, _ := strings.Cut(pair, "=")
			vgn.Attr = append(vgn.Attr, vugu.VGAttribute{Key: key, Val: value})
		}
	}
	vgparent.AppendChild(vgn)
	return vgn
}

// on adds an event handler.
func on(vgn *vugu.VGNode, event string, do func(event vugu.DOMEvent)) {
	vgn.DOMEventHandlerSpecList = append(vgn.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{EventType: event, Func: do})
}

// property sets a property of the page's element.
func property(vgn *vugu.VGNode, key string, value any) {
	b, err := vjson.Marshal(value)
	if err != nil {
		panic(err)
	}
	vgn.Prop = append(vgn.Prop, vugu.VGProperty{Key: key, JSONVal: vjson.RawMessage(b)})
}

// component returns the component previously at this place, or a new one.
func component(vgin *vugu.BuildIn, hash uint64, vgiterkey any, make func() vugu.Builder) vugu.Builder {
	key := vugu.MakeCompKey(hash^vgin.CurrentPositionHash(), vgiterkey)
	vgcomp := vgin.BuildEnv.CachedComponent(key)
	if vgcomp == nil {
		vgcomp = make()
		vgin.BuildEnv.WireComponent(vgcomp)
	}
	vgin.BuildEnv.UseComponent(key, vgcomp)
	return vgcomp
}

// place adds a component.
func place(vgout *vugu.BuildOut, vgparent *vugu.VGNode, vgcomp vugu.Builder) *vugu.VGNode {
	vgout.Components = append(vgout.Components, vgcomp)
	vgn := &vugu.VGNode{Component: vgcomp}
	vgparent.AppendChild(vgn)
	return vgn
}
