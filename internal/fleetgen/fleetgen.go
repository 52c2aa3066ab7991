// Package fleetgen makes archives of many hosts, for tests and measurements of
// what reads fleets. Each host is a variation of one: its load by hours of the
// day and of the week, its size, and its problems follow from its number. The
// same numbers give the same bytes.
package fleetgen

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// Step is the time from one sample to the next.
const Step = 15 * time.Minute

// Problems, by number of the host: see sample.
const (
	Saturated = 3 // its CPUs are busy from 14:00 to 16:00 of the last day but one
	Filling   = 4 // its filesystem fills up
	Silent    = 5 // nothing is recorded from 06:00 to 12:00 of the second day
	Gone      = 6 // nothing is recorded on the last day
	Leaking   = 7 // its memory fills up from day to day
)

var roles = []string{"web", "db", "batch"}

// Name is the name of a host and of its folder.
func Name(host int) string { return fmt.Sprintf("%s%03d", roles[host%len(roles)], host) }

// Write writes a folder for each host, with an archive for each day from first
// on, in UTC.
func Write(dir string, hosts, days int, first time.Time) error {
	for host := range hosts {
		at := filepath.Join(dir, Name(host))
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		for day := range days {
			if host == Gone && day == days-1 {
				continue
			}
			if err := writeDay(at, host, day, days, first.AddDate(0, 0, day)); err != nil {
				return err
			}
		}
	}
	return nil
}

// A metric that is recorded; sample has its values.
type metric struct {
	name  string
	desc  pcp.Desc
	insts []pcp.Instance
}

var (
	none   = pcp.Units{}
	count  = pcp.Units{Count: 1}
	kbyte  = pcp.Units{Space: 1, SpaceScale: 1}
	bytes  = pcp.Units{Space: 1}
	millis = pcp.Units{Time: 1, TimeScale: 2}
	micros = pcp.Units{Time: 1, TimeScale: 1}

	loads       = []pcp.Instance{{ID: 1, Name: "1 minute"}, {ID: 5, Name: "5 minute"}, {ID: 15, Name: "15 minute"}}
	disks       = []pcp.Instance{{ID: 0, Name: "sda"}, {ID: 1, Name: "sdb"}}
	filesystems = []pcp.Instance{{ID: 0, Name: "/dev/sda1"}, {ID: 1, Name: "/dev/sdb1"}}
	interfaces  = []pcp.Instance{{ID: 1, Name: "lo"}, {ID: 2, Name: "eth0"}}
)

// metrics are named as by the Linux agent, with its types, semantics and units.
func metrics() []metric {
	var list []metric
	add := func(name string, t pcp.Type, sem pcp.Semantics, units pcp.Units, serial int, insts []pcp.Instance) {
		d := pcp.Desc{PMID: pcp.MakePMID(60, serial, len(list)), Type: t, Sem: sem, Units: units, InDom: pcp.NullInDom}
		if insts != nil {
			d.InDom = pcp.MakeInDom(60, serial)
		}
		list = append(list, metric{name, d, insts})
	}
	for _, mode := range []string{"user", "nice", "sys", "idle", "wait.total", "irq.hard", "irq.soft", "steal"} {
		add("kernel.all.cpu."+mode, pcp.Uint64, pcp.Counter, millis, 0, nil)
	}
	add("kernel.all.load", pcp.Float, pcp.Instant, none, 2, loads)
	add("kernel.all.nprocs", pcp.Uint32, pcp.Instant, none, 2, nil)
	add("kernel.all.pswitch", pcp.Uint64, pcp.Counter, count, 0, nil)
	add("kernel.all.pressure.cpu.some.total", pcp.Uint64, pcp.Counter, micros, 8, nil)
	add("kernel.all.pressure.memory.full.total", pcp.Uint64, pcp.Counter, micros, 8, nil)
	add("kernel.all.pressure.io.full.total", pcp.Uint64, pcp.Counter, micros, 8, nil)
	add("hinv.ncpu", pcp.Uint32, pcp.Discrete, none, 0, nil)
	add("mem.physmem", pcp.Uint64, pcp.Discrete, kbyte, 1, nil)
	add("mem.util.available", pcp.Uint64, pcp.Instant, kbyte, 1, nil)
	add("swap.pagesout", pcp.Uint64, pcp.Counter, count, 1, nil)
	add("swap.length", pcp.Uint64, pcp.Instant, bytes, 1, nil)
	add("swap.used", pcp.Uint64, pcp.Instant, bytes, 1, nil)
	add("disk.dev.read", pcp.Uint64, pcp.Counter, count, 1, disks)
	add("disk.dev.write", pcp.Uint64, pcp.Counter, count, 1, disks)
	add("disk.dev.read_bytes", pcp.Uint64, pcp.Counter, kbyte, 1, disks)
	add("disk.dev.write_bytes", pcp.Uint64, pcp.Counter, kbyte, 1, disks)
	add("disk.dev.avactive", pcp.Uint64, pcp.Counter, millis, 1, disks)
	add("disk.all.read_bytes", pcp.Uint64, pcp.Counter, kbyte, 0, nil)
	add("disk.all.write_bytes", pcp.Uint64, pcp.Counter, kbyte, 0, nil)
	add("filesys.full", pcp.Double, pcp.Instant, none, 5, filesystems)
	add("network.interface.in.bytes", pcp.Uint64, pcp.Counter, bytes, 3, interfaces)
	add("network.interface.out.bytes", pcp.Uint64, pcp.Counter, bytes, 3, interfaces)
	add("network.tcp.outsegs", pcp.Uint64, pcp.Counter, count, 14, nil)
	add("network.tcp.retranssegs", pcp.Uint64, pcp.Counter, count, 14, nil)
	return list
}

