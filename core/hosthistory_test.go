package core

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// A setting that is a text fits into a sentence, whatever it holds.
func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		" 5.14.0-70\n":            "5.14.0-70",
		"line:\n:break\t x":       "line: :break x",
		"a\x1b[31mb":              "a\uFFFD[31mb",
		"\xffkernel":              "ÿkernel",
		strings.Repeat("X", 1e6):  strings.Repeat("X", 80) + "…",
		strings.Repeat("é ", 100): strings.Repeat("é ", 39) + "é …",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%.20q: %q, want %q", in, got, want)
		}
	}
}

// Devices that come and go are listed each time, and one that often does once.
func TestDevicesComeAndGo(t *testing.T) {
	there := map[string]string{ // a letter for each record, every ten seconds, that has the disk
		"sda": "xxxxxxxxxxxxxxxx",
		"sdb": "xx..xx..........",
		"sdc": "....xxxxxxxxxxxx",
		"sdd": "x.x.x.x.x....xxx",
	}
	w := written{}
	aw := w.begin(t, "a", second(0))
	d := pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), InDom: pcp.MakeInDom(60, 1), Type: pcp.Uint32, Sem: pcp.Counter}
	aw.Desc(d, "disk.dev.read")
	names := []string{"sda", "sdb", "sdc", "sdd"}
	var members []pcp.Instance
	for i, name := range names {
		members = append(members, pcp.Instance{ID: int32(i), Name: name})
	}
	aw.InDom(second(0), d.InDom, members)
	for k := range 16 {
		set := archive.ValueSet{PMID: d.PMID, Type: d.Type}
		for i, name := range names {
			if there[name][k] == 'x' {
				set.Values = append(set.Values, archive.Value{Inst: int32(i), Val: uint64(k / 5)})
			}
		}
		aw.Record(second(10*k), []archive.ValueSet{set})
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	v := w.overview(t)
	var got []string
	for _, e := range v.History {
		got = append(got, e.At.Std().Sub(second(0).Std()).String()+" "+e.Text)
	}
	want := []string{
		"10s The disk sdd was gone 5 times, for 2 min 10 s in all",
		"20s The disk sdb was gone", "40s The disk sdb appeared", "40s The disk sdc appeared", "1m0s The disk sdb was gone",
	}
	if !slices.Equal(got, want) {
		t.Errorf("history:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The size of frames is in bytes, as ip-link(8) and administrators write it, not in KiB.
func TestHistoryOfMTU(t *testing.T) {
	values := map[string]map[string]any{"network.interface.mtu": {"eth0": halfAndHalf(10, 1500, 9000)}, "kernel.all.load": {"1 minute": recording.Steady(20, 1.0)}}
	s, src := record(t, recording.Recording{Host: "mtu", Step: 10e9, Values: values})
	v, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil || len(v.History) != 1 || v.History[0].Text != "MTU of eth0: 9,000, was 1,500" {
		t.Errorf("history: %+v, %v", v.History, err)
	}
}

// A virtual machine that moves to another processor has it in all of its CPUs, and a kernel
// that keeps some more of the memory for itself is no other memory.
func TestHistoryOfAllInstances(t *testing.T) {
	clocks, speeds := map[string]any{}, map[string]any{}
	for i := range 32 {
		clocks[fmt.Sprintf("cpu%d", i)] = slices.Concat(slices.Repeat([]string{"Xeon"}, 10), slices.Repeat([]string{"EPYC"}, 10))
	}
	for _, nic := range []string{"eth0", "eth1"} {
		speeds[nic] = halfAndHalf(10, 1500, 9000)
	}
	memory := append(halfAndHalf(5, 8388608, 8388000), recording.Steady(10, 16777216.0)...) // KiB: 8 GiB, a 14,000th less, 16 GiB
	values := map[string]map[string]any{"hinv.cpu.model_name": clocks, "network.interface.mtu": speeds, "mem.physmem": {"": memory}}
	s, src := record(t, recording.Recording{Host: "moved", Step: 10e9, Values: values})
	v, err := s.Overview(t.Context(), src.ID, nil)
	var got []string
	for _, e := range v.History {
		got = append(got, fmt.Sprintf("%d %s", (e.At-recording.Start)/1e9, e.Text))
	}
	want := []string{"100 processor cpu0 and 31 more: EPYC, was Xeon", "100 memory: 16 GiB, was 8 GiB", "100 MTU of eth0, eth1: 9,000, was 1,500"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("history: %q, want %q, %v", got, want, err)
	}
}

// What a device was gone for is what was recorded without it: ten minutes of each hour,
// not the forty that nothing was recorded in.
func TestGoneWhileRecorded(t *testing.T) {
	w := written{}
	d := pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), InDom: pcp.MakeInDom(60, 1), Type: pcp.Uint32, Sem: pcp.Counter}
	memory := pcp.Desc{PMID: pcp.MakePMID(60, 1, 9), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Discrete, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	for hour := range 6 {
		aw := w.begin(t, string(rune('a'+hour)), second(3600*hour))
		aw.Desc(d, "disk.dev.read")
		aw.Desc(memory, "mem.physmem")
		aw.InDom(second(3600*hour), d.InDom, []pcp.Instance{{ID: 0, Name: "sda"}, {ID: 1, Name: "sdb"}})
		for k := range 21 { // every minute, for twenty
			set := archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: 0, Val: 7}}}
			if k < 11 {
				set.Values = append(set.Values, archive.Value{Inst: 1, Val: 7})
			}
			sets := []archive.ValueSet{set}
			if k == 0 {
				sets = append(sets, archive.ValueSet{PMID: memory.PMID, Type: memory.Type, Values: []archive.Value{{Inst: -1, Val: uint64(4+hour/3*4) << 20}}})
			}
			aw.Record(second(3600*hour+60*k), sets)
		}
		if err := aw.Close(); err != nil {
			t.Fatal(err)
		}
	}
	v := w.overview(t)
	var got []string
	for _, e := range v.History {
		if e.Kind == "hardware" {
			got = append(got, e.At.Std().Sub(second(0).Std()).String()+" "+e.Text)
		}
	}
	want := []string{"11m0s The disk sdb was gone 5 times, for 50 min of the recording in all", "3h0m0s memory: 8 GiB, was 4 GiB", "5h11m0s The disk sdb was gone"}
	if !slices.Equal(got, want) {
		t.Errorf("history:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A host whose zone changes between its archives says so: their times are in the first. Labels
// of version 3 name the zone, which goes on through a change to summer time.
func TestZoneChanges(t *testing.T) {
	type label struct{ timezone, zoneinfo string }
	for _, tt := range []struct {
		labels []label
		want   []string
	}{
		{[]label{{"AEDT-11", ""}, {"AEDT-11", ""}, {"AEST-10", ""}}, []string{"Time zone changed from AEDT-11 to AEST-10; times of the host are in AEDT-11 throughout"}},
		{[]label{{"AEDT-11", ":Australia/Melbourne"}, {"AEDT-11", ":Australia/Melbourne"}, {"AEST-10", ":Australia/Melbourne"}}, nil},
		{[]label{{"AEDT-11", ":Australia/Melbourne"}, {"AEDT-11", ":Australia/Melbourne"}, {"NZDT-13", ":Pacific/Auckland"}},
			[]string{"Time zone changed from Australia/Melbourne to Pacific/Auckland; times of the host are in Australia/Melbourne throughout"}},
		{[]label{{"AEDT-11", ":Nowhere/At_All"}, {"AEDT-11", ":Nowhere/At_All"}, {"AEST-10", ":Nowhere/At_All"}}, []string{"Time zone changed from AEDT-11 to AEST-10; times of the host are in AEDT-11 throughout"}},
	} {
		w := written{}
		for i, l := range tt.labels {
			aw, err := archive.NewWriter(archive.Label{Version: 3, Host: "h", Start: second(100 * i), Timezone: l.timezone, Zoneinfo: l.zoneinfo}, w.create(string(rune('a'+i))))
			if err != nil {
				t.Fatal(err)
			}
			aw.Desc(rampLevel, "ramp.level")
			for s := 100 * i; s < 100*i+50; s += 10 {
				recordLevel(aw, s)
			}
			if err := aw.Close(); err != nil {
				t.Fatal(err)
			}
		}
		v := w.overview(t)
		var got []string
		for _, e := range v.History {
			if e.Kind == "clock" && e.At == second(200) {
				got = append(got, e.Text)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: %q of %+v, want %q", tt.labels, got, v.History, tt.want)
		}
	}
}

// A host logs hinv.ncpu once, 2, has 8 CPUs from 200 s on, and 4 from 400 s on.
func TestPluggedCPUs(t *testing.T) {
	values := logged{}.and("hinv.ncpu", "", recording.Steady(1, 2.0)).and("kernel.all.cpu.user", "", counted(10, 21, 500, 20, 2000, 20, 1000))
	values.and("kernel.all.cpu.idle", "", counted(10, 21, 1500, 20, 6000, 20, 3000)).and("kernel.all.cpu.sys", "", always(0))
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
	v, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range v.Who {
		if f.Name == "CPUs" {
			got = append(got, f.Value)
		}
	}
	for _, e := range v.History {
		got = append(got, fmt.Sprintf("%d %s", (e.At-recording.Start)/1e9, e.Text))
	}
	for _, f := range v.Findings {
		got = append(got, f.Text)
	}
	got = append(got, v.Tiles[0].Utilisation.Text)
	want := []string{"4 (by their time; logged as 2)", "200 CPUs: 8, was 2, by their time; hinv.ncpu was not logged again", "400 CPUs: 4, was 8, by their time; hinv.ncpu was not logged again", "25 % at most"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// A quarter of all CPUs is in use throughout, in charts and in the list of dashboards, as well.
	expect(t, "CPU", panelValues(t, s, src, "overview", "cpu", recording.Start+100e9, 10e9, 20), map[string]float64{"user": 25, "sys": 0, "idle": 75})
	list, err := s.Dashboards(t.Context(), src.ID)
	if err != nil {
		t.Fatal(err)
	}
	if d := list[slices.IndexFunc(list, func(d api.DashboardInfo) bool { return d.ID == "cpu" })]; d.Headline != "25.0 %" {
		t.Errorf("the figure of CPU is %q", d.Headline)
	}
}

// At 300 s, a counter has a 32-bit value where it has 64 bits: that record is damaged, and its
// 33 CPUs and load of 5000 are no finding. They are still the values at that time.
func TestDamagedRecordsAreNotJudged(t *testing.T) {
	w := written{}
	counter := pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Counter}
	cpus := pcp.Desc{PMID: pcp.MakePMID(60, 0, 32), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Discrete}
	load := pcp.Desc{PMID: pcp.MakePMID(60, 2, 0), InDom: pcp.MakeInDom(60, 5), Type: pcp.Uint32, Sem: pcp.Instant}
	aw := w.begin(t, "a", second(0))
	aw.Desc(counter, "disk.all.total")
	aw.Desc(cpus, "hinv.ncpu")
	aw.Desc(load, "kernel.all.load")
	aw.InDom(second(0), load.InDom, []pcp.Instance{{ID: 1, Name: "1 minute"}})
	for s := 0; s <= 600; s += 10 {
		kind, count, length := counter.Type, uint64(4), uint64(1)
		if s == 300 {
			kind, count, length = pcp.Uint32, 33, 5000
		}
		aw.Record(second(s), []archive.ValueSet{
			{PMID: counter.PMID, Type: kind, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(s)}}},
			{PMID: cpus.PMID, Type: cpus.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: count}}},
			{PMID: load.PMID, Type: load.Type, Values: []archive.Value{{Inst: 1, Val: length}}},
		})
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
	v := w.overview(t)
	if len(v.History) != 0 {
		t.Errorf("history %+v, want none", v.History)
	}
	if got := v.Tiles[0].Saturation.Text; got != "load 1.00 on 4" {
		t.Errorf("saturation of the CPU is %q", got)
	}
	s, id := w.open(t)
	f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"hinv.ncpu"}, Start: moment(second(300)), End: moment(second(300)), Interval: moment(10e9)}, nil)
	if err != nil || len(f.Columns) != 1 || f.Columns[0].Values[0] != 33 {
		t.Errorf("hinv.ncpu is %+v, %v; 33 was logged", f, err)
	}
}

