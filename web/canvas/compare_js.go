package canvas

import (
	"cmp"
	"math"
	"strings"

	"pcpscope/web/app"
	"pcpscope/web/compare"
	"pcpscope/web/format"
)

// compare sends the list of changes when it has changed: see static/charts/compare.js.
func (c *Charts) compare(tab *app.Tab) {
	if !c.app.Layout.Comparing || c.compared == tab.Compare.Rev && c.comparedOf == tab {
		return
	}
	c.compared, c.comparedOf = tab.Compare.Rev, tab
	comparison := &tab.Compare
	out := Compared{
		Order: comparison.Sort, Rows: len(comparison.Shown), At: comparison.At, Fault: comparison.Fault,
		WindowA: span(tab, comparison.A.Start, comparison.A.End), WindowB: span(tab, comparison.B.Start, comparison.B.End),
	}
	if r := comparison.Result; out.Fault == "" && r != nil {
		out.Fault = r.Why
	}
	for i := range comparison.Shown {
		ch := &comparison.Shown[i]
		s := tab.Compare.ShownOf(ch)
		from, to, by, bursts := compare.Levels(ch)
		shift := s.Text(by)
		if by > 0 {
			shift = "+" + shift
		}
		out.What = append(out.What, ch.DisplayName())
		out.Metric = append(out.Metric, ch.Series())
		out.Unit = append(out.Unit, cmp.Or(s.Of, s.Unit))
		out.With = append(out.With, strings.Join(ch.With, ", "))
		out.Brief = append(out.Brief, compare.MovedWith(ch))
		out.Ratio = append(out.Ratio, ratio(to/from, from))
		out.MedianA = append(out.MedianA, compare.LevelText(s, from, bursts))
		out.MedianB = append(out.MedianB, compare.LevelText(s, to, bursts))
		out.Shift = append(out.Shift, shift)
		out.Effect = append(out.Effect, ch.Effect)
		out.KeyA = append(out.KeyA, from)
		out.KeyB = append(out.KeyB, to)
		out.KeyShift = append(out.KeyShift, by)
		out.KeyRatio = append(out.KeyRatio, to/from)
		out.A, out.B = append(out.A, ch.A), append(out.B, ch.B)
	}
	if ch := comparison.Picked(); ch != nil {
		s := tab.Compare.ShownOf(ch)
		out.UnitOf, out.Factor, out.Decimals = s.Unit, s.Factor, s.Decimals
		out.MiddleA, out.MiddleB, _, _ = compare.Levels(ch)
	}
	Do(ShowCompare, out)
}

func ratio(r, from float64) string {
	if math.IsNaN(r) || math.IsInf(r, 0) || from == 0 {
		return "from 0"
	}
	return "× " + format.Number(r, 2)
}
