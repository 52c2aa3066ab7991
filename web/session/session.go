// Package session is what a link or a session file stores: the sources with their views,
// and the page layout; never data.
package session

import (
	"pcpscope/core/pcp"
	"pcpscope/web/compare"
	"pcpscope/web/panel"
	"pcpscope/web/table"
)

// Version is incremented when older versions could not read a session correctly.
const Version = 1

// A Session is the state of the page without the data, as stored in a link or file.
// Whoever opens it is asked for the files.
type Session struct {
	Pcpscope string   `json:"pcpscope"` // "session"
	Version  int      `json:"version"`
	Sources  []Source `json:"sources"`
	Shown    int      `json:"shown"`             // index of the source on screen
	Derived  string   `json:"derived,omitempty"` // the user's definitions, in PCP's configuration file syntax
	Layout
	taken []bool // which of Sources have been opened
}

// Layout is the layout of the page, independent of the source.
type Layout struct {
	Tab     string                `json:"tab,omitempty"`     // of the left pane
	Tables  bool                  `json:"tables,omitempty"`  // panels are shown as tables
	Columns int                   `json:"columns,omitempty"` // columns of panels: 1 or 2; 0 to keep the current number
	Drawer  string                `json:"drawer,omitempty"`  // its page; "" while it is closed
	Views   map[string]table.View `json:"views,omitempty"`   // sort order, filter and columns of its pages
}

// A Source is the view of one source.
type Source struct {
	Completed bool `json:"-"` // the same source, with missing files added

	Fingerprint string             `json:"fingerprint"`
	Kind        string             `json:"kind"`
	Name        string             `json:"name"`
	Host        string             `json:"host,omitempty"`
	Files       []string           `json:"files"`
	Start       pcp.Time           `json:"start,string"` // nanoseconds since 1970, as strings: JSON numbers are not precise enough
	End         pcp.Time           `json:"end,string"`
	Zone        string             `json:"zone"`
	From        pcp.Time           `json:"from,string"` // the window
	To          pcp.Time           `json:"to,string"`
	Clock       string             `json:"clock,omitempty"`         // the zone in which times are shown; "" for the source's own
	Cursor      pcp.Time           `json:"cursor,string,omitempty"` // 0 for none
	Compare     *compare.Saved     `json:"compare,omitempty"`       // if two windows are compared
	Dashboard   string             `json:"board,omitempty"`         // the dashboard that is shown
	Heading     string             `json:"heading,omitempty"`       // its title, if it was imported
	Panels      []panel.Settings   `json:"panels"`
	Active      int                `json:"active,omitempty"` // index into Panels
	Only        string             `json:"only,omitempty"`   // the only instance drawn
	Selected    string             `json:"selected,omitempty"`
	Notes       []Note             `json:"notes,omitempty"`
	Rules       map[string]float64 `json:"rules,omitempty"`    // changed rules only
	RuleText    string             `json:"ruleText,omitempty"` // the user's rules, in the language of pmie(1)
	Days        *Days              `json:"days,omitempty"`     // the view of days, if the user chose one
}

// Days is the user's view of days at a glance.
type Days struct {
	Open     bool     `json:"open,omitempty"`     // on every dashboard
	Measure  string   `json:"measure,omitempty"`  // a metric or an expression
	Instance string   `json:"instance,omitempty"` // of the measure
	Highest  bool     `json:"highest,omitempty"`  // cells show the highest value of their hour
	Day      pcp.Time `json:"day,string,omitempty"`
}

// A Note is a user's annotation on the time axis.
type Note struct {
	At   pcp.Time `json:"at,string"`
	Text string   `json:"text"`
}

// Limits for untrusted input: anyone can make a link.
const (
	maxSources = 64      // of a session
	maxPanels  = 200     // of a source
	maxNotes   = 1000    // of a source
	maxText    = 4096    // bytes per string
	maxRules   = 1 << 18 // bytes of the rules of a source, as many as are read
)

// New returns a session of open sources.
func New(sources []Source, shown int, layout Layout) *Session {
	return &Session{Pcpscope: "session", Version: Version, Sources: sources, Shown: shown, Layout: layout, taken: make([]bool, len(sources))}
}
