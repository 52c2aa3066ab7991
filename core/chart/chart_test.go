package chart

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

const (
	second = pcp.Time(1e9)
	begin  = 1_500_000_000 * second
)

var none = math.NaN()

// frame makes a frame with a point every ten seconds.
func frame(columns ...api.Column) *api.Frame {
	f := &api.Frame{Start: begin, Columns: columns}
	for i := range columns[0].Values {
		f.Times = append(f.Times, float64(10*i))
	}
	return f
}

// line is a column of an instance, or of a singular metric if name is "".
func line(instance string, values ...float64) api.Column {
	c := api.Column{Metric: "m", Values: values}
	if instance != "" {
		c.Instance = &api.InstanceRef{Name: instance}
	}
	return c
}

// whole is a query for a whole frame.
func whole() *api.ChartQuery { return &api.ChartQuery{Start: begin, End: begin + 3600*second} }

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The reason for having no values is that of the window, not of the points around it, and
// of equal ones the one that says more.
func TestReasonOfTheWindow(t *testing.T) {
	f := frame(line("", none, none, none, none, none))
	f.Columns[0].Why = []uint8{uint8(series.OperandMissing), uint8(series.DividedByZero), uint8(series.NoPrevious), uint8(series.OperandMissing), uint8(series.OperandMissing)}
	q := &api.ChartQuery{Start: begin + 5*second, End: begin + 25*second}
	if m := made(f, q); m.Reason != uint8(series.DividedByZero) {
		t.Errorf("the reason is %d, want division by zero", m.Reason)
	}
	if m := made(f, whole()); m.Reason != uint8(series.OperandMissing) {
		t.Errorf("the reason of all is %d, want the missing operand", m.Reason)
	}
}

// A line with a scale of its own is no share of time: 7,384 pages a second are neither 100 %
// nor a clock that was set.
func TestLinesApartAreNoShares(t *testing.T) {
	pages := line("", 0, 222, 7384)
	pages.Metric = "pages"
	pages.Statistics = &api.Statistics{Count: 3, Average: 2535, Maximum: 7384}
	q := whole()
	q.Share, q.Apart = "percent", []string{"pages"}
	m := made(frame(line("", 20, 105, 30), pages), q)
	same(t, "the share", m.Frame.Columns[0].Values, []float64{20, 100, 30})
	same(t, "the pages", m.Frame.Columns[1].Values, []float64{0, 222, 7384})
	if m.LeftOut != 0 || m.Lines[1].Max != 7384 || m.Lines[1].Avg != 2535 {
		t.Errorf("%d left out, pages %+v", m.LeftOut, m.Lines[1])
	}
}

// The last point of a grid that ends after the source is drawn at its end.
func TestLastPointIsAtTheEnd(t *testing.T) {
	f := frame(line("", none, 1, 2))
	until := begin + 15*second
	q := whole()
	q.Until = &until
	same(t, "the times", made(f, q).Frame.Times, []float64{0, 10, 15})
	until = begin + 10*second // the point before is there
	same(t, "the times", made(frame(line("", none, 1, 2)), q).Frame.Times, []float64{0, 10, 20})
}

// No line crosses a hole: interpolated values there are replaced by the
// reason, and other holders of the same values are not affected.
func TestHolesAreLeftOut(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5}
	q := whole()
	q.Holes = []api.MissingRange{{Start: begin + 10*second, End: begin + 40*second, Why: 7}}
	m := made(frame(line("", values...)), q)
	same(t, "the column", m.Frame.Columns[0].Values, []float64{1, 2, none, none, 5})
	if why := m.Frame.Columns[0].Why; why[1] != 0 || why[2] != 7 || why[3] != 7 || m.Reason != 7 {
		t.Errorf("the reasons are %v, above all %d", why, m.Reason)
	}
	same(t, "the caller's values", values, []float64{1, 2, 3, 4, 5})
}

// In a frame of single records a line is broken where nothing was recorded.
func TestBreaksPartLines(t *testing.T) {
	q := whole()
	q.Breaks = []api.MissingRange{{Start: begin + 10*second, End: begin + 20*second}, {Start: begin + 100*second, End: begin + 110*second}}
	m := made(frame(line("", 1, 2, 3)), q)
	same(t, "the times", m.Frame.Times, []float64{0, 10, 15, 20})
	same(t, "the column", m.Frame.Columns[0].Values, []float64{1, 2, none, 3})
}

