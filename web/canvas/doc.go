// Package canvas keeps the canvases of the page in step with the application:
// panels, the strip over the whole span, the ruler, tables. It has the
// protocol between the program and the scripts of its page (web/static): what
// Go asks them to do, and what they tell of what the user did. All of it
// crosses as the engine's answers do (wasm/rpc). canvas.d.ts declares the same
// for the scripts; a test holds it against this package.
//
// Times are seconds after the origin of the axis, Timeline.Origin.
package canvas
