package dashboard

import (
	"slices"
	"strings"
)

func network() Dashboard {
	util := func(bytes string) []string {
		return append(nics("100 * "+bytes+" / "+knownBaud), nics(`100 * `+bytes+` / rescale(`+knownSpeed+`, "byte/sec")`)...)
	}
	const in, out = "rate(network.interface.in.bytes)", "rate(network.interface.out.bytes)"
	// A half-duplex line transmits in one direction at a time. For wireless
	// interfaces the kernel's duplex value means nothing.
	both := func(half string) string { return "(" + half + " ? " + in + " + " + out + " : " + out + ")" }
	outUtil := slices.Concat(util(both("network.interface.duplex == 1 && network.interface.wireless != 1")), util(both("network.interface.duplex == 1")), util(out))
	return Dashboard{ID: "network", Title: "Network", What: "What each interface carried, and what it lost. Loopback and virtual interfaces are left out.",
		Spark: Spark{Exprs: append(sumNICs("in.bytes", "out.bytes"), "rate(network.all.in.bytes)"), Name: "in and out"}, Panels: []Panel{
			{ID: "bytes", Title: "Throughput", Unit: "", Style: Mirror, What: "Data received, and below the line data sent.",
				Usual: "Below 85 % of the line rate.", Next: "Utilisation; TCP, UDP, sockets.",
				Series: []Series{series("in", In, nicRate("in.bytes")...), series("out", Out, nicRate("out.bytes")...).below()}},
			{ID: "util", Title: "Utilisation", Unit: "% of the line rate", Style: Line, Max: 100, What: "How much of the line was used. Of a half duplex line out counts both ways. Interfaces that tell no speed are left out.", Usual: "Below 85 %.", Next: "Drops; Throughput.",
				Series: []Series{series("in", In, util(in)...), series("out", Out, outUtil...)}, Thresholds: look("lineRate", 85, "warning above 85 %")},
			{ID: "packets", Title: "Packets", Unit: "", Style: Mirror, What: "Packets received, and below the line packets sent.",
				Usual: "In proportion to the bytes. Many small packets cost more CPU.", Next: "Packet size; Soft interrupts, each CPU, in CPU.",
				Series: []Series{series("in", In, nicRate("in.packets")...), series("out", Out, nicRate("out.packets")...).below()}},
			{ID: "size", Title: "Packet size", Unit: "byte", Style: Line, What: "Bytes in a packet.",
				Usual: "Near the MTU for bulk, small for calls and answers.", Next: "Packets.",
				Series: []Series{series("in", In, nics(perOne("network.interface.in.bytes", "network.interface.in.packets"))...), series("out", Out, nics(perOne("network.interface.out.bytes", "network.interface.out.packets"))...)}},
			{ID: "drops", Title: "Drops", Unit: "", Style: Line, What: "Packets that were discarded because buffers were full, or because nobody wanted them.", Usual: "Zero, or a few unknown packets.", Next: "Softnet, in TCP, UDP, sockets.",
				Series: []Series{series("in", In, nicRate("in.drops")...), series("out", Out, nicRate("out.drops")...), plain("fifo", nicRate("in.fifo")...)}},
			{ID: "errors", Title: "Errors", Unit: "", Style: Line, What: "Damaged packets: cables, plugs, duplex.", Usual: "Zero.", Next: "Speed; Duplex.",
				Series: []Series{series("in", In, nicRate("in.errors")...), series("out", Out, nicRate("out.errors")...), plain("frame", nicRate("in.frame")...), plain("carrier", nicRate("out.carrier")...), plain("collisions", nicRate("collisions")...)}},
			{ID: "state", Title: "State", Unit: "", Style: State, What: "Whether the interface was up and its link was there.",
				Usual: "1 throughout. A change is a cable, a switch or an administrator.", Next: "Errors, around the change.",
				Series: []Series{plain("up", nics("network.interface.up")...), plain("running", nics("network.interface.running")...)}},
			{ID: "speed", Title: "Speed", Unit: "Mbit/s", Style: State, What: "The speed that both ends of the line agreed on.", Usual: "The same throughout. A line that comes back slower has a bad cable or plug.", Next: "Errors, around the change.",
				Series: []Series{plain("", slices.Concat(nics(baudMbits), nics(speedMbits))...)}},
			{ID: "duplex", Title: "Duplex", Unit: "", Style: State, What: "1 is half, 2 is full.", Usual: "2 throughout. Half where the other end is full loses packets as soon as there is work.", Next: "Errors: collisions.",
				Series: []Series{plain("", nics("network.interface.duplex")...)}},
			{ID: "about", Title: "Interfaces", Unit: "", Style: Table, What: "What the interfaces are.",
				Usual: "Full duplex, and the speed that the port was bought for.", Next: "Utilisation.",
				Series: []Series{plain("speed, Mbit/s", baudMbits, speedMbits), plain("duplex", "network.interface.duplex"), plain("MTU, bytes", `network.interface.mtu / mkconst(1, type="u32", units="byte")`), plain("up", "network.interface.up"), plain("running", "network.interface.running")}},
			{ID: "all", Title: "All interfaces", Unit: "", Style: Mirror, What: "All physical interfaces together.",
				Usual: "The sum of Throughput over the physical interfaces.", Next: "Throughput, for each interface.",
				Series: []Series{series("in", In, "rate(network.all.in.bytes)"), series("out", Out, "rate(network.all.out.bytes)").below()}},
			{ID: "allpackets", Title: "All interfaces: packets", Unit: "", Style: Mirror, What: "Packets of all physical interfaces together.",
				Usual: "In proportion to the bytes. Many small packets cost more CPU.", Next: "Packets, for each interface.",
				Series: []Series{series("in", In, "rate(network.all.in.packets)"), series("out", Out, "rate(network.all.out.packets)").below()}},
			{ID: "alltrouble", Title: "All interfaces: trouble", Unit: "", Style: Line, What: "Packets of all physical interfaces that were dropped or damaged.", Usual: "Zero.", Next: "Drops; Errors, to see whose they are.",
				Series: []Series{plain("drops in", "rate(network.all.in.drops)"), plain("drops out", "rate(network.all.out.drops)"), plain("errors in", "rate(network.all.in.errors)"), plain("errors out", "rate(network.all.out.errors)")}},
		}}
}

