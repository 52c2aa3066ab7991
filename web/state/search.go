package state

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
)

// Search is the field at the top: values that are texts, names, help, instances, labels, units; and
// all that the page can do.
type Search struct {
	Text string
	Open bool
	Hits []api.Hit // of metrics, the best first
	For  string    // the text that Hits belong to
	Kind string    // which of the groups are listed: "" for all, else a place as in api.Hit.Where, or "command"
	At   int       // of the lines that can be chosen

	wide    map[string]bool // groups of which everything is listed
	further int             // lines that are shown beyond those that fit
}

// mostHits is how many hits the engine is asked for; a group lists a few of
// them until more are wanted.
const (
	mostHits  = 400
	fewOfMany = 6
	mostLines = 120
)

// SearchFor looks for a text as it is typed. A text that begins with ">", or
// none, lists what the page can do.
func (a *App) SearchFor(text string) {
	s := &a.Search
	if strings.TrimSpace(text) != strings.TrimSpace(s.Text) {
		s.At, s.wide, s.Kind, s.further = 0, nil, "", 0
	}
	s.Text, s.Open = text, true
	w := a.current
	text = strings.TrimSpace(text)
	if w == nil || text == "" || strings.HasPrefix(text, ">") {
		s.Hits, s.For = nil, ""
		return
	}
	a.work(func() func() {
		hits, err := a.Engine.Search(w.ctx, w.Source.ID, text, mostHits)
		values := w.searchValues(text)
		for i := range hits { // for the command that draws one alone: whether there are others
			if h := &hits[i]; h.Instance != nil && (strings.EqualFold(h.Instance.Name, text) || strings.EqualFold(h.Title, text)) {
				if m := w.Metric(h.Metric); m != nil && m.InDom != nil {
					w.instancesOf(*m.InDom)
				}
			}
		}
		return func() {
			if strings.TrimSpace(a.Search.Text) != text || a.current != w {
				return // typed on
			}
			if err != nil {
				hits = nil
			}
			hits = append(hits, values...)
			a.Search.Hits, a.Search.For = hits, text
		}
	})
}

// A SearchLine is one line of the list below the field.
type SearchLine struct {
	Head      string // of a heading: its text
	Count     int    // of a heading: what it counts; of "more": how many more
	More      string // the group that it would list all of
	Of        string // of "more": where they are, " of disk.dev"; "" for many places
	Hit       *api.Hit
	Command   *Command
	Instances bool // of a heading: it counts metrics that have an instance of a name
	Choice    int  // number among the lines that can be chosen; -1 for a heading
}

// A group is hits that are listed together.
type group struct {
	head, kind string
	hits       []*api.Hit
}

// groups sorts the hits by where the text was found, instances by their
// names, in the order of their best hits. An instance that is called just so
// comes first.
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

// SearchLines is the list below the field.
func (a *App) SearchLines() []SearchLine {
	s := &a.Search
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
		show = max(0, min(show, mostLines-len(lines)))
		if show == 0 {
			break
		}
		add(SearchLine{Head: g.head, Count: len(g.hits), Instances: g.kind == "instance"})
		for _, h := range g.hits[:show] {
			add(SearchLine{Hit: h})
		}
		if left := len(g.hits) - show; left > 0 && len(lines) < mostLines {
			add(SearchLine{More: g.head, Count: left, Of: places(g.hits[show:])})
		}
	}
	if s.Kind == "" || s.Kind == "command" {
		commands := a.foundCommands()
		if len(commands) > 0 {
			add(SearchLine{Head: "Commands", Count: len(commands)})
		}
		for i := range commands {
			add(SearchLine{Command: &commands[i]})
		}
	}
	return lines
}

// SearchShown are the lines that the page has to show: what fits, what was
// scrolled to, and the chosen line with what follows it.
func (a *App) SearchShown(lines []SearchLine) []SearchLine {
	n := a.SearchRoom + a.Search.further
	if at := slices.IndexFunc(lines, func(l SearchLine) bool { return l.Choice == a.Search.At }); at >= 0 {
		n = max(n, at+4)
	}
	return lines[:min(n, len(lines))]
}

// SearchFurther shows more lines, and says whether there are more: the end of
// those that are shown is near.
func (a *App) SearchFurther() bool {
	lines := a.SearchLines()
	if len(a.SearchShown(lines)) == len(lines) {
		return false
	}
	a.Search.further += a.SearchRoom
	return true
}

// places names where metrics are in the tree, if that are not many places:
// " of filesys and disk.partitions".
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

// A SearchKind is one choice of what is listed.
type SearchKind struct {
	Kind, Name string
	Count      int
}

// SearchKinds are the kinds that were found, all of them first.
func (a *App) SearchKinds() []SearchKind {
	kinds := []SearchKind{{"", "All", 0}, {"name", "Names", 0}, {"instance", "Instances", 0}, {"value", "Values", 0}, {"help", "Help", 0}, {"label", "Labels", 0}, {"units", "Units", 0}, {"command", "Commands", len(a.foundCommands())}}
	for i := range a.Search.Hits {
		for k := range kinds {
			if kinds[k].Kind == a.Search.Hits[i].Where {
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

// SearchShow lists one kind only.
func (a *App) SearchShow(kind string) { a.Search.Kind, a.Search.At = kind, 0 }

// SearchMove moves along the lines that can be chosen.
func (a *App) SearchMove(by int) {
	n := 0
	for _, l := range a.SearchLines() {
		n = max(n, l.Choice+1)
	}
	if n > 0 {
		a.Search.At = ((a.Search.At+by)%n + n) % n
	}
}

// SearchPick does what a line stands for: it adds the metric to the panels, in
// a panel of its own where asked, or does what a command says.
func (a *App) SearchPick(choice int, own bool) Focus {
	w := a.current
	for _, l := range a.SearchLines() {
		if w == nil || l.Choice != choice {
			continue
		}
		switch {
		case l.More != "":
			if a.Search.wide == nil {
				a.Search.wide = map[string]bool{}
			}
			a.Search.wide[l.More] = true
			return "search"
		case l.Command != nil:
			a.CloseSearch()
			return l.Command.Do()
		}
		a.CloseSearch()
		w.addFound(l.Hit, own)
		return "page"
	}
	return ""
}

// addFound shows what was found: of a metric that was found by an instance,
// that instance alone.
func (w *Work) addFound(h *api.Hit, own bool) {
	switch {
	case h.Where == "value":
		w.AddPanel(h.Metric)
	case h.Instance != nil:
		w.AddPanel(h.Metric)
		if p := w.find(w.Active); p != nil {
			p.Solo = h.Metric + "\x00" + h.Instance.Name
			p.Rev++
		}
	case own:
		w.AddPanel(h.Metric)
	default:
		w.Add(h.Metric)
	}
	w.Tree.Reveal(h.Metric)
	w.follow()
	w.Select(h.Metric)
}

// OpenSearch opens the list, and OpenCommands the part of it that says what
// the page can do.
func (a *App) OpenSearch() {
	a.Search.Open, a.Menu = true, ""
}

// CloseSearch puts the list away.
func (a *App) CloseSearch() { a.Search = Search{} }
