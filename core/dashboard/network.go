package dashboard

import "slices"

func network() Dashboard {
	util := func(bytes string) []string {
		return append(nics("100 * "+bytes+" / "+known("network.interface.baudrate", " / 1000000")), nics(`100 * `+bytes+` / rescale(`+known("network.interface.speed", "")+`, "byte/sec")`)...)
	}
	const in, out = "rate(network.interface.in.bytes)", "rate(network.interface.out.bytes)"
	// A half-duplex line transmits in one direction at a time. For wireless
	// interfaces the kernel's duplex value means nothing.
	both := func(half string) string { return "(" + half + " ? " + in + " + " + out + " : " + out + ")" }
	outUtil := slices.Concat(util(both("network.interface.duplex == 1 && network.interface.wireless != 1")), util(both("network.interface.duplex == 1")), util(out))
	return Dashboard{ID: "network", Title: "Network", What: "What each interface carried, and what it lost. Loopback and virtual interfaces are left out.",
		Spark: Spark{Exprs: append(sumNICs("in.bytes", "out.bytes"), "rate(network.all.in.bytes)"), Name: "in and out"}, Panels: []Panel{
			{ID: "bytes", Title: "Throughput", Unit: "", Style: Mirror, What: "Data received, and below the line data sent.", Series: []Series{series("in", In, nicRate("in.bytes")...), series("out", Out, nicRate("out.bytes")...).below()}},
			{ID: "util", Title: "Utilisation", Unit: "% of the line rate", Style: Line, Max: 100, What: "How much of the line was used. Of a half duplex line out counts both ways. Interfaces that tell no speed are left out.", Usual: "Below 85 %.",
				Series: []Series{series("in", In, util(in)...), series("out", Out, outUtil...)}, Thresholds: look("lineRate", 85, "warning above 85 %")},
			{ID: "packets", Title: "Packets", Unit: "", Style: Mirror, What: "Packets received, and below the line packets sent.", Series: []Series{series("in", In, nicRate("in.packets")...), series("out", Out, nicRate("out.packets")...).below()}},
			{ID: "size", Title: "Packet size", Unit: "byte", Style: Line, What: "Bytes in a packet.", Series: []Series{series("in", In, nics(perOne("network.interface.in.bytes", "network.interface.in.packets"))...), series("out", Out, nics(perOne("network.interface.out.bytes", "network.interface.out.packets"))...)}},
			{ID: "drops", Title: "Drops", Unit: "", Style: Line, What: "Packets that were discarded because buffers were full, or because nobody wanted them.", Usual: "Zero, or a few unknown packets.", Next: "Softnet, in TCP, UDP, sockets.",
				Series: []Series{series("in", In, nicRate("in.drops")...), series("out", Out, nicRate("out.drops")...), plain("fifo", nicRate("in.fifo")...)}},
			{ID: "errors", Title: "Errors", Unit: "", Style: Line, What: "Damaged packets: cables, plugs, duplex.", Usual: "Zero.",
				Series: []Series{series("in", In, nicRate("in.errors")...), series("out", Out, nicRate("out.errors")...), plain("frame", nicRate("in.frame")...), plain("carrier", nicRate("out.carrier")...), plain("collisions", nicRate("collisions")...)}},
			{ID: "state", Title: "State", Unit: "", Style: State, What: "Whether the interface was up and its link was there.", Series: []Series{plain("up", nics("network.interface.up")...), plain("running", nics("network.interface.running")...)}},
			{ID: "speed", Title: "Speed", Unit: "", Style: State, What: "The speed that both ends of the line agreed on.", Usual: "The same throughout. A line that comes back slower has a bad cable or plug.", Next: "Errors, around the change.",
				Series: []Series{plain("", nics(known("network.interface.speed", ""))...)}},
			{ID: "duplex", Title: "Duplex", Unit: "", Style: State, What: "1 is half, 2 is full.", Usual: "2 throughout. Half where the other end is full loses packets as soon as there is work.", Next: "Errors: collisions.",
				Series: []Series{plain("", nics("network.interface.duplex")...)}},
			{ID: "about", Title: "Interfaces", Unit: "", Style: Table, What: "What the interfaces are.",
				Series: []Series{plain("speed", known("network.interface.speed", "")), plain("line rate", known("network.interface.baudrate", " / 1000000")), plain("duplex", "network.interface.duplex"), plain("MTU", "network.interface.mtu"), plain("up", "network.interface.up"), plain("running", "network.interface.running")}},
			{ID: "all", Title: "All interfaces", Unit: "", Style: Mirror, What: "All physical interfaces together.", Series: []Series{series("in", In, "rate(network.all.in.bytes)"), series("out", Out, "rate(network.all.out.bytes)").below()}},
			{ID: "allpackets", Title: "All interfaces: packets", Unit: "", Style: Mirror, What: "Packets of all physical interfaces together.", Series: []Series{series("in", In, "rate(network.all.in.packets)"), series("out", Out, "rate(network.all.out.packets)").below()}},
			{ID: "alltrouble", Title: "All interfaces: trouble", Unit: "", Style: Line, What: "Packets of all physical interfaces that were dropped or damaged.", Usual: "Zero.", Next: "Drops; Errors, to see whose they are.",
				Series: []Series{plain("drops in", "rate(network.all.in.drops)"), plain("drops out", "rate(network.all.out.drops)"), plain("errors in", "rate(network.all.in.errors)"), plain("errors out", "rate(network.all.out.errors)")}},
		}}
}

