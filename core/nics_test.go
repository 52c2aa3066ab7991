package core

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// network is an interface that receives so many bytes a second, and drops 5 packets a second
// from the 21st to the 40th of 61 records, ten seconds apart.
func (l logged) network(name string, bytes float64) logged {
	return l.and("network.interface.in.bytes", name, counted(10, 61, bytes)).and("network.interface.out.bytes", name, counted(10, 61, 0)).
		and("network.interface.in.packets", name, counted(10, 61, 100)).and("network.interface.in.drops", name, counted(10, 20, 0, 20, 5, 21, 0))
}

func tileOf(t *testing.T, s *Session, src api.Source, resource string) (api.Tile, []api.Finding) {
	t.Helper()
	v, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tile := range v.Tiles {
		if tile.Resource == resource {
			return tile, v.Findings
		}
	}
	t.Fatalf("there is no tile %s", resource)
	return api.Tile{}, nil
}

// In a container the kernel calls all interfaces virtual: those that are named like
// hardware are its way out. The same goes for an interface that appeared after it was
// logged which ones are virtual. Panels, findings and rules of pmie agree.
func TestInterfacesByName(t *testing.T) {
	flag := func(on float64) []float64 { return []float64{on} } // logged once
	for _, tt := range []struct {
		about  string
		values logged
		want   map[string]float64
		real   float64 // interfaces
		byName bool    // whatever was logged of the kernel
	}{
		{"container", logged{}.network("eth0", 5000).network("lo", 1000).and("network.interface.virtual", "eth0", flag(1)).and("network.interface.virtual", "lo", flag(1)), map[string]float64{"in eth0": 5000, "out eth0": 0}, 1, true},
		{"hotplug", logged{}.network("eth0", 1000).network("enx0", 5000).network("veth1", 700).and("network.interface.virtual", "eth0", flag(0)).and("network.interface.virtual", "lo", flag(1)), map[string]float64{"in eth0": 1000, "in enx0": 5000, "out eth0": 0, "out enx0": 0}, 2, false},
		// pod1 is virtual to the kernel, though called like hardware; rawhide0 appeared later.
		{"node", logged{}.network("eth0", 1000).network("pod1", 5000).network("rawhide0", 700).and("network.interface.virtual", "eth0", flag(0)).and("network.interface.virtual", "pod1", flag(1)), map[string]float64{"in eth0": 1000, "out eth0": 0, "in rawhide0": 700, "out rawhide0": 0}, 2, false},
		// The agent calls all of them real, also lo: ifb0 has a copy of what eth0 receives.
		{"copies", logged{}.network("eth0", 1000).network("ifb0", 1000).network("lo", 700).and("network.interface.virtual", "eth0", flag(0)).and("network.interface.virtual", "ifb0", flag(0)).and("network.interface.virtual", "lo", flag(0)), map[string]float64{"in eth0": 1000, "out eth0": 0}, 1, true},
		{"blanks", logged{}.network("Intel[R] PRO_1000", 1000).network("MS TCP Loopback interface", 9000), map[string]float64{"in Intel[R] PRO_1000": 1000, "out Intel[R] PRO_1000": 0}, 1, true},
		{"asked", logged{}.network("eth0", 1000).network("enx0", 5000).and("network.interface.virtual", "eth0", flag(0)).and("network.interface.virtual", "enx0", flag(1)), map[string]float64{"in eth0": 1000, "out eth0": 0, "in enx0": math.NaN(), "out enx0": math.NaN()}, 1, false},
	} {
		s, src := record(t, recording.Recording{Host: tt.about, Step: 10e9, Values: tt.values})
		expect(t, tt.about, panelValues(t, s, src, "network", "bytes", recording.Start, 10e9, 30), tt.want)
		tile, findings := tileOf(t, s, src, "Network")
		drops := 20 * 5 * 10 * tt.real
		if len(findings) == 0 || tile.Saturation.Value == nil || *tile.Saturation.Value != drops {
			t.Errorf("%s: the tile says %+v, want %g drops; findings %+v", tt.about, tile.Saturation, drops, findings)
		}
		rules, err := s.Rules(src.ID)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(rules, func(r api.Rule) bool { return r.Name == "drops" })
		if at < 0 {
			t.Fatal("there is no rule about drops")
		}
		if r := rules[at]; strings.Contains(r.Pmie, "nomatch_inst") != tt.byName {
			t.Errorf("%s: that the rule of pmie goes by names should be %v: %s", tt.about, tt.byName, r.Pmie)
		}
	}
}

// What is not known of the busiest interface is not said of another one: the idle ens7 has
// a line rate, ens3, which moves 120 MB a second (114.4 MiB), has none. 65,535 Mbit/s is none (the
// kernel's SPEED_UNKNOWN in 16 bits): 8,191,875,000 bytes a second, 7812.38 MB a second.
func TestUnknownLineRates(t *testing.T) {
	for _, unknown := range []struct{ speed, baud float64 }{{0, 0}, {7812.381, 8191875000}, {math.Pow(2, 29), math.Pow(2, 49)}} {
		values := logged{}.network("ens3", 120e6).network("ens7", 100).
			and("network.interface.speed", "ens3", always(unknown.speed)).and("network.interface.speed", "ens7", always(1192.0929)). // 10 Gbit/s
			and("network.interface.baudrate", "ens3", always(unknown.baud)).and("network.interface.baudrate", "ens7", always(1.25e9))
		s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
		if tile, _ := tileOf(t, s, src, "Network"); tile.Utilisation.Text != "114.4 MiB/s at most" || tile.Utilisation.State != "cannot judge" || !strings.Contains(tile.Utilisation.Why, "ens3") {
			t.Errorf("of %g MB/s the tile says %+v", unknown.speed, tile.Utilisation)
		}
		nan := math.NaN()
		expect(t, "utilisation", panelValues(t, s, src, "network", "util", recording.Start, 10e9, 30), map[string]float64{"in ens3": nan, "out ens3": nan, "in ens7": 100 * 100 / 1.25e9, "out ens7": 0})
		delete(values, "network.interface.baudrate")
		s, src = record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
		got := panelValues(t, s, src, "network", "util", recording.Start, 10e9, 30)
		if got["in ens3"] == got["in ens3"] || !(math.Abs(got["in ens7"]-100*100/1.25e9) < 1e-9) {
			t.Errorf("of %g MB/s the panel has %v", unknown.speed, got)
		}
	}
}
