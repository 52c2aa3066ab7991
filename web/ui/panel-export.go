package ui

// Export saves the panel's values.
func (c *PanelMenu) Export(kind string) {
	c.App.Layout.Menu = ""
	c.App.Share.ExportPanel(c.Panel, kind)
}

// Tables exports the logged values of the panel's metrics.
func (c *PanelMenu) Tables() { c.App.Saving.ShowTables(c.Panel) }

// NoPicture reports whether the panel is not a chart.
func (c *PanelMenu) NoPicture() bool {
	return c.App.Layout.Tables || c.Panel.Tabular() || len(c.Panel.Series) == 0
}

// Picture saves the chart.
func (c *PanelMenu) Picture(kind string) {
	c.App.Layout.Menu = ""
	c.App.Share.SavePicture(c.Panel, kind)
}