// Jitter of the logger's timer is removed from utilisation; a sample with far
// more time counted than elapsed is left out, and counted.
func TestSharesAreClamped(t *testing.T) {
	q := whole()
	q.Share = "percent"
	m := made(frame(line("a", 107, -7, 50, 300), line("b", 1, 2, 3, 4)), q)
	same(t, "a", m.Frame.Columns[0].Values, []float64{100, 0, 50, none})
	same(t, "b", m.Frame.Columns[1].Values, []float64{1, 2, 3, none})
	if m.LeftOut != 1 || m.Frame.Columns[1].Why[3] != ClockSet {
		t.Errorf("%d samples are left out, because of %v", m.LeftOut, m.Frame.Columns[1].Why)
	}
	q.Share = "utilisation" // parts of one hundred
	m = made(frame(line("a", 60, 60), line("b", 30, 60)), q)
	same(t, "parts", m.Frame.Columns[0].Values, []float64{60, none})
	for _, reduced := range []string{"max", "p95"} { // 60 % in one half of the step, 60 % in the other
		f := frame(line("a", 60, 60), line("b", 30, 60))
		f.Reduced = reduced
		if m = made(f, q); m.LeftOut != 0 {
			t.Errorf("%d samples of %s are left out", m.LeftOut, reduced)
		}
		same(t, reduced, m.Frame.Columns[1].Values, []float64{30, 60})
	}
	if m = made(frame(line("", 300)), whole()); m.Frame.Columns[0].Values[0] != 300 || m.LeftOut != 0 {
		t.Error("a value that is not a share is clamped")
	}
}

// The average, the highest and the lowest value are without a sample that is left out: the clock was
// set back before the third point, and as much was counted as in 300 % and 15 % of the time.
func TestExtremesOfSamplesLeftOut(t *testing.T) {
	q := whole()
	q.Share = "utilisation"
	f := frame(line("idle", 80, 90, 300, 70), line("user", 9, 5, 15, 8), line("wait", 1, 2, 0, 3))
	for i, c := range []api.Statistics{
		{Maximum: 300, MaximumAt: begin + 19*second, Minimum: 70, MinimumAt: begin + 30*second},
		{Maximum: 15, MaximumAt: begin + 21*second, Minimum: 5, MinimumAt: begin + 10*second},
		{Maximum: 4, MaximumAt: begin + 29*second, Minimum: 0, MinimumAt: begin + 19*second},
	} {
		c.Count, c.Average = 4, 1000
		f.Columns[i].Statistics = &c
	}
	m := made(f, q)
	if m.LeftOut != 1 {
		t.Fatalf("%d samples are left out, want one", m.LeftOut)
	}
	for i, want := range []struct {
		low, high, average float64
		at                 pcp.Time
	}{{70, 90, 80, begin + 10*second}, {5, 9, 22.0 / 3, begin}, {1, 4, 2, begin + 29*second}} {
		if l := m.Lines[i]; l.Min != want.low || l.Max != want.high || l.MaxAt != want.at || l.Avg != want.average {
			t.Errorf("%s: from %v to %v after %v s, %v on average, want %+v", f.Columns[i].Instance.Name, l.Min, l.Max, l.MaxAt.Since(begin), l.Avg, want)
		}
	}
}

// So is the last value, if the last sample is left out.
func TestLastSampleLeftOut(t *testing.T) {
	q := whole()
	q.Share = "percent"
	f := frame(line("busy", 20, 30, 300))
	f.Columns[0].Statistics = &api.Statistics{Count: 3, Average: 117, Last: 300, Maximum: 300, MaximumAt: begin + 20*second, Minimum: 20, MinimumAt: begin}
	if l := made(f, q).Lines[0]; l.Last != 30 || l.Avg != 25 || l.Max != 30 {
		t.Errorf("last %v, average %v, maximum %v; want 30, 25, 30", l.Last, l.Avg, l.Max)
	}
}

