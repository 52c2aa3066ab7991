// Package scripts has no code: its tests hold the scripts of web/static
// against their types (page.d.ts, web/canvas) and run the unit tests of what
// in them is pure, the *.test.js beside it. Both need Node.
package scripts
