package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// halfAndHalf is n samples of one value, then as many of another.
func halfAndHalf(n int, before, after float64) []float64 {
	return append(recording.Steady(n, before), recording.Steady(n, after)...)
}

// Line rates are in bits, once, and those that a driver does not know are no rates; that of a
// radio is another one from frame to frame. What the kernel calibrates at each boot, and a
// clock that follows the load, are no settings.
func TestCompareLineRates(t *testing.T) {
	const n = 60
	const mega = 1e6 / 8 // bytes per second
	speed := func(before, after float64) []float64 {
		return halfAndHalf(n, before*mega/(1<<20), after*mega/(1<<20))
	}
	rate := func(before, after float64) []float64 { return halfAndHalf(n, before*mega, after*mega) }
	const unknown = 1<<32 - 1 // SPEED_UNKNOWN of ethtool
	values := map[string]map[string]any{
		"network.interface.speed":    {"enp0s25": speed(100, 1000), "eth1": speed(10000, unknown), "wlp3s0": speed(300, 130)},
		"network.interface.baudrate": {"enp0s25": rate(100, 1000), "eth1": rate(10000, unknown), "wlp3s0": rate(300, 130)},
		"hinv.cpu.bogomips":          {"cpu0": halfAndHalf(n, 5592, 5608)},
		"hinv.cpu.clock":             {"cpu0": halfAndHalf(n, 1797, 2801)},
		"kernel.all.pid_max":         {"": halfAndHalf(n, 32768, 65536)},
	}
	s, src := record(t, recording.Recording{Host: "lines", Step: 10e9, Values: values})
	mid := int64(recording.Start) + n*10e9 - 5e9
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AEnd: &api.When{Nanos: &mid}, BStart: &api.When{Nanos: &mid}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range c.Settings {
		line := x.Metric
		if x.Instance != nil {
			line += "[" + x.Instance.Name + "]"
		}
		got = append(got, fmt.Sprintf("%s: %s, %s", line, x.A, x.B))
	}
	want := []string{"kernel.all.pid_max: 32,768, 65,536", "network.interface.speed[enp0s25]: 100 Mbit/s, 1 Gbit/s", "network.interface.speed[eth1]: 10 Gbit/s, unknown"}
	if !slices.Equal(got, want) || len(c.Changes) > 0 {
		t.Errorf("settings:\n%s\nwant\n%s\nand %d changes: %+v", strings.Join(got, "\n"), strings.Join(want, "\n"), len(c.Changes), c.Changes)
	}
}
