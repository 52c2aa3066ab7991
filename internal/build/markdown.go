package build

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown converts a guide to HTML. All text is escaped, including HTML in it.
// link returns where an address leads on the site; for "" the words get no
// link. title is the first heading.
func markdown(source string, link func(address string) string) (page, title string, err error) {
	in := []byte(source)
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(guideNodes{}, 100))),
	)
	tree := md.Parser().Parse(text.NewReader(in))
	var links []*ast.Link
	err = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			links = append(links, l)
		}
		if h, ok := n.(*ast.Heading); ok && entering && title == "" {
			title = plainText(h, in)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", "", err
	}
	for _, l := range links {
		to := link(string(l.Destination))
		if l.Destination = []byte(to); to != "" {
			continue
		}
		for l.FirstChild() != nil {
			l.Parent().InsertBefore(l.Parent(), l, l.FirstChild())
		}
		l.Parent().RemoveChild(l.Parent(), l)
	}
	var out bytes.Buffer
	err = md.Renderer().Render(&out, in, tree)
	return out.String(), title, err
}

// plainText is the text below a node.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
		}
		b.WriteString(plainText(c, source))
	}
	return b.String()
}

// guideNodes renders what differs in guides: wide tables and code can be
// scrolled with the keyboard, and HTML is shown as text.
type guideNodes struct{}

func (guideNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindCodeBlock, renderCode)
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString("<p>" + html.EscapeString(strings.TrimSpace(linesOf(n, source))) + "</p>\n")
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			for i := range n.(*ast.RawHTML).Segments.Len() {
				s := n.(*ast.RawHTML).Segments.At(i)
				w.WriteString(html.EscapeString(string(s.Value(source))))
			}
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(east.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(`<div class="wide" tabindex="0"><table>` + "\n")
		} else {
			w.WriteString("</table></div>\n")
		}
		return ast.WalkContinue, nil
	})
}

func renderCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(`<pre tabindex="0"><code>` + html.EscapeString(strings.TrimRight(linesOf(n, source), "\n")) + "</code></pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

func linesOf(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(source))
	}
	return b.String()
}
