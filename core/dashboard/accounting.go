package dashboard

import (
	"regexp"
	"slices"
	"strings"

	"pcpscope/core/pattern"
)

// Accounting says what the metrics of a system count that those of most do not. Its
// zero value is most systems.
type Accounting struct {
	// MeanOfCPUs says that kernel.all.cpu is the mean of all CPUs instead of their sum,
	// as on Windows and where it was imported as a share of time.
	MeanOfCPUs bool
	// CacheApart says that mem.util.used leaves out page cache and buffers, as in
	// archives imported from sar since sysstat 11.7.4.
	CacheApart bool
	// CacheUnknown says that free memory, which a Linux host has little of, does not tell
	// how much is available: the page cache was not logged.
	CacheUnknown bool
	// NICsByName says that only their names tell which interfaces lead out of the host,
	// whatever network.interface.virtual says.
	NICsByName bool
	// Plugged says that hinv.ncpu, logged once, is not the number of CPUs throughout, as of a
	// virtual machine that got more while it ran: their time tells.
	Plugged bool
	// BaudDivisor is the unit of what network.interface.baudrate has to be divided by, as
	// well as by 8, to be in bytes per second; empty if it is.
	BaudDivisor string

	lateNICs string // see LateNICs
}

// LateNICs says that some interfaces appeared after it was logged which are virtual. Panels
// then go by names, and leave out those that are called like hardware but are known to be
// virtual; of a great many the expressions would be too long, and late ones are not shown.
func (a *Accounting) LateNICs(virtual []string) {
	const most = 60
	if len(virtual) > most {
		return
	}
	except := pattern.VirtualNICs
	if len(virtual) > 0 {
		names := make([]string, len(virtual))
		for i, name := range virtual {
			names[i] = regexp.QuoteMeta(name)
		}
		except += "|^(" + strings.Join(names, "|") + ")$"
	}
	a.lateNICs = "matchinst(!/" + except + "/, (("
}

// Adapt returns a dashboard for a system with this accounting.
func (a Accounting) Adapt(d Dashboard) Dashboard {
	if a == (Accounting{}) {
		return d
	}
	d.Spark = a.spark(d.Spark)
	d.Panels = slices.Clone(d.Panels)
	for i := range d.Panels {
		p := &d.Panels[i]
		p.Series = slices.Clone(p.Series)
		for k := range p.Series {
			p.Series[k].Exprs = a.adapt(p.Series[k].Exprs, p.Unit == "CPUs")
		}
		if a.Plugged { // a level of CPUs would be that of another time
			p.Thresholds = slices.DeleteFunc(slices.Clone(p.Thresholds), func(t Threshold) bool { return t.Expr == "hinv.ncpu" })
		}
	}
	return d
}

func (a Accounting) spark(s Spark) Spark {
	s.Exprs = a.adapt(s.Exprs, false)
	return s
}

// adapt rewrites alternative expressions; inCPUs if they are numbers of CPUs.
func (a Accounting) adapt(exprs []string, inCPUs bool) (out []string) {
	for _, x := range exprs {
		if a.NICsByName && strings.Contains(x, realNIC) {
			continue // the next one goes by names
		}
		if a.Plugged && !otherwiseDivided(x) && slices.ContainsFunc(exprs, otherwiseDivided) {
			continue
		}
		if a.CacheUnknown && strings.HasPrefix(x, "100 *") && strings.Contains(x, "mem.freemem") && !strings.Contains(x, "mem.util.cached") {
			continue
		}
		if a.lateNICs != "" {
			x = strings.NewReplacer(realNIC, a.lateNICs, otherwise, ")))").Replace(x)
		}
		if a.BaudDivisor != "" {
			x = strings.ReplaceAll(x, baudrate, `(`+baudrate+` / mkconst(8, units="`+a.BaudDivisor+`"))`)
		}
		if a.MeanOfCPUs {
			x = meanOfCPUs(x, inCPUs)
		}
		if a.CacheApart {
			x = cacheApart.Replace(x)
		}
		out = append(out, x)
	}
	return out
}

// otherwiseDivided reports whether an expression does not depend on the number of CPUs that
// was logged.
func otherwiseDivided(x string) bool { return !strings.Contains(x, "/ hinv.ncpu") }

func meanOfCPUs(x string, inCPUs bool) string {
	if strings.Contains(x, counted) {
		return strings.Replace(x, counted, "", 1)
	}
	switch divided := strings.Contains(x, "/ hinv.ncpu") || strings.Contains(x, "/ count(kernel.percpu.cpu.user)"); {
	case !strings.Contains(x, "rate(kernel.all.cpu."):
	case divided:
		return strings.NewReplacer(" / hinv.ncpu", "", " / count(kernel.percpu.cpu.user)", "").Replace(x)
	case inCPUs:
		return x + " * hinv.ncpu"
	}
	return x
}

// usedAndFree is all memory, where it was not logged itself, as by sar.
const usedAndFree = "(mem.util.used + mem.util.free)"

var cacheApart = strings.NewReplacer(
	usedAndFree, "(mem.util.used + mem.util.free + mem.util.cached + mem.util.bufmem)",
	"(mem.util.used - mem.util.cached - mem.util.bufmem)", "mem.util.used",
	"mem.util.used - mem.util.bufmem - mem.util.cached - mem.util.slab", "mem.util.used",
	"mem.util.used - mem.util.bufmem - mem.util.cached", "mem.util.used",
)
