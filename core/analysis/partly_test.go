package analysis

import "testing"

// A resource of which a logger records a part is judged by that part.
func TestPartsOfAResource(t *testing.T) {
	for _, tt := range []struct {
		name, resource                  string
		host                            *fake
		utilisation, saturation, errors string
		state                           string // the worst of them
	}{
		{"TCP alone, 5 % of segments again", "Network", new(fake).rate("network.tcp.outsegs", "", count, 60, 1000).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 50, 20, 0),
			"unknown", "unknown", "5 % retransmitted", look},
		{"TCP alone, 0.5 %", "Network", new(fake).rate("network.tcp.outsegs", "", count, 60, 1000).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 5, 20, 0),
			"unknown", "unknown", "0.50 % retransmitted at most", fine},
		{"UDP alone", "Network", new(fake).rate("network.udp.recvbuferrors", "", count, 60, 0), "unknown", "no drops", "unknown", fine},
		{"few collisions, and 5 % of segments again", "Network", new(fake).rate("network.interface.in.errors", "eth0", count, 60, 0).rate("network.interface.collisions", "eth0", count, 20, 0, 1, 2.4, 39, 0).
			rate("network.tcp.outsegs", "", count, 60, 1000).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 50, 20, 0),
			"unknown", "unknown", "5 % retransmitted", look},
		{"few collisions", "Network", new(fake).rate("network.interface.in.errors", "eth0", count, 60, 0).rate("network.interface.collisions", "eth0", count, 20, 0, 1, 2.4, 39, 0).
			rate("network.tcp.outsegs", "", count, 60, 1000).rate("network.tcp.retranssegs", "", count, 60, 0),
			"unknown", "unknown", "24 errors", fine},
		{"runnable tasks without the load", "CPU", new(fake).cpu(2, 60, 95).level("kernel.all.runnable", "", 20, 1, 30, 7, 10, 1), "above 90 %, 9 min 50 s", "7 runnable on 2", "unknown", look},
		{"pressure alone", "Memory", new(fake).rate("kernel.all.pressure.memory.full.total", "", ms, 20, 0, 1, 30, 39, 0), "unknown", "3 % stalled at most", "unknown", fine},
	} {
		tile := tileOf(t, tt.host, tt.resource)
		state := fine
		for _, c := range []string{tile.Utilisation.State, tile.Saturation.State, tile.Errors.State} {
			if c == look {
				state = look
			}
		}
		if tile.Utilisation.Text != tt.utilisation || tile.Saturation.Text != tt.saturation || tile.Errors.Text != tt.errors || state != tt.state {
			t.Errorf("%s: %q, %q, %q, %s", tt.name, tile.Utilisation.Text, tile.Saturation.Text, tile.Errors.Text, state)
		}
	}
}

// What is known of TCP alone is on the dashboard that shows it: that of the interfaces has nothing.
func TestDashboardOfTCPAlone(t *testing.T) {
	f := new(fake).rate("network.tcp.outsegs", "", count, 60, 1000).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 50, 20, 0)
	_, found := NewHost(f).Judge()
	if tile := tileOf(t, f, "Network"); tile.Dashboard != "tcp" || len(found) != 1 || found[0].Dashboard != "tcp" {
		t.Errorf("the tile opens %q, findings %+v", tile.Dashboard, found)
	}
	f.rate("network.interface.in.bytes", "eth0", octets, 60, 0).rate("network.interface.out.bytes", "eth0", octets, 60, 0)
	if tile := tileOf(t, f, "Network"); tile.Dashboard != "network" {
		t.Errorf("with interfaces the tile opens %q", tile.Dashboard)
	}
}