var networkAdvice = advice{
	"util":       {"", "Drops; Throughput."},
	"errors":     {"", "Speed; Duplex."},
	"bytes":      {"Below 85 % of the line rate.", "Utilisation; TCP, UDP, sockets."},
	"packets":    {"In proportion to the bytes. Many small packets cost more CPU.", "Packet size; Soft interrupts, each CPU, in CPU."},
	"size":       {"Near the MTU for bulk, small for calls and answers.", "Packets."},
	"state":      {"1 throughout. A change is a cable, a switch or an administrator.", "Errors, around the change."},
	"about":      {"Full duplex, and the speed that the port was bought for.", "Utilisation."},
	"all":        {"The sum of Throughput over the physical interfaces.", "Throughput, for each interface."},
	"allpackets": {"In proportion to the bytes. Many small packets cost more CPU.", "Packets, for each interface."},
}

// known excludes invalid speeds: a driver that knows none reports 0, or the
// largest possible number. inMillions converts bytes to megabytes.
func known(speed, inMillions string) string {
	return "(" + speed + " > 0 && " + speed + inMillions + " < 1000000 ? " + speed + " : novalue())"
}

// sumNICs adds up the rates of two metrics over all interfaces.
func sumNICs(a, b string) []string {
	return withNICs(func(nic func(string) string) string {
		return "sum(" + nic("rate(network.interface."+a+")") + ") + sum(" + nic("rate(network.interface."+b+")") + ")"
	})
}