func writeDay(dir string, host, day, days int, date time.Time) error {
	base := filepath.Join(dir, date.Format("20060102"))
	begin := date.Add(time.Duration(host%60) * time.Second)
	start := pcp.Time(begin.UnixNano())
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: int32(1000 + host), Start: start, Host: Name(host) + ".example.com", Timezone: "UTC", Zoneinfo: ":Etc/UTC"}, func(suffix string) (io.WriteCloser, error) {
		return os.Create(base + "." + suffix)
	})
	if err != nil {
		return err
	}
	failed := func(errs ...error) error {
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	}
	list := metrics()
	known := map[pcp.InDom]bool{}
	for _, m := range list {
		if err := w.Desc(m.desc, m.name); err != nil {
			return err
		}
		if m.insts != nil && !known[m.desc.InDom] {
			known[m.desc.InDom] = true
			if err := w.InDom(start, m.desc.InDom, m.insts); err != nil {
				return err
			}
		}
	}
	labels := fmt.Sprintf(`{"hostname":%q,"role":%q,"site":%q}`, Name(host)+".example.com", roles[host%len(roles)], []string{"fra", "iad"}[host/len(roles)%2])
	if err := w.Labels(start, archive.ContextLabels, 0, []archive.LabelSet{{Inst: pcp.NoInstance, JSON: labels}}); err != nil {
		return err
	}
	silent := false
	m := machine{host: host, days: days, cpus: 4 << (host % 3), counters: map[string]float64{}}
	for at := begin; at.Before(date.AddDate(0, 0, 1)); at = at.Add(Step) {
		m.sample(day, at)
		if host == Silent && day == 1 && at.Hour() >= 6 && at.Hour() < 12 {
			if !silent {
				silent = true // as after a restart of the logger
				if err := w.Mark(pcp.Time(at.UnixNano())); err != nil {
					return err
				}
			}
			continue
		}
		again := at.Equal(begin) || silent // a logger begins with metrics that are logged once
		silent = false
		var sets []archive.ValueSet
		for _, x := range list {
			if x.desc.Sem == pcp.Discrete && !again {
				continue
			}
			set := archive.ValueSet{PMID: x.desc.PMID, Type: x.desc.Type}
			if x.insts == nil {
				set.Values = []archive.Value{{Inst: pcp.NoInstance, Val: value(x.desc.Type, m.values[x.name])}}
			}
			for _, in := range x.insts {
				set.Values = append(set.Values, archive.Value{Inst: in.ID, Val: value(x.desc.Type, m.values[x.name+" "+in.Name])})
			}
			sets = append(sets, set)
		}
		if err := w.Record(pcp.Time(at.UnixNano()), sets); err != nil {
			return err
		}
	}
	return failed(w.Close())
}

// value encodes a value as in an archive.
func value(t pcp.Type, v float64) uint64 {
	switch t {
	case pcp.Double:
		return math.Float64bits(v)
	case pcp.Float:
		return uint64(math.Float32bits(float32(v)))
	}
	return uint64(v)
}

