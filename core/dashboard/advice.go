package dashboard

// advice gives, by panel ID, what is usual and what to look at next, for panels
// that do not say so themselves. It is defined below its dashboard.
type advice map[string][2]string

// advices is all advice, by dashboard.
var advices = map[string]advice{
	"overview":    overviewAdvice,
	"cpu":         cpuAdvice,
	"load":        loadAdvice,
	"memory":      memoryAdvice,
	"disks":       disksAdvice,
	"wwid":        wwidAdvice,
	"md":          mdAdvice,
	"filesystems": filesystemsAdvice,
	"network":     networkAdvice,
	"tcp":         tcpAdvice,
	"processes":   processesAdvice,
	"paging":      pagingAdvice,
	"pressure":    pressureAdvice,
	"interrupts":  interruptsAdvice,
	"xfs":         xfsAdvice,
	"nfs":         nfsAdvice,
	"cgroups":     cgroupsAdvice,
	"numa":        numaAdvice,
	"guest":       guestAdvice,
	"gpu":         gpuAdvice,
	"tables":      tablesAdvice,
	"collector":   collectorAdvice,
}

// sameAdvice maps dashboards to similar ones whose advice also applies, unless
// a panel has advice of its own.
var sameAdvice = map[string]string{"dm": "disks", "md": "disks", "wwid": "disks", "hotproc": "processes", "xfsdev": "xfs"}

// advised adds the advice to the panels of a dashboard.
func advised(d Dashboard) Dashboard {
	for i := range d.Panels {
		p := &d.Panels[i]
		a, own := advices[d.ID][p.ID]
		if !own {
			a = advices[sameAdvice[d.ID]][p.ID]
		}
		if p.Usual == "" {
			p.Usual = a[0]
		}
		if p.Next == "" {
			p.Next = a[1]
		}
	}
	return d
}
