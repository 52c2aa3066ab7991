package build

import (
	"html"
	"regexp"
	"strings"
)

// markdown turns the Markdown that the guides are written in into HTML:
// headings, paragraphs, lists, tables, code and links, and nothing else. Text
// is escaped, whatever it holds. link says where an address leads on the site;
// "" leaves the words without a link. title is the first heading.
func markdown(text string, link func(address string) string) (page, title string) {
	m := writer{link: link}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		i += m.block(lines[i:])
	}
	return m.String(), m.title
}

type writer struct {
	strings.Builder
	link  func(string) string
	title string
}

var (
	heading = regexp.MustCompile(`^(#{1,3}) +(.*)$`)
	item    = regexp.MustCompile(`^(?:[*-]|\d+\.) +(.*)$`)
	rule    = regexp.MustCompile(`^\|[-:| ]+\|$`)
	odd     = regexp.MustCompile(`[^a-z0-9]+`)
)

// block writes the block that begins with the first line and returns how many
// lines it took.
func (m *writer) block(lines []string) int {
	first := lines[0]
	while := func(from int, in func(line string) bool) int {
		for from < len(lines) && in(lines[from]) {
			from++
		}
		return from
	}
	switch {
	case strings.TrimSpace(first) == "":
		return 1
	case strings.HasPrefix(first, "```"):
		n := while(1, func(l string) bool { return !strings.HasPrefix(l, "```") })
		m.code(lines[1:n])
		return min(n+1, len(lines))
	case strings.HasPrefix(first, "    "):
		n := while(1, func(l string) bool { return strings.HasPrefix(l, "    ") })
		m.code(lines[:n])
		return n
	case heading.MatchString(first):
		h := heading.FindStringSubmatch(first)
		level := string('0' + rune(len(h[1])))
		if m.title == "" {
			m.title = h[2]
		}
		m.WriteString("<h" + level + ` id="` + strings.Trim(odd.ReplaceAllString(strings.ToLower(h[2]), "-"), "-") + `">` + m.inline(h[2]) + "</h" + level + ">\n")
		return 1
	case strings.HasPrefix(first, "|"):
		n := while(1, func(l string) bool { return strings.HasPrefix(l, "|") })
		m.table(lines[:n])
		return n
	case item.MatchString(first):
		n := while(1, func(l string) bool { return item.MatchString(l) || strings.HasPrefix(l, "  ") })
		m.list(lines[:n])
		return n
	}
	n := while(1, func(l string) bool {
		return strings.TrimSpace(l) != "" && !heading.MatchString(l) && !item.MatchString(l) && !strings.HasPrefix(l, "|") && !strings.HasPrefix(l, "```")
	})
	m.WriteString("<p>" + m.inline(strings.Join(lines[:n], "\n")) + "</p>\n")
	return n
}

func (m *writer) code(lines []string) {
	indent := "    "
	for _, l := range lines {
		if !strings.HasPrefix(l, indent) && l != "" {
			indent = ""
		}
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], indent)
	}
	m.WriteString(`<pre tabindex="0"><code>` + html.EscapeString(strings.Join(lines, "\n")) + "</code></pre>\n")
}

func (m *writer) list(lines []string) {
	kind := "ul"
	if lines[0][0] >= '0' && lines[0][0] <= '9' {
		kind = "ol"
	}
	m.WriteString("<" + kind + ">\n")
	for i := 0; i < len(lines); {
		text := item.FindStringSubmatch(lines[i])[1]
		for i++; i < len(lines) && !item.MatchString(lines[i]); i++ {
			text += "\n" + strings.TrimSpace(lines[i])
		}
		m.WriteString("<li>" + m.inline(text) + "</li>\n")
	}
	m.WriteString("</" + kind + ">\n")
}

func (m *writer) table(lines []string) {
	m.WriteString(`<div class="wide" tabindex="0"><table>` + "\n")
	for i, l := range lines {
		if rule.MatchString(l) {
			continue
		}
		tag := "td"
		if i == 0 && len(lines) > 1 && rule.MatchString(lines[1]) {
			tag = "th"
		}
		m.WriteString("<tr>")
		for _, cell := range cellsOf(l) {
			m.WriteString("<" + tag + ">" + m.inline(cell) + "</" + tag + ">")
		}
		m.WriteString("</tr>\n")
	}
	m.WriteString("</table></div>\n")
}

// cellsOf cuts a line of a table; \| is a bar within a cell.
func cellsOf(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var cells []string
	for _, c := range strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|") {
		cells = append(cells, strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|"))
	}
	return cells
}

var emphasis = regexp.MustCompile(`^\*([^\s*][^*\n]*)\*`)

// inline writes code, strong and emphasised words and links within a text.
func (m *writer) inline(text string) string {
	var b strings.Builder
	strong := false
	for text != "" {
		switch {
		case text[0] == '`':
			if end := strings.IndexByte(text[1:], '`'); end >= 0 {
				b.WriteString("<code>" + html.EscapeString(text[1:1+end]) + "</code>")
				text = text[end+2:]
				continue
			}
		case strings.HasPrefix(text, "**"):
			b.WriteString(map[bool]string{false: "<strong>", true: "</strong>"}[strong])
			strong, text = !strong, text[2:]
			continue
		case emphasis.MatchString(text):
			words := emphasis.FindStringSubmatch(text)[1]
			b.WriteString("<em>" + m.inline(words) + "</em>")
			text = text[len(words)+2:]
			continue
		case text[0] == '[':
			words, rest, found := strings.Cut(text[1:], "](")
			address, after, closed := strings.Cut(rest, ")")
			if found && closed && !strings.ContainsAny(words, "[]") {
				inside := m.inline(words)
				if to := m.link(address); to != "" {
					inside = `<a href="` + html.EscapeString(to) + `">` + inside + "</a>"
				}
				b.WriteString(inside)
				text = after
				continue
			}
		}
		n := 1 + strings.IndexAny(text[1:], "`*[")
		if n == 0 {
			n = len(text)
		}
		b.WriteString(html.EscapeString(text[:n]))
		text = text[n:]
	}
	if strong {
		b.WriteString("</strong>")
	}
	return b.String()
}
