// Package derived is PCP's language for derived metrics: metrics computed from
// others by an expression, as pmRegisterDerived(3) describes it.
//
//	e, err := derived.Parse("delta(disk.dev.total_bytes) / delta(disk.dev.total)")
//	b, faults := e.Bind(metadata)   // names, types, units, instance domains
//	frame, err := b.Eval(grid, values)
//
// Parse needs no archive and knows syntax only. Bind looks operands up and
// settles type, semantics, units and instance domain of every part; all that
// can be wrong with an expression is said there, with the place. Eval computes
// all instances and all points of a grid at once and never fails for missing
// values: these are part of the answer, with the reason.
//
// A Set is a number of definitions, read from configuration files in PCP's
// syntax or made one by one, that may use each other. Builtin holds those that
// PCP's users expect to be there.
//
// The contract is docs/spec/derived.md, cited as spec/derived.md. Where PCP
// 7.2.1 crashes or returns garbage the sane result is here. What goes
// beyond PCP's language changes the meaning of no expression that PCP accepts:
//
//   - avg count max min sum take any expression, not only a metric's name:
//     sum(rate(kernel.percpu.cpu.user)), max(a - b)
//   - numbers may have an exponent: 1e3, 2.5e-6
//   - a derived metric may use others; a circle is an error that names it
//   - topn(n, x) keeps the n largest instances at each moment
//   - percentile(p, x), median(x), p90(x), p95(x), p99(x) over instances
//   - slope(x), how fast x grows over all of the time that is asked for
//   - tally(x, y), how many instances of x say the number of each instance of y
//   - movavg(x, "5min"), the mean of the values of the last five minutes
//   - movslope(x, "1hour"), the slope after Theil and Sen over the last hour
package derived
