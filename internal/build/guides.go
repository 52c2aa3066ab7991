package build

import (
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// guides are the documents that are part of the site, with a description of
// each.
var guides = []struct{ name, title, about string }{
	{"dashboards", "Dashboards and findings", "what dashboards, findings, processes and comparisons rest on"},
	{"derived", "Derived metrics", "the language of derived metrics"},
	{"keeping", "Keeping and sharing", "links, sessions, notes, exports and imports"},
	{"embedding", "From your own pages", "the JavaScript module, the element, the page in a frame"},
	{"testing", "In your tests", "the page in headless tests"},
	{"fleet", "Many hosts", "an index of many hosts: the fleet page, and files for engines"},
	{"operators", "For operators", "hosting: static hosts, the Worker, headers, upgrades"},
}

// guides writes docs/, which the page's documentation link leads to, without
// any other site. The first page consists of the parts of README.md for users.
func (b *builder) guides() error {
	readme, err := os.ReadFile(filepath.Join(b.Root, "README.md"))
	if err != nil {
		return err
	}
	var first strings.Builder
	first.WriteString("# Documentation\n\n| | |\n|---|---|\n")
	for _, g := range guides {
		fmt.Fprintf(&first, "| [%s](%s.md) | %s |\n", g.title, g.name, g.about)
	}
	for _, name := range []string{"Walkthrough", "What it reads"} {
		part, err := section(string(readme), name)
		if err != nil {
			return err
		}
		first.WriteString("\n" + part)
	}
	if err := b.guide("index", first.String()); err != nil {
		return err
	}
	for _, g := range guides {
		text, err := os.ReadFile(filepath.Join(b.Root, "docs", g.name+".md"))
		if err != nil {
			return err
		}
		if err := b.guide(g.name, string(text)); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) guide(name, text string) error {
	page, title, err := markdown(text, guideLink)
	if err != nil {
		return err
	}
	var nav strings.Builder
	for _, g := range guides {
		current := ""
		if g.name == name {
			current = ` aria-current="page"`
		}
		nav.WriteString(`<a href="` + g.name + `.html"` + current + `>` + html.EscapeString(g.title) + "</a>\n")
	}
	return b.write("docs/"+name+".html", []byte(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>`+html.EscapeString(title)+` · pcpscope</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../page.css">
<link rel="stylesheet" href="docs.css">
</head>
<body class="guide">
<header><a class="brand" href="../index.html">pcpscope</a><nav aria-label="Documentation"><a href="index.html">Documentation</a>
`+nav.String()+`</nav></header>
<main>
`+page+`</main>
</body>
</html>
`))
}

// guideLink returns where a link of a guide leads on the site; "" if the target
// is not on the site.
func guideLink(address string) string {
	if strings.HasPrefix(address, "https://") {
		return address
	}
	if file, ok := strings.CutPrefix(address, "../web/static/"); ok {
		return "../" + file
	}
	for _, g := range guides {
		if path.Base(address) == g.name+".md" {
			return g.name + ".html"
		}
	}
	return ""
}

// section returns a part of a document below one of its headings, without
// pictures.
func section(text, name string) (string, error) {
	_, part, found := strings.Cut(text, "\n## "+name+"\n")
	if !found {
		return "", fmt.Errorf("README.md has no part %q", name)
	}
	part, _, _ = strings.Cut(part, "\n## ")
	var b strings.Builder
	b.WriteString("## " + name + "\n")
	for line := range strings.Lines(part) {
		if !strings.HasPrefix(line, "![") {
			b.WriteString(line)
		}
	}
	return b.String(), nil
}
