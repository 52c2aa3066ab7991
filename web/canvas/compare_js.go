package canvas

import (
	"math"
	"strings"

	"pcpscope/web/app"
	"pcpscope/web/compare"
	"pcpscope/web/format"
)

// compare hands the list of changes over when it has changed: see
// static/charts/compare.js.
func (c *Charts) compare(tab *app.Tab) {
	if !c.app.Layout.Comparing || c.compared == tab.Compare.Rev && c.comparedOf == tab {
		return
	}
	c.compared, c.comparedOf = tab.Compare.Rev, tab
	cmp := &tab.Compare
	spec := object()
	n := len(cmp.Shown)
	texts := map[string][]string{}
	numbers := map[string][]float64{}
	add := func(column, text string) { texts[column] = append(texts[column], text) }
	put := func(column string, v float64) { numbers[column] = append(numbers[column], v) }
	a, b := []any{}, []any{}
	for i := range cmp.Shown {
		ch := &cmp.Shown[i]
		s := tab.Compare.ShownOf(ch)
		add("what", ch.Called())
		add("metric", ch.Series())
		add("unit", s.Unit)
		add("with", strings.Join(ch.With, ", "))
		add("brief", compare.MovedWith(ch))
		add("ratio", ratio(ch.Ratio, ch.MedianA))
		add("medianA", s.Text(ch.MedianA))
		add("medianB", s.Text(ch.MedianB))
		shift := s.Text(ch.Shift)
		if ch.Shift > 0 {
			shift = "+" + shift
		}
		add("shift", shift)
		put("effect", ch.Effect)
		put("keyA", ch.MedianA)
		put("keyB", ch.MedianB)
		put("keyShift", ch.Shift)
		put("keyRatio", ch.Ratio)
		a, b = append(a, floats(ch.A)), append(b, floats(ch.B))
	}
	for name, t := range texts {
		spec.Set(name, list(t))
	}
	for name, v := range numbers {
		spec.Set(name, floats(v))
	}
	spec.Set("order", cmp.Sort)
	spec.Set("a", a)
	spec.Set("b", b)
	spec.Set("rows", n)
	spec.Set("at", cmp.At)
	spec.Set("fault", cmp.Fault)
	if ch := cmp.Picked(); ch != nil {
		s := tab.Compare.ShownOf(ch)
		spec.Set("unitOf", s.Unit)
		spec.Set("factor", s.Factor)
		spec.Set("decimals", s.Decimals)
		spec.Set("middleA", ch.MedianA)
		spec.Set("middleB", ch.MedianB)
	}
	spec.Set("windowA", []any{seconds(tab, cmp.A.Start), seconds(tab, cmp.A.End)})
	spec.Set("windowB", []any{seconds(tab, cmp.B.Start), seconds(tab, cmp.B.End)})
	c.Js.Call("compare", spec)
}

func ratio(r, from float64) string {
	if math.IsNaN(r) || math.IsInf(r, 0) || from == 0 {
		return "from 0"
	}
	return "× " + format.Number(r, 2)
}
