// Package derived is PCP's language for derived metrics: metrics computed from
// others by an expression, as pmRegisterDerived(3) describes it.
//
//	e, err := derived.Parse("delta(disk.dev.total_bytes) / delta(disk.dev.total)")
//	b, faults := e.Bind(metadata)   // names, types, units, instance domains
//	frame, err := b.Eval(grid, values)
//
// Parse checks syntax only and needs no archive. Bind looks up the operands and
// determines type, semantics, units and instance domain of every part; it
// reports everything that is wrong with an expression, with the position. Eval
// computes all instances and all points of a grid at once and never fails
// because values are missing: the result says why each is missing.
//
// A Set is a number of definitions, read from configuration files in PCP's
// syntax or made one by one, that may use each other. Builtin has those that
// PCP's users expect.
//
// The contract is docs/spec/derived.md, cited as spec/derived.md. Where PCP
// 7.2.1 crashes or returns garbage, the result here is the sane one. Extensions
// of PCP's language do not change the meaning of any expression that PCP
// accepts:
//
//   - avg count max min sum take any expression, not only a metric's name:
//     sum(rate(kernel.percpu.cpu.user)), max(a - b)
//   - numbers may have an exponent: 1e3, 2.5e-6
//   - a derived metric may use others; circular definitions are an error
//   - topn(n, x) keeps the n largest instances at each point
//   - percentile(p, x), median(x), p90(x), p95(x), p99(x) over instances
//   - slope(x), the growth rate of x over the whole query
//   - tally(x, y), how many instances of x have the number of each instance of y
//     as their value
//   - movavg(x, "5min"), the mean of the values of the last five minutes
//   - movslope(x, "1hour"), the Theil-Sen slope over the last hour
package derived
