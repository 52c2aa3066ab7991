// Package app is what the page remembers and every way in which it changes:
// what is open, the window, the panels, undo, commands with their keys, and what
// is asked of the engine when. It has no browser in it: components show it, a
// Page does what only the browser can, and the engine answers through one
// rpc.Transport.
//
// App is the page, Tab one open source; both are made of parts, each with the
// state and the methods of one idea. All methods are called with the loop's lock
// held. Slow work runs outside it, through App.work, and comes back as a function
// that is applied under the lock; functions that are such work say so.
package app
