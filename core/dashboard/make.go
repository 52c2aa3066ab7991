package dashboard

import (
	"fmt"
	"regexp"
	"strings"

	"pcpscope/core/pattern"
)

// series makes a Series; several expressions are alternatives.
func series(name string, role Role, exprs ...string) Series {
	return Series{Name: name, Role: role, Exprs: exprs}
}

// plain makes a series that takes the next colour.
func plain(name string, exprs ...string) Series { return series(name, Plain, exprs...) }

func (s Series) below() Series  { s.Below = true; return s }
func (s Series) bold() Series   { s.Bold = true; return s }
func (s Series) right() Series  { s.Right = true; return s }
func (s Series) hidden() Series { s.Hidden = true; return s }

// in sets the units of a series whose expression has none.
func (s Series) in(unit string) Series { s.Unit = unit; return s }

// each makes a series for every word in names, which replaces the star:
// each("rate(network.tcp.*)", "insegs outsegs").
func each(pattern, names string) []Series {
	var list []Series
	for _, name := range strings.Fields(names) {
		list = append(list, plain(shortName(name), strings.ReplaceAll(pattern, "*", name)))
	}
	return list
}

// shortName makes a readable label from a metric's name.
func shortName(name string) string {
	for _, kin := range []string{"compact_", "thp_", "numa_"} { // the panel's title says it
		name = strings.TrimPrefix(name, kin)
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(name)
}

const (
	notDisks = "/" + pattern.VirtualDisks + "/"
	notNICs  = "/" + pattern.VirtualNICs + "/"

	notImages = "/" + pattern.Images + "|" + pattern.Pseudo + "/"
)

// disks restricts an expression to physical disks.
func disks(x string) string { return "matchinst(!" + notDisks + ", " + x + ")" }

// writable restricts an expression to filesystems that something can be written to: snaps,
// CDs and pseudo filesystems are full from the start.
func writable(x string) string { return "matchinst(!" + notImages + ", " + x + ")" }

// fullness is how full filesystems are, in percent of what users can have, as
// filesys.full; of all space where the archive does not say what is reserved for root.
// sar2pcp(1) and old loggers wrote no filesys.full.
func fullness(of func(x string) string) []string {
	return []string{
		of("filesys.full"),
		of("100 * filesys.used / (filesys.used + filesys.avail)"),
		of("100 * filesys.used / filesys.capacity"),
		of("100 * filesys.used / (filesys.used + filesys.free)"),
	}
}

// nics restricts an expression to interfaces that lead out of the host:
// according to the kernel if that was logged, else by their names. Agents have
// reported the loopback interface as not virtual; see Accounting.NICsByName.
func nics(x string) []string { return withNICs(func(nic func(string) string) string { return nic(x) }) }

// withNICs returns the alternatives of an expression in which nic restricts
// operands to such interfaces.
func withNICs(make func(nic func(x string) string) string) []string {
	return []string{
		make(func(x string) string { return realNIC + x + otherwise }),
		make(func(x string) string { return "matchinst(!" + notNICs + ", " + x + ")" }),
	}
}

const (
	realNIC   = "matchinst(!/" + pattern.Loopback + "/, (network.interface.virtual == 0 ? ("
	otherwise = ") : novalue()))"
)

// nicRate is the rate of a metric of network.interface.
func nicRate(metric string) []string { return nics("rate(network.interface." + metric + ")") }

// Unrestricted returns the expression for all instances, including those that a
// dashboard leaves out by default: loopback, virtual interfaces, RAM disks, snaps.
// It is empty if nothing is left out.
func Unrestricted(expr string) string {
	all := lateNICs().ReplaceAllLiteralString(expr, "(")
	all = strings.NewReplacer("matchinst(!"+notDisks+", ", "(", "matchinst(!"+notNICs+", ", "(", "matchinst(!"+notImages+", ", "(", realNIC, "((", otherwise, "))").Replace(all)
	if all == expr {
		return ""
	}
	return all
}

// lateNICs is what Accounting.LateNICs restricts expressions with.
var lateNICs = pattern.New(`matchinst\(!/` + regexp.QuoteMeta(pattern.VirtualNICs) + `(?:\|\^\([^/]*\)\$)/, `)

// ofAll converts a sum of CPU time rates to a percentage of all CPUs. On IRIX, single
// CPUs may have been logged only once, so that at other times there is nothing to count.
func ofAll(x string) []string {
	exprs := []string{fmt.Sprintf("100 * %s / hinv.ncpu", x), fmt.Sprintf("100 * %s / (%s(%s) * mkconst(1, units=\"count\"))", x, counted, allCPUTime[3]), fmt.Sprintf("100 * %s / count(kernel.percpu.cpu.user)", x)}
	for _, all := range allCPUTime {
		exprs = append(exprs, fmt.Sprintf("100 * %s / (%s)", x, all))
	}
	return exprs
}

// perCPU divides by the number of CPUs.
func perCPU(x string) []string {
	return []string{x + " / hinv.ncpu", x + ` / (count(kernel.percpu.cpu.user) * mkconst(1, units="1/count"))`}
}

// counted is the number of CPUs if single ones were logged, or else the expression that follows it.
const counted = "count(kernel.percpu.cpu.user) > 0 ? 1.0 * count(kernel.percpu.cpu.user) : "

// allCPUTime is the time of all CPUs as the sum of their modes, for archives
// without the number of CPUs.
var allCPUTime = []string{
	"rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.intr) + rate(kernel.all.cpu.wait.total) + rate(kernel.all.cpu.steal)",
	"rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.intr) + rate(kernel.all.cpu.wait.total)",
	"rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.idle)",
	"rate(kernel.all.cpu.user) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.intr) + rate(kernel.all.cpu.wait.total)", // IRIX
	"rate(kernel.all.cpu.user) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.idle)",
}

// percent multiplies by 100.
func percent(x string) string { return "100 * " + x }

// perOne divides the growth of a counter by that of the number of operations. It is that
// of rates, which have no value where a counter wrapped or began anew: what delta has
// there is negative.
func perOne(total, count string) string { return fmt.Sprintf("rate(%s) / rate(%s)", total, count) }

// timeOfOne is perOne of a counter of time, in milliseconds.
func timeOfOne(total, count string) string {
	return "rescale(" + perOne(total, count) + `, "millisec/count")`
}

// look is a threshold with a default value; if rule names a rule of package
// analysis, its current value is used instead.
func look(rule string, value float64, label string) []Threshold {
	return []Threshold{{Rule: rule, Value: value, Label: label}}
}

func lookUnder(rule string, value float64, label string) []Threshold {
	return []Threshold{{Rule: rule, Value: value, Label: label, Under: true}}
}

// pages converts a number of pages to bytes.
func pages(metric string) string {
	return metric + ` * mkconst(1, units="1/count") * hinv.pagesize`
}

// advised adds to a panel what is usual, and what to look at next.
func (p Panel) advised(usual, next string) Panel {
	p.Usual, p.Next = usual, next
	return p
}

// described also says what the panel shows.
func (p Panel) described(what, usual, next string) Panel {
	p.What = what
	return p.advised(usual, next)
}

// ruled adds thresholds to a panel.
func ruled(p Panel, limits []Threshold) Panel {
	p.Thresholds = limits
	return p
}

func line(expr, label string) Threshold { return Threshold{Expr: expr, Label: label} }
