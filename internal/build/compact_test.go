package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each verbose pattern of vugugen's output becomes a call; anything else is
// left alone.
func TestCompact(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{
			"\tvgn = &vugu.VGNode{Type: vugu.VGNodeType(1), Data: \"a \\\"b\\\"\\n\"}\n\tvgparent.AppendChild(vgn)\n",
			"\tvgn = text(vgparent, \"a \\\"b\\\"\\n\")\n",
		},
		{
			"vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: \"\", Data: \"p\", Attr: []vugu.VGAttribute(nil)}\nvgparent.AppendChild(vgn)",
			`vgn = element(vgparent, "p", "")`,
		},
		{
			"vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: \"svg\", Data: \"path\", Attr: []vugu.VGAttribute{{Namespace: \"\", Key: \"d\", Val: \"M6=6\"}, vugu.VGAttribute{Namespace: \"\", Key: \"class\", Val: \"\"}}}\n\tvgparent.AppendChild(vgn)",
			`vgn = element(vgparent, "svg:path", "d=M6=6\x00class=")`,
		},
		{ // an attribute in a namespace
			"vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: \"\", Data: \"a\", Attr: []vugu.VGAttribute{{Namespace: \"xlink\", Key: \"href\", Val: \"b\"}}}\nvgparent.AppendChild(vgn)",
			"",
		},
		{
			"vgn.DOMEventHandlerSpecList = append(vgn.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{\n\tEventType:\t\"click\",\n\tFunc:\t\tfunc(event vugu.DOMEvent) {\n\t\tdo(a, b)\n\t},\n\t// capture is not set\n})\nnext()",
			"on(vgn, \"click\", func(event vugu.DOMEvent) {\n\t\tdo(a, b)\n\t})\nnext()",
		},
		{
			"{\n\tb, err := vjson.Marshal(c.From(\"A\"))\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tvgn.Prop = append(vgn.Prop, vugu.VGProperty{Key: \"value\", JSONVal: vjson.RawMessage(b)})\n}",
			`property(vgn, "value", c.From("A"))`,
		},
	} {
		if c.to == "" {
			c.to = c.from
		}
		if got := string(compact([]byte(c.from))); got != c.to {
			t.Errorf("%s\nbecomes\n%s\nnot\n%s", c.from, got, c.to)
		}
	}
}

// The present generator writes the patterns that compact knows: only the
// roots of components are unchanged.
func TestCompactKnowsTheGenerator(t *testing.T) {
	names, _ := filepath.Glob("../../web/ui/*_gen.go")
	if len(names) < 30 {
		t.Fatalf("%d generated files", len(names))
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{"vgparent.AppendChild(vgn)", "DOMEventHandlerSpec{", "vugu.VGProperty{", "CachedComponent"} {
			for line := range strings.Lines(string(src)) {
				if strings.Contains(line, left) {
					t.Errorf("%s: %s", filepath.Base(name), strings.TrimSpace(line))
				}
			}
		}
	}
}
