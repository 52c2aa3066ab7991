// Package interp returns a metric's values at any time. From what an archive
// logged (series.Observations) it computes what a PCP context in interpolated
// mode would return: counters interpolated linearly, instants from the nearer
// observation, discrete values until the next one, nothing across a mark. It
// also converts counters to rates, returns observations as they were logged,
// and summarises windows of time.
//
// The unit of work is a metric's runs, never one record: within a run the value
// is constant, so interpolation costs grid points plus changes of value,
// however many observations lie between. All instances of a metric share one
// table that maps rows to grid points.
//
// The rules are those of docs/spec/interp.md, cited as spec/interp.md, which
// describes libpcp from 6.3.2 on.
package interp
