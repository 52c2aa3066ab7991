package dashboard

// A Style says how a panel draws.
type Style string

const (
	Line        Style = "line"
	Stack       Style = "stack"       // areas on top of each other
	Utilisation Style = "utilisation" // a stack that is 100 % high
	Mirror      Style = "mirror"      // stacks above and, for series with Below, below zero
	Bar         Style = "bar"
	Heatmap     Style = "heatmap" // one row for each instance, time to the right
	State       Style = "state"   // a lane of states for each instance
	Event       Style = "event"   // a mark for each event record, a lane for each instance
	TopN        Style = "topn"    // the largest instances of the window, the rest as one
	Table       Style = "table"   // one column for each series, one row for each instance, at the cursor
	Rows        Style = "rows"    // one column for each series, one row for each point in time
)

// A Role gives a series the colour that stands for the same thing everywhere.
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
	Limit   Role = "limit" // a line to compare with, in the colour of text
	Plain   Role = ""      // the next colour
)

// A Dashboard is a page of panels about one subject.
type Dashboard struct {
	ID     string
	Title  string
	Group  Group
	What   string  // one sentence
	Spark  Spark   // what is beside its title in a list
	Panels []Panel // in the order in which they are drawn
	// Logging is set where the page says how the archive was logged besides:
	// of every archive there is something to show.
	Logging bool
}

// A Group is a heading in the list of dashboards.
type Group string

const (
	Main      Group = "" // numbered first
	Tools     Group = "As the tools show it"
	Generated Group = "From the archive" // made of its metrics
	Imported  Group = "Imported"
)

// A Spark is the one series that stands for a dashboard.
type Spark struct {
	Exprs []string // as Series.Exprs; of several instances the largest counts
	Unit  string   // "%", or "" where the series' own units count
	Name  string   // "CPU busy"
}

// A Panel is one chart or table.
type Panel struct {
	ID            string // within its dashboard
	Title         string
	Unit          string // as people write it, "% of all CPUs"; "" where the values have units of their own
	Style         Style
	What          string // what this is, in one sentence
	Usual         string // what is usual; empty only where the panel is not hand-made
	Next          string // what to look at next, by title; empty as Usual
	Series        []Series
	Thresholds    []Threshold
	Max           float64 // fixed upper end of the scale; 0 for none
	InnermostOnly bool    // of instances that contain others, as cgroups do, only the innermost at first
	Top           int     // of TopN: how many to draw
	Log           bool    // a logarithmic scale is the better first choice
	Decimals      *int    // of a table that copies a tool's; nil: as many as the values need
	Metricset     string  // the tool's own words for this table: "pmrep :vmstat"
	// Only is a metric that another platform than Linux has and Linux has not:
	// without it this panel is left out without a word, and with it the panel
	// takes the place of those that Instead names, with blanks between.
	Only, Instead string
	// Unless is a metric of which another panel makes more: with it this one is
	// left out without a word, and without it it takes the place of Instead.
	Unless string
}

// A Series is a line, or one for each instance.
type Series struct {
	Name string
	// Exprs are expressions in order of preference. The first one whose
	// metrics the archive has is used.
	Exprs  []string
	Role   Role
	Below  bool   // in a Mirror: drawn downwards
	Bold   bool   // drawn stronger than its companions
	Right  bool   // on a scale of its own at the right
	Hidden bool   // known, but not drawn at first: idle
	Unit   string // where it differs from the panel's
}

// A Threshold is a level worth a line in the chart.
type Threshold struct {
	Value float64
	Expr  string // in place of Value: "hinv.ncpu"
	Label string // "warning above 85 %"
	Under bool   // what lies below it deserves the look
	Rule  string // of package analysis, of which Value is the usual value; "" for none
}
