package engine

import (
	"bytes"
	"io"
	"strconv"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

const (
	warmStart   = pcp.Time(1e18)
	warmRecords = 300
	warmStep    = 10e9 // of warmHost, in nanoseconds
)

var warmInDom = pcp.MakeInDom(1, 1)

// warmArchive writes an archive of 300 records with 200 values each, of which
// one in sixteen changes, and with instances that come and go, as on real
// hosts.
func warmArchive(version int) []rpc.File {
	w := newWarmWriter(version)
	if w == nil {
		return nil
	}
	var members []pcp.Instance
	for i := range int32(100) {
		members = append(members, pcp.Instance{ID: i, Name: "instance " + strconv.Itoa(int(i))})
	}
	metrics := []pcp.Desc{
		{PMID: pcp.MakePMID(1, 1, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter},
		{PMID: pcp.MakePMID(1, 1, 2), Type: pcp.Float, InDom: pcp.NullInDom, Sem: pcp.Instant},
		{PMID: pcp.MakePMID(1, 1, 3), Type: pcp.Uint32, InDom: warmInDom, Sem: pcp.Counter},
		{PMID: pcp.MakePMID(1, 1, 4), Type: pcp.Uint64, InDom: warmInDom, Sem: pcp.Instant},
	}
	for i, name := range []string{"a.counter", "a.level", "b.counter", "b.level"} {
		w.Desc(metrics[i], name)
	}
	for row := range uint64(warmRecords) {
		at := warmStart + pcp.Time(row)*1e9
		newcomer := int32(len(members)) + int32(row)
		members[row%100] = pcp.Instance{ID: newcomer, Name: "instance " + strconv.Itoa(int(newcomer))}
		w.InDom(at, warmInDom, members)
		var sets []archive.ValueSet
		for _, desc := range metrics {
			set := archive.ValueSet{PMID: desc.PMID, Type: desc.Type}
			if desc.InDom == pcp.NullInDom {
				set.Values = []archive.Value{{Inst: pcp.NoInstance, Val: 7 * row}}
			} else {
				for _, m := range members {
					set.Values = append(set.Values, archive.Value{Inst: m.ID, Val: (row + uint64(m.ID)) / 16})
				}
			}
			sets = append(sets, set)
		}
		w.Record(at, sets)
	}
	return w.files()
}

// warmPanels are panels of a host, as in the overview.
var warmPanels = [][]string{
	{"100 * rate(kernel.all.cpu.user) / hinv.ncpu", "100 * rate(kernel.all.cpu.sys) / hinv.ncpu", "100 * rate(kernel.all.cpu.idle) / hinv.ncpu"},
	{"kernel.all.load", "hinv.ncpu"},
	{"100 * matchinst(!/^(loop|ram|zram)/, rate(disk.dev.avactive))"},
	{"mem.util.used - mem.util.bufmem - mem.util.cached", "mem.util.free", "mem.physmem"},
	{"network.interface.in.bytes", "network.interface.out.bytes"},
}

// warmHost writes what pmlogger records of a small host for 300 times 10 s,
// of which it was busy for a few minutes.
func warmHost() []rpc.File {
	w := newWarmWriter(3)
	if w == nil {
		return nil
	}
	millis, kbytes, bytes, count := pcp.Units{Time: 1, TimeScale: pcp.Millisec}, pcp.Units{Space: 1, SpaceScale: 1}, pcp.Units{Space: 1}, pcp.Units{Count: 1}
	disks, nics, loads, cpus := pcp.MakeInDom(60, 1), pcp.MakeInDom(60, 3), pcp.MakeInDom(60, 2), pcp.MakeInDom(60, 0)
	indoms := map[pcp.InDom][]string{disks: {"sda", "sdb"}, nics: {"lo", "eth0"}, loads: {"1 minute", "5 minute", "15 minute"}, cpus: {"cpu0", "cpu1"}}
	type metric struct {
		name  string
		sem   pcp.Semantics
		units pcp.Units
		indom pcp.InDom
		calm  uint64 // a second, or the level
		busy  uint64
	}
	metrics := []metric{
		{"kernel.all.cpu.user", pcp.Counter, millis, pcp.NullInDom, 100, 1500},
		{"kernel.all.cpu.nice", pcp.Counter, millis, pcp.NullInDom, 0, 0},
		{"kernel.all.cpu.sys", pcp.Counter, millis, pcp.NullInDom, 50, 300},
		{"kernel.all.cpu.idle", pcp.Counter, millis, pcp.NullInDom, 1800, 100},
		{"kernel.all.cpu.wait.total", pcp.Counter, millis, pcp.NullInDom, 40, 90},
		{"kernel.all.cpu.steal", pcp.Counter, millis, pcp.NullInDom, 0, 0},
		{"kernel.percpu.cpu.user", pcp.Counter, millis, cpus, 50, 750},
		{"kernel.percpu.cpu.sys", pcp.Counter, millis, cpus, 25, 150},
		{"kernel.all.intr", pcp.Counter, count, pcp.NullInDom, 900, 4000},
		{"kernel.all.pswitch", pcp.Counter, count, pcp.NullInDom, 1500, 9000},
		{"kernel.all.load", pcp.Instant, pcp.Units{}, loads, 1, 5},
		{"kernel.all.nprocs", pcp.Instant, pcp.Units{}, pcp.NullInDom, 200, 230},
		{"kernel.all.runnable", pcp.Instant, pcp.Units{}, pcp.NullInDom, 1, 6},
		{"hinv.ncpu", pcp.Discrete, pcp.Units{}, pcp.NullInDom, 2, 2},
		{"mem.physmem", pcp.Discrete, kbytes, pcp.NullInDom, 4 << 20, 4 << 20},
		{"mem.util.used", pcp.Instant, kbytes, pcp.NullInDom, 3 << 20, 7 << 19},
		{"mem.util.free", pcp.Instant, kbytes, pcp.NullInDom, 1 << 20, 1 << 19},
		{"mem.util.available", pcp.Instant, kbytes, pcp.NullInDom, 2 << 20, 1 << 20},
		{"mem.util.bufmem", pcp.Instant, kbytes, pcp.NullInDom, 1 << 17, 1 << 16},
		{"mem.util.cached", pcp.Instant, kbytes, pcp.NullInDom, 1 << 19, 1 << 18},
		{"swap.pagesout", pcp.Counter, count, pcp.NullInDom, 0, 50},
		{"disk.all.total", pcp.Counter, count, pcp.NullInDom, 20, 300},
		{"disk.dev.read", pcp.Counter, count, disks, 5, 50},
		{"disk.dev.write", pcp.Counter, count, disks, 10, 100},
		{"disk.dev.read_bytes", pcp.Counter, kbytes, disks, 40, 4000},
		{"disk.dev.write_bytes", pcp.Counter, kbytes, disks, 80, 8000},
		{"disk.dev.avactive", pcp.Counter, millis, disks, 20, 900},
		{"network.interface.in.bytes", pcp.Counter, bytes, nics, 2000, 90000},
		{"network.interface.out.bytes", pcp.Counter, bytes, nics, 3000, 80000},
		{"network.interface.in.packets", pcp.Counter, count, nics, 20, 900},
		{"network.tcp.retranssegs", pcp.Counter, count, pcp.NullInDom, 0, 3},
	}
	for i, m := range metrics {
		w.Desc(pcp.Desc{PMID: pcp.MakePMID(60, 0, i), Type: pcp.Uint64, InDom: m.indom, Sem: m.sem, Units: m.units}, m.name)
	}
	for indom, names := range indoms {
		var members []pcp.Instance
		for i, name := range names {
			members = append(members, pcp.Instance{ID: int32(i), Name: name})
		}
		w.InDom(warmStart, indom, members)
	}
	totals := make([]uint64, len(metrics))
	for row := range uint64(warmRecords) {
		var sets []archive.ValueSet
		for i, m := range metrics {
			now := m.calm
			if row > 150 && row < 180 {
				now = m.busy
			}
			now += now * (row * 7919 % 13) / 64
			if m.sem == pcp.Counter {
				totals[i] += 10 * now
				now = totals[i]
			} else if m.sem == pcp.Discrete {
				now = m.calm
			}
			set := archive.ValueSet{PMID: pcp.MakePMID(60, 0, i), Type: pcp.Uint64}
			if m.indom == pcp.NullInDom {
				set.Values = []archive.Value{{Inst: pcp.NoInstance, Val: now}}
			} else {
				for inst := range indoms[m.indom] {
					set.Values = append(set.Values, archive.Value{Inst: int32(inst), Val: now + uint64(inst)})
				}
			}
			sets = append(sets, set)
		}
		w.Record(warmStart+pcp.Time(row)*warmStep, sets)
	}
	return w.files()
}

// warmWriter writes an archive into memory.
type warmWriter struct {
	*archive.Writer
	parts map[string]*bytes.Buffer
}

func newWarmWriter(version int) *warmWriter {
	parts := map[string]*bytes.Buffer{}
	w, err := archive.NewWriter(archive.Label{Version: version, Start: warmStart, Host: "localhost", Timezone: "UTC"},
		func(suffix string) (io.WriteCloser, error) {
			parts[suffix] = new(bytes.Buffer)
			return buffer{parts[suffix]}, nil
		})
	if err != nil {
		return nil
	}
	return &warmWriter{w, parts}
}

func (w *warmWriter) files() []rpc.File {
	w.Close()
	var files []rpc.File
	for suffix, b := range w.parts {
		files = append(files, rpc.File{Name: "warm." + suffix, Data: b.Bytes()})
	}
	return files
}

type buffer struct{ *bytes.Buffer }

func (buffer) Close() error { return nil }
