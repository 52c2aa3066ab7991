package canvas

import (
	"cmp"
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/table"
)

// drawer sends the drawer's table when it has changed.
func (c *Charts) drawer(tab *app.Tab) {
	if sticky := c.app.Layout.Drawer == "cursor" || c.app.Layout.Drawer == "processes"; sticky != c.sticky {
		c.sticky = sticky
		Do(Stick, Sticky{On: sticky})
	}
	t := tab.Drawer.Table
	if t == nil || t.Page != c.app.Layout.Drawer {
		return
	}
	if t != c.table || c.viewed != c.app.Layout.ViewsRev {
		c.handed, c.whole = 0, false
	}
	if c.whole {
		return
	}
	if c.handed == 0 {
		c.measure(t)
	}
	from, to := c.handed, min(c.handed+c.partRows, t.Rows)
	view, seen := c.app.Layout.Views[t.Page]
	out := Table{
		Page: t.Page, Title: t.Title, Note: t.Note, Name: t.Name, Empty: t.Empty, Rows: t.Rows, From: from, More: to < t.Rows, Full: t.Full,
		Sort: t.SortBy, Down: true, Filter: view.Filter, Chosen: c.viewed != c.app.Layout.ViewsRev, Opens: table.AddFile, Marks: part(t.Marks, from, to),
	}
	if c.handed == 0 {
		c.chosen = out.Chosen
	}
	out.Chosen = c.chosen // with the first part
	c.table, c.viewed, c.handed, c.whole = t, c.app.Layout.ViewsRev, to, to == t.Rows
	narrow := js.Global().Call("matchMedia", "(max-width: 1023px)").Get("matches").Bool()
	for i := range t.Columns {
		column := columnOf(tab, &t.Columns[i], from, to)
		if r := &c.repeated[i]; r.Words != nil {
			column.Texts, column.Words, column.Word = nil, r.Words, part(r.Of, from, to)
		}
		column.Hidden = !view.Shows(&t.Columns[i], narrow)
		out.Columns = append(out.Columns, column)
		if seen && view.Sort == t.Columns[i].Name() {
			out.Sort, out.Down = i, view.Down
		}
	}
	Do(ShowTable, out)
	if c.whole {
		c.repeated = nil
	} else {
		c.app.Continue()
	}
}

// Rows of a table are sent in parts of at most partTexts texts, which take most of the
// time, but of at least minRows rows. Each part waits for the page to be drawn.
const (
	partTexts = 12_500
	minRows   = 2500
)

// measure decides how a table is sent.
func (c *Charts) measure(t *table.Table) {
	c.repeated = make([]table.Repeated, len(t.Columns))
	texts := 0
	for i := range t.Columns {
		column := &t.Columns[i]
		if c.repeated[i] = column.Repeats(); c.repeated[i].Words == nil && len(column.Texts) > 0 {
			texts++
		}
		if column.Under != nil {
			texts++
		}
	}
	c.partRows = max(minRows, partTexts/max(1, texts))
}

func part[T any](list []T, from, to int) []T { return list[min(from, len(list)):min(to, len(list))] }

func columnOf(tab *app.Tab, c *table.Column, from, to int) Column {
	out := Column{
		Head: c.Head, Group: c.Group, Kind: c.Kind, Width: c.Width, Decimals: c.Decimals, Strong: c.Strong, Faint: c.Faint, Mono: c.Mono,
		Name: c.Name(), As: cmp.Or(c.As, nameOut(c)), Texts: part(c.Texts, from, to), Tags: part(c.Tags, from, to), Numbers: part(c.Numbers, from, to),
	}
	if c.Under != nil {
		under := columnOf(tab, c.Under, from, to)
		out.Under = &under
	}
	if c.Kind == "time" {
		origin, _ := tab.Source.Start.Split()
		out.Numbers = shifted(out.Numbers, -pcp.MakeTime(origin, 0).Since(0))
	}
	return out
}

// nameOut is the name of a column in exports.
func nameOut(c *table.Column) string {
	if c.Group != "" {
		return c.Head + " (" + c.Group + ")"
	}
	return c.Head
}