// Line rates, without those that a driver reports if it knows none: 0, the largest
// possible number, or 65,535 Mbit/s, the largest of 16 bits. network.interface.baudrate
// is in bytes per second, network.interface.speed in units of 2^20 of them. A metric that
// has units can be compared with whole numbers only.
const (
	baudrate   = "network.interface.baudrate"
	knownBaud  = "(network.interface.baudrate > 0 && network.interface.baudrate / 1000000 < 1000000 && network.interface.baudrate / 1000 != 8191875 ? network.interface.baudrate : novalue())"
	knownSpeed = "(network.interface.speed > 0 && network.interface.speed < 1000000 && (network.interface.speed < 7812 || network.interface.speed > 7813) ? network.interface.speed : novalue())"
)

// Both in Mbit/s, as lines are sold.
const (
	baudMbits  = knownBaud + ` * 8 / mkconst(1000000, units="byte/sec")`
	speedMbits = knownSpeed + ` * 8.388608 / mkconst(1, units="Mbyte/sec")`
)

// sumNICs adds up the rates of metrics over all interfaces.
func sumNICs(metrics ...string) []string {
	return withNICs(func(nic func(string) string) string {
		var sums []string
		for _, m := range metrics {
			sums = append(sums, "sum("+nic("rate(network.interface."+m+")")+")")
		}
		return strings.Join(sums, " + ")
	})
}

