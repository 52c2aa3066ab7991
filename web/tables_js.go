package web

import (
	"strings"
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/web/state"
)

// drawer hands the table in the drawer over when it has changed.
func (c *charts) drawer(w *state.Work) {
	c.js.Call("sticky", c.app.Drawer == "cursor" || c.app.Drawer == "processes")
	t := w.Drawer.Table
	if t == nil || t == c.table || t.Page != c.app.Drawer {
		return
	}
	c.table = t
	spec := object()
	spec.Set("page", t.Page)
	spec.Set("title", t.Title)
	spec.Set("note", t.Note)
	spec.Set("name", t.Name)
	spec.Set("empty", t.Empty)
	spec.Set("rows", t.Rows)
	spec.Set("full", t.Full)
	spec.Set("sort", t.SortBy)
	columns := []any{}
	for i := range t.Columns {
		columns = append(columns, column(w, &t.Columns[i]))
	}
	spec.Set("columns", columns)
	if t.Marks != nil {
		spec.Set("marks", list(t.Marks))
	}
	c.js.Call("drawer", spec)
}

func column(w *state.Work, c *state.TableColumn) js.Value {
	o := object()
	o.Set("head", c.Head)
	o.Set("group", c.Group)
	o.Set("kind", c.Kind)
	if c.Width != "" {
		o.Set("width", c.Width)
	}
	o.Set("decimals", c.Decimals)
	o.Set("strong", c.Strong)
	o.Set("faint", c.Faint)
	switch {
	case c.Texts != nil:
		o.Set("texts", list(c.Texts))
	case c.Kind == "time":
		shifted := make([]float64, len(c.Numbers))
		origin, _ := w.Source.Start.Split()
		for i, v := range c.Numbers {
			shifted[i] = v - pcp.MakeTime(origin, 0).Since(0)
		}
		o.Set("numbers", floats(shifted))
	default:
		o.Set("numbers", floats(c.Numbers))
	}
	return o
}

// list joins texts, for one crossing: ten thousand crossings would
// take longer than the table is looked at.
func list(texts []string) js.Value {
	clean := make([]string, len(texts))
	for i, s := range texts {
		clean[i] = strings.ReplaceAll(s, "\x00", "")
	}
	return js.ValueOf(strings.Join(clean, "\x00"))
}
