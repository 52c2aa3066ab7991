package dashboard

import (
	"slices"
	"strings"
	"testing"
)

// On Windows kernel.all.cpu is the mean of all CPUs: it must not be divided
// by their number, and the number of CPUs in use is that many times it.
func TestMeanOfCPUs(t *testing.T) {
	d := Accounting{MeanOfCPUs: true}.Adapt(cpu())
	for _, tt := range []struct{ panel, series, want string }{
		{"modes", "idle", "100 * rate(kernel.all.cpu.idle)"},
		{"cores", "in use", "(rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice) + rate(kernel.all.cpu.sys)) * hinv.ncpu"},
		{"modes", "idle", "100 * rate(kernel.all.cpu.idle) / ((rate(kernel.all.cpu.user) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.intr) + rate(kernel.all.cpu.wait.total)) * mkconst(1, units=\"count\"))"},
		{"busy", "busy", "100 * (1 - rate(kernel.all.cpu.idle))"},
		{"user", "", "100 * rate(kernel.percpu.cpu.user)"},
	} {
		found := false
		for _, p := range d.Panels {
			for _, s := range p.Series {
				found = found || p.ID == tt.panel && s.Name == tt.series && slices.Contains(s.Exprs, tt.want)
			}
		}
		if !found {
			t.Errorf("the panel %s has no series %q of %s", tt.panel, tt.series, tt.want)
		}
	}
	if p := thePanel(t, cpu(), "modes"); p.Series[0].Exprs[0] != "100 * rate(kernel.all.cpu.vuser) / hinv.ncpu" {
		t.Errorf("the dashboard of other systems has become %s", p.Series[0].Exprs[0])
	}
}

// Of a Linux host whose page cache was not logged, free memory is shown, but not as what is
// available.
func TestFreeMemoryIsNotAvailable(t *testing.T) {
	a := Accounting{CacheUnknown: true}
	if got := a.adapt([]string{"100 * mem.freemem / mem.physmem", "mem.freemem", "100 * (mem.freemem + mem.util.cached + mem.util.bufmem) / mem.physmem"}, false); len(got) != 2 || got[0] != "mem.freemem" {
		t.Errorf("shown are %q", got)
	}
}

// Where hinv.ncpu is not the number of CPUs throughout, CPU time is related to that of all CPUs,
// tasks and switches to the CPUs that are counted, and no level of it is drawn.
func TestPluggedCPUs(t *testing.T) {
	for _, d := range []Dashboard{cpu(), scheduler(), overview()} {
		d = Accounting{Plugged: true}.Adapt(d)
		exprs := d.Spark.Exprs
		for _, p := range d.Panels {
			for _, s := range p.Series {
				exprs = append(exprs, s.Exprs...)
			}
			for _, l := range p.Thresholds {
				exprs = append(exprs, l.Expr)
			}
		}
		for _, x := range exprs {
			if strings.Contains(x, "hinv.ncpu") {
				t.Errorf("%s has %s", d.ID, x)
			}
		}
	}
}
