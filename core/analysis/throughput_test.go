package analysis

import (
	"testing"

	"pcpscope/core/pcp"
)

var lineRate = pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, Time: -1, TimeScale: pcp.Sec}}

// Where no line rate is known, the tile has how much the busiest interface moved in one direction.
func TestThroughputWithoutLineRate(t *testing.T) {
	f := new(fake).rate("network.interface.in.bytes", "ens3", octets, 20, 1024, 20, 4096, 20, 0).rate("network.interface.out.bytes", "ens3", octets, 60, 512)
	got := tileOf(t, f, "Network").Utilisation
	if got.Text != "4 KiB/s at most" || got.State != cannotJudge || got.Value == nil || *got.Value != 4096 || got.Why != "no line rate is known of ens3, the busiest" {
		t.Errorf("got %+v", got)
	}
	f.set("network.interface.baudrate", "ens3", &lineRate, level(60, 8192))
	if got := tileOf(t, f, "Network").Utilisation.Text; got != "50 % of line rate" {
		t.Errorf("with a line rate: %q", got)
	}
}

// A record of what a half-duplex line received is missing: what it sent is added to what it
// received at the same time: of 1,000 bytes/s 300 and 600, and nothing and 200 in the 10 s before.
func TestHalfDuplexOfUnlikeRecords(t *testing.T) {
	f := new(fake).rate("network.interface.in.bytes", "eth0", octets, 30, 200, 1, 600, 29, 200).rate("network.interface.out.bytes", "eth0", octets, 29, 300, 1, 0, 30, 300).
		set("network.interface.baudrate", "eth0", &lineRate, level(60, 1000)).level("network.interface.duplex", "eth0", 60, 1)
	f.lacks = map[string]int{"network.interface.in.bytes": 20}
	if got := tileOf(t, f, "Network").Utilisation.Text; got != "90 % of line rate" {
		t.Errorf("got %q, want 90 %% of line rate", got)
	}
}

// A line of 10,240 bytes/s moves 2 KiB/s, which are recorded in KiB.
func TestLineRateInOtherUnits(t *testing.T) {
	f := new(fake).rate("network.interface.in.bytes", "ens3", pcp.Units{Space: 1, SpaceScale: 1}, 60, 2).rate("network.interface.out.bytes", "ens3", octets, 60, 512).set("network.interface.baudrate", "ens3", &lineRate, level(60, 10240))
	if got := tileOf(t, f, "Network").Utilisation.Text; got != "20 % of line rate" {
		t.Errorf("got %q, want 20 %%", got)
	}
}
