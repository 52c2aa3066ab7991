package app

import (
	"slices"
	"strings"

	"pcpscope/web/format"
)

// busy are the parts of kernel.all.cpu in which a CPU works; guest time is included in
// user. rest are the others.
var (
	busy = []string{"user", "nice", "sys", "intr", "steal"}
	rest = []string{"idle", "wait.total"}
)

// busyExpression is the time in which CPUs work, with the modes of the dashboards: the sum
// over all CPUs, or a share of all CPU time if busyShare; a percentage that the engine
// found if that cannot be related to all of it, or the number of CPUs changed; "" if nothing
// of it was logged.
func busyExpression(tab *Tab) string {
	related := busyRelated(tab)
	if x := busyFound(tab); x != "" && (!related || resized(tab) && !busyShare(tab)) {
		return x
	}
	if !related {
		return ""
	}
	work := cpuModes(tab, busy)
	if tab.Metric("kernel.all.cpu.intr") == nil { // its two parts were, perhaps
		work = append(work, cpuModes(tab, []string{"irq.hard", "irq.soft"})...)
	}
	if !slices.Contains(work, "kernel.all.cpu.user") || !slices.Contains(work, "kernel.all.cpu.sys") {
		return ""
	}
	if !busyShare(tab) || tab.Metric("kernel.all.cpu.user").Semantics != "counter" {
		return strings.Join(work, " + ") // a single expression, so that its extremes are those of the sum
	}
	rates := func(modes []string) string {
		for i, m := range modes {
			if tab.Metric(m).Semantics == "counter" {
				modes[i] = "rate(" + m + ")"
			}
		}
		return strings.Join(modes, " + ")
	}
	all := append(slices.Clone(work), cpuModes(tab, rest)...)
	return "(" + rates(work) + ") / (" + rates(all) + ")"
}

// busyShare reports whether CPU time has to be related to the sum of all modes and not to
// the number of CPUs: because that was not logged, or because kernel.all.cpu may be the
// mean of all CPUs. It is on Windows, which has no nice time, and in archives made by
// sar2pcp, which contain shares and not counters.
func busyShare(tab *Tab) bool {
	user := tab.Metric("kernel.all.cpu.user")
	return user != nil && tab.Metric("kernel.all.cpu.idle") != nil &&
		(tab.Metric("hinv.ncpu") == nil || tab.Metric("kernel.all.cpu.nice") == nil || user.Semantics != "counter")
}

// busyRelated reports whether there is something to relate the sum of all CPUs to. IRIX may
// have logged idle time and waiting of single CPUs only.
func busyRelated(tab *Tab) bool { return tab.Metric("hinv.ncpu") != nil || busyShare(tab) }

func cpuModes(tab *Tab, modes []string) (logged []string) {
	for _, m := range modes {
		if m = "kernel.all.cpu." + m; tab.Metric(m) != nil {
			logged = append(logged, m)
		}
	}
	return logged
}

// busyFound is the percentage of all CPUs that the engine found; "" if there is none.
func busyFound(tab *Tab) string {
	for _, d := range tab.Dashboard.List {
		if d.ID == "cpu" && d.Available {
			return d.Spark
		}
	}
	return ""
}

// resized reports whether CPUs were added or removed: either number was logged, or the engine
// found that the one that was logged does not agree with their time.
func resized(tab *Tab) bool {
	found := busyFound(tab)
	return tab.Resized || tab.Source.Loaded >= 1 && found != "" && !strings.Contains(found, "hinv.ncpu") && tab.Metric("hinv.ncpu") != nil && !busyShare(tab)
}

// busyCPUs is what values of what busyExpression returned are divided by, and what the result
// is a percentage of.
func busyCPUs(tab *Tab, expression string) (divisor float64, of string) {
	const all = "% of all CPUs"
	switch {
	case expression == busyFound(tab):
		return 100, all
	case !busyShare(tab):
		return float64(max(tab.CPUs, 1)), format.CPUs(tab.CPUs)
	case tab.CPUs == 0 || resized(tab):
		return 1, all
	}
	return 1, format.CPUs(tab.CPUs)
}
