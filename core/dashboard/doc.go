// Package dashboard holds the ready-made views of an archive as data: which
// panels there are, what each draws, what it means, and from which value on
// it deserves a look. It does no I/O and computes nothing.
//
//	d, ok := dashboard.Find("disks")
//	r := dashboard.Resolve(d, metadata)   // what of it this archive can show
//
// A series is written in the derived-metric language (package derived). Not
// every archive has every metric, so three rules hold everywhere: a series
// whose operands are missing is left out, a panel without series is left out,
// and what was left out is named with the metrics that it needs.
package dashboard
