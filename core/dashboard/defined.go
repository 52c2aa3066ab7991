package dashboard

// defined makes the dashboards of builtin.txt, in the order of the list on the
// page. They are for Linux; some panels have variants for other platforms. The
// first nine have keyboard shortcuts.
//
// Only a test calls it, which compares the two. Programs read the text: compiled,
// this code takes five times as much of the download.
func defined() []Dashboard {
	list := []Dashboard{
		overview(), cpu(), scheduler(), memory(), diskDashboard("disks", "Disks", "disk.dev", disks), filesystems(), network(), tcp(), processes("processes", "Processes", "proc"),
		paging(), pressure(), interrupts(), diskDashboard("dm", "Device mapper", "disk.dm", same), diskDashboard("md", "Software RAID", "disk.md", same), diskDashboard("wwid", "Disks by WWID", "disk.wwid", same),
		xfs("xfs", "XFS", "What the XFS filesystems did, all of them together.", "xfs"), xfs("xfsdev", "XFS, each mount", "What each XFS filesystem did.", "xfs.perdev"), nfs(), cgroups(), numa(), guest(), gpu(), processes("hotproc", "Hot processes", "hotproc"), tables(), collector(),
	}
	for i := range list {
		for _, of := range byPlatform() {
			list[i].Panels = append(list[i].Panels, of[list[i].ID]...)
		}
	}
	return append(list, tools()...)
}

// byPlatform has the panels that only one platform has, by the ID of the
// dashboard that shows them.
func byPlatform() []map[string][]Panel {
	return []map[string][]Panel{ofDarwin(), ofIRIX(), ofFreeBSD(), ofNetBSD(), ofWindows()}
}

func same(x string) string { return x }
