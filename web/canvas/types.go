package canvas

import "pcpscope/wasm/rpc"

// None has no fields.
type None struct{}

// A Span is a time range.
type Span struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

// A Timeline is the window and everything on the time axis.
type Timeline struct {
	Origin   int64         `json:"origin"` // seconds since 1970
	Start    float64       `json:"start"`  // of the window
	End      float64       `json:"end"`
	From     float64       `json:"from"` // of the source
	To       float64       `json:"to"`
	Gaps     []Gap         `json:"gaps"`
	Problems []Problem     `json:"problems"`
	Findings []FindingSpan `json:"findings"`
	Notes    []Note        `json:"notes"`
	Compared []Span        `json:"compared"` // windows A and B, while comparing; only A if B is in another source
	Zone     []Offset      `json:"zone"`     // in order; the first also applies to all earlier times
}

// A Gap is a time range, or a single time, that no line crosses.
type Gap struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	Label string  `json:"label"`
	Lost  bool    `json:"lost"` // data was recorded, but is lost
}

// A Problem is a pin, numbered as in the list of problems.
type Problem struct {
	At float64 `json:"at"`
	N  int     `json:"n"`
}

// A FindingSpan is the time range of a finding.
type FindingSpan struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	Level string  `json:"level"` // "know", "look", "broken"
}

// A Note is a user's note.
type Note struct {
	At   float64 `json:"at"`
	N    int     `json:"n"`
	Text string  `json:"text"`
}

// An Offset is the host's UTC offset from a time on.
type Offset struct {
	From float64 `json:"from"`
	East int     `json:"east"` // seconds
}

// Drawn describes the page after Go has drawn it.
type Drawn struct {
	Panels    []PanelRev `json:"panels"`
	Cursor    *float64   `json:"cursor"`
	CursorRev int        `json:"cursorRev"` // changes when anything but the charts moves it
	Pinned    bool       `json:"pinned"`
	Tree      *TreeRows  `json:"tree"`
}

// A PanelRev is the revision of a panel.
type PanelRev struct {
	ID  int `json:"id"`
	Rev int `json:"rev"`
}

// TreeRows are the rows of the tree on the page.
type TreeRows struct {
	First int `json:"first"`
	Count int `json:"count"` // total number of rows
}

// MissingPanels lists the panels whose data is needed.
type MissingPanels struct {
	Panels []int `json:"panels"`
}

// A Panel is one chart or table with its data.
type Panel struct {
	ID         int         `json:"id"`
	Rev        int         `json:"rev"`
	Title      string      `json:"title"`
	Unit       string      `json:"unit"`
	Decimals   int         `json:"decimals"`
	Style      string      `json:"style"` // as api.DashboardPanel.Style; "" is a line, "rows" a table with a row per time, "table" one with a row per instance
	Stack      bool        `json:"stack"`
	Mirror     bool        `json:"mirror"` // some lines are drawn downwards
	Log        bool        `json:"log"`
	Share      bool        `json:"share"` // each line scaled to its own maximum
	Max        float64     `json:"max"`   // upper end of the scale; 0 to fit the values
	Fixed      *Ends       `json:"fixed"`
	Levels     []Level     `json:"levels"`
	ReadTo     *float64    `json:"readTo"`  // up to when the source has been read; nil if completely
	Words      []string    `json:"words"`   // reasons for missing values, indexed by Line.Why
	Near       bool        `json:"near"`    // values around a single time only
	Reduced    string      `json:"reduced"` // reduction of each point, "mean" and so on; "" if every point is a single observation
	Total      rpc.Numbers `json:"total"`   // total height of the stack; empty if the lines show it
	Times      rpc.Numbers `json:"times"`
	Lines      []Line      `json:"lines"`
	LegendOnly []Line      `json:"legendOnly"` // not drawn, but in the legend
	Rows       []string    `json:"rows"`       // names of the lines, if each has a row
	States     []string    `json:"states"`     // of style "state": the states that values are indices of
	Peak       float64     `json:"peak"`       // of style "heatmap"
}

// Ends of a scale set by the user.
type Ends struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A Level is a line across the chart.
type Level struct {
	Value float64 `json:"value"`
	Label string  `json:"label"`
}

