// Package canvas keeps the canvases of the page in step with the application:
// panels, the strip over the whole span, the ruler, tables. It defines the
// protocol between the program and the scripts of its page (web/static): what
// Go asks them to do, and the user actions that they report. Messages are
// encoded like the engine's replies (wasm/rpc). canvas.d.ts declares the same
// types for the scripts; a test compares it with this package.
//
// Times are seconds after the origin of the axis, Timeline.Origin.
package canvas
