// Package analysis looks at the values of an archive and says what is in
// them: the worst case of each resource, what happened and when, which
// processes were behind it, and what changed from one window to another.
//
// It works on tables: a metric as it was logged, one row for each record and
// one column for each instance, as numbers. Rates are formed between one row
// and the next, so that a peak is as high as it was recorded, and never over
// a mark or a step of the clock.
//
//	h := analysis.NewHost(values)   // values: where tables come from
//	h.Tiles()                       // worst case by resource
//	h.Findings()                    // what happened, as sentences
//
// The rules and their thresholds are those of PCP's pmieconf(1) and of the
// checklist that grafana-pcp ships, and are in one place (rules.go). Where
// neither has one, ours is marked so.
package analysis
