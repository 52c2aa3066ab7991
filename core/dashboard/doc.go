// Package dashboard defines the dashboards as data: their panels, what each
// draws, what it means, and which values deserve a look. It does no I/O and
// computes nothing.
//
//	d, ok := dashboard.Find("disks")
//	r := dashboard.Resolve(d, metadata)   // what of it this archive can show
//
// A series is written in the derived-metric language (package derived). Not
// every archive has every metric, so: a series whose operands are missing is
// left out, a panel without series is left out, and what was left out is listed
// with the metrics that it needs.
package dashboard
