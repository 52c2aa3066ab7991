package dashboard

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"pcpscope/core/derived"
)

// A Name is the name of a metric for people.
type Name struct {
	Text string // "Free memory", "Disk busy"; of one instance or all
	Unit string // of its value or rate, if its own units say nothing: "tasks"
}

// ownNames has metrics that the title of their panel would not distinguish.
var ownNames = map[string]string{
	"kernel.all.cpu.user": "CPU in programs", "kernel.all.cpu.nice": "CPU in nice programs", "kernel.all.cpu.sys": "CPU in the kernel", "kernel.all.cpu.intr": "CPU in interrupts", "kernel.all.cpu.idle": "CPU idle",
	"kernel.all.cpu.wait.total": "CPU waiting for disk", "kernel.all.cpu.steal": "CPU stolen by the hypervisor", "kernel.all.cpu.guest": "CPU of virtual machines",
	"kernel.all.cpu.vuser": "CPU in programs, guests apart", "kernel.all.cpu.vnice": "CPU in nice programs, guests apart", "kernel.all.cpu.guest_nice": "CPU of nice virtual machines", "kernel.all.cpu.irq.hard": "CPU in hard interrupts", "kernel.all.cpu.irq.soft": "CPU in soft interrupts",
	"kernel.percpu.cpu.irq.soft": "CPU in soft interrupts", "kernel.percpu.cpu.steal": "CPU stolen by the hypervisor", "kernel.percpu.intr": "Interrupts", "kernel.percpu.sirq": "Soft interrupts", "kernel.all.interrupts.total": "Interrupts by source", "kernel.percpu.interrupts": "Interrupts by source and CPU", "kernel.percpu.softirqs": "Soft interrupts by kind and CPU",
	"kernel.all.nusers": "Users logged in", "kernel.all.nsessions": "Sessions", "kernel.all.nptys": "Terminals", "kernel.all.sysfork": "Processes started", "filesys.full": "Filesystem full",
	"mem.util.active_anon": "Active anonymous memory", "mem.util.inactive_anon": "Inactive anonymous memory", "mem.util.active_file": "Active file memory", "mem.util.inactive_file": "Inactive file memory", "mem.util.unevictable": "Unevictable memory", "mem.util.mlocked": "Locked memory", "mem.util.percpu": "Memory of the kernel for each CPU",
	"mem.vmstat.pgfault": "Page faults", "mem.vmstat.pgmajfault": "Major page faults", "network.tcp.insegs": "TCP segments in", "network.tcp.outsegs": "TCP segments out",
	"kernel.percpu.cpu.idle": "CPU idle", "kernel.percpu.cpu.wait.total": "CPU waiting for disk", "kernel.percpu.cpu.user": "CPU in programs", "kernel.percpu.cpu.sys": "CPU in the kernel",
	"kernel.all.running": "Running tasks", "kernel.all.runnable": "Runnable tasks", "kernel.all.blocked": "Blocked tasks", "proc.runq.runnable": "Runnable tasks", "proc.runq.blocked": "Blocked tasks", "kernel.all.pswitch": "Context switches", "kernel.all.intr": "Interrupts",
	"mem.util.available": "Available memory", "mem.util.free": "Free memory", "mem.util.used": "Used memory, cache included", "mem.util.cached": "Page cache", "mem.util.bufmem": "Buffers", "mem.util.other": "Memory of programs",
	"mem.util.anonpages": "Anonymous memory", "mem.util.shmem": "Shared memory", "mem.util.mapped": "Mapped files", "mem.util.dirty": "Memory waiting to be written", "mem.util.writeback": "Memory in writeback",
	"mem.util.slab": "Slab", "mem.util.slabReclaimable": "Reclaimable slab", "mem.util.slabUnreclaimable": "Unreclaimable slab", "mem.util.committed_AS": "Promised memory", "mem.util.active": "Active memory", "mem.util.inactive": "Inactive memory",
	"mem.util.pageTables": "Page tables", "mem.util.kernelStack": "Kernel stacks", "mem.util.wired": "Wired memory", "mem.util.compressed": "Compressed memory",
	"swap.used": "Swap space in use", "swap.free": "Free swap space", "swap.pagesin": "Pages swapped in", "swap.pagesout": "Pages swapped out",
	"network.sockstat.tcp.mem": "TCP buffers", "network.sockstat.udp.mem": "UDP buffers", "vfs.inodes.free": "Free inodes in cache", "vfs.inodes.count": "Inodes in cache", "vfs.dentry.count": "Directory entries in cache", "vfs.dentry.free": "Free directory entries in cache", "vfs.files.count": "Open files",
	"disk.dev.read": "Disk reads", "disk.dev.write": "Disk writes", "disk.dev.read_bytes": "Data read from disk", "disk.dev.write_bytes": "Data written to disk", "disk.dev.aveq": "Average queue size", "disk.all.read": "Disk reads", "disk.all.write": "Disk writes",
	"disk.all.avactive": "Busy disks", "disk.all.read_bytes": "Data read from disks", "disk.all.write_bytes": "Data written to disks", "network.interface.in.bytes": "Network data in", "network.interface.out.bytes": "Network data out",
	"network.interface.in.packets": "Packets in", "network.interface.out.packets": "Packets out", "network.tcp.retranssegs": "TCP retransmissions",
}

