package canvas

import (
	"cmp"
	"strings"
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/table"
)

// drawer hands the table in the drawer over when it has changed.
func (c *Charts) drawer(tab *app.Tab) {
	c.Js.Call("sticky", c.app.Layout.Drawer == "cursor" || c.app.Layout.Drawer == "processes")
	t := tab.Drawer.Table
	if t == nil || t == c.table && c.viewed == c.app.Layout.ViewsRev || t.Page != c.app.Layout.Drawer {
		return
	}
	spec := object()
	spec.Set("chosen", c.viewed != c.app.Layout.ViewsRev)
	c.table, c.viewed = t, c.app.Layout.ViewsRev
	view, seen := c.app.Layout.Views[t.Page]
	spec.Set("page", t.Page)
	spec.Set("title", t.Title)
	spec.Set("note", t.Note)
	spec.Set("name", t.Name)
	spec.Set("empty", t.Empty)
	spec.Set("rows", t.Rows)
	spec.Set("full", t.Full)
	spec.Set("sort", t.SortBy)
	spec.Set("down", true)
	spec.Set("filter", view.Filter)
	columns := []any{}
	narrow := js.Global().Call("matchMedia", "(max-width: 1023px)").Get("matches").Bool()
	for i := range t.Columns {
		o := column(tab, &t.Columns[i])
		o.Set("hidden", !view.Shows(&t.Columns[i], narrow))
		columns = append(columns, o)
		if seen && view.Sort == t.Columns[i].Name() {
			spec.Set("sort", i)
			spec.Set("down", view.Down)
		}
	}
	spec.Set("columns", columns)
	spec.Set("opens", table.AddFile)
	if t.Marks != nil {
		spec.Set("marks", list(t.Marks))
	}
	c.Js.Call("drawer", spec)
}

func column(tab *app.Tab, c *table.Column) js.Value {
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
	o.Set("mono", c.Mono)
	o.Set("name", c.Name())
	o.Set("as", cmp.Or(c.As, nameOut(c)))
	if c.Texts != nil {
		o.Set("texts", list(c.Texts))
	}
	if c.Tags != nil {
		o.Set("tags", list(c.Tags))
	}
	if c.Under != nil {
		o.Set("under", column(tab, c.Under))
	}
	switch {
	case c.Numbers == nil:
	case c.Kind == "time":
		shifted := make([]float64, len(c.Numbers))
		origin, _ := tab.Source.Start.Split()
		for i, v := range c.Numbers {
			shifted[i] = v - pcp.MakeTime(origin, 0).Since(0)
		}
		o.Set("numbers", floats(shifted))
	default:
		o.Set("numbers", floats(c.Numbers))
	}
	return o
}

// nameOut is what a column is called in an exported table.
func nameOut(c *table.Column) string {
	if c.Group != "" {
		return c.Head + " (" + c.Group + ")"
	}
	return c.Head
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
