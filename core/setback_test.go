package core

import (
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

var (
	setBackUptime = pcp.Desc{PMID: pcp.MakePMID(60, 26, 0), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}
	setBackCPU    = map[string]pcp.Desc{
		"user": {PMID: pcp.MakePMID(60, 0, 20), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}},
		"sys":  {PMID: pcp.MakePMID(60, 0, 22), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}},
		"idle": {PMID: pcp.MakePMID(60, 0, 23), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}},
	}
	setBackCPUs = pcp.Desc{PMID: pcp.MakePMID(60, 0, 32), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Discrete}
)

// sinceBoot writes an archive of a host with two CPUs from one number of seconds after its
// boot to another, every 10 s, with stamps that are so many seconds after those of second.
func (w written) sinceBoot(t *testing.T, name string, from, to, by int, uptime, cpu bool) {
	t.Helper()
	out := w.begin(t, name, second(from+by))
	one := func(d pcp.Desc, v int) archive.ValueSet {
		return archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(v)}}}
	}
	out.Desc(setBackCPUs, "hinv.ncpu")
	if uptime {
		out.Desc(setBackUptime, "kernel.all.uptime")
	}
	if cpu {
		for mode, d := range setBackCPU {
			out.Desc(d, "kernel.all.cpu."+mode)
		}
	}
	for s := from; s <= to; s += 10 {
		var sets []archive.ValueSet
		if s == from {
			sets = append(sets, one(setBackCPUs, 2))
		}
		if uptime {
			sets = append(sets, one(setBackUptime, s))
		}
		if cpu { // both CPUs are half idle
			sets = append(sets, one(setBackCPU["user"], 500*s), one(setBackCPU["sys"], 500*s), one(setBackCPU["idle"], 1000*s))
		}
		out.Record(second(s+by), sets)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// A logger ran from 1,000 to 8,000 s after the boot, and was started anew 10 s later, when the
// clock had been set back by an hour: 3,590 s of the first archive have the stamps of the second.
// Either the time since boot or the CPU time tells; if what was logged later begins with
// less, two loggers ran at once, and if it begins far later, with more than an hour between them.
func TestClockSetBackBetweenArchives(t *testing.T) {
	for _, tt := range []struct {
		what        string
		uptime, cpu bool
		from, by    int // the second archive's, in seconds since boot; of its stamps
		begin       int // of the first archive
		want        string
	}{
		{"the time since boot", true, false, 8010, -3600, 1000, "Clock set back by 1 h: 59 min 50 s of a have the same times as b and are not shown; open a alone to see them"},
		{"CPU time", false, true, 8010, -3600, 1000, "Clock set back by 1 h: 59 min 50 s of a have the same times as b and are not shown; open a alone to see them"},
		{"both", true, true, 8010, -3600, 1000, "Clock set back by 1 h: 59 min 50 s of a have the same times as b and are not shown; open a alone to see them"},
		{"the first archive is shorter than the step", true, false, 8010, -3600, 6000, "Clock set back by 1 h: 33 min 20 s of b have the same times as a and are not shown; open b alone to see them"},
		{"two loggers at once", true, true, 4410, 0, 1000, ""},
		{"one after the other", true, true, 8010, 0, 1000, ""},
		{"another host of that name", true, false, 90000, -85590, 1000, ""},
	} {
		w := written{}
		w.sinceBoot(t, "a", tt.begin, 8000, 0, tt.uptime, tt.cpu)
		w.sinceBoot(t, "b", tt.from, tt.from+7000, tt.by, tt.uptime, tt.cpu)
		v := w.overview(t)
		var got []string
		for _, e := range v.History {
			if e.Kind == "clock" || e.Kind == "boot" {
				got = append(got, e.Text)
			}
		}
		if strings.Join(got, "\n") != tt.want || len(v.Boots) > 1 && tt.want != "" {
			t.Errorf("%s: %q, boots %v; want %q", tt.what, got, v.Boots, tt.want)
		}
		found := slices.ContainsFunc(v.Findings, func(f api.Finding) bool { return strings.HasPrefix(f.Text, "The clock was set back by 1 h") })
		if found != (tt.want != "") {
			t.Errorf("%s: %+v", tt.what, v.Findings)
		}
	}
}
