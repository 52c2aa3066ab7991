package dashboard

import (
	"strconv"
	"strings"
)

func whole(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// diskDashboard is the dashboard of one family of block devices, such as disk.dev;
// choose restricts an expression to the relevant ones.
func diskDashboard(id, title, family string, choose func(string) string) Dashboard {
	m := func(name string) string { return family + "." + name }
	rate := func(name string) string { return choose("rate(" + m(name) + ")") }
	await := func(op string) []string {
		exprs := []string{choose(timeOfOne(m(op+"_rawactive"), m(op)))}
		if op == "total" { // older kernels' agents have only its parts
			exprs = append(exprs, choose("rescale((rate("+m("read_rawactive")+") + rate("+m("write_rawactive")+")) / rate("+m("total")+`), "millisec/count")`))
		}
		if id == "disks" && op == "total" { // IRIX counts the time of all requests; the mean itself may be logged, by sar in milliseconds without saying so
			some := m("await") + " == 0 ? novalue() : "
			exprs = append(exprs, choose(timeOfOne(m("response"), m("total"))), choose("rescale("+some+m("await")+`, "millisec/count")`), choose(some+m("await")+` * mkconst(1, units="millisec/count")`))
		}
		if id == "disks" && (op == "read" || op == "write" || op == "total") { // macOS counts nanoseconds
			exprs = append(exprs, choose(timeOfOne(m(op+"_time"), m(op))))
		}
		return exprs
	}
	size := func(op string) string { return choose(perOne(m(op+"_bytes"), m(op))) }
	merged := func(op string) string {
		return choose("100 * rate(" + m(op+"_merge") + ") / (rate(" + m(op) + ") + rate(" + m(op+"_merge") + "))")
	}
	// aveq counts while requests wait; rawactive counts the whole time of a
	// request when it completes, and is used only if aveq is not logged.
	flight := []string{rate("aveq"), choose("rate(" + m("read_rawactive") + ") + rate(" + m("write_rawactive") + ")")}
	queue, service := []string{choose(m("inflight"))}, []string{choose(timeOfOne(m("avactive"), m("total")))}
	if id == "disks" { // IRIX, sar, and the momentary queue of Windows
		flight, queue, service = append(flight, rate("response"), choose(m("avqsz"))), append(queue, choose(m("queue_len"))), append(service, choose(timeOfOne(m("active"), m("total"))))
	}
	busy := diskBusy(family, choose)
	return Dashboard{ID: id, Title: title, What: "How busy and how fast each device was.",
		Spark: Spark{Exprs: busiestOf(append(busy[:len(busy):len(busy)], rate("total"), rate("total_bytes"))...), Unit: "%", Name: "busiest"}, Panels: []Panel{
			{ID: "busy", Title: "Busy", Unit: "% of time", Style: Line, Max: 100, What: "Time with at least one request in flight.",
				Usual: "Solid state disks serve many requests at once: 100 % busy may still have capacity left.", Next: "Latency; Average queue size.",
				Series: busyDisks(busy), Thresholds: look("diskBusy", 85, "warning above 85 %")},
			{ID: "latency", Title: "Latency", Unit: "ms", Style: Line, Log: true, What: "How long a request took, from the queue to the end. No line where there was none.",
				Usual: "Below 20 ms for rotating disks, 5 ms for solid state.", Next: "Average queue size; Request size.",
				Series: []Series{series("read", Read, await("read")...), series("write", Write, await("write")...), plain("discard", await("discard")...), plain("flush", await("flush")...)}, Thresholds: look("diskLatency", 20, "20 ms")},
			{ID: "mean", Title: "Mean latency", Unit: "ms", Style: Line, Log: true, What: "Reads and writes together.",
				Usual: "Below 20 ms for rotating disks, 5 ms for solid state.", Next: "Latency, for reads and writes apart.",
				Series: []Series{plain("", await("total")...)}},
			{ID: "flight", Title: "Average queue size", Unit: "requests", Style: Line, What: "How many requests were waiting or being served, on average.", Usual: "Below 4 for a single disk.",
				Next: "Processes by disk.", Series: []Series{plain("", flight...), plain("momentary", queue...).hidden()}},
			{ID: "iops", Title: "Operations", Unit: "", Style: Stack, What: "Requests completed.",
				Usual: "A rotating disk can do about 150 random requests a second, solid state many thousands.", Next: "Request size; Latency.",
				Series: []Series{series("read", Read, rate("read")), series("write", Write, rate("write")), plain("discard", rate("discard")), plain("flush", rate("flush"))}},
			{ID: "total", Title: "Operations", Unit: "", Style: Stack, Unless: m("read"), What: "Requests completed, reads and writes together.",
				Usual: "What the device is made for: some hundred a second for a rotating disk.", Next: "Throughput; Processes by disk.", Series: []Series{plain("", rate("total"))}},
			{ID: "throughput", Title: "Throughput", Unit: "", Style: Stack, What: "Data read and written.",
				Usual: "A rotating disk can do about 150 MiB/s in sequence.", Next: "Processes by disk.",
				Series: []Series{series("read", Read, rate("read_bytes")), series("write", Write, rate("write_bytes")), plain("discard", rate("discard_bytes"))}},
			{ID: "blocks", Title: "Throughput", Unit: "blocks/s", Style: Stack, Unless: m("read_bytes"), Instead: "throughput", What: "Blocks of data read and written. On Linux they are of 512 bytes.",
				Usual: "A rotating disk can do about 300,000 blocks of 512 bytes a second in sequence.", Next: "Processes by disk.",
				Series: []Series{series("read", Read, rate("blkread")), series("write", Write, rate("blkwrite"))}},
			{ID: "size", Title: "Request size", Unit: "KiB", Style: Line, What: "How much a request moves. Small ones cost as much as large ones.",
				Usual: "Large for copying and scans, small for databases. Less than 0.5 KiB in great numbers is waste.", Next: "Merged.",
				Series: []Series{series("read", Read, size("read")), series("write", Write, size("write"))}},
			{ID: "merges", Title: "Merged", Unit: "% of requests", Style: Line, Max: 100, What: "Requests that were joined with a neighbour before they went to the disk.",
				Usual: "High for work in sequence, low for random work.", Next: "Request size.",
				Series: []Series{series("read", Read, merged("read")), series("write", Write, merged("write"))}},
			{ID: "service", Title: "Service time", Unit: "ms", Style: Line, What: "Busy time for each request. Means something only for devices that serve one at a time.",
				Usual: "Below 10 ms for rotating disks.", Next: "Latency, which holds for all devices.",
				Series: []Series{plain("", service...)}},
			{ID: "heat", Title: "Latency of each device", Unit: "ms", Style: Heatmap, Log: true, What: "One row for each device.",
				Usual: "Similar rows for disks that share their work.", Next: "The disk whose row is bright.",
				Series: []Series{plain("", await("total")...)}},
			{ID: "about", Title: "Devices", Unit: "", Style: Table, What: "What the devices are.",
				Usual: usualDevices(id), Next: "Busy; Latency of each device.",
				Series: append([]Series{only(id)[0], plain("capacity", m("capacity"))}, only(id)[1:]...)},
		}}
}

// usualDevices says what the table of the devices of one family usually shows.
func usualDevices(id string) string {
	switch id {
	case "md":
		return "State 0. Another one means that the array lacks a disk."
	case "wwid":
		return "As many paths as were set up. A path that is missing is a broken cable, port or controller."
	}
	return "The same throughout. A device that is missing has left the system."
}

// only has columns that exist for devices of one family.
func only(id string) []Series {
	return map[string][]Series{
		"disks": {plain("model", "hinv.disk.model"), plain("scheduler", "disk.dev.scheduler")},
		"dm":    {plain("name", "hinv.map.dmname")},
		"md":    {plain("name", "hinv.map.mdname"), plain("state", "disk.md.status")},
		"wwid":  {plain("paths", "disk.wwid.scsi_paths"), plain("scheduler", "disk.wwid.scheduler")},
	}[id]
}

// toFull is how long the remaining space lasts at the growth over the window.
func toFull(left string) string {
	return "slope(filesys.used) > 0 ? rescale(" + left + ` / slope(filesys.used), "hour") : novalue()`
}

func filesystems() Dashboard {
	return Dashboard{ID: "filesystems", Title: "Filesystems", What: "How full the filesystems were, and the tables of the kernel for files.",
		Spark: Spark{Exprs: fullness(writable), Unit: "%", Name: "fullest"}, Panels: []Panel{
			{ID: "full", Title: "Full", Unit: "% of space", Style: Line, Max: 100, What: "Space in use, as df(1) says: of what users can have, where it was logged.", Usual: "Below 95 %, and not rising fast.", Next: "Space; Processes by writes.",
				Series: []Series{plain("", fullness(same)...)}, Thresholds: look("full", 95, "warning above 95 %")},
			{ID: "tmpfs", Title: "tmpfs", Unit: "% of space", Style: Line, Max: 100, What: "Filesystems in memory: how much of what they may take is in use.",
				Usual: "Below 95 %. Without room in /run or /dev/shm services do not start.", Next: "Available, in Memory.",
				Series: []Series{plain("", "tmpfs.full")}, Thresholds: look("full", 95, "warning above 95 %")},
			{ID: "user", Title: "Full for users", Unit: "% of space", Style: Line, Max: 100, What: "What users who are not root can no longer have.",
				Usual: "Below 95 %.", Next: "Space.",
				Series: []Series{plain("", "100 * (filesys.capacity - filesys.avail) / filesys.capacity")}},
			{ID: "space", Title: "Space", Unit: "", Style: Line, What: "Space used and available.",
				Usual: "Steady, or sawtooth where files are cleaned up.", Next: "Growth.",
				Series: []Series{plain("used", "filesys.used"), series("available", Free, "filesys.avail"), series("capacity", Limit, "filesys.capacity")}},
			{ID: "inodes", Title: "Inodes", Unit: "% in use", Style: Line, Max: 100, What: "A filesystem without inodes is full, whatever its space.",
				Usual: "Below 95 %. Many small files use them up.", Next: "Space.",
				Series:     []Series{plain("", "100 * filesys.usedfiles / filesys.maxfiles")},
				Thresholds: look("inodes", 95, "warning above 95 %")},
			{ID: "growth", Title: "Growth", Unit: "", Style: Line, What: "How fast space is used up: the median of the slopes in the hour before each moment (Theil and Sen).",
				Usual: "Around zero. Files that come and go do not count.", Next: "Time to full; Processes by writes.",
				Series: []Series{plain("", `rescale(movslope(filesys.used, "1hour"), "Kbyte/hour")`)}},
			{ID: "tofull", Title: "Time to full", Unit: "", Style: Table, What: "Growth over all of the window: the median of the slopes between its samples (Theil and Sen), so that files that come and go do not count. At this growth the space left lasts so long; nothing where a filesystem does not grow.",
				Usual: "Days.", Next: "Choose another window; Growth, for when it grew; Processes by writes.",
				Series: []Series{plain("used", "filesys.used"), plain("available", "filesys.avail", "filesys.free"), plain("growth", `rescale(slope(filesys.used), "Kbyte/hour")`), plain("full in", toFull("filesys.avail"), toFull("filesys.free")).in("hours")}},
			// Most loggers record the percentage used of a filesystem, and not
			// the bytes.
			{ID: "growthfull", Title: "Growth", Unit: "% of space/hour", Style: Line, Unless: "filesys.used", Instead: "growth", What: "How fast space is used up: the median of the slopes in the hour before each moment (Theil and Sen).",
				Usual: "Around zero. Files that come and go do not count.", Next: "Time to full; Processes by writes.", Series: []Series{plain("", `rescale(movslope(filesys.full, "1hour"), "1/hour")`)}},
			{ID: "tofullfull", Title: "Time to full", Unit: "", Style: Table, Unless: "filesys.used", Instead: "tofull", What: "Growth over all of the window: the median of the slopes between its samples (Theil and Sen), so that files that come and go do not count. At this growth the space left lasts so long; nothing where a filesystem does not grow.",
				Usual: "Days.", Next: "Choose another window; Growth, for when it grew; Processes by writes.",
				Series: []Series{plain("full %", "filesys.full"), plain("growth %", `rescale(slope(filesys.full), "1/hour")`), plain("full in", `slope(filesys.full) > 0 ? rescale((100 - filesys.full) / slope(filesys.full), "hour") : novalue()`).in("hours")}},
			{ID: "readonly", Title: "Read-only", Unit: "", Style: State, What: "Filesystems that cannot be written.",
				Usual: "0, unless it was mounted so. A filesystem that becomes read-only had errors.", Next: "Mounts; Devices, in Disks.",
				Series: []Series{plain("", "filesys.readonly")}},
			{ID: "files", Title: "Open files", Unit: "% of the limit", Style: Line, Max: 100, What: "Files open in the whole system.", Usual: "Below 90 %.", Next: "Open files, in Processes.", Series: []Series{plain("open files", openFiles)}, Thresholds: look("tables", 90, "warning above 90 %")},
			{ID: "caches", Title: "Inodes and directory entries", Unit: "entries", Style: Line, What: "What the kernel keeps in memory: inodes, directory entries (dentries), and asynchronous I/O under way (AIO).",
				Usual: "They grow until memory is needed elsewhere.", Next: "Slab, in Memory.",
				Series: []Series{plain("inodes", "vfs.inodes.count"), plain("inodes, free", "vfs.inodes.free"), plain("dentries", "vfs.dentry.count"), plain("dentries, free", "vfs.dentry.free"), plain("AIO", "vfs.aio.count"), series("AIO limit", Limit, "vfs.aio.max").hidden()}},
			{ID: "mounts", Title: "Mounts", Unit: "", Style: Table, What: "Where they are mounted.",
				Usual: "The same throughout. Mounts that come and go belong to an automounter, a container or a removable disk.", Next: "Full, to see how much of it is in use.",
				Series: []Series{plain("mounted on", "filesys.mountdir"), plain("type", "filesys.type"), plain("capacity", "filesys.capacity"), plain("uuid", "filesys.uuid")}},
		}}
}

// xfs is about all XFS filesystems together, or about each of them.
func xfs(id, title, what, root string) Dashboard {
	d := Dashboard{ID: id, Title: title, What: what, Spark: Spark{Exprs: []string{"rate(xfs.read_bytes) + rate(xfs.write_bytes)", "rate(xfs.write_bytes)", "rate(xfs.log.writes)"}, Name: "read and written"}, Panels: []Panel{
		{ID: "bytes", Title: "Data", Unit: "", Style: Stack, What: "Data that programs read and wrote, from the cache as well.",
			Usual: "More than the disks do: much comes from the cache.", Next: "Disks: throughput.",
			Series: []Series{series("read", Read, "rate(xfs.read_bytes)"), series("write", Write, "rate(xfs.write_bytes)")}},
		{ID: "calls", Title: "Calls", Unit: "", Style: Stack, What: "Reads and writes.",
			Usual: "They follow the work. Many calls for little data cost CPU.", Next: "Data, for the size of a call.",
			Series: []Series{series("read", Read, "rate(xfs.read)"), series("write", Write, "rate(xfs.write)")}},
		{ID: "log", Title: "Log", Unit: "", Style: Line, What: "Writes to the journal.",
			Usual: "Forces in proportion to fsync calls.", Next: "Log stalls.",
			Series: each("rate(xfs.log.*)", "writes force")},
		{ID: "stalls", Title: "Log stalls", Unit: "", Style: Line, What: "Waits for space in the journal.", Usual: "Zero. Any that last mean the journal is too small or too slow.", Next: "Log; Busy, in Disks.",
			Series: []Series{plain("no buffer", "rate(xfs.log.noiclogs)"), plain("no space", "rate(xfs.log_tail.sleep_logspace)"), plain("pushed", "rate(xfs.log_tail.push_ail.pushbuf)")}},
		{ID: "dirs", Title: "Directories", Unit: "", Style: Line, What: "Names looked up, made and removed.",
			Usual: "Lookups lead; they count only where the kernel's cache of names has no answer.", Next: "Transactions.",
			Series: each("rate(xfs.dir_ops.*)", "lookup create remove")},
		{ID: "transactions", Title: "Transactions", Unit: "", Style: Line, What: "Changes of metadata.",
			Usual: "Mostly asynchronous.", Next: "Log.",
			Series: each("rate(xfs.transactions.*)", "sync async")},
		{ID: "inodes", Title: "Inode cache", Unit: "% found", Style: Line, Max: 100, What: "Inodes that were in memory when they were needed.",
			Usual: "Near 100 %.", Next: "Inodes and directory entries, in Filesystems.",
			Series: []Series{plain("found", "100 * rate(xfs.inode_ops.ig_found) / rate(xfs.inode_ops.ig_attempts)")}},
		{ID: "buffers", Title: "Buffers", Unit: "", Style: Line, What: "Buffers of metadata.",
			Usual: "Few busy and retried.", Next: "Log stalls.",
			Series: each("rate(xfs.buffer.*)", "get create busy_locked page_retries")},
	}}
	of := func(list []string) {
		for i := range list {
			list[i] = strings.ReplaceAll(list[i], "(xfs.", "("+root+".")
		}
	}
	of(d.Spark.Exprs)
	for _, p := range d.Panels {
		for _, s := range p.Series {
			of(s.Exprs)
		}
	}
	return d
}
