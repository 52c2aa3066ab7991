package core

import (
	"testing"

	"pcpscope/internal/recording"
)

// Dashboards for rarely logged metrics: values computed by hand for each 10
// s.
func TestRareDashboards(t *testing.T) {
	const n = 4
	grows := func(step float64) map[string]any { return map[string]any{"": recording.Rising(n, 1000, step)} }
	is := func(v float64) map[string]any { return map[string]any{"": recording.Steady(n, v)} }
	each := func(name string, vals []float64) map[string]any { return map[string]any{name: vals} }
	const home = "server:/home"
	mount := func(step float64) map[string]any { return each(home, recording.Rising(n, 1000, step)) }
	node := func(a, b float64) map[string]any {
		return map[string]any{"node0": recording.Rising(n, 0, a), "node1": recording.Rising(n, 0, b)}
	}
	s, src := record(t, recording.Recording{Host: "rare", Step: 10e9, Values: map[string]map[string]any{
		// 50 reads took 400 ms on the way, 100 ms in the queue and 600 ms in all; 2 were sent twice
		"nfsclient.ops.read.ops": mount(50), "nfsclient.ops.read.rtt": mount(400), "nfsclient.ops.read.queue": mount(100), "nfsclient.ops.read.execute": mount(600),
		"nfsclient.ops.read.timeouts": mount(1), "nfsclient.ops.read.ntrans": mount(52), "nfsclient.bytes.read.server": mount(1e6),
		"rpc.client.rpccnt": grows(200), "rpc.client.rpcretrans": grows(4), "rpc.client.rpcauthrefresh": grows(0),
		"rpc.server.rchits": grows(30), "rpc.server.rcmisses": grows(10), "rpc.server.io_read": grows(5e6),
		"mem.numa.alloc.local_node": node(900, 100), "mem.numa.alloc.other_node": node(100, 300),
		"mem.numa.util.free": {"node0": recording.Steady(n, 250.0), "node1": recording.Steady(n, 50.0)}, "mem.numa.util.total": {"node0": recording.Steady(n, 1000.0), "node1": recording.Steady(n, 1000.0)},
		"mem.vmstat.numa_hint_faults": grows(400), "mem.vmstat.numa_hint_faults_local": grows(300),
		"xfs.inode_ops.ig_attempts": grows(500), "xfs.inode_ops.ig_found": grows(450), "xfs.log.noiclogs": grows(20),
		"nvidia.memused": each("gpu0", recording.Steady(n, float64(6<<30))), "nvidia.memtotal": each("gpu0", recording.Steady(n, float64(8<<30))),
		"nvidia.gpuactive": each("gpu0", recording.Steady(n, 40.0)), "nvidia.memactive": each("gpu0", recording.Steady(n, 15.0)),
		"hinv.ncpu": is(4), "kernel.all.cpu.steal": grows(2000), "kernel.all.cpu.guest": grows(10000),
		"mem.vmstat.balloon_inflate": grows(100), "mem.vmstat.balloon_deflate": grows(0),
		"kernel.all.softirqs.total": {"NET_RX": recording.Rising(n, 0, 5000.0), "TIMER": recording.Rising(n, 0, 100.0)},
		"network.tcp.retranssegs":   grows(5), "network.tcp.outsegs": grows(1000),
		"mem.vmstat.pgscan_kswapd": grows(8000), "mem.vmstat.pgscan_direct": grows(2000), "mem.vmstat.pgsteal_kswapd": grows(3000), "mem.vmstat.pgsteal_direct": grows(1000),
		"vfs.files.count": is(500), "vfs.files.max": is(2000), "ipc.sem.used_sem": is(64), "ipc.sem.max_semid": is(128),
	}})
	for _, tt := range []struct {
		dashboard, panel string
		want             map[string]float64
	}{
		{"nfs", "opread", map[string]float64{"queue " + home: 2, "round trip " + home: 8, "in all " + home: 12, "operations " + home: 5, "timeouts " + home: 0.1, "retransmitted " + home: 0.2}},
		{"nfs", "mountbytes", map[string]float64{"read " + home: 1e5}},
		{"nfs", "rpc", map[string]float64{"calls": 20, "retransmitted": 2, "new credentials": 0}},
		{"nfs", "cache", map[string]float64{"found": 75}},
		{"nfs", "serverio", map[string]float64{"read": 5e5}},
		{"numa", "local", map[string]float64{"node0": 90, "node1": 25}},
		{"numa", "free", map[string]float64{"node0": 25, "node1": 5}},
		{"numa", "balancing", map[string]float64{"local hints": 75}},
		{"xfs", "inodes", map[string]float64{"found": 90}},
		{"xfs", "stalls", map[string]float64{"no buffer": 2}},
		{"gpu", "memory", map[string]float64{"gpu0": 75}},
		{"gpu", "active", map[string]float64{"gpu0": 40, "memory gpu0": 15}},
		{"guest", "steal", map[string]float64{"steal": 5}},
		{"guest", "guests", map[string]float64{"guest": 25}},
		{"guest", "balloon", map[string]float64{"inflate": 10, "deflate": 0}},
		{"interrupts", "kinds", map[string]float64{"NET_RX": 500, "TIMER": 10}},
		{"tcp", "again", map[string]float64{"retransmitted": 0.5}},
		{"paging", "efficiency", map[string]float64{"efficiency": 40}},
		{"tables", "full", map[string]float64{"open files": 25, "semaphore sets": 50}},
	} {
		expect(t, tt.dashboard+"/"+tt.panel, panelValues(t, s, src, tt.dashboard, tt.panel, recording.Start, 10e9, n), tt.want)
	}
}
