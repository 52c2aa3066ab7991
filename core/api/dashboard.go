package api

// DashboardInfo is one entry in the list of dashboards.
type DashboardInfo struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Group     string `json:"group"` // a heading; "" for the first ones
	What      string `json:"what"`
	Available bool   `json:"available"`
	WhyNot    string `json:"whyNot,omitempty"` // if not available: "not logged", "no values"
	Panels    int    `json:"panels"`           // number of panels that can be shown
	// Headline is shown beside the title, such as "14.5 %": a mean over the whole
	// span, of several instances that of the highest. Sparkline is the same over
	// time. They are set once the source has been read.
	Headline  string    `json:"headline,omitempty"`
	Spark     string    `json:"spark,omitempty"` // the expression behind them
	Sparkline []float64 `json:"sparkline,omitempty"`
	Level     string    `json:"level,omitempty"` // "look" or "broken": of its worst finding
}

// Dashboard is a page of panels that the source can show.
type Dashboard struct {
	ID      string           `json:"id"`
	Title   string           `json:"title"`
	Group   string           `json:"group"`
	What    string           `json:"what"`
	Panels  []DashboardPanel `json:"panels"`
	Missing []MissingPart    `json:"missing"`
}

// DashboardPanel is one chart or table. Its expressions can be passed to fetch
// unchanged.
type DashboardPanel struct {
	ID            string            `json:"id"`
	Title         string            `json:"title"`
	Unit          string            `json:"unit"`  // "% of all CPUs"; "" to use the columns' own units
	Style         string            `json:"style"` // "line", "stack", "utilisation", "mirror", "bar", "heatmap", "state", "topn", "table", "rows"
	What          string            `json:"what"`
	Usual         string            `json:"usual"`
	Next          string            `json:"next"`
	Series        []DashboardSeries `json:"series"`
	Thresholds    []Threshold       `json:"thresholds"`
	Max           float64           `json:"max,omitempty"`    // fixed upper end of the scale
	Top           int               `json:"top,omitempty"`    // of style "topn": how many to draw
	InnermostOnly bool              `json:"leaves,omitempty"` // of nested instances only the innermost are meant
	Log           bool              `json:"log,omitempty"`
	Decimals      *int              `json:"decimals,omitempty"`
	Commands      []string          `json:"commands"` // command lines of PCP's tools that print the same numbers
}

// DashboardSeries is one line of a panel, or one for each instance.
type DashboardSeries struct {
	Name       string  `json:"name"` // "" if the instances' names suffice
	Expression string  `json:"expression"`
	Role       string  `json:"role"`  // "user", "sys", "read", "in" and so on; "" for the next colour
	Units      string  `json:"units"` // of the result, in the notation of pmUnitsStr
	Unit       string  `json:"unit,omitempty"`
	All        string  `json:"all,omitempty"` // the same for all instances, if expression leaves some out
	InDom      *string `json:"indom"`
	Below      bool    `json:"below,omitempty"`  // drawn downwards
	Bold       bool    `json:"bold,omitempty"`   // drawn stronger
	Right      bool    `json:"right,omitempty"`  // on a second scale
	Hidden     bool    `json:"hidden,omitempty"` // not drawn by default
}

// Threshold is a level worth a line in a chart.
type Threshold struct {
	Value      float64 `json:"value"`
	Expression string  `json:"expression,omitempty"` // instead of value
	Label      string  `json:"label"`
	Under      bool    `json:"under,omitempty"` // lower values are the bad ones
	Rule       string  `json:"rule,omitempty"`  // the rule whose value this is
}

// MissingPart is a panel or series that the source cannot show.
type MissingPart struct {
	Panel  string   `json:"panel"`
	Series string   `json:"series"` // "" for the whole panel
	Needs  []string `json:"needs"`  // metrics
}

// ImportedDashboards is the result of importing a file of another tool.
type ImportedDashboards struct {
	Dashboards []Dashboard `json:"dashboards"`
	Left       []LeftOut   `json:"left"` // what could not be imported
}

// LeftOut says what an import left out, and why.
type LeftOut struct {
	Line int    `json:"line"` // counted from 1; 0 if it is not one line
	Text string `json:"text"` // of that line
	Why  string `json:"why"`
}
