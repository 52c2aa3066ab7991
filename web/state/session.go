package state

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// SessionVersion is raised when older pages could not make sense of a Session.
const SessionVersion = 1

// A Session is what the page shows, without the data: what a link or a file
// keeps of it. Whoever opens it is asked for the files.
type Session struct {
	Pcpscope string `json:"pcpscope"` // "session"
	Version  int    `json:"version"`
	Sources  []Kept `json:"sources"`
	Shown    int    `json:"shown"`             // which of them is on screen
	Derived  string `json:"derived,omitempty"` // the user's definitions, as a configuration file
	Layout
	taken []bool // which of Sources have been opened
}

// Layout is how the page is laid out, whatever source it shows.
type Layout struct {
	Tab     string               `json:"tab,omitempty"`     // of the rail
	Tables  bool                 `json:"tables,omitempty"`  // panels are shown as tables
	Columns int                  `json:"columns,omitempty"` // of panels: 1 or 2; 0 for what the page had
	Drawer  string               `json:"drawer,omitempty"`  // its page; "" while it is closed
	Views   map[string]TableView `json:"views,omitempty"`   // what was chosen of its pages
}

// Kept is how one source was being looked at.
type Kept struct {
	completed bool // it is the same with files that were missing

	Fingerprint string             `json:"fingerprint"`
	Kind        string             `json:"kind"`
	Name        string             `json:"name"`
	Host        string             `json:"host,omitempty"`
	Files       []string           `json:"files"`
	Start       pcp.Time           `json:"start,string"` // nanoseconds since 1970, as texts: JSON's numbers are too coarse
	End         pcp.Time           `json:"end,string"`
	Zone        string             `json:"zone"`
	From        pcp.Time           `json:"from,string"` // the window
	To          pcp.Time           `json:"to,string"`
	Clock       string             `json:"clock,omitempty"`         // the zone that times were shown in; "" for the source's own
	Cursor      pcp.Time           `json:"cursor,string,omitempty"` // 0 for none
	Compare     *KeptCompare       `json:"compare,omitempty"`       // where two windows were compared
	Board       string             `json:"board,omitempty"`         // the dashboard that is shown
	Heading     string             `json:"heading,omitempty"`       // its title, where it was imported
	Panels      []KeptPanel        `json:"panels"`
	Active      int                `json:"active,omitempty"` // index into Panels
	Only        string             `json:"only,omitempty"`   // the instance that alone is drawn
	Selected    string             `json:"selected,omitempty"`
	Remarks     []Remark           `json:"notes,omitempty"`
	Rules       map[string]float64 `json:"rules,omitempty"` // those that were changed
}

// KeptPanel is what the user chose of a panel. One of the dashboard that is
// shown has the dashboard's title and lines where it has none of its own.
type KeptPanel struct {
	Part    string   `json:"part,omitempty"` // its ID in the dashboard
	Title   string   `json:"title,omitempty"`
	What    string   `json:"what,omitempty"`
	Metrics []string `json:"metrics,omitempty"`
	Strokes []Stroke `json:"strokes,omitempty"`
	Unit    string   `json:"unit,omitempty"`
	Style   string   `json:"style,omitempty"`
	Who     *Who     `json:"who,omitempty"`
	Hidden  []string `json:"hidden,omitempty"`
	Solo    string   `json:"solo,omitempty"`
	Filter  string   `json:"filter,omitempty"`
	Order   string   `json:"order,omitempty"`
	Top     int      `json:"top,omitempty"`
	Max     float64  `json:"max,omitempty"`
	Low     float64  `json:"low,omitempty"`
	High    float64  `json:"high,omitempty"`
	Tall    bool     `json:"tall,omitempty"`
	Table   bool     `json:"table,omitempty"`
	Log     bool     `json:"log,omitempty"`
	Share   bool     `json:"share,omitempty"`
	Bits    bool     `json:"bits,omitempty"`
	Whole   bool     `json:"whole,omitempty"`
	Slices  bool     `json:"slices,omitempty"`
	Dots    bool     `json:"dots,omitempty"`
	Stack   bool     `json:"stack,omitempty"`
	PerCPU  bool     `json:"perCPU,omitempty"`
}