func tcp() Dashboard {
	return Dashboard{ID: "tcp", Title: "TCP, UDP, sockets", What: "Connections, and what went wrong on the way.",
		Spark: Spark{Exprs: []string{"rate(network.tcp.outsegs)", "network.tcpconn.established", "network.sockstat.tcp.inuse"}, Name: "segments out"}, Panels: []Panel{
			{ID: "segments", Title: "Segments", Unit: "", Style: Mirror, What: "TCP segments received, and below the line sent.",
				Usual: "In and out similar.", Next: "Retransmissions.",
				Series: []Series{series("in", In, "rate(network.tcp.insegs)"), series("out", Out, "rate(network.tcp.outsegs)").below()}},
			{ID: "again", Title: "Retransmissions", Unit: "% of segments", Style: Line, What: "Segments that were lost on the way and had to be sent again.", Usual: "Below 1 %.", Next: "Kinds of retransmission; Errors, in Network; Drops, in Network.",
				Series: []Series{plain("retransmitted", "100 * rate(network.tcp.retranssegs) / rate(network.tcp.outsegs)")}, Thresholds: look("retransmissions", 1, "warning above 1 %")},
			{ID: "kinds", Title: "Kinds of retransmission", Unit: "", Style: Line, What: "What made TCP send again. Timeouts cost most.",
				Usual: "Few fast retransmissions; hardly any timeouts.", Next: "Drops, in Network; Errors, in Network.",
				Series: each("rate(network.tcp.*)", "fastretrans slowstartretrans synretrans lostretransmit lossprobes timeouts")},
			{ID: "opens", Title: "Connections opened", Unit: "", Style: Line, What: "By this host (active), by others (passive), and failed attempts.",
				Usual: "Few failed attempts and resets.", Next: "Accept queue, Connection states.",
				Series: each("rate(network.tcp.*)", "activeopens passiveopens attemptfails estabresets outrsts")},
			{ID: "states", Title: "Connection states", Unit: "connections", Style: Line, What: "Many in close wait: a program forgets to close.",
				Usual: "Established in proportion to the clients; time wait is normal on busy servers.", Next: "Processes, for who holds the sockets.",
				Series: append(each("network.tcpconn.*", "established time_wait close_wait syn_recv syn_sent fin_wait1 fin_wait2 last_ack listen"), plain("currestab", "network.tcp.currestab"))},
			{ID: "accept", Title: "Accept queue", Unit: "", Style: Line, What: "Connections refused because a server did not take them in time.", Usual: "Zero.", Next: "CPU; Processes, to see whether the server is busy.", Series: each("rate(network.tcp.*)", "listenoverflows listendrops reqqfulldrop reqqfulldocookies syncookiessent")},
			{ID: "memory", Title: "Memory and windows", Unit: "", Style: Line, What: "TCP short of memory, and windows that closed because a program did not read.",
				Usual: "Zero pressures and pruned queues.", Next: "Available, in Memory; Processes that do not read.",
				Series: append(each("rate(network.tcp.*)", "memorypressures prunecalled rcvpruned tcprcvqdrop tozerowindowadv wantzerowindowadv"), plain("memory", "network.sockstat.tcp.mem").right().in("pages"))},
			{ID: "udp", Title: "UDP", Unit: "", Style: Line, What: "Datagrams, and those that nobody could take.", Usual: "No receive buffer errors.", Next: "Drops, in Network; Processes that do not read.", Series: each("rate(network.udp.*)", "indatagrams outdatagrams noports inerrors recvbuferrors sndbuferrors")},
			{ID: "sockets", Title: "Sockets", Unit: "sockets", Style: Line, What: "Sockets in use.",
				Usual: "Steady, or following the load.", Next: "Connection states.",
				Series: each("network.sockstat.*", "total tcp.inuse tcp.alloc tcp.orphan tcp.tw udp.inuse raw.inuse frag.inuse")},
			{ID: "softnet", Title: "Softnet", Unit: "", Style: Line, What: "Packets between the interface and the protocol. Dropped: the queue was full. Squeezed: the time was up.", Usual: "None dropped.", Next: "Softnet, each CPU; Soft interrupts, each CPU, in CPU.",
				Series: append(each("rate(network.softnet.*)", "processed dropped time_squeeze received_rps flow_limit_count"), plain("backlog", "network.softnet.total_backlog").right().in("packets"))},
			{ID: "softcpu", Title: "Softnet, each CPU", Unit: "", Style: Line, What: "Trouble on single CPUs.",
				Usual: "None dropped.", Next: "Soft interrupts, each CPU, in CPU.",
				Series: each("rate(network.softnet.percpu.*)", "dropped time_squeeze")},
			{ID: "ip", Title: "IP", Unit: "", Style: Line, What: "Packets that the IP layer threw away.", Usual: "Zero.", Next: "Errors, in Network; UDP.", Series: each("rate(network.ip.*)", "indiscards outdiscards inhdrerrors reasmfails fragfails innoroutes outnoroutes")},
		}}
}

