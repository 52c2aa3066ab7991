package app

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/wasm/rpc"
)

// commands are the commands that match the search: all of them if it is empty, else those
// with all its words in their titles.
func (s *Search) commands() []Command {
	text := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s.Text), ">")))
	words := strings.Fields(text)
	var found []Command
next:
	for _, c := range s.app.Commands() {
		for _, word := range words {
			if !strings.Contains(strings.ToLower(c.Title), word) {
				continue next
			}
		}
		found = append(found, c)
	}
	return found
}

func (s *Search) press(k Key) (Focus, bool) {
	switch k.Name {
	case "ArrowDown":
		s.Move(1)
	case "ArrowUp":
		s.Move(-1)
	case "Enter":
		if s.searching() && s.At == 0 {
			s.entered = &Key{Shift: k.Shift}
			return "", true
		}
		return s.Pick(s.At, k.Shift), true
	case "PageDown":
		s.Move(8)
	case "PageUp":
		s.Move(-8)
	default:
		return "", false
	}
	return "", true
}

// Search is the search field: string values, names, help, instances, labels, units, and
// commands.
type Search struct {
	Text string
	Open bool
	Hits []api.Hit // metrics, best match first
	For  string    // the query that Hits belong to
	Kind string    // which group is listed: "" for all, else a place as in api.Hit.Where, or "command"
	At   int       // index among the selectable lines

	wide    map[string]bool // groups that are listed completely
	app     *App
	further int  // lines shown beyond those that fit
	entered *Key // Enter, pressed before the hits for Text arrived: it picks the first
}

// maxHits is how many hits are requested from the engine; a group lists a few of them
// until the user wants more.
const (
	maxHits   = 400
	fewOfMany = 6
	maxLines  = 120
)

// Find searches as the user types. A text that begins with ">", or an empty one, lists
// commands.
func (s *Search) Find(text string) {
	if strings.TrimSpace(text) != strings.TrimSpace(s.Text) {
		s.At, s.wide, s.Kind, s.further, s.entered = 0, nil, "", 0, nil
	}
	s.Text, s.Open = text, true
	tab := s.app.current
	text = s.query()
	if text == "" {
		s.Hits, s.For = nil, ""
		return
	}
	s.app.work(func() func() {
		hits, err := rpc.Invoke(tab.ctx, s.app.Engine, rpc.Search, rpc.SearchRequest{Source: tab.Source.ID, Text: text, Limit: maxHits}, nil)
		values := tab.data.searchValues(text)
		for i := range hits { // for the command that isolates one: whether there are others
			if h := &hits[i]; h.Instance != nil && (strings.EqualFold(h.Instance.Name, text) || strings.EqualFold(h.Title, text)) {
				if m := tab.Metric(h.Metric); m != nil && m.InDom != nil {
					tab.data.instancesOf(*m.InDom)
				}
			}
		}
		return func() {
			if s.query() != text || s.app.current != tab {
				return // the user kept typing
			}
			if err != nil {
				hits = nil
			}
			hits = append(hits, values...)
			s.Hits, s.For = hits, text
			if k := s.entered; k != nil {
				s.entered = nil
				s.Pick(s.At, k.Shift)
			}
		}
	})
}

// query is what the engine is asked for: nothing for commands.
func (s *Search) query() string {
	text := strings.TrimSpace(s.Text)
	if s.app.current == nil || strings.HasPrefix(text, ">") {
		return ""
	}
	return text
}

// searching is whether the hits for the text are still to come.
func (s *Search) searching() bool { return s.query() != "" && s.query() != s.For }

// A SearchLine is one line of the list below the field.
type SearchLine struct {
	Head      string // the text of a heading
	Count     int    // of a heading: its count; of "more": how many more
	More      string // the group that it would list completely
	Of        string // of "more": where they are, " of disk.dev"; "" if in many places
	Hit       *api.Hit
	Command   *Command
	Instances bool // of a heading: it counts metrics that have an instance of some name
	Choice    int  // index among the selectable lines; -1 for a heading
}

// A group is a list of hits with a heading.
type group struct {
	head, kind string
	hits       []*api.Hit
}

// groups groups the hits by where the match is, instances by name, ordered by their best
// hits. An instance whose name matches exactly comes first.
func (s *Search) groups() []*group {
	var list []*group
	byHead := map[string]*group{}
	for i := range s.Hits {
		h := &s.Hits[i]
		head := map[string]string{"name": "Metrics", "help": "In help texts", "value": "Values", "label": "In labels", "units": "By unit"}[h.Where]
		if h.Where == "instance" && h.Instance != nil {
			head = "Instances named " + cmp.Or(h.Title, h.Instance.Name)
		}
		g := byHead[head]
		if g == nil {
			g = &group{head: head, kind: h.Where}
			byHead[head] = g
			list = append(list, g)
		}
		g.hits = append(g.hits, h)
	}
	just := "instances named " + strings.ToLower(s.For)
	sorting.Stable(list, func(a, b *group) int {
		switch {
		case strings.ToLower(a.head) == just:
			return -1
		case strings.ToLower(b.head) == just:
			return 1
		}
		return 0
	})
	return list
}