// KeptCompare is what was compared: windows A and B, and what counted.
type KeptCompare struct {
	On     bool     `json:"on,omitempty"` // it is on screen
	A      KeptSpan `json:"a"`
	B      KeptSpan `json:"b"`
	Other  string   `json:"other,omitempty"` // fingerprint of the source that B lies in; "" for the same
	Effect float64  `json:"effect"`
	Shift  float64  `json:"shift"`
	Off    []string `json:"off,omitempty"`  // families that are left out
	Sort   string   `json:"sort,omitempty"` // as Compare.Sort
	At     int      `json:"at,omitempty"`   // the change that is shown above the list
}

// KeptSpan is a stretch of time.
type KeptSpan struct {
	Start pcp.Time `json:"start,string"`
	End   pcp.Time `json:"end,string"`
}

// A Remark is a note of the user's on the time axis.
type Remark struct {
	At   pcp.Time `json:"at,string"`
	Text string   `json:"text"`
}

// Bounds of what is taken from outside: a link is made by anybody.
const (
	mostKept    = 64   // sources
	mostPanels  = 200  // of a source
	mostRemarks = 1000 // of a source
	mostText    = 4096 // bytes of one text
)

// Session keeps what the page shows now.
func (a *App) Session() *Session {
	s := &Session{Pcpscope: "session", Version: SessionVersion, Sources: []Kept{}, Derived: a.Definitions,
		Layout: Layout{Tab: a.Tab, Tables: a.Tables, Columns: a.Columns, Drawer: a.Drawer, Views: a.Views}}
	for i, w := range a.Works {
		if w == a.current {
			s.Shown = i
		}
		k := Kept{Fingerprint: w.Source.Fingerprint, Kind: w.Source.Kind, Name: w.Source.Name, Host: w.Source.Host, Files: []string{},
			Start: w.Source.Start, End: w.Source.End, Zone: w.Clock.Name, From: w.Window.Start, To: w.Window.End, Panels: []KeptPanel{}, Only: w.Only, Selected: w.Selected, Remarks: w.Remarks, Rules: w.keptRules()}
		for _, m := range w.Source.Members {
			k.Files = append(k.Files, path.Base(m))
		}
		if b := w.knownBoard(); b != nil {
			k.Board = b.ID
		} else if w.Board != nil {
			k.Heading = w.Board.Title
		}
		if w.Times.Zone != "" {
			k.Clock = w.Clock.Name // "mine" would be another's elsewhere
		}
		switch {
		case w != a.current:
		case a.HasCur:
			k.Cursor = a.Cursor
		case w.Drawer.pinned && a.Drawer != "":
			k.Cursor = w.Drawer.at
		}
		k.Compare = w.keepCompare()
		for i, p := range w.Panels {
			k.Panels = append(k.Panels, w.keep(p))
			if p.ID == w.Active {
				k.Active = i
			}
		}
		s.Sources = append(s.Sources, k)
	}
	s.taken = make([]bool, len(s.Sources))
	return s
}

func (w *Work) keep(p *Panel) KeptPanel {
	k := KeptPanel{Part: p.Part, Style: p.Style, Solo: p.Solo, Filter: p.Filter, Order: p.Order, Top: p.Top, Max: p.Max, Low: p.Low, High: p.High,
		Tall: p.Tall, Table: p.Table, Log: p.Log, Share: p.Share, Bits: p.Bits, Whole: p.Whole, Slices: p.Slices, Dots: p.Dots, Stack: p.Stack, PerCPU: p.PerCPU, Who: p.Who}
	for key, hidden := range p.Hidden {
		if hidden {
			k.Hidden = append(k.Hidden, key)
		}
	}
	slices.Sort(k.Hidden)
	of := part(w.knownBoard(), p.Part)
	if of != nil && p.Whole {
		of.swap()
	}
	if of == nil || !slices.Equal(of.Metrics, p.Metrics) || of.Title != p.Title {
		k.Part, k.Title, k.What, k.Metrics, k.Strokes, k.Unit = "", p.Title, p.What, slices.Clone(p.Metrics), p.Strokes, p.Unit
	}
	return k
}