// A link that comes back slower, and a filesystem that is made larger: what was done to the host.
// While the link is down it has no speed, and that of a radio is no setting. A pool whose filesystems change by less than 1 % is the same.
func TestHistoryOfSpeedAndSize(t *testing.T) {
	speed := slices.Concat(recording.Steady(5, 119.209289), recording.Steady(3, 0.0), recording.Steady(12, 11.9209289)) // Mbyte/s
	size := slices.Concat(recording.Steady(8, 209715200.0), recording.Steady(12, 419430400.0))                          // KiB: 200 and 400 GiB
	pool := slices.Concat(recording.Steady(10, 1000000000.0), recording.Steady(10, 1000500000.0))
	values := map[string]map[string]any{
		"network.interface.speed": {"eth0": speed, "wlp3s0": speed},
		"filesys.capacity":        {"/dev/sdb1": size, "tank/home": pool},
		"filesys.mountdir":        {"/dev/sdb1": recording.Steady(1, "/data"), "tank/home": recording.Steady(1, "/home")},
		"kernel.all.load":         {"1 minute": recording.Steady(20, 1.0)},
	}
	s, src := record(t, recording.Recording{Host: "grown", Step: 10e9, Values: values})
	v, err := s.Overview(t.Context(), src.ID, nil)
	var got []string
	for _, e := range v.History {
		got = append(got, fmt.Sprintf("%d %s", (e.At-recording.Start)/1e9, e.Text))
	}
	want := []string{"80 link speed of eth0: 100 Mbit/s, was 1 Gbit/s", "80 size of /data: 400 GiB, was 200 GiB"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("history: %q, want %q, %v", got, want, err)
	}
}