// A Line is one series.
type Line struct {
	Index    int         `json:"index"` // index in the legend
	Label    string      `json:"label"`
	Instance string      `json:"instance"`
	Called   string      `json:"called"` // display name of the instance
	Metric   string      `json:"metric"`
	Column   string      `json:"column"` // header of its column in a table of instances
	Colour   int         `json:"colour"`
	Stepped  bool        `json:"stepped"`
	Below    bool        `json:"below"`
	Bold     bool        `json:"bold"`
	Right    bool        `json:"right"`
	Hatched  bool        `json:"hatched"`
	Decimals int         `json:"decimals"`
	Unit     string      `json:"unit"`
	Factor   float64     `json:"factor"` // multiplies Values to give Unit
	Values   rpc.Numbers `json:"values"` // NaN if missing
	Low      rpc.Numbers `json:"low"`    // minimum and maximum of each step; empty if every value is a single observation
	High     rpc.Numbers `json:"high"`
	Last     float64     `json:"last"` // the last in the window, in the unit of Unit; NaN for none
	Why      rpc.Octets  `json:"why"`  // reasons for that; empty where none is known
	Texts    []*string   `json:"texts,omitempty"`
	Dots     *Dots       `json:"dots"`
	Marks    *Marks      `json:"marks"` // of style "event"
}

// Dots are observations, over a line; their values are in its unit.
type Dots struct {
	Times  []float64 `json:"times"`
	Values []float64 `json:"values"`
}

// Marks are events, in order of time.
type Marks struct {
	At    []float64 `json:"at"`
	Flags []string  `json:"flags"`
	Texts []string  `json:"texts"`
}

// A Pulse is the envelope of one series over the whole span.
type Pulse struct {
	Times  []float64 `json:"times"`
	Values []float64 `json:"values"`
	High   []float64 `json:"high"`   // the maximum of each step; empty if every value is a single observation
	ReadTo *float64  `json:"readTo"` // nil if completely
}

// Sparks are all sparklines.
type Sparks struct {
	Lines []Spark `json:"lines"`
}

// A Spark is one of them, for elements whose data-spark is its name.
type Spark struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// A Table is what the drawer shows.
type Table struct {
	Page    string   `json:"page"`
	Title   string   `json:"title"`
	Note    string   `json:"note"`
	Name    string   `json:"name"` // base name of exported files
	Empty   string   `json:"empty"`
	Rows    int      `json:"rows"`
	From    int      `json:"from"` // the first row of these columns: long tables come in parts
	More    bool     `json:"more"` // another part is to come
	Full    float64  `json:"full"` // the value of a full bar; 0 for the largest value
	Sort    int      `json:"sort"` // a column; -1 for none
	Down    bool     `json:"down"`
	Filter  string   `json:"filter"`
	Chosen  bool     `json:"chosen"` // sort, filter or columns have changed
	Opens   string   `json:"opens"`  // the action that asks for files
	Columns []Column `json:"columns"`
	Marks   []string `json:"marks,omitempty"` // classes of rows
}

// A Column is a column of a Table, as table.js shows it.
type Column struct {
	Head     string    `json:"head"`
	Group    string    `json:"group"`
	Kind     string    `json:"kind"` // see table.js
	Width    string    `json:"width,omitempty"`
	Decimals int       `json:"decimals"`
	Strong   bool      `json:"strong"`
	Faint    bool      `json:"faint"`
	Mono     bool      `json:"mono"`
	Hidden   bool      `json:"hidden"`
	Name     string    `json:"name"`
	As       string    `json:"as"` // name in exported files
	Texts    []string  `json:"texts,omitempty"`
	Words    []string  `json:"words,omitempty"` // in place of repeated texts: each once,
	Word     []float64 `json:"word,omitempty"`  // and for each row its index
	Tags     []string  `json:"tags,omitempty"`  // for each row, words separated by spaces
	Numbers  []float64 `json:"numbers,omitempty"`
	Under    *Column   `json:"under"` // shown as a second line
}