// knownBoard is the dashboard that is shown, if every page knows it: nil for
// one that was imported.
func (w *Work) knownBoard() *api.Dashboard {
	if w.Board != nil && slices.ContainsFunc(w.Boards, func(b api.DashboardInfo) bool { return b.ID == w.Board.ID }) {
		return w.Board
	}
	return nil
}

// sensible says whether there is a question about processes that has answers.
func (q *Who) sensible() bool {
	return q != nil && whoTitles[q.What] != "" && slices.Contains([]string{"command", "user", "cgroup", "process"}, q.By) && q.Top > 0 && q.Top <= 1000
}

// part makes the panel of a dashboard that has an ID; nil where there is none.
func part(d *api.Dashboard, id string) *Panel {
	if d == nil || id == "" {
		return nil
	}
	for _, a := range d.Panels {
		if a.ID == id {
			p := panelOf(d, a)
			return &p
		}
	}
	return nil
}

// panel makes the settings of a panel anew; false where the dashboard that it
// was a part of does not have it here.
func (k KeptPanel) panel(d *api.Dashboard) (Panel, bool) {
	p := Panel{Title: k.Title, What: k.What, Metrics: k.Metrics, Look: Look{Strokes: k.Strokes, Unit: k.Unit}}
	if k.Part != "" {
		of := part(d, k.Part)
		if of == nil {
			return p, false
		}
		if p = *of; k.Whole {
			p.swap()
		}
	}
	p.Style, p.Who, p.Solo, p.Filter, p.Order, p.Top, p.Max, p.Low, p.High = k.Style, k.Who, k.Solo, k.Filter, k.Order, k.Top, k.Max, k.Low, k.High
	p.Tall, p.Table, p.Log, p.Share, p.Bits, p.Dots, p.Stack, p.PerCPU = k.Tall, k.Table, k.Log, k.Share, k.Bits, k.Dots, k.Stack, k.PerCPU
	p.Whole, p.Slices = k.Whole, k.Slices
	p.Hidden = map[string]bool{}
	for _, key := range k.Hidden {
		p.Hidden[key] = true
	}
	return p, true
}

// ParseSession reads a session, whoever made it. Faults are for people.
func ParseSession(text []byte) (*Session, error) {
	var head struct {
		Pcpscope string `json:"pcpscope"`
		Version  int    `json:"version"`
	}
	if json.Unmarshal(text, &head) != nil || head.Pcpscope != "session" {
		return nil, pcp.Faultf(pcp.Unsupported, "This is not a session of pcpscope.")
	}
	if head.Version > SessionVersion {
		return nil, pcp.Faultf(pcp.Unsupported, "A newer pcpscope made this session (version %d); this one reads up to version %d.", head.Version, SessionVersion)
	}
	var s Session
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, pcp.Faultf(pcp.Corrupt, "This session is damaged: %v.", err)
	}
	if len(s.Sources) > mostKept || len(s.Derived) > 1<<20 {
		return nil, pcp.Faultf(pcp.Corrupt, "This session is larger than any that pcpscope makes.")
	}
	for i := range s.Sources {
		k := &s.Sources[i]
		if len(k.Panels) > mostPanels || len(k.Remarks) > mostRemarks || len(k.Rules) > mostPanels || k.From > k.To || k.Start > k.End {
			return nil, pcp.Faultf(pcp.Corrupt, "What this session says of %s makes no sense.", clip(k.Name))
		}
		for j := range k.Panels {
			p := &k.Panels[j]
			p.Top = max(0, min(p.Top, 1000))
			if len(p.Metrics) == 0 && p.Part == "" && !p.Who.sensible() || len(p.Metrics) > mostPanels || len(p.Strokes) > mostPanels {
				return nil, pcp.Faultf(pcp.Corrupt, "A panel in this session has %d metrics.", len(p.Metrics))
			}
		}
		for j := range k.Remarks {
			k.Remarks[j].Text = clip(k.Remarks[j].Text)
		}
	}
	s.Layout.heal()
	s.Shown = max(0, min(s.Shown, len(s.Sources)-1))
	s.taken = make([]bool, len(s.Sources))
	return &s, nil
}

