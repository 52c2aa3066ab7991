// Package app is the state of the page and every way in which it changes: what is
// open, the window, the panels, undo, commands with their keys, and what is
// requested from the engine when. It does not depend on a browser: components
// show it, a Page does what only the browser can, and the engine answers through
// an rpc.Transport.
//
// App is the page, Tab one open source; both consist of parts, each with the
// state and methods of one feature. All methods are called with the loop's lock
// held. Slow work runs outside it, through App.work, and returns a function that
// is applied under the lock; functions that are such work say so.
package app
