package table

import (
	"math"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// Metrics lists all metrics of a source: how they behave and, in an archive,
// how much space they take. It calls yield regularly.
func Metrics(list []api.Metric, states map[string]string, weights map[string]api.Activity, archive bool, yield func()) Table {
	n, derived := len(list), 0
	t := Table{Page: "metrics", Name: "metrics", Title: format.Plural(n, "metric"), Rows: n, SortBy: -1, Empty: "This source has no metrics."}
	columns := []Column{
		textColumn("metric", "minmax(200px, 2fr)", n), textColumn("what it is", "minmax(160px, 3fr)", n), textColumn("values", "84px", n), textColumn("semantics", "84px", n),
		textColumn("type", "84px", n), textColumn("unit", "120px", n), textColumn("instance domain", "110px", n), textColumn("PMID", "84px", n),
	}
	columns[0].Strong, columns[1].Faint, columns[7].Mono = true, true, true
	records := Column{Head: "records", Kind: "number", Width: "76px", Numbers: make([]float64, n)}
	size := Column{Head: "size", Kind: "figure", As: "size (byte)", Width: "84px", Numbers: make([]float64, n), Texts: make([]string, n)}
	for i := range list {
		if i%1000 == 0 {
			yield()
		}
		m := &list[i]
		if m.Expression != "" {
			derived++
		}
		indom := ""
		if m.InDom != nil {
			indom = *m.InDom
		}
		for k, text := range []string{m.Name, m.Oneline, states[m.Name], m.Semantics, m.Type, m.Units, indom, m.PMID} {
			columns[k].Texts = append(columns[k].Texts, text)
		}
		records.Numbers[i], size.Numbers[i] = math.NaN(), math.NaN()
		if a, known := weights[m.Name]; known {
			records.Numbers[i], size.Numbers[i], size.Texts[i] = float64(a.Records), float64(a.Bytes), format.Bytes(float64(a.Bytes))
		}
	}
	if derived > 0 {
		t.Title = format.Plural(n-derived, "metric") + " and " + format.Count(derived) + " derived"
	}
	t.Columns = columns
	if archive {
		t.Columns = append(t.Columns, records, size)
	}
	return t
}
