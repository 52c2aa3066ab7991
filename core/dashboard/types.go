package dashboard

// A Style says how a panel is drawn.
type Style string

const (
	Line        Style = "line"
	Stack       Style = "stack"       // stacked areas
	Utilisation Style = "utilisation" // a stack with a total of 100 %
	Mirror      Style = "mirror"      // stacks above and, for series with Below, below zero
	Bar         Style = "bar"
	Heatmap     Style = "heatmap" // one row for each instance, time to the right
	State       Style = "state"   // a lane of states for each instance
	Event       Style = "event"   // a mark for each event record, a lane for each instance
	TopN        Style = "topn"    // the largest instances of the window, and the sum of the others
	Table       Style = "table"   // one column for each series, one row for each instance, at the cursor
	Rows        Style = "rows"    // one column for each series, one row for each point in time
)

// A Role gives a series the colour that has the same meaning everywhere.
type Role string

const (
	User    Role = "user"
	Nice    Role = "nice"
	Sys     Role = "sys"
	Intr    Role = "intr"
	Wait    Role = "wait"
	Steal   Role = "steal"
	Guest   Role = "guest"
	Idle    Role = "idle"
	Read    Role = "read"
	Write   Role = "write"
	In      Role = "in"
	Out     Role = "out"
	Free    Role = "free"
	Cache   Role = "cache"
	Buffers Role = "buffers"
	Slab    Role = "slab"
	Program Role = "programs"
	Limit   Role = "limit" // a reference line, in the colour of text
	Plain   Role = ""      // the next colour
)

// A Dashboard is a page of panels about one subject.
type Dashboard struct {
	ID     string
	Title  string
	Group  Group
	What   string  // one sentence
	Spark  Spark   // shown beside its title in a list
	Panels []Panel // in the order in which they are drawn
	// Logging is set for the page that also says how the archive was logged,
	// and therefore has something to show for every archive.
	Logging bool
}

// A Group is a heading in the list of dashboards.
type Group string

const (
	Main      Group = "" // the numbered ones come first
	Tools     Group = "Tool layouts"
	Generated Group = "From the archive" // generated from its metrics
	Imported  Group = "Imported"
)

// A Spark is the one series that represents a dashboard.
type Spark struct {
	Exprs []string // as Series.Exprs; of several instances the largest is used
	Unit  string   // "%", or "" to use the series' own units
	Name  string   // "CPU busy"
}

// A Panel is one chart or table.
type Panel struct {
	ID            string // within its dashboard
	Title         string
	Unit          string // for people, "% of all CPUs"; "" if the values have units of their own
	Style         Style
	What          string // what this is, in one sentence
	Usual         string // what is usual; empty only if the panel is not hand-made
	Next          string // what to look at next, by title; empty like Usual
	Series        []Series
	Thresholds    []Threshold
	Max           float64 // fixed upper end of the scale; 0 for none
	InnermostOnly bool    // of nested instances such as cgroups, show only the innermost by default
	Top           int     // of TopN: how many to draw
	Log           bool    // default to a logarithmic scale
	Decimals      *int    // of a table that copies a tool's; nil for automatic
	Metricset     string  // the tool's own name for this table: "pmrep :vmstat"
	// Only is a metric that another platform has and Linux lacks: without it
	// this panel is silently left out; with it the panel replaces those listed
	// in Instead, separated by blanks.
	Only, Instead string
	// Unless is a metric that allows a better panel: with it this panel is
	// silently left out; without it this panel replaces those in Instead.
	Unless string
}

// A Series is a line, or one for each instance.
type Series struct {
	Name string
	// Exprs are expressions in order of preference. The first one whose metrics
	// the archive has is used.
	Exprs  []string
	Role   Role
	Below  bool   // in a Mirror: drawn downwards
	Bold   bool   // drawn stronger than the others
	Right  bool   // on a second scale at the right
	Hidden bool   // not drawn by default, such as idle
	Unit   string // if it differs from the panel's
}

// A Threshold is a level worth a line in the chart.
type Threshold struct {
	Value float64
	Expr  string // instead of Value: "hinv.ncpu"
	Label string // "warning above 85 %"
	Under bool   // lower values are the bad ones
	Rule  string // of package analysis, whose default is Value; "" for none
}
