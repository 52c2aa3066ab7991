// Package state is everything that the page remembers and every way in which
// it changes: what is open, the window, the panels, the tree, what is being
// read. It has no browser in it; components show it, and an Engine answers
// its questions.
//
// All methods of App and Work are called with the loop's lock held. Slow work
// runs outside it, through App.work, and comes back as a function that is
// applied under the lock.
package state