// Excess lines of a chart are summed into one more line. Lines without a
// value in the window are dropped.
func TestRestIsAddedUp(t *testing.T) {
	q := whole()
	q.Rest = &api.ChartRest{Top: 1}
	m := made(frame(line("a", 1, 1), line("b", 5, 9), line("c", 2, none), line("d", none, none)), q)
	if m.Others != 4 || len(m.Lines) != 5 {
		t.Fatalf("the rest is column %d of %d", m.Others, len(m.Lines))
	}
	same(t, "the rest", m.Frame.Columns[4].Values, []float64{3, 1})
	if l := m.Lines[4]; l.Sum != 4 || l.Peak != 3 || l.End != 1 || l.Max != 3 {
		t.Errorf("line of the rest = %+v, want a sum of 4, a peak of 3 and 1 at the end", l)
	}
	if m = made(frame(line("a", 1), line("b", 2)), &api.ChartQuery{Start: begin, End: begin, Rest: &api.ChartRest{Top: 2}}); m.Others != -1 {
		t.Error("there is a rest of none")
	}
	q.Rest = &api.ChartRest{Top: 1}
	if m = made(frame(line("", 1), line("", 2)), q); m.Others != -1 {
		t.Error("singular metrics are summed without a request")
	}
}

// A line whose values are all filtered out by its expression is dropped if
// there are others; if it is the only one, the chart gives the reason.
func TestUnchosenLines(t *testing.T) {
	unchosen := line("a", none, none)
	unchosen.Why = []uint8{uint8(series.NotChosen), uint8(series.NotChosen)}
	q := whole()
	q.Rest = &api.ChartRest{Top: 1}
	m := made(frame(unchosen, line("b", 1, 2)), q)
	if m.Others != -1 || !m.Lines[0].Unchosen || m.Lines[1].Unchosen || !m.Lines[0].Empty {
		t.Errorf("lines = %+v, want only the first unchosen and empty, and no line of the others", m.Lines)
	}
}

// Thresholds are columns but not lines: they are neither ranked nor summed.
func TestLimitsAreNoLines(t *testing.T) {
	limit := line("x", 1000)
	limit.Metric = "limit"
	q := whole()
	q.Limits, q.Rest = []string{"limit"}, &api.ChartRest{Top: 1}
	m := made(frame(line("a", 3), limit, line("b", 1)), q)
	same(t, "the rest", m.Frame.Columns[m.Others].Values, []float64{1})
}

// For cgroups, the innermost are lines, or by slices their sums.
func TestCgroupsAreGrouped(t *testing.T) {
	groups := func() *api.Frame {
		return frame(line("/", 10, 10), line("/system.slice", 7, 7), line("/system.slice/a.service", 1, none), line("/system.slice/b.service", 2, 2), line("/user.slice", 3, 3))
	}
	q := whole()
	q.Groups, q.Rest = "innermost", &api.ChartRest{Top: 1}
	m := made(groups(), q)
	same(t, "the rest of the innermost", m.Frame.Columns[m.Others].Values, []float64{3, 2})
	q.Groups, q.Adds, q.Rest = "slices", []string{"m"}, nil
	m = made(groups(), q)
	sums := m.Frame.Columns[5:]
	if len(sums) != 2 || sums[0].Instance.Name != "/system.slice" || sums[1].Instance.Name != "/user.slice" || sums[0].Instance.ID != Summed {
		t.Fatalf("%d sums: %+v", len(sums), sums)
	}
	same(t, "the sum of a slice", sums[0].Values, []float64{3, 2})
}

func TestSliceOf(t *testing.T) {
	for instance, want := range map[string]string{
		"/": "/", "/system.slice": "/system.slice", "/system.slice/sshd.service": "/system.slice", "/docker/0123": "/docker",
		"/kubepods.slice/pod1.slice/cri-2.scope": "/kubepods.slice/pod1.slice", "/system.slice/a.service::sda": "/system.slice::sda", "/a": "/",
	} {
		if got := SliceOf(instance); got != want {
			t.Errorf("%s is in %s, want %s", instance, got, want)
		}
	}
}

func made(f *api.Frame, q *api.ChartQuery) Result { return Make(f, q, func() {}) }
