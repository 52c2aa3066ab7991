// Package canvas keeps the canvases of the page in step with the application:
// panels, the strip over the whole span, the ruler, tables. What it calls is
// described in static/charts/sync.js.
package canvas
