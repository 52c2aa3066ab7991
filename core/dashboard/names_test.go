package dashboard

import (
	"strings"
	"testing"
)

// A metric is called as the panel that shows it and nothing else, or as we
// call it.
func TestNamesOfMetrics(t *testing.T) {
	for metric, want := range map[string]Name{
		"kernel.all.cpu.wait.total":          {"CPU waiting for disk", ""},
		"kernel.all.load":                    {"Load", "tasks"},
		"mem.util.free":                      {"Free memory", ""},
		"disk.dev.avactive":                  {"Disk busy", ""},
		"disk.dev.aveq":                      {"Average queue size", ""},
		"disk.dm.inflight":                   {"Device mapper average queue size, momentary", "requests"},
		"network.interface.in.errors":        {"Network errors, in", ""},
		"xfs.perdev.log.noiclogs":            {"XFS log stalls, no buffer", ""},
		"cgroup.io.stat.rios":                {"Cgroup reads", ""},
		"kernel.all.pressure.irq.full.total": {"Pressure, Interrupts, full", ""},
		"proc.nprocs":                        {"Number of processes", "processes"},
		"nvidia.temperature":                 {"GPU temperature", "°C"},
		"mem.vmstat.pgscan_direct":           {"Scans, direct", "pages/s"},
		"kernel.all.pressure.io.some.avg":    {"Pressure: I/O, some", "%"},
		"filesys.full":                       {"Filesystem full", "%"},
		"hinv.ncpu":                          {},
		"filesys.mountdir":                   {}, // a column of a table
		"network.tcp.retranssegs":            {"TCP retransmissions", ""},
		"mmv.queue.length":                   {},
	} {
		if got := NameOf(metric); got != want {
			t.Errorf("%s is called %+v, want %+v", metric, got, want)
		}
	}
	lin, mac := linux(t), darwin(t)
	for metric := range ownNames {
		_, known := lin.Desc(metric)
		if _, too := mac.Desc(metric); !known && !too {
			t.Errorf("no agent has %s", metric)
		}
	}
	for metric, n := range namesOfPanels() {
		if n.Text == "" || strings.ContainsAny(n.Text, "()%") || strings.HasSuffix(n.Text, ",") {
			t.Errorf("%s is called %q", metric, n.Text)
		}
	}
}