// A machine is a host, sample by sample.
type machine struct {
	host, days int
	cpus       int
	values     map[string]float64
	counters   map[string]float64
}

// noise is a pseudo-random number between 0 and 1 for a name and a time.
func (m *machine) noise(what string, at time.Time) float64 {
	h := uint64(14695981039346656037)
	for _, c := range fmt.Sprintf("%s %d %d", what, m.host, at.Unix()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return float64(h>>11) / (1 << 53)
}

// sample sets the values at a time.
func (m *machine) sample(day int, at time.Time) {
	m.values = map[string]float64{}
	grow := func(name string, perSecond float64) {
		m.counters[name] += perSecond * Step.Seconds()
		m.values[name] = m.counters[name]
	}
	hour := float64(at.Hour()) + float64(at.Minute())/60
	work := 0.5 - 0.5*math.Cos((hour-3)/24*2*math.Pi) // highest at three in the afternoon
	if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
		work *= 0.4
	}
	if roles[m.host%len(roles)] == "batch" {
		work = 0.1
		if hour >= 1 && hour < 4 {
			work = 0.9
		}
	}
	busy := 0.05 + (0.25+0.3*float64(m.host*7%11)/11)*work + 0.08*m.noise("cpu", at)
	if m.host == Saturated && day == m.days-2 && hour >= 14 && hour < 16 {
		busy = 0.985
	}
	cpus := float64(m.cpus)
	wait := min(0.02*work, 1-busy)
	for mode, share := range map[string]float64{"user": 0.7 * busy, "sys": 0.25 * busy, "irq.soft": 0.05 * busy, "wait.total": wait, "idle": 1 - busy - wait} {
		grow("kernel.all.cpu."+mode, 1000*cpus*max(0, share))
	}
	load := cpus * busy * (0.8 + 0.4*m.noise("load", at))
	if busy > 0.95 {
		load *= 2.5
	}
	for _, in := range loads {
		m.values["kernel.all.load "+in.Name] = load
	}
	m.values["kernel.all.nprocs"] = math.Round(180 + 60*work + 20*m.noise("procs", at))
	grow("kernel.all.pswitch", 2000+20000*busy)
	grow("kernel.all.pressure.cpu.some.total", 1e6*max(0, busy-0.5))
	grow("kernel.all.pressure.memory.full.total", 100)
	grow("kernel.all.pressure.io.full.total", 1e6*0.04*work*m.noise("psi", at))
	physical := cpus * 4 * 1024 * 1024
	used := 0.35 + 0.15*work + 0.05*m.noise("mem", at)
	if m.host == Leaking {
		used = min(0.97, used+0.6*(float64(day)+hour/24)/float64(m.days))
	}
	m.values["hinv.ncpu"], m.values["mem.physmem"], m.values["mem.util.available"] = cpus, physical, math.Round(physical*(1-used))
	m.values["swap.length"] = 4 << 30
	m.values["swap.used"] = math.Round((4 << 30) * max(0, used-0.85))
	grow("swap.pagesout", 400*max(0, used-0.9))
	reads, writes := 10+80*work*m.noise("read", at), 20+120*work*m.noise("write", at)
	for i, in := range disks {
		part := []float64{0.3, 0.7}[i]
		grow("disk.dev.read "+in.Name, part*reads)
		grow("disk.dev.write "+in.Name, part*writes)
		grow("disk.dev.read_bytes "+in.Name, 24*part*reads)
		grow("disk.dev.write_bytes "+in.Name, 16*part*writes)
		grow("disk.dev.avactive "+in.Name, 1000*min(1, 0.004*part*(reads+writes)))
	}
	grow("disk.all.read_bytes", 24*reads)
	grow("disk.all.write_bytes", 16*writes)
	full := 30 + 25*float64(m.host*5%13)/13
	if m.host == Filling {
		full = 60 + 39*(float64(day)+hour/24)/float64(m.days)
	}
	m.values["filesys.full /dev/sda1"], m.values["filesys.full /dev/sdb1"] = 22, full
	grow("network.interface.in.bytes lo", 1000)
	grow("network.interface.out.bytes lo", 1000)
	in, out := 2e4+4e6*work*m.noise("in", at), 3e4+9e6*work*m.noise("out", at)
	grow("network.interface.in.bytes eth0", in)
	grow("network.interface.out.bytes eth0", out)
	grow("network.tcp.outsegs", out/1200)
	grow("network.tcp.retranssegs", out/1200*0.002*m.noise("again", at))
}