// subjects are prefixes for titles that mean little without their dashboard.
var subjects = map[string]string{
	"disks": "Disk", "dm": "Device mapper", "md": "RAID", "wwid": "Disk", "filesystems": "Filesystem", "network": "Network", "xfs": "XFS", "xfsdev": "XFS", "cgroups": "Cgroup", "guest": "Virtual machine", "gpu": "GPU",
	"numa": "NUMA", "nfs": "NFS", "pressure": "Pressure:", "processes": "Process:", "hotproc": "Hot process:", "collector": "PCP:",
}

// helpers are operands that other metrics are divided by or filtered with.
var helpers = []string{"hinv.", "mem.physmem", "network.interface.virtual"}

// NameOf returns the name of a metric for people: from ownNames, or title and
// series of the panel that shows just this metric; zero if there is none.
func NameOf(metric string) Name { return namesOfPanels()[metric] }

var namesOfPanels = sync.OnceValue(func() map[string]Name {
	names := map[string]Name{}
	for _, d := range Builtin() {
		if d.Group == Tools {
			continue
		}
		for _, p := range d.Panels {
			if p.Style == Table || p.Style == Rows {
				continue
			}
			for _, s := range p.Series {
				for _, expr := range s.Exprs {
					metric := onlyMetric(expr)
					if metric == "" || names[metric].Text != "" {
						continue
					}
					n := Name{Text: titled(d.ID, p.Title, s.Name)}
					switch {
					case s.Unit != "" || s.Right:
					case strings.HasPrefix(p.Unit, "%") && (expr == metric || expr == writable(metric)):
						n.Unit = "%"
					case strings.HasPrefix(p.Unit, "%"):
					case expr == metric || expr == "rate("+metric+")":
						n.Unit, _, _ = strings.Cut(p.Unit, ",")
					}
					names[metric] = n
				}
			}
		}
	}
	for metric, text := range ownNames {
		names[metric] = Name{text, names[metric].Unit}
	}
	return names
})

// onlyMetric returns the one metric that an expression shows; "" if there are
// several.
func onlyMetric(expr string) (only string) {
	e, err := derived.Parse(expr)
	if err != nil {
		return ""
	}
next:
	for _, name := range e.Names() {
		for _, helper := range helpers {
			if strings.HasPrefix(name, helper) {
				continue next
			}
		}
		if only != "" && only != name {
			return ""
		}
		only = name
	}
	return only
}

// titled joins subject, title and series.
func titled(dashboard, title, series string) string {
	if subject := subjects[dashboard]; subject != "" && !strings.HasPrefix(title, strings.TrimSuffix(subject, ":")) {
		first, size := utf8.DecodeRuneInString(title)
		if second, _ := utf8.DecodeRuneInString(title[size:]); !unicode.IsUpper(second) && second != '/' {
			title = string(unicode.ToLower(first)) + title[size:]
		}
		title = subject + " " + title
	}
	if series != "" && series != "exact" && series != "busiest" && !strings.HasSuffix(strings.ToLower(title), strings.ToLower(series)) {
		title += ", " + series
	}
	return title
}
