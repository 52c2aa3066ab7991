package table

import (
	"fmt"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/metric"
)

// Instances lists the instances of a metric's domain, and when each was in it, with values
// or not.
func Instances(of, indom string, list []api.Instance, clock format.Clock) Table {
	n := len(list)
	t := Table{Name: "instances", Title: format.Plural(n, "instance"), Note: "of the domain " + indom + ", which " + of + " has, and when they were in it, with values or not", Rows: n, SortBy: -1, Empty: "The domain never had an instance."}
	id := Column{Head: "ID", Kind: "id", Width: "90px", Faint: true, Numbers: make([]float64, n)}
	name, about := textColumn("instance", "minmax(160px, 2fr)", n), textColumn("labels", "minmax(120px, 2fr)", n)
	name.Strong, about.Faint = true, true
	first := Column{Head: "listed from", Kind: "time", Width: "150px", Numbers: make([]float64, n), Texts: make([]string, n)}
	last := Column{Head: "listed until", Kind: "time", Width: "150px", Numbers: make([]float64, n), Texts: make([]string, n)}
	seen := Column{Head: "between", Kind: "figure", As: "between (s)", Width: "110px", Numbers: make([]float64, n), Texts: make([]string, n)}
	for i := range list {
		in := &list[i]
		id.Numbers[i] = float64(in.ID)
		name.Texts = append(name.Texts, in.Name)
		var own []string
		for _, l := range metric.Labels(in.Labels) {
			own = append(own, fmt.Sprintf("%s: %s", l[0], l[1]))
		}
		about.Texts = append(about.Texts, strings.Join(own, ", "))
		for _, c := range []struct {
			column *Column
			at     pcp.Time
		}{{&first, in.First}, {&last, in.Last}} {
			c.column.Numbers[i], c.column.Texts[i] = c.at.Since(0), clock.DateTime(c.at)
		}
		seen.Numbers[i], seen.Texts[i] = in.Last.Since(in.First), format.Span(int64(in.Last-in.First))
	}
	t.Columns = []Column{id, name, first, last, seen, about}
	titles := make([]string, n)
	for i := range list {
		titles[i] = list[i].Title
	}
	t.titled(1, titles)
	return t
}