func tcp() Dashboard {
	return Dashboard{ID: "tcp", Title: "TCP, UDP, sockets", What: "Connections, and what went wrong on the way.",
		Spark: Spark{Exprs: []string{"rate(network.tcp.outsegs)", "network.tcpconn.established", "network.sockstat.tcp.inuse"}, Name: "segments out"}, Panels: []Panel{
			{ID: "segments", Title: "Segments", Unit: "", Style: Mirror, What: "TCP segments received, and below the line sent.", Series: []Series{series("in", In, "rate(network.tcp.insegs)"), series("out", Out, "rate(network.tcp.outsegs)").below()}},
			{ID: "again", Title: "Retransmissions", Unit: "% of segments", Style: Line, What: "Segments that were lost on the way and had to be sent again.", Usual: "Below 1 %.", Next: "Kinds of retransmission; Errors, in Network; Drops, in Network.",
				Series: []Series{plain("retransmitted", "100 * rate(network.tcp.retranssegs) / rate(network.tcp.outsegs)")}, Thresholds: look("retransmissions", 1, "warning above 1 %")},
			{ID: "kinds", Title: "Kinds of retransmission", Unit: "", Style: Line, What: "What made TCP send again. Timeouts cost most.", Series: each("rate(network.tcp.*)", "fastretrans slowstartretrans synretrans lostretransmit lossprobes timeouts")},
			{ID: "opens", Title: "Connections opened", Unit: "", Style: Line, What: "By this host (active), by others (passive), and failed attempts.", Series: each("rate(network.tcp.*)", "activeopens passiveopens attemptfails estabresets outrsts")},
			{ID: "states", Title: "Connection states", Unit: "connections", Style: Line, What: "Many in close wait: a program forgets to close.", Series: append(each("network.tcpconn.*", "established time_wait close_wait syn_recv syn_sent fin_wait1 fin_wait2 last_ack listen"), plain("currestab", "network.tcp.currestab"))},
			{ID: "accept", Title: "Accept queue", Unit: "", Style: Line, What: "Connections refused because a server did not take them in time.", Usual: "Zero.", Next: "CPU; Processes, to see whether the server is busy.", Series: each("rate(network.tcp.*)", "listenoverflows listendrops reqqfulldrop reqqfulldocookies syncookiessent")},
			{ID: "memory", Title: "Memory and windows", Unit: "", Style: Line, What: "TCP short of memory, and windows that closed because a program did not read.",
				Series: append(each("rate(network.tcp.*)", "memorypressures prunecalled rcvpruned tcprcvqdrop tozerowindowadv wantzerowindowadv"), plain("memory", "network.sockstat.tcp.mem").right().in("pages"))},
			{ID: "udp", Title: "UDP", Unit: "", Style: Line, What: "Datagrams, and those that nobody could take.", Usual: "No receive buffer errors.", Series: each("rate(network.udp.*)", "indatagrams outdatagrams noports inerrors recvbuferrors sndbuferrors")},
			{ID: "sockets", Title: "Sockets", Unit: "sockets", Style: Line, What: "Sockets in use.", Series: each("network.sockstat.*", "total tcp.inuse tcp.alloc tcp.orphan tcp.tw udp.inuse raw.inuse frag.inuse")},
			{ID: "softnet", Title: "Softnet", Unit: "", Style: Line, What: "Packets between the interface and the protocol. Dropped: the queue was full. Squeezed: the time was up.", Usual: "None dropped.",
				Series: append(each("rate(network.softnet.*)", "processed dropped time_squeeze received_rps flow_limit_count"), plain("backlog", "network.softnet.total_backlog").right().in("packets"))},
			{ID: "softcpu", Title: "Softnet, each CPU", Unit: "", Style: Line, What: "Trouble on single CPUs.", Series: each("rate(network.softnet.percpu.*)", "dropped time_squeeze")},
			{ID: "ip", Title: "IP", Unit: "", Style: Line, What: "Packets that the IP layer threw away.", Usual: "Zero.", Series: each("rate(network.ip.*)", "indiscards outdiscards inhdrerrors reasmfails fragfails innoroutes outnoroutes")},
		}}
}

var tcpAdvice = advice{
	"udp":      {"", "Drops, in Network; Processes that do not read."},
	"softnet":  {"", "Softnet, each CPU; Soft interrupts, each CPU, in CPU."},
	"ip":       {"", "Errors, in Network; UDP."},
	"segments": {"In and out similar.", "Retransmissions."},
	"kinds":    {"Few fast retransmissions; hardly any timeouts.", "Drops, in Network; Errors, in Network."},
	"opens":    {"Few failed attempts and resets.", "Accept queue, Connection states."},
	"states":   {"Established in proportion to the clients; time wait is normal on busy servers.", "Processes, for who holds the sockets."},
	"memory":   {"Zero pressures and pruned queues.", "Available, in Memory; Processes that do not read."},
	"sockets":  {"Steady, or following the load.", "Connection states."},
	"softcpu":  {"None dropped.", "Soft interrupts, each CPU, in CPU."},
}

