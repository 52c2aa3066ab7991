// Package analysis interprets the values of an archive: the worst case of each
// resource, what happened and when, which processes were behind it, and what
// changed from one window to another.
//
// It works on tables: a metric as it was logged, with one row per record and
// one column per instance, as numbers. Rates are computed between adjacent
// rows, so that a peak is as high as it was recorded, and never across a mark
// or a step of the clock.
//
//	h := analysis.NewHost(values)   // values: where tables come from
//	h.Tiles()                       // worst case by resource
//	h.Findings()                    // what happened, as sentences
//
// The rules and their thresholds are those of PCP's pmieconf(1) and of the
// checklist that grafana-pcp ships, and are in one place (rules.go). Thresholds
// of our own are marked as such.
package analysis
