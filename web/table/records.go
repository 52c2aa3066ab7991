package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// MaxRecords is how many records are listed.
const MaxRecords = 50_000

// Records lists what was logged for metrics, as it is in the archive. single reports
// whether a metric's values have single precision. full reports that the list is full:
// later records are missing.
func Records(f *api.Frame, metrics []string, single func(metric string) bool) (t Table, full bool) {
	t = Table{Name: "records", Title: "As logged", SortBy: -1, Empty: "Nothing was logged for " + strings.Join(metrics, ", ") + " in this window."}
	at := Column{Head: "time", Kind: "time", Width: "128px", Decimals: 6} // as pmdumplog has them
	metric, instance, value, units := textColumn("metric", "minmax(160px, 2fr)", 0), textColumn("instance", "minmax(90px, 1fr)", 0), textColumn("value", "minmax(110px, 1fr)", 0), textColumn("unit", "110px", 0)
	value.Kind, value.Strong = "exact", true
	limit := min(MaxRecords, len(f.Times)*len(f.Columns)) // rows
	at.Numbers, value.Numbers = make([]float64, 0, limit), make([]float64, 0, limit)
	for _, c := range []*Column{&metric, &instance, &value, &units} {
		c.Texts = make([]string, 0, limit)
	}
	singles := make([]bool, len(f.Columns))
	for k := range f.Columns {
		singles[k] = single(f.Columns[k].Metric)
	}
	for i := 0; i < len(f.Times) && !full; i++ {
		for k := range f.Columns {
			c := &f.Columns[k]
			text := ""
			switch {
			case i < len(c.Strings) && c.Strings[i] != nil:
				text = *c.Strings[i]
			case i < len(c.Values) && !math.IsNaN(c.Values[i]):
				text = exact(c, i, singles[k])
			default:
				continue
			}
			if full = len(at.Numbers) >= MaxRecords; full {
				break
			}
			name := ""
			if c.Instance != nil {
				name = c.Instance.Name
			}
			at.Numbers = append(at.Numbers, f.Start.Since(0)+f.Times[i])
			if value.Numbers = append(value.Numbers, math.NaN()); i < len(c.Values) {
				value.Numbers[len(value.Numbers)-1] = c.Values[i]
			}
			metric.Texts, instance.Texts, value.Texts, units.Texts = append(metric.Texts, c.Metric), append(instance.Texts, name), append(value.Texts, text), append(units.Texts, c.Units)
		}
	}
	t.Rows = len(at.Numbers)
	t.Note = format.Plural(t.Rows, "value") + " of " + strings.Join(metrics[:min(3, len(metrics))], ", ")
	if len(metrics) > 3 {
		t.Note += " and " + format.Count(len(metrics)-3) + " more"
	}
	if full {
		t.Note = "the first " + t.Note + "; zoom in for the rest"
	}
	t.Columns = []Column{at, metric, instance, value, units}
	return t, full
}

// exact writes a logged value without loss: with as many digits as distinguish it from
// all others of its type.
func exact(c *api.Column, i int, single bool) string {
	switch list := c.Exact.(type) {
	case []int64:
		return strconv.FormatInt(list[i], 10)
	case []uint64:
		return strconv.FormatUint(list[i], 10)
	}
	if v := c.Values[i]; v == math.Trunc(v) && math.Abs(v) < 1<<53 && (v != 0 || !math.Signbit(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	if single {
		return strconv.FormatFloat(c.Values[i], 'g', -1, 32)
	}
	return fmt.Sprint(c.Values[i])
}
