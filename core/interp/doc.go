// Package interp gives a metric values at any time. It takes what an archive
// logged (series.Observations) and answers as a PCP context in interpolated
// mode would: counters in proportion, instants from the nearer observation,
// discrete values until the next one, nothing across a mark. Beside that it
// turns counters into rates, reads observations as they were logged, and
// summarises windows of time.
//
// The unit of work is a metric's runs, never one record: inside a run the
// value is constant, so interpolation costs grid points plus changes of value,
// however many observations lie between. All instances of a metric share one
// table that says which grid points lie behind which row.
//
// The rules are those of docs/spec/interp.md, cited as spec/interp.md, which
// describe libpcp from 6.3.2 on.
package interp