func clip(s string) string {
	if len(s) <= mostText {
		return s
	}
	return strings.ToValidUTF8(s[:mostText], "") + "…"
}

// Restore shows what a session kept: at once where its sources are open, and
// of the others as soon as their files are given.
func (a *App) Restore(s *Session) {
	a.Wanted = s
	a.restoreLayout(s.Layout)
	if s.Derived != "" {
		if len(a.Works) == 0 {
			a.Definitions = s.Derived
		} else {
			a.define(s.Derived, "session", func(api.Defined, error) {})
		}
	}
	for _, w := range a.Works {
		if k, exact := s.match(w.Source, true); exact {
			w.remember()
			if k == &s.Sources[s.Shown] {
				a.Show(w.Source.ID)
			}
			w.adoptKept(k, true)
		}
	}
	a.wantMore()
}

// match finds what a session kept of a source: of the same files, or, unless
// only those will do, of the same host, or of any that is still missing.
func (s *Session) match(src api.Source, only bool) (k *Kept, exact bool) {
	tests := []func(*Kept) bool{
		func(k *Kept) bool { return k.Fingerprint == src.Fingerprint },
		func(k *Kept) bool { return k.Kind == src.Kind && k.Host == src.Host && k.Name == src.Name },
		func(k *Kept) bool { return k.Kind == src.Kind && k.Host == src.Host && k.Host != "" },
		func(k *Kept) bool { return k.Kind == src.Kind },
	}
	for n, fits := range tests {
		for i := range s.Sources {
			if !s.taken[i] && fits(&s.Sources[i]) {
				s.taken[i] = true
				return &s.Sources[i], n == 0
			}
		}
		if only {
			break
		}
	}
	return nil, false
}

// resume shows a newly opened source as a session kept it. It reports whether
// there was anything.
func (a *App) resume(w *Work) bool {
	if a.Wanted == nil {
		return false
	}
	k, exact := a.Wanted.match(w.Source, false)
	if k == nil {
		return false
	}
	exact = exact || k.completed
	if i := a.Wanted.Shown; i < len(a.Wanted.Sources) && &a.Wanted.Sources[i] == k {
		a.Show(w.Source.ID)
	}
	w.adoptKept(k, exact)
	a.wantMore()
	return true
}

// Missing lists what a session or link wants that is not open.
func (a *App) Missing() []Kept {
	if a.Wanted == nil {
		return nil
	}
	var list []Kept
	for i, taken := range a.Wanted.taken {
		if !taken {
			list = append(list, a.Wanted.Sources[i])
		}
	}
	return list
}

// wantMore forgets a session when nothing of it is missing.
func (a *App) wantMore() {
	if len(a.Missing()) == 0 {
		a.Wanted = nil
	}
}

// Forget gives up on what a session or link wants.
func (a *App) Forget() { a.Wanted = nil }

// Wish says in words what a source of a session is, for the page that asks
// for its files.
func (k *Kept) Wish(resolve func(string) (format.OffsetFunc, bool)) (title, text string) {
	clock := format.UTC
	if resolve != nil {
		if f, ok := resolve(k.Zone); ok {
			clock = format.NewClock(k.Zone, f, k.Start, k.End)
		}
	}
	title = k.Name
	if k.Host != "" {
		title = k.Name + " of " + k.Host
	}
	files := slices.Clone(k.Files)
	if len(files) > 6 {
		files = append(files[:5], format.Count(len(k.Files)-5)+" more")
	}
	text = clock.Dated(k.Start, k.End) + " " + clock.Offset(k.Start)
	if k.Kind == "mmv" {
		text = "an MMV file"
	}
	if len(files) > 0 {
		text += "; files " + strings.Join(files, ", ")
	}
	return title, text
}