func nfs() Dashboard {
	d := Dashboard{ID: "nfs", Title: "NFS and RPC", What: "Files over the network: as a client and as a server.",
		Spark: Spark{Exprs: []string{"rate(rpc.client.rpccnt)", "rate(rpc.server.rpccnt)"}, Name: "RPC calls"}, Panels: []Panel{
			{ID: "client", Title: "Client operations", Unit: "", Style: TopN, Top: 8, What: "What this host asked of servers.", Series: []Series{plain("NFS 4", "rate(nfs4.client.reqs)"), plain("NFS 3", "rate(nfs3.client.reqs)")}},
			{ID: "calls", Title: "Client calls", Unit: "", Style: Line, What: "All operations together.", Series: []Series{plain("NFS 4", "rate(nfs4.client.calls)"), plain("NFS 3", "rate(nfs3.client.calls)")}},
			{ID: "rpc", Title: "Client RPC", Unit: "", Style: Line, What: "Calls, and those that got no answer in time.", Usual: "Retransmissions below 1 %.",
				Series: []Series{plain("calls", "rate(rpc.client.rpccnt)"), plain("retransmitted", "100 * rate(rpc.client.rpcretrans) / rate(rpc.client.rpccnt)").right().in("%"), plain("new credentials", "rate(rpc.client.rpcauthrefresh)")}},
			{ID: "server", Title: "Server operations", Unit: "", Style: TopN, Top: 8, What: "What clients asked of this host.", Series: []Series{plain("NFS 4", "rate(nfs4.server.reqs)"), plain("NFS 3", "rate(nfs3.server.reqs)")}},
			{ID: "serverrpc", Title: "Server RPC", Unit: "", Style: Line, What: "Calls and errors.", Series: each("rate(rpc.server.*)", "rpccnt rpcerr rpcbadauth")},
			{ID: "serverio", Title: "Server data", Unit: "", Style: Stack, What: "Data that clients read and wrote.", Series: []Series{series("read", Read, "rate(rpc.server.io_read)"), series("write", Write, "rate(rpc.server.io_write)")}},
			{ID: "cache", Title: "Reply cache", Unit: "% found", Style: Line, Max: 100, What: "Calls that were answered from the cache of replies.", Series: []Series{plain("found", "100 * rate(rpc.server.rchits) / (rate(rpc.server.rchits) + rate(rpc.server.rcmisses))")}},
			{ID: "threads", Title: "Server threads", Unit: "", Style: Line, What: "Whether there are enough of them.",
				Series: append(each("rate(nfs.server.threads.*)", "requests enqueued processed timedout"), plain("threads", "nfs.server.threads.total", "rpc.server.th_cnt").right(), plain("all busy", "rate(rpc.server.th_fullcnt)"))},
		}}
	for _, op := range []string{"read", "write", "getattr", "lookup", "open", "commit", "access", "readdir"} {
		m := "nfsclient.ops." + op + "."
		each := func(part string) string { return "delta(" + m + part + ") / delta(" + m + "ops)" }
		d.Panels = append(d.Panels, Panel{ID: "op" + op, Title: "Each mount: " + op, Unit: "ms", Style: Line, What: "How long an operation waited here (queue), on the network and server (round trip), and in all.", Usual: "Round trip below 50 ms, next to no queue.", Next: "Client RPC where the queue is long; Network, then an archive of the server, where the round trip is.",
			Series: []Series{plain("queue", each("queue")), plain("round trip", each("rtt")), plain("in all", each("execute")), plain("operations", "rate("+m+"ops)").right(), plain("timeouts", "rate("+m+"timeouts)").right(), plain("errors", "rate("+m+"errors)").right(),
				plain("retransmitted", "rate("+m+"ntrans) - rate("+m+"ops)").right()}, Thresholds: look("nfsLatency", 50, "50 ms")})
	}
	d.Panels = append(d.Panels, Panel{ID: "mountbytes", Title: "Each mount: data", Unit: "", Style: Stack, What: "Data between this host and the server.",
		Series: []Series{series("read", Read, "rate(nfsclient.bytes.read.server)"), series("write", Write, "rate(nfsclient.bytes.write.server)")}})
	return d
}

var nfsAdvice = advice{
	"rpc":        {"", "Each mount: read; Retransmissions, in TCP, UDP, sockets; Drops, in Network."},
	"client":     {"Many getattr and access calls are cheap by themselves; in great numbers the cache of attributes is too short-lived.", "Each mount: getattr; Each mount: access, for how long they took."},
	"calls":      {"They follow the work of this host; most are getattr, access, lookup and read.", "Client operations."},
	"server":     {"They follow the work of the clients. Many getattr and access calls are clients that check their caches.", "Server threads; Server data."},
	"serverrpc":  {"No errors.", "Server threads."},
	"serverio":   {"Below what the network can carry. Reads can be more than the disks do: the rest comes from the cache.", "Disks: throughput."},
	"cache":      {"Low. Hits are calls that clients sent again.", "Client RPC, on the clients."},
	"threads":    {"All busy: never.", "Server operations; CPU and Disks of this host."},
	"mountbytes": {"Below what the network can carry; a long plateau is a limit.", "Each mount: read; Each mount: write."},
}