func nfs() Dashboard {
	d := Dashboard{ID: "nfs", Title: "NFS and RPC", What: "Files over the network: as a client and as a server.",
		Spark: Spark{Exprs: []string{"rate(rpc.client.rpccnt)", "rate(rpc.server.rpccnt)"}, Name: "RPC calls"}, Panels: []Panel{
			{ID: "client", Title: "Client operations", Unit: "", Style: TopN, Top: 8, What: "What this host asked of servers.",
				Usual: "Many getattr and access calls are cheap by themselves; in great numbers the cache of attributes is too short-lived.", Next: "Each mount: getattr; Each mount: access, for how long they took.",
				Series: []Series{plain("NFS 4", "rate(nfs4.client.reqs)"), plain("NFS 3", "rate(nfs3.client.reqs)")}},
			{ID: "calls", Title: "Client calls", Unit: "", Style: Line, What: "All operations together.",
				Usual: "They follow the work of this host; most are getattr, access, lookup and read.", Next: "Client operations.",
				Series: []Series{plain("NFS 4", "rate(nfs4.client.calls)"), plain("NFS 3", "rate(nfs3.client.calls)")}},
			{ID: "rpc", Title: "Client RPC", Unit: "", Style: Line, What: "Calls, and those that got no answer in time.", Usual: "Retransmissions below 1 %.", Next: "Each mount: read; Retransmissions, in TCP, UDP, sockets; Drops, in Network.",
				Series: []Series{plain("calls", "rate(rpc.client.rpccnt)"), plain("retransmitted", "100 * rate(rpc.client.rpcretrans) / rate(rpc.client.rpccnt)").right().in("%"), plain("new credentials", "rate(rpc.client.rpcauthrefresh)")}},
			{ID: "server", Title: "Server operations", Unit: "", Style: TopN, Top: 8, What: "What clients asked of this host.",
				Usual: "They follow the work of the clients. Many getattr and access calls are clients that check their caches.", Next: "Server threads; Server data.",
				Series: []Series{plain("NFS 4", "rate(nfs4.server.reqs)"), plain("NFS 3", "rate(nfs3.server.reqs)")}},
			{ID: "serverrpc", Title: "Server RPC", Unit: "", Style: Line, What: "Calls and errors.",
				Usual: "No errors.", Next: "Server threads.",
				Series: each("rate(rpc.server.*)", "rpccnt rpcerr rpcbadauth")},
			{ID: "serverio", Title: "Server data", Unit: "", Style: Stack, What: "Data that clients read and wrote.",
				Usual: "Below what the network can carry. Reads can be more than the disks do: the rest comes from the cache.", Next: "Disks: throughput.",
				Series: []Series{series("read", Read, "rate(rpc.server.io_read)"), series("write", Write, "rate(rpc.server.io_write)")}},
			{ID: "cache", Title: "Reply cache", Unit: "% found", Style: Line, Max: 100, What: "Calls that were answered from the cache of replies.",
				Usual: "Low. Hits are calls that clients sent again.", Next: "Client RPC, on the clients.",
				Series: []Series{plain("found", "100 * rate(rpc.server.rchits) / (rate(rpc.server.rchits) + rate(rpc.server.rcmisses))")}},
			{ID: "threads", Title: "Server threads", Unit: "", Style: Line, What: "Whether there are enough of them.",
				Usual: "All busy: never.", Next: "Server operations; CPU and Disks of this host.",
				Series: append(each("rate(nfs.server.threads.*)", "requests enqueued processed timedout"), plain("threads", "nfs.server.threads.total", "rpc.server.th_cnt").right(), plain("all busy", "rate(rpc.server.th_fullcnt)"))},
		}}
	for _, op := range []string{"read", "write", "getattr", "lookup", "open", "commit", "access", "readdir"} {
		m := "nfsclient.ops." + op + "."
		each := func(part string) string { return timeOfOne(m+part, m+"ops") }
		d.Panels = append(d.Panels, Panel{ID: "op" + op, Title: "Each mount: " + op, Unit: "ms", Style: Line, What: "How long an operation waited here (queue), on the network and server (round trip), and in all.", Usual: "Round trip below 50 ms, next to no queue.", Next: "Client RPC where the queue is long; Network, then an archive of the server, where the round trip is.",
			Series: []Series{plain("queue", each("queue")), plain("round trip", each("rtt")), plain("in all", each("execute")), plain("operations", "rate("+m+"ops)").right(), plain("timeouts", "rate("+m+"timeouts)").right(), plain("errors", "rate("+m+"errors)").right(),
				plain("retransmitted", "rate("+m+"ntrans) - rate("+m+"ops)").right()}, Thresholds: look("nfsLatency", 50, "50 ms")})
	}
	d.Panels = append(d.Panels, Panel{ID: "mountbytes", Title: "Each mount: data", Unit: "", Style: Stack, What: "Data between this host and the server.",
		Usual: "Below what the network can carry; a long plateau is a limit.", Next: "Each mount: read; Each mount: write.",
		Series: []Series{series("read", Read, "rate(nfsclient.bytes.read.server)"), series("write", Write, "rate(nfsclient.bytes.write.server)")}})
	return d
}