// A filesystem that is unmounted for a while is in the history, by where it is mounted. Snaps
// and CDs are not, nor is any where they are mounted all the time, as on a host of containers.
func TestFilesystemsAreUnmounted(t *testing.T) {
	gone := func(from, to int) []float64 {
		used := recording.Steady(20, 100.0)
		for i := from; i < to; i++ {
			used[i] = math.NaN()
		}
		return used
	}
	filesystems := map[string]any{"/dev/sda1": gone(0, 0), "/dev/sdb1": gone(8, 14), "/dev/loop3": gone(8, 14), "/dev/sr0": gone(3, 20)}
	values := map[string]map[string]any{
		"filesys.used":     filesystems,
		"filesys.mountdir": {"/dev/sda1": recording.Steady(1, "/"), "/dev/sdb1": recording.Steady(1, "/data")},
		"kernel.all.load":  {"1 minute": recording.Steady(20, 1.0)},
	}
	told := func() (got []string) {
		s, src := record(t, recording.Recording{Host: "mounts", Step: 10e9, Values: values})
		v, err := s.Overview(t.Context(), src.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range v.History {
			got = append(got, fmt.Sprintf("%d %s", (e.At-recording.Start)/1e9, e.Text))
		}
		return got
	}
	if got, want := told(), []string{"80 The filesystem /data was gone", "140 The filesystem /data appeared"}; !slices.Equal(got, want) {
		t.Errorf("history: %q, want %q", got, want)
	}
	// The disk is plugged in anew, and is another one by its name since then.
	values["disk.dev.read"] = map[string]any{"sda": gone(0, 0), "sdb": gone(8, 20), "sdc": gone(0, 8)}
	filesystems["/dev/sdb1"], filesystems["/dev/sdc1"] = gone(8, 20), gone(0, 8)
	if got, want := told(), []string{"80 The disk sdb was gone", "80 The disk sdc appeared"}; !slices.Equal(got, want) {
		t.Errorf("history: %q, want %q", got, want)
	}
	delete(values, "disk.dev.read") // only that it is mounted in the same place
	values["filesys.mountdir"]["/dev/sdc1"] = slices.Concat(recording.Steady(20, "/data"))
	if got := told(); len(got) > 0 {
		t.Errorf("history: %q, want none", got)
	}
	for i := range 11 {
		filesystems[fmt.Sprintf("/dev/rbd%d", i)] = gone(2+i, 4+i)
	}
	if got := told(); len(got) > 0 {
		t.Errorf("history: %q, want none", got)
	}
}

// The filesystems of a pool have what the pool has left: their sizes change all the time, by
// more than 1 %. That another one was made larger is in the history all the same.
func TestHistoryOfSizeBesideAPool(t *testing.T) {
	sizes := map[string]any{"/dev/sdb1": halfAndHalf(30, 209715200, 419430400)}
	for k, name := range []string{"tank", "tank/home", "tank/var"} {
		var pool []float64
		for i := range 60 {
			pool = append(pool, float64((100+k)*1_000_000*(100+2*(i%7))))
		}
		sizes[name] = pool
	}
	s, src := record(t, recording.Recording{Host: "pool", Step: 10e9, Values: map[string]map[string]any{"filesys.capacity": sizes, "kernel.all.load": {"1 minute": recording.Steady(60, 1.0)}}})
	v, err := s.Overview(t.Context(), src.ID, nil)
	var got []string
	for _, e := range v.History {
		got = append(got, fmt.Sprintf("%d %s", (e.At-recording.Start)/1e9, e.Text))
	}
	if want := []string{"300 size of /dev/sdb1: 400 GiB, was 200 GiB"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("history: %q, want %q, %v", got, want, err)
	}
}
