package build

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// compact replaces what vugugen writes out for each element, attribute, handler
// and component by equivalent calls of web/ui/nodes.go, which makes the
// download 1 % smaller. Code that does not look like the output of the pinned
// vugugen is left unchanged.
func compact(src []byte) []byte {
	for _, r := range rewrites {
		src = r.form.ReplaceAllFunc(src, func(found []byte) []byte {
			parts := r.form.FindSubmatch(found)
			if text, ok := r.call(parts[1:]); ok {
				return []byte(text)
			}
			return found
		})
	}
	return src
}

const quoted = `("(?:[^"\\]|\\.)*")`

var rewrites = []struct {
	form *regexp.Regexp
	call func(parts [][]byte) (string, bool)
}{
	{ // text
		regexp.MustCompile(`vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: ` + quoted + `\}\n\t*vgparent\.AppendChild\(vgn\)`),
		func(p [][]byte) (string, bool) { return "vgn = text(vgparent, " + string(p[0]) + ")", true },
	},
	{ // an element with its fixed attributes
		regexp.MustCompile(`vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(3\), Namespace: ` + quoted + `, Data: ` + quoted + `, Attr: \[\]vugu\.VGAttribute[({](.*)[)}]\}\n\t*vgparent\.AppendChild\(vgn\)`),
		func(p [][]byte) (string, bool) {
			attributes, ok := pairs(p[2])
			name := string(p[1])
			if space := string(p[0]); space != `""` {
				name = strings.TrimSuffix(space, `"`) + ":" + strings.TrimPrefix(name, `"`)
			}
			return "vgn = element(vgparent, " + name + ", " + strconv.Quote(attributes) + ")", ok
		},
	},
	{ // a handler of an event
		regexp.MustCompile(`vgn\.DOMEventHandlerSpecList = append\(vgn\.DOMEventHandlerSpecList, vugu\.DOMEventHandlerSpec\{\n\t*EventType:\s+` + quoted + `,\n\t*Func:\s+((?s:.*?)),\n\t*// .*\n\t*\}\)`),
		func(p [][]byte) (string, bool) { return "on(vgn, " + string(p[0]) + ", " + string(p[1]) + ")", true },
	},
	{ // a property
		regexp.MustCompile(`\{\n\t*b, err := vjson\.Marshal\((.*)\)\n\t*if err != nil \{\n\t*panic\(err\)\n\t*\}\n\t*vgn\.Prop = append\(vgn\.Prop, vugu\.VGProperty\{Key: ` + quoted + `, JSONVal: vjson\.RawMessage\(b\)\}\)\n\t*\}`),
		func(p [][]byte) (string, bool) {
			return "property(vgn, " + string(p[1]) + ", " + string(p[0]) + ")", true
		},
	},
	{ // a component, found or made
		regexp.MustCompile(`vgcompKey := vugu\.MakeCompKey\((0x[0-9A-F]+)\^vgin\.CurrentPositionHash\(\), (.*)\)\n\t*// .*\n\t*vgcomp, _ := vgin\.BuildEnv\.CachedComponent\(vgcompKey\)\.\(\*(\w+)\)\n\t*if vgcomp == nil \{\n\t*// .*\n\t*vgcomp = new\(\w+\)\n\t*vgin\.BuildEnv\.WireComponent\(vgcomp\)\n\t*\}\n\t*vgin\.BuildEnv\.UseComponent\(vgcompKey, vgcomp\).*`),
		func(p [][]byte) (string, bool) {
			name := string(p[2])
			return "vgcomp := component(vgin, " + string(p[0]) + ", " + string(p[1]) + ", func() vugu.Builder { return new(" + name + ") }).(*" + name + ")", true
		},
	},
	{ // and its place
		regexp.MustCompile(`vgout\.Components = append\(vgout\.Components, vgcomp\)\n\t*vgn = &vugu\.VGNode\{Component: vgcomp\}\n\t*vgparent\.AppendChild\(vgn\)`),
		func([][]byte) (string, bool) { return "vgn = place(vgout, vgparent, vgcomp)", true },
	},
}

var attribute = regexp.MustCompile(`^(?:vugu\.VGAttribute)?\{Namespace: "", Key: ` + quoted + `, Val: ` + quoted + `\}(?:, )?`)

// pairs returns constant attributes in the form that element of web/ui/nodes.go
// takes.
func pairs(list []byte) (string, bool) {
	var out []string
	for list = bytes.TrimSpace(list); len(list) > 0 && string(list) != "nil"; {
		m := attribute.FindSubmatch(list)
		if m == nil {
			return "", false
		}
		key, err := strconv.Unquote(string(m[1]))
		value, err2 := strconv.Unquote(string(m[2]))
		if err != nil || err2 != nil || strings.ContainsAny(key, "=\x00") || strings.Contains(value, "\x00") {
			return "", false
		}
		out = append(out, key+"="+value)
		list = list[len(m[0]):]
	}
	return strings.Join(out, "\x00"), true
}
