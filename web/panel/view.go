package panel

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/timeline"
)

// An Answer is what the engine said to the question of a panel.
type Answer struct {
	Frame  *api.Frame
	Window timeline.Window // that was asked for
	Step   int64           // nanoseconds between grid points
	Near   bool            // Frame has only values about one moment

	// What the engine made of the values, which stay where they are.
	Known   []api.ChartLine // by column
	Others  int             // the column that sums up all lines but the largest; -1 for none
	LeftOut int             // samples of the window: more time was counted than elapsed; events: they happened at another time
	Cut     int             // lines that were too many to tell of
	Reason  int             // the most frequent one why there is no value
	// Unreadable says why no process is known to have used a resource.
	Unreadable string
	Load       func(column int) (values []float64, why []uint8)
	Band       func(column int) (low, high []float64) // smallest and largest that each step saw; nil where every point tells all there is
	Total      int                                    // the column that says how high all areas reach together; -1 for none
}

// load fetches the values of a column: what is told of some lines, or was asked
// for.
func (a *Answer) load(column int) (values []float64, why []uint8) {
	if a.Load == nil || column >= len(a.Frame.Columns) || a.Frame.Columns[column].Strings != nil {
		return nil, nil
	}
	return a.Load(column)
}

// band fetches the extremes of a column's steps; nil where there are none.
func (a *Answer) band(column int) (low, high []float64) {
	if a.Band == nil || column >= len(a.Frame.Columns) {
		return nil, nil
	}
	return a.Band(column)
}

// Reduced says what the points stand for: "mean", "max" and so on; "" where
// every point tells all there is.
func (a *Answer) Reduced() string {
	if a.Frame == nil {
		return ""
	}
	return a.Frame.Reduced
}

// A Context is what there is to know around a panel: of the source, of the page.
type Context struct {
	Holes, Gaps []timeline.Hole               // of the source
	Metric      func(name string) *api.Metric // nil where the source has none
	Rates       bool                          // counters are shown as rates
	CPUs        int                           // of the host; 0 where that was not logged
	Once        func(name string) bool        // a metric was logged once, as far as is known
	Only        string                        // the instance that alone is to be drawn; "" for all
	Colours     map[string]int                // of instances, by name: the same in all panels
}

// A View is what a panel shows. All of it follows from the settings, the answer
// and the context.
type View struct {
	Answer
	Series   []Series
	Left     []Series // that are too many to draw
	Texts    []Text   // of metrics whose values are texts
	Shown    format.Shown
	Levels   []Limit
	Fault    string
	All      int    // series there are, of which Series are drawn
	Matching int    // of these, how many the filter lets through
	Alone    bool   // of the instances only Context.Only is drawn
	units    string // of the first series, as pmUnitsStr
}

// Streams reports whether the panel shows bytes in a time, or bits.
func (v *View) Streams() bool { return format.Streams(v.units) }

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

// Rest counts the series that are too many to draw.
func (v *View) Rest() int { return v.All - v.Count() }

// Points counts the values on screen.
func (v *View) Points() int {
	if v.Frame == nil {
		return 0
	}
	return len(v.Frame.Times) * v.Count()
}

// PointsWithin counts the moments of the frame within a window.
func (v *View) PointsWithin(w timeline.Window) int {
	n := 0
	for i := range v.Frame.Times {
		if w.Contains(timeline.At(v.Frame, i)) {
			n++
		}
	}
	return n
}

// CalledAs is what people call an instance, as far as the panel knows.
func (v *View) CalledAs(instance string) string {
	for _, list := range [][]Series{v.Series, v.Left} {
		for i := range list {
			if s := &list[i]; s.Instance == instance && s.Called != "" {
				return s.Called
			}
		}
	}
	return instance
}

// texts lists the values of a column of texts, each once until it changes.
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

// SumsUp reports whether a line stands for all those that are not drawn.
func (v *View) SumsUp() bool {
	return slices.ContainsFunc(v.Series, func(s Series) bool { return s.Kind == "others" })
}
