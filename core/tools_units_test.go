package core

import (
	"testing"

	"pcpscope/internal/recording"
)

// iostat -x has KiB, also where the agent counts bytes, as on FreeBSD: 163,840 bytes in 8
// requests a second are 160 KiB/s and 20 KiB each.
func TestIostatInKibibytes(t *testing.T) {
	values := logged{}.and("disk.dev.read", "ada0", counted(10, 61, 8)).and("disk.dev.read_bytes", "ada0", counted(10, 61, 163840))
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Agents: "dashboard/testdata/freebsd.txt", Values: values})
	expect(t, "iostat", panelValues(t, s, src, "tool-iostat", "iostat-dktx", recording.Start, 10e9, 30), map[string]float64{"r/s ada0": 8, "rkB/s ada0": 160, "rareq-sz ada0": 20})
}

// As sar(1) says of %ifutil: of the greater of the two directions of a full-duplex line. It
// carries 125 MB a second; the other interface knows no line rate.
func TestIfutil(t *testing.T) {
	values := logged{}
	for _, name := range []string{"eth0", "tapx"} {
		values.and("network.interface.in.bytes", name, counted(10, 61, 100e6)).and("network.interface.out.bytes", name, counted(10, 61, 50e6))
	}
	values.and("network.interface.baudrate", "eth0", always(125e6)).and("network.interface.baudrate", "tapx", always(8191875000))
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
	got := panelValues(t, s, src, "tool-sar", "sar-n-DEV", recording.Start, 10e9, 30)
	if got["%ifutil eth0"] != 80 || got["%ifutil tapx"] == got["%ifutil tapx"] {
		t.Errorf("%%ifutil is %v and %v, want 80 and none", got["%ifutil eth0"], got["%ifutil tapx"])
	}
}

// Of four CPUs that are equally busy none is busier than the mean.
func TestImbalanceOfEqualCPUs(t *testing.T) {
	values := logged{}.and("hinv.ncpu", "", always(4))
	for _, cpu := range []string{"cpu0", "cpu1", "cpu2", "cpu3"} {
		values.and("kernel.percpu.cpu.idle", cpu, counted(10, 61, 733)).and("kernel.percpu.cpu.wait.total", cpu, counted(10, 61, 0))
	}
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
	if got := panelValues(t, s, src, "cpu", "imbalance", recording.Start, 10e9, 30)["difference"]; !(-1e-12 < got && got < 1e-12) {
		t.Errorf("the difference is %g", got)
	}
}
