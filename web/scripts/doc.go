// Package scripts contains only tests: they check the types of the scripts in
// web/static (page.d.ts, web/canvas), and run the unit tests of their pure
// functions, *.test.js. Both need Node.
package scripts
