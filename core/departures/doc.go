// Package departures judges what changed: which series left their usual range, when
// they did, and what they have to do with each other.
//
// It works on means over equal steps of time and knows metrics by their names,
// units and instances alone. A difference counts when it is beyond the usual
// variation of the series and beyond a floor, below which it does not matter.
package departures
