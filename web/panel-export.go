package web

// Export saves the panel's values.
func (c *PanelMenu) Export(kind string) {
	c.App.Menu = ""
	c.App.ExportPanel(c.Panel, kind)
}

// NoPicture says that the panel is no chart.
func (c *PanelMenu) NoPicture() bool {
	return c.App.Tables || c.Panel.Tabular() || len(c.Panel.Series) == 0
}

// Picture saves the chart.
func (c *PanelMenu) Picture(kind string) {
	c.App.Menu = ""
	c.App.SavePicture(c.Panel, kind)
}
