package api

// DashboardInfo is one entry in the list of dashboards.
type DashboardInfo struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Group     string `json:"group"` // a heading; "" for those that come first
	What      string `json:"what"`
	Available bool   `json:"available"`
	WhyNot    string `json:"whyNot,omitempty"` // of one that is not available: "not logged", "no values"
	Panels    int    `json:"panels"`           // how many it can show
	// Headline is what to show beside the title, such as "14.5 %", and
	// Sparkline the same over the span: when the source has been read.
	Headline  string    `json:"headline,omitempty"`
	Spark     string    `json:"spark,omitempty"` // the expression behind them
	Sparkline []float64 `json:"sparkline,omitempty"`
	Level     string    `json:"level,omitempty"` // "look" or "broken": of the worst finding that belongs here
}

// Dashboard is a page of panels, as far as the source can show them.
type Dashboard struct {
	ID      string           `json:"id"`
	Title   string           `json:"title"`
	Group   string           `json:"group"`
	What    string           `json:"what"`
	Panels  []DashboardPanel `json:"panels"`
	Missing []MissingPart    `json:"missing"`
}

// DashboardPanel is one chart or table. Expressions go into fetch as they are.
type DashboardPanel struct {
	ID            string            `json:"id"`
	Title         string            `json:"title"`
	Unit          string            `json:"unit"`  // "% of all CPUs"; "" where the columns' own units hold
	Style         string            `json:"style"` // "line", "stack", "utilisation", "mirror", "bar", "heatmap", "state", "topn", "table", "rows"
	What          string            `json:"what"`
	Usual         string            `json:"usual"`
	Next          string            `json:"next"`
	Series        []DashboardSeries `json:"series"`
	Thresholds    []Threshold       `json:"thresholds"`
	Max           float64           `json:"max,omitempty"`    // fixed upper end of the scale
	Top           int               `json:"top,omitempty"`    // of style "topn": how many to draw
	InnermostOnly bool              `json:"leaves,omitempty"` // of instances that contain others only the innermost are meant
	Log           bool              `json:"log,omitempty"`
	Decimals      *int              `json:"decimals,omitempty"`
	Commands      []string          `json:"commands"` // command lines of PCP's tools that print the same numbers
}

// DashboardSeries is one line of a panel, or one for each instance.
type DashboardSeries struct {
	Name       string  `json:"name"` // "" where the instances' names say it all
	Expression string  `json:"expression"`
	Role       string  `json:"role"`  // "user", "sys", "read", "in" and so on; "" for the next colour
	Units      string  `json:"units"` // of the result, as pmUnitsStr
	Unit       string  `json:"unit,omitempty"`
	All        string  `json:"all,omitempty"` // the same for all instances, where expression leaves some out
	InDom      *string `json:"indom"`
	Below      bool    `json:"below,omitempty"`  // drawn downwards
	Bold       bool    `json:"bold,omitempty"`   // drawn stronger
	Right      bool    `json:"right,omitempty"`  // on a scale of its own
	Hidden     bool    `json:"hidden,omitempty"` // not drawn at first
}

// Threshold is a level worth a line in a chart.
type Threshold struct {
	Value      float64 `json:"value"`
	Expression string  `json:"expression,omitempty"` // in place of value
	Label      string  `json:"label"`
	Under      bool    `json:"under,omitempty"` // what lies below it deserves the look
	Rule       string  `json:"rule,omitempty"`  // whose value this is
}

// MissingPart is a panel or series that the source cannot show.
type MissingPart struct {
	Panel  string   `json:"panel"`
	Series string   `json:"series"` // "" for the whole panel
	Needs  []string `json:"needs"`  // metrics
}

// ImportedDashboards is what could be made of a file of another tool.
type ImportedDashboards struct {
	Dashboards []Dashboard `json:"dashboards"`
	Left       []LeftOut   `json:"left"` // what could not be imported
}

// LeftOut says what an import had to leave out, and why.
type LeftOut struct {
	Line int    `json:"line"` // counted from 1
	Text string `json:"text"` // of that line
	Why  string `json:"why"`
}
