package panel

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/timeline"
)

// An Answer is the engine's reply to a panel's query.
type Answer struct {
	Frame  *api.Frame
	Window timeline.Window // the requested window
	Step   int64           // nanoseconds between grid points
	Near   bool            // Frame has values around a single time only
	Once   bool            // nothing was logged at intervals: the points repeat single values

	// Computed by the engine from the values, which stay in the reply's buffer.
	Known   []api.ChartLine // by column
	Others  int             // the column that sums all but the largest lines; -1 if none
	LeftOut int             // samples of the window that were left out: more time was counted than elapsed; for events: they happened at another time
	Cut     int             // number of lines beyond the maximum
	Reason  int             // the most frequent reason for missing values
	// Unreadable says why no process is known to have used a resource.
	Unreadable string
	Load       func(column int) (values []float64, why []uint8)
	Band       func(column int) (low, high []float64) // minimum and maximum of each step; nil if every point is a single observation
	Total      int                                    // the column with the total height of the stack; -1 if none
}

// load reads the values of a column from the reply's buffer.
func (a *Answer) load(column int) (values []float64, why []uint8) {
	if a.Load == nil || column >= len(a.Frame.Columns) || a.Frame.Columns[column].Strings != nil {
		return nil, nil
	}
	return a.Load(column)
}

// Reduced is how each point was reduced: "mean", "max" and so on; "" if every point is a
// single observation.
func (a *Answer) Reduced() string {
	if a.Frame == nil {
		return ""
	}
	return a.Frame.Reduced
}

// A Context is what a panel needs to know about the source and the page.
type Context struct {
	Holes, Gaps []timeline.Hole               // of the source
	Metric      func(name string) *api.Metric // returns nil for unknown metrics
	Rates       bool                          // counters are shown as rates
	CPUs        int                           // of the host, the most if it was resized; 0 if not logged
	Resized     bool                          // the number of CPUs changed
	Once        func(name string) bool        // reports whether a metric is known to have been logged just once
	Only        string                        // the only instance to draw; "" for all
	Colours     map[string]int                // by instance name: the same in all panels
}

// A View is what a panel shows. All of it is computed from settings, reply and context.
type View struct {
	Answer
	Series   []Series
	Left     []Series // more than can be drawn
	Texts    []Text   // of metrics with string values
	Shown    format.Shown
	Levels   []Limit
	Fault    string
	All      int    // number of series; those in Series are drawn
	Matching int    // number of those that pass the filter
	Alone    bool   // only the instance Context.Only is drawn
	units    string // of the first series, as in pmUnitsStr
}

// Throughput reports whether the panel shows bytes or bits per time.
func (v *View) Throughput() bool { return format.Throughput(v.units) }

// Count counts the lines, drawn or hidden.
func (v *View) Count() int {
	n := 0
	for i := range v.Series {
		if v.Series[i].Colour > 0 {
			n++
		}
	}
	return n
}

// Rest is the number of series that are not drawn for lack of room.
func (v *View) Rest() int { return v.All - v.Count() }

// Points is the number of values on screen.
func (v *View) Points() int {
	if v.Frame == nil {
		return 0
	}
	return len(v.Frame.Times) * v.Count()
}

// PointsWithin is the number of the frame's points within a window.
func (v *View) PointsWithin(w timeline.Window) int {
	n := 0
	for i := range v.Frame.Times {
		if w.Contains(timeline.At(v.Frame, i)) {
			n++
		}
	}
	return n
}

// A Counted says how many values a series has in a window.
type Counted struct {
	Label    string
	Instance bool // one of the instances of a metric
	Count    int
}

// CountsWithin counts the values of each series in a window, of those that are text as well,
// which are not drawn.
func (v *View) CountsWithin(w timeline.Window) []Counted {
	var list []Counted
	drawn := map[int]bool{}
	for i := range v.Series {
		s := &v.Series[i]
		drawn[s.Column] = true
		list = append(list, Counted{s.Label, s.Instance != "", s.Stats.Count})
	}
	for i := range v.Frame.Columns {
		c := &v.Frame.Columns[i]
		if c.Strings == nil || drawn[i] {
			continue
		}
		one := Counted{Label: metric.LastPart(c.Metric)}
		if c.Instance != nil {
			one.Label, one.Instance = c.Instance.Name, true
		}
		for k, text := range c.Strings {
			if text != nil && w.Contains(timeline.At(v.Frame, k)) {
				one.Count++
			}
		}
		list = append(list, one)
	}
	return list
}

// DisplayName is the display name of an instance, as far as the panel knows it.
func (v *View) DisplayName(instance string) string {
	for _, list := range [][]Series{v.Series, v.Left} {
		for i := range list {
			if s := &list[i]; s.Instance == instance && s.Called != "" {
				return s.Called
			}
		}
	}
	return instance
}

// texts lists the values of a string column, each once until it changes.
func texts(f *api.Frame, c *api.Column) []Text {
	who := metric.LastPart(c.Metric)
	if c.Instance != nil {
		who = c.Instance.Name
	}
	var list []Text
	for i, v := range c.Strings {
		if v == nil || i >= len(f.Times) || len(list) > 0 && list[len(list)-1].Value == *v {
			continue
		}
		list = append(list, Text{timeline.At(f, i), who, *v})
	}
	return list
}

// HasSum reports whether one line is the sum of all lines not drawn.
func (v *View) HasSum() bool {
	return slices.ContainsFunc(v.Series, func(s Series) bool { return s.Kind == "others" })
}