// Lines is the list below the field.
func (s *Search) Lines() []SearchLine {
	var lines []SearchLine
	choice := 0
	add := func(l SearchLine) {
		l.Choice = -1
		if l.Head == "" {
			l.Choice = choice
			choice++
		}
		lines = append(lines, l)
	}
	groups := s.groups()
	for _, g := range groups {
		if s.Kind != "" && s.Kind != g.kind {
			continue
		}
		show := len(g.hits)
		if few := fewOfMany; !s.wide[g.head] && len(groups) > 1 && show > few+1 {
			show = few
			if g.kind == "name" {
				show = min(len(g.hits), 2*few)
			}
		}
		show = max(0, min(show, maxLines-len(lines)))
		if show == 0 {
			break
		}
		add(SearchLine{Head: g.head, Count: len(g.hits), Instances: g.kind == "instance"})
		for _, h := range g.hits[:show] {
			add(SearchLine{Hit: h})
		}
		if left := len(g.hits) - show; left > 0 && len(lines) < maxLines {
			add(SearchLine{More: g.head, Count: left, Of: places(g.hits[show:])})
		}
	}
	if s.Kind == "" || s.Kind == "command" {
		commands := s.commands()
		if len(commands) > 0 {
			add(SearchLine{Head: "Commands", Count: len(commands)})
		}
		for i := range commands {
			add(SearchLine{Command: &commands[i]})
		}
	}
	return lines
}

// Visible are the lines that the page draws: those that fit, those scrolled to, and the
// selected line with what follows it.
func (s *Search) Visible(lines []SearchLine) []SearchLine {
	n := s.app.Layout.SearchLines + s.further
	if at := slices.IndexFunc(lines, func(l SearchLine) bool { return l.Choice == s.At }); at >= 0 {
		n = max(n, at+4)
	}
	return lines[:min(n, len(lines))]
}

// ShowMore shows more lines, as the end of the list comes into view, and reports whether
// there are still more.
func (s *Search) ShowMore() bool {
	lines := s.Lines()
	if len(s.Visible(lines)) == len(lines) {
		return false
	}
	s.further += s.app.Layout.SearchLines
	return true
}

// places says where metrics are in the tree, if not in too many places: " of filesys and
// disk.partitions".
func places(hits []*api.Hit) string {
	var list []string
	for _, h := range hits {
		parent := h.Metric
		if i := strings.LastIndexByte(parent, '.'); i >= 0 {
			parent = parent[:i]
		}
		if !slices.Contains(list, parent) {
			list = append(list, parent)
		}
	}
	if len(list) == 0 || len(list) > 2 {
		return ""
	}
	return " of " + strings.Join(list, " and ")
}

// A SearchKind is a filter for the results.
type SearchKind struct {
	Kind, Name string
	Count      int
}

// Kinds are the kinds that were found, with all of them first.
func (s *Search) Kinds() []SearchKind {
	kinds := []SearchKind{{"", "All", 0}, {"name", "Names", 0}, {"instance", "Instances", 0}, {"value", "Values", 0}, {"help", "Help", 0}, {"label", "Labels", 0}, {"units", "Units", 0}, {"command", "Commands", len(s.commands())}}
	for i := range s.Hits {
		for k := range kinds {
			if kinds[k].Kind == s.Hits[i].Where {
				kinds[k].Count++
			}
		}
	}
	var found []SearchKind
	for _, k := range kinds[1:] {
		if kinds[0].Count += k.Count; k.Count > 0 {
			found = append(found, k)
		}
	}
	return append(kinds[:1:1], found...)
}

// Filter lists only one kind.
func (s *Search) Filter(kind string) { s.Kind, s.At = kind, 0 }

// Move moves through the selectable lines.
func (s *Search) Move(by int) {
	n := 0
	for _, l := range s.Lines() {
		n = max(n, l.Choice+1)
	}
	if n > 0 {
		s.At = ((s.At+by)%n + n) % n
	}
}

// Pick activates a line: it adds the metric to the panels, or to a new one if asked, or
// runs a command.
func (s *Search) Pick(choice int, own bool) Focus {
	tab := s.app.current
	for _, l := range s.Lines() {
		if tab == nil || l.Choice != choice {
			continue
		}
		switch {
		case l.More != "":
			if s.wide == nil {
				s.wide = map[string]bool{}
			}
			s.wide[l.More] = true
			return "search"
		case l.Command != nil:
			s.Close()
			return l.Command.Do()
		}
		s.Close()
		s.show(l.Hit, own)
		return "page"
	}
	return ""
}

// show shows a hit; if a metric was found by an instance, only that instance.
func (s *Search) show(h *api.Hit, own bool) {
	tab := s.app.current
	switch {
	case h.Where == "value":
		tab.Dashboard.AddPanel(h.Metric)
	case h.Instance != nil:
		tab.Dashboard.AddPanel(h.Metric)
		if p := tab.Dashboard.find(tab.Dashboard.Active); p != nil {
			p.Solo = h.Metric + "\x00" + h.Instance.Name
			p.Rev++
		}
	case own:
		tab.Dashboard.AddPanel(h.Metric)
	default:
		tab.Dashboard.Add(h.Metric)
	}
	tab.Tree.Reveal(h.Metric)
	tab.Tree.follow()
	tab.Select(h.Metric)
}

// Start opens the list.
func (s *Search) Start() {
	s.Open, s.app.Layout.Menu = true, ""
}

// Close closes the list.
func (s *Search) Close() { s.reset() }

// reset clears the search.
func (s *Search) reset() { *s = Search{app: s.app} }
