// Package session is what a link or a file keeps of the page: what is shown of
// which sources, and how the page is laid out; never the data.
package session

import (
	"pcpscope/core/pcp"
	"pcpscope/web/compare"
	"pcpscope/web/panel"
	"pcpscope/web/table"
)

// Version is raised when older pages could not make sense of a session.
const Version = 1

// A Session is what the page shows, without the data: what a link or a file
// keeps of it. Whoever opens it is asked for the files.
type Session struct {
	Pcpscope string   `json:"pcpscope"` // "session"
	Version  int      `json:"version"`
	Sources  []Source `json:"sources"`
	Shown    int      `json:"shown"`             // which of them is on screen
	Derived  string   `json:"derived,omitempty"` // the user's definitions, as a configuration file
	Layout
	taken []bool // which of Sources have been opened
}

// Layout is how the page is laid out, whatever source it shows.
type Layout struct {
	Tab     string                `json:"tab,omitempty"`     // of the rail
	Tables  bool                  `json:"tables,omitempty"`  // panels are shown as tables
	Columns int                   `json:"columns,omitempty"` // of panels: 1 or 2; 0 for what the page had
	Drawer  string                `json:"drawer,omitempty"`  // its page; "" while it is closed
	Views   map[string]table.View `json:"views,omitempty"`   // what was chosen of its pages
}

// A Source is how one source was being looked at.
type Source struct {
	Completed bool `json:"-"` // it is the same with files that were missing

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
	Compare     *compare.Saved     `json:"compare,omitempty"`       // where two windows were compared
	Dashboard   string             `json:"board,omitempty"`         // the dashboard that is shown
	Heading     string             `json:"heading,omitempty"`       // its title, where it was imported
	Panels      []panel.Settings   `json:"panels"`
	Active      int                `json:"active,omitempty"` // index into Panels
	Only        string             `json:"only,omitempty"`   // the instance that alone is drawn
	Selected    string             `json:"selected,omitempty"`
	Notes       []Note             `json:"notes,omitempty"`
	Rules       map[string]float64 `json:"rules,omitempty"` // those that were changed
	Days        *Days              `json:"days,omitempty"`  // how days were looked at, where that was chosen
}

// Days are days at a glance as they were chosen.
type Days struct {
	Open     bool     `json:"open,omitempty"`     // on whatever dashboard
	Measure  string   `json:"measure,omitempty"`  // a metric or an expression
	Instance string   `json:"instance,omitempty"` // of it
	Highest  bool     `json:"highest,omitempty"`  // cells have the highest of their hours
	Day      pcp.Time `json:"day,string,omitempty"`
}

// A Note is a remark of the user's on the time axis.
type Note struct {
	At   pcp.Time `json:"at,string"`
	Text string   `json:"text"`
}

// Bounds of what is taken from outside: a link is made by anybody.
const (
	maxSources = 64   // of a session
	maxPanels  = 200  // of a source
	maxNotes   = 1000 // of a source
	maxText    = 4096 // bytes of one text
)

// New returns a session of sources that are open.
func New(sources []Source, shown int, layout Layout) *Session {
	return &Session{Pcpscope: "session", Version: Version, Sources: sources, Shown: shown, Layout: layout, taken: make([]bool, len(sources))}
}
