package app

import (
	"strconv"
	"strings"

	"pcpscope/core/api"
)

// Thresholds of findings that can be written as rules of pmie(1). A finding has
// further conditions, such as a duration: see core/analysis. ? stands for the value of
// the threshold.
var ownRules = []struct{ threshold, rule, text string }{
	{"cpuBusy", "cpu_busy", "100 * (1 - (kernel.all.cpu.idle + kernel.all.cpu.wait.total) / hinv.ncpu) > ?"},
	{"oneCPU", "one_cpu_busy", "100 * (1 - kernel.percpu.cpu.idle - kernel.percpu.cpu.wait.total) > ?"},
	{"softIRQ", "soft_interrupts", "100 * kernel.percpu.cpu.irq.soft > ?"},
	{"steal", "steal", "100 * kernel.all.cpu.steal / hinv.ncpu > ?"},
	{"loadPerCPU", "load", "kernel.all.load #'1 minute' / hinv.ncpu > ?"},
	{"switchesPerCPU", "context_switches", "kernel.all.pswitch / hinv.ncpu > ? count/sec"},
	{"pressureCPU", "cpu_pressure", "100 * kernel.all.pressure.cpu.some.total > ?"},
	{"available", "memory_available", "100 * mem.util.available / mem.physmem < ?"},
	{"pressureMemory", "memory_pressure", "100 * kernel.all.pressure.memory.full.total > ?"},
	{"pagesOut", "swapping", "swap.pagesout > ? count/sec"},
	{"commit", "memory_committed", "100 * mem.util.committed_AS / mem.util.commitLimit > ?"},
	{"pressureIO", "io_pressure", "100 * kernel.all.pressure.io.full.total > ?"},
	{"diskBusy", "disk_busy", "100 * disk.dev.avactive > ?"},
	{"full", "filesystem_full", "filesys.full > ?"},
	{"inodes", "inodes", "100 * filesys.usedfiles / filesys.maxfiles > ?"},
}

// ownText writes the thresholds as rules.
func ownText(list []api.Rule) string {
	var b strings.Builder
	b.WriteString("// Thresholds of the findings, which also ask how long.\n")
	for _, o := range ownRules {
		for i := range list {
			if list[i].Name == o.threshold {
				b.WriteString(o.rule + " = " + strings.Replace(o.text, "?", strconv.FormatFloat(list[i].Value, 'f', -1, 64), 1) + ";\n")
			}
		}
	}
	return b.String()
}

// AddThresholds adds the thresholds of the findings to the text.
func (l *Lanes) AddThresholds() {
	l.tab.Rules.known(func(list []api.Rule) {
		text := strings.TrimRight(l.Text, "\n") + "\n\n"
		if l.Text == ExampleRules {
			text = ""
		}
		l.Text = text + ownText(list)
	})
}