// Compared lists what changed between two windows, and the selected change. The
// lists have an entry for each change.
type Compared struct {
	Order    string      `json:"order"`
	Rows     int         `json:"rows"`
	At       int         `json:"at"` // index of the selected change
	Fault    string      `json:"fault"`
	What     []string    `json:"what"`
	Metric   []string    `json:"metric"`
	Unit     []string    `json:"unit"`
	With     []string    `json:"with"` // other series of the subject
	Brief    []string    `json:"brief"`
	Ratio    []string    `json:"ratio"`
	MedianA  []string    `json:"medianA"`
	MedianB  []string    `json:"medianB"`
	Shift    []string    `json:"shift"`
	Effect   []float64   `json:"effect"`
	KeyA     []float64   `json:"keyA"` // the numbers behind the texts of the same name, for sorting
	KeyB     []float64   `json:"keyB"`
	KeyShift []float64   `json:"keyShift"`
	KeyRatio []float64   `json:"keyRatio"`
	A        [][]float64 `json:"a"` // values of small charts
	B        [][]float64 `json:"b"`
	WindowA  Span        `json:"windowA"`
	WindowB  Span        `json:"windowB"`
	UnitOf   string      `json:"unitOf"` // of the selected change
	Factor   float64     `json:"factor"`
	Decimals int         `json:"decimals"`
	MiddleA  float64     `json:"middleA"`
	MiddleB  float64     `json:"middleB"`
}

// Days are a measure by day and hour. Hourly lists have 24 entries for each day;
// what is usual is listed by hour of the week, Sunday first.
type Days struct {
	Name     string    `json:"name"`
	Unit     string    `json:"unit"`
	Factor   float64   `json:"factor"` // multiplies values to give Unit
	Decimals int       `json:"decimals"`
	Highest  bool      `json:"highest"` // cells are coloured by Maximum
	Picked   int       `json:"picked"`  // a day; -1 for none
	Starts   []float64 `json:"starts"`  // of the days
	Labels   []string  `json:"labels"`  // "28 Feb"
	Names    []string  `json:"names"`   // "Tue 28 Feb"
	Weekdays []float64 `json:"weekdays"`
	Average  []float64 `json:"average"` // NaN where nothing was observed
	Minimum  []float64 `json:"minimum"`
	Maximum  []float64 `json:"maximum"`
	Covered  []float64 `json:"covered"` // fraction of the hour
	Median   []float64 `json:"median"`
	P10      []float64 `json:"p10"`
	P90      []float64 `json:"p90"`
	Boots    []float64 `json:"boots"`   // times, on the axis of the page
	Unusual  []float64 `json:"unusual"` // days
}

// Sticky reports whether the cursor stays.
type Sticky struct {
	On bool `json:"on"`
}

// A Target names an element.
type Target struct {
	Name string `json:"name"`
}

// Refusals are files that could not be opened.
type Refusals struct {
	List []Refusal `json:"list"`
}

// A Refusal is one of them, or several with the same reason.
type Refusal struct {
	Names  string `json:"names"`
	Reason string `json:"reason"`
	All    string `json:"all"` // all names, if there are many
}

// A Recent is a source that was opened.
type Recent struct {
	Fingerprint string   `json:"fingerprint"`
	Kind        string   `json:"kind"`
	Name        string   `json:"name"`
	Host        string   `json:"host"`
	Span        string   `json:"span"`
	Bytes       int64    `json:"bytes"`
	Files       []string `json:"files"`
}

// MissingSources are the sources that a link or session needs.
type MissingSources struct {
	List []MissingSource `json:"list"`
}

// A MissingSource is one source.
type MissingSource struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// A Picture is the text around the exported chart of a panel.
type Picture struct {
	Panel int          `json:"panel"`
	Kind  string       `json:"kind"` // "svg" or "png"
	Title string       `json:"title"`
	Unit  string       `json:"unit"`
	About string       `json:"about"`
	Head  []string     `json:"head"` // of the legend
	Rows  []PictureRow `json:"rows"`
}

// A PictureRow is one line of the legend.
type PictureRow struct {
	Colour int      `json:"colour"`
	Cells  []string `json:"cells"`
}

// A Drawable is the exported picture.
type Drawable struct {
	File rpc.Blob `json:"file"`
}

// A DOMEvent has the properties of a DOM event that components use.
type DOMEvent struct {
	ShiftKey bool        `json:"shiftKey"`
	CtrlKey  bool        `json:"ctrlKey"`
	MetaKey  bool        `json:"metaKey"`
	Target   EventTarget `json:"target"`
}

// An EventTarget is the element that it happened to; only text fields have these
// properties.
type EventTarget struct {
	Value          *string `json:"value"`
	SelectionStart *int    `json:"selectionStart"`
}
