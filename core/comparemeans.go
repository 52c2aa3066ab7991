package core

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/analysis"
	"pcpscope/core/departures"
	"pcpscope/core/sorting"
)

// meanChange is a series whose mean changed, though most of its values did not.
type meanChange struct {
	departures.Subject
	score float64
	text  string // "disk.dev.write_bytes[sda], 104.0 KiB/s to 661.0 KiB/s"
}

// keepMeans keeps the means of a series, if there is memory for it.
func (c *comparison) keepMeans(kind *departures.Kind, m *changedSeries, score float64) {
	amount := func(v float64) string {
		if m.command != "" {
			return analysis.Number(v) + " % of one CPU"
		}
		return amountOf(m.metric, "", m.units, c.host.CPUs, v)
	}
	if c.claim.Take(changeBytes) == nil {
		c.means = append(c.means, meanChange{kind.Subject, score, m.name() + ", " + amount(m.A.Mean) + " to " + amount(m.B.Mean)})
	}
}

// mostOnAverage names the series whose means changed most, one of each subject, as a
// sentence with a space before it; "" if none was kept.
func (c *comparison) mostOnAverage() string {
	const most = 3
	list := slices.Clone(c.means)
	sorting.Stable(list, func(a, b meanChange) int { return cmp.Compare(b.score, a.score) })
	seen := map[departures.Subject]bool{}
	var texts []string
	for _, m := range list {
		if !seen[m.Subject] && len(texts) < most {
			seen[m.Subject], texts = true, append(texts, m.text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return " Most of all: " + strings.Join(texts, "; ") + "."
}