// adoptKept shows a source as it was kept, after its dashboard has been asked
// for. Where other files have come the differences are told.
func (w *Work) adoptKept(k *Kept, exact bool) {
	if k.Board == "" || w.app.Insight == nil {
		w.showKept(k, exact, nil)
		return
	}
	w.resuming = true
	w.app.work(func() func() {
		d, err := w.app.Insight.Dashboard(w.ctx, w.Source.ID, k.Board)
		return func() {
			w.resuming = false
			if err != nil {
				w.app.failed(err)
				w.showKept(k, exact, nil)
				return
			}
			w.showKept(k, exact, &d)
		}
	})
}

func (w *Work) showKept(k *Kept, exact bool, board *api.Dashboard) {
	var differs []string
	if !exact {
		title, _ := k.Wish(nil)
		is := w.Source.Name
		if w.Source.Host != "" {
			is += " of " + w.Source.Host
		}
		if title != is {
			differs = append(differs, "it was made with "+title+", this is "+is)
		} else {
			differs = append(differs, "the files of "+title+" are not the same")
		}
	}
	if k.Clock != "" {
		zone := k.Clock
		if zone == w.app.LocalZone {
			zone = "mine"
		}
		if !w.SetZone(zone) {
			differs = append(differs, "this browser knows no zone "+clip(k.Clock))
		}
	}
	whole := w.Whole()
	from, to := max(k.From, whole.Start), min(k.To, whole.End)
	switch {
	case from >= to:
		if k.Kind != "mmv" {
			differs = append(differs, "its window, "+w.Clock.Dated(k.From, k.To)+", lies outside, so that the whole span is shown")
		}
		w.Window = whole
	default:
		w.Window = Window{from, to}
	}
	for _, p := range w.Panels {
		p.forget()
	}
	w.Panels, w.Active, w.Board, w.Only = nil, 0, board, clip(k.Only)
	missing := map[string]bool{}
	for i, kp := range k.Panels {
		p, ok := kp.panel(board)
		if !ok {
			missing["the panel “"+clip(kp.Part)+"”"] = true
			continue
		}
		var have []string
		var strokes []Stroke
		for j, name := range p.Metrics {
			if metricName().MatchString(name) && w.Metric(name) == nil {
				missing[name] = true
				continue
			}
			have = append(have, name)
			if j < len(p.Strokes) {
				strokes = append(strokes, p.Strokes[j])
			}
		}
		p.Metrics, p.Strokes = have, strokes
		if !p.Who.sensible() || w.app.Insight == nil {
			p.Who = nil
		}
		if len(p.Metrics) == 0 && p.Who == nil {
			continue
		}
		made := w.addPanel(p)
		if i == k.Active || w.Active == 0 {
			w.Active = made.ID
		}
	}
	if board == nil && k.Heading != "" {
		w.Board = &api.Dashboard{Title: clip(k.Heading), Group: "Imported"}
	}
	if w == w.app.current && k.Cursor >= w.Window.Start && k.Cursor <= w.Window.End && k.Cursor != 0 {
		w.app.SetCursor(k.Cursor)
	}
	w.restoreCompare(k.Compare)
	w.Remarks = k.Remarks
	w.takeRules(k.Rules)
	w.RemarkRev++
	if w.Metric(k.Selected) != nil {
		w.Select(k.Selected)
	}
	if len(missing) > 0 {
		var names []string
		for name := range missing {
			names = append(names, name)
		}
		slices.Sort(names)
		n := len(names)
		if n > 5 {
			names = append(names[:5], fmt.Sprintf("%d more", n-5))
		}
		differs = append(differs, "not logged here: "+strings.Join(names, ", "))
	}
	w.app.windowChanged()
	if len(differs) > 0 {
		text := strings.Join(differs, "; ")
		w.app.Notes = append(w.app.Notes, Note{Title: "Not quite what was kept:", Text: text + "."})
	}
}
