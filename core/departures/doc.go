// Package departures judges what changed: which series left their usual range, when
// they did, and what they have to do with each other.
//
// It works on means over equal steps of time and knows metrics by their names,
// units and instances alone. A difference counts when it is beyond what the
// series does anyway and beyond a floor below which nobody would care.
package departures
