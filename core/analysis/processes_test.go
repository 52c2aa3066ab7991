package analysis

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A processHost is a host with given processes: rows ten seconds apart, NaN where a
// process does not exist.
type processHost struct {
	fake
	names map[int32]string
	obs   map[string]*series.Observations
	cuts  []pcp.Time
	hot   bool
	room  func(bytes int64) bool // of memory; nil for any
}

func (p *processHost) Processes() ProcessData { return p }
func (p *processHost) Observations(metric string) []*series.Observations {
	if o := p.obs[metric]; o != nil {
		return []*series.Observations{o}
	}
	return nil
}
func (p *processHost) Marks(int) []pcp.Time                      { return p.cuts }
func (p *processHost) Name(_ int, inst int32, _ pcp.Time) string { return p.names[inst] }
func (p *processHost) Claim(bytes int64) bool                    { return p.room == nil || p.room(bytes) }
func (p *processHost) Everything() bool                          { return !p.hot }

func (p *processHost) with(metric string, desc pcp.Desc, of map[int32][]float64) {
	if p.obs == nil {
		p.obs = map[string]*series.Observations{}
	}
	o := &series.Observations{Desc: desc}
	for inst := int32(1); inst < 100; inst++ {
		vals := of[inst]
		if vals == nil {
			continue
		}
		s := series.Series{Inst: inst}
		for i, v := range vals {
			if len(o.Times) <= i {
				o.Times = append(o.Times, start+pcp.Time(i)*10e9)
			}
			switch gone := v != v; {
			case gone && i > 0 && vals[i-1] == vals[i-1]:
				s.Runs = append(s.Runs, series.Run{Row: uint32(i) | series.Gone})
			case !gone && (i == 0 || v != vals[i-1]):
				s.Runs = append(s.Runs, series.Run{Row: uint32(i), Val: math.Float64bits(v)})
			}
		}
		o.Series = append(o.Series, s)
	}
	p.obs[metric] = o
}

// Six seconds of CPU time, part of which is explained by sampled processes:
//
//	1 old    runs throughout, 1 s of CPU time each interval
//	2 young  begins between rows 1 and 2, with 3 s on its clock at row 2
//	3 brief  exists only in rows 1 and 2
//	4        is another program from row 3 on: its CPU time is less than before
func fourProcesses() *processHost {
	none := math.NaN()
	p := &processHost{names: map[int32]string{1: "000001 /sbin/old -x", 2: "000002 young", 3: "000003 (brief)", 4: "000004 /bin/reused"}}
	p.cpu(1, 5, 60)
	p.set("kernel.all.uptime", "", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}, []float64{1000, 1010, 1020, 1030, 1040})
	p.with("psinfo.utime", counter(ms), map[int32][]float64{
		1: {5000, 6000, 7000, 8000, 9000}, 2: {none, none, 3000, 3500, 3500}, 3: {none, 200, 400, none, none}, 4: {900, 900, 900, 100, 200},
	})
	p.with("psinfo.start_time", pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}, map[int32][]float64{
		1: {10, 10, 10, 10, 10}, 2: {none, none, 1013, 1013, 1013}, 3: {none, 500, 500, none, none}, 4: {20, 20, 20, 1025, 1025},
	})
	return p
}

func TestAccounts(t *testing.T) {
	p := NewHost(fourProcesses()).Processes()
	if p == nil {
		t.Fatal("no processes")
	}
	// Row 1: 1 s of old; brief is new here but started long ago, so how much of
	// its 200 ms is recent is unknown. Row 2: 1 s, all 3 s of young, 200 ms of
	// brief. Row 3: 1 s, 500 ms, and the 100 ms of the new 4.
	for i, want := range []float64{math.NaN(), 1, 4.2, 1.6, 1.1} {
		if got := p.listed[i]; math.Abs(got-want) > 1e-9 || (got == got) != (want == want) {
			t.Errorf("row %d: %v s, want %v", i, got, want)
		}
		if spent := p.spent[i]; i > 0 && math.Abs(spent-6) > 1e-9 {
			t.Errorf("row %d: the machine used %v s, want 6", i, spent)
		}
	}
	u := p.Use(pcp.Span{Start: start + 10e9, End: start + 30e9})
	if math.Abs(u.Machine-12) > 1e-9 || math.Abs(u.Listed-5.8) > 1e-9 || math.Abs(u.NotSampled()-(1-5.8/12)) > 1e-9 {
		t.Errorf("use %+v", u)
	}
	if b := p.largest(pcp.Span{Start: start, End: start + 20e9}); b.command != "young" || math.Abs(b.share-3.0/12) > 1e-9 {
		t.Errorf("the largest is %+v", b)
	}
}

// When a process started is known from the time of boot, too, where the time since boot was not
// logged: the host of fourProcesses was booted 1000 s before the first record.
func TestProcessTableFromTheTimeOfBoot(t *testing.T) {
	none, data := math.NaN(), fourProcesses()
	delete(data.obs, "kernel.all.uptime")
	boot, _ := start.Split()
	data.set("kernel.all.boottime", "", &pcp.Desc{Type: pcp.Uint64, Sem: pcp.Discrete, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}, []float64{float64(boot - 1000), none, none, none, none})
	p := NewHost(data).Processes()
	table, ok, _ := p.Table(pcp.MinTime, start+25e9, anyBytes)
	if !ok || len(table.Processes) != 4 {
		t.Fatalf("the table is %+v", table)
	}
	// These are the numbers of seconds since boot above, less 1000 s.
	want := map[int64]pcp.Time{1: start - 990e9, 2: start + 13e9, 3: start - 500e9, 4: start - 980e9}
	for _, r := range table.Processes {
		if r.Started == nil || *r.Started != want[r.PID] || r.New != (r.PID == 2) {
			t.Errorf("process %d: started at %v, new: %v; want %v", r.PID, r.Started, r.New, want[r.PID])
		}
	}
	if table.Started != 1 {
		t.Errorf("%d began, want 1", table.Started)
	}
}

// Agents of 2015 had the nice value of a process, -20 to 19, in an unsigned type of 32 bits.
func TestNiceOfAnUnsignedType(t *testing.T) {
	data := fourProcesses()
	data.with("psinfo.nice", pcp.Desc{Type: pcp.Double, Sem: pcp.Instant}, map[int32][]float64{1: {1<<32 - 20, 1<<32 - 20, 1<<32 - 20, 1<<32 - 20, 1<<32 - 20}, 2: {19, 19, 19, 19, 19}})
	table, ok, _ := NewHost(data).Processes().Table(pcp.MinTime, start+25e9, anyBytes)
	if !ok {
		t.Fatal("no table")
	}
	want := map[int64]float64{1: -20, 2: 19}
	for _, r := range table.Processes {
		if n, known := want[r.PID]; known != (r.Nice != nil) || known && *r.Nice != n {
			t.Errorf("process %d: nice %v, want %v", r.PID, orZero(r.Nice), n)
		}
	}
}

func TestProcessTable(t *testing.T) {
	p := NewHost(fourProcesses()).Processes()
	table, ok, _ := p.Table(pcp.MinTime, start+25e9, anyBytes)
	if !ok {
		t.Fatal("no table")
	}
	var got []string
	for _, r := range table.Processes {
		got = append(got, fmt.Sprintf("%d %s %q %.1f new=%v", r.PID, r.Command, r.Path, orZero(r.CPU), r.New))
	}
	want := []string{`2 young "young" 30.0 new=true`, `1 old "/sbin/old -x" 10.0 new=false`, `3 brief "" 2.0 new=false`, `4 reused "/bin/reused" 0.0 new=false`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if table.Started != 1 || table.Ended != 0 || math.Abs(*table.InNoSample-18) > 1e-9 {
		t.Errorf("%d began, %d ended, %v %% in no sample; want 1, 0, 18", table.Started, table.Ended, *table.InNoSample)
	}
	if s := table.Processes[0].Started; s == nil || *s != start+13e9 { // 7 s before row 2
		t.Errorf("young began at %v, want 13 s after the start", *s-start)
	}
	window, _, _ := p.Table(start, start+40e9, anyBytes)
	if !slices.ContainsFunc(window.Processes, func(r api.Process) bool { return r.Command == "brief" && r.Ended }) {
		t.Error("brief is not listed, or not marked as ended")
	}
	// young and the second 4 began, brief and the first 4 ended.
	if window.Started != 2 || window.Ended != 2 || math.Abs(*window.Listed-100*7.9/40) > 1e-9 {
		t.Errorf("%d began, %d ended, %v %%; want 2, 2, %v", window.Started, window.Ended, *window.Listed, 100*7.9/40)
	}
	if _, ok, _ := p.Table(pcp.MinTime, start-1, anyBytes); ok {
		t.Error("a table before the first sample")
	}
}

// A host of fourProcesses gets more CPUs at 30 s: the table says how many there were at its end.
func TestProcessTableOfResizedHost(t *testing.T) {
	data := fourProcesses()
	data.set("hinv.ncpu", "", &pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, InDom: pcp.NullInDom}, []float64{2, 2, 2, 8, 8})
	p := NewHost(data).Processes()
	for end, want := range map[pcp.Time]int{start + 25e9: 2, start + 40e9: 8} {
		if table, ok, _ := p.Table(pcp.MinTime, end, anyBytes); !ok || table.CPUs != want {
			t.Errorf("up to %d s: %d CPUs, want %d", (end-start)/1e9, table.CPUs, want)
		}
	}
}

// If only active processes were logged, one that is gone may merely have become quiet, and
// nobody knows how long those that were not logged lived.
func TestOnlyActiveProcesses(t *testing.T) {
	none, span := math.NaN(), pcp.Span{Start: start, End: start + 40e9}
	said := func(hot bool) (texts []string, h *Host) {
		p := fourProcesses() // little of the machine's 6 s for each interval
		p.hot = hot
		p.with("psinfo.utime", counter(ms), map[int32][]float64{1: {5000, 5100, 5200, 5300, 5400}, 3: {none, 200, 300, none, none}})
		h = NewHost(p)
		return []string{h.topCommand(span), h.unsampledShare([]episode{{Span: span}})}, h
	}
	// Of 24 s 0.4 and 0.1 s are accounted for.
	if all, _ := said(false); all[0] != "; 98 % of it by short-lived processes" || all[1] != all[0] {
		t.Errorf("of all processes: %q", all)
	}
	hot, h := said(true)
	if hot[0] != "" || hot[1] != "" {
		t.Errorf("of active processes: %q", hot)
	}
	table, _, err := h.Processes().Table(span.Start, span.End, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	if !table.Hot || table.Machine == nil || table.InNoSample != nil || len(table.Estimates) > 0 || table.Ended != 0 {
		t.Errorf("hot %v, machine %v, in no sample %v, estimates %v, %d ended", table.Hot, table.Machine, table.InNoSample, table.Estimates, table.Ended)
	}
	for _, r := range table.Processes {
		if r.Ended {
			t.Errorf("%s is marked as ended", r.Command)
		}
	}
	c, err := h.Processes().Consumers("cpu", "command", 7, span, anyBytes)
	if err != nil || slices.ContainsFunc(c.Series, func(s api.Consumer) bool { return s.Kind != "named" }) {
		t.Errorf("error %v, layers %+v", err, c.Series)
	}
}

// The same processes tell what others like them used only if all were logged.
func TestNoEstimateOfActiveProcesses(t *testing.T) {
	for _, hot := range []bool{false, true} {
		host, _ := workshop(3, 61)
		host.hot = hot
		p := NewHost(host).Processes()
		if list := p.estimated("command", 0, len(p.times)); (len(list) == 0) != hot {
			t.Errorf("only active ones: %v, estimates %+v", hot, list)
		}
	}
}

func TestNothingIsCarriedOverAMark(t *testing.T) {
	h := fourProcesses()
	h.cuts = []pcp.Time{start + 15e9}
	p := NewHost(h).Processes()
	if v := p.listed[2]; v == v {
		t.Errorf("the sample after a mark has %v s", v)
	}
	if v := p.listed[3]; math.Abs(v-1.6) > 1e-9 {
		t.Errorf("the one after that has %v s", v)
	}
	table, _, _ := p.Table(pcp.MinTime, start+20e9, anyBytes)
	for _, r := range table.Processes {
		if r.CPU != nil {
			t.Errorf("%s has a rate over a mark", r.Command)
		}
	}
}

func TestConsumers(t *testing.T) {
	p := NewHost(fourProcesses()).Processes()
	c, err := p.Consumers("cpu", "command", 2, pcp.Span{Start: start, End: start + 40e9}, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range c.Series {
		got = append(got, fmt.Sprintf("%s %s %.1f", s.Kind, s.Name, s.Values[1:]))
	}
	want := []string{"named old [10.0 10.0 10.0 10.0]", "named young [0.0 30.0 5.0 0.0]", "others all others [0.0 2.0 1.0 1.0]", "in no sample not sampled [50.0 18.0 44.0 49.0]"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What the sample at the start of a span says was used before it: young used 30 % up to 20 s,
// then 5 and 0 %.
func TestConsumersOfWhatWasBefore(t *testing.T) {
	p, span := NewHost(fourProcesses()).Processes(), pcp.Span{Start: start + 20e9, End: start + 40e9}
	c, err := p.Consumers("cpu", "command", 2, span, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	mean := map[string]float64{}
	for _, s := range c.Series {
		mean[s.Name] = s.Mean
	}
	if len(c.Times) != 3 || math.Abs(mean["young"]-2.5) > 1e-9 || math.Abs(mean["old"]-10) > 1e-9 {
		t.Errorf("the means are %v of samples %v, want young 2.5, and old 10", mean, c.Times)
	}
	if at := slices.IndexFunc(c.Series, func(s api.Consumer) bool { return s.Name == "young" }); at < 0 || math.Abs(c.Series[at].Values[0]-30) > 1e-9 {
		t.Errorf("it is not drawn: %+v", c.Series)
	}
	alone, err := p.Consumers("cpu", "command", 2, pcp.Span{Start: start + 20e9, End: start + 25e9}, anyBytes)
	if err != nil || len(alone.Series) == 0 || alone.Series[0].Name != "young" || math.Abs(alone.Series[0].Mean-30) > 1e-9 {
		t.Errorf("the only sample of a span: %+v (%v), want young with 30", alone.Series, err)
	}
	list, err := p.ByProcess("cpu", span, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range list {
		if want := map[string]float64{"young": 2.5, "old": 10}[one.Command]; want > 0 && math.Abs(one.Mean-want) > 1e-9 {
			t.Errorf("%s used %v, want %v", one.Command, one.Mean, want)
		}
	}
}

// A mean is that over time: old used 1 s of CPU time in each of four intervals, of which the
// last took 40 s and not 10, so 4 s of 70.
func TestConsumersOfUnevenSamples(t *testing.T) {
	p := fourProcesses()
	for _, o := range p.obs {
		o.Times = slices.Clone(o.Times)
		o.Times[4] += 30e9
	}
	c, err := NewHost(p).Processes().Consumers("cpu", "command", 2, pcp.Span{Start: start, End: start + 70e9}, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Series[0]; s.Name != "old" || math.Abs(s.Mean-100*4/70.) > 1e-9 || math.Abs(s.Values[4]-2.5) > 1e-9 {
		t.Errorf("%s used %v, %g on average, want 2.5 at last and %g", s.Name, s.Values, s.Mean, 100*4/70.)
	}
}

// Who waited, according to the sampled states, under the command name that the
// PID had then.
func TestWaiting(t *testing.T) {
	p := fourProcesses()
	p.with("io.read_bytes", counter(pcp.Units{Space: 1}), map[int32][]float64{1: {0, 0, 0, 0, 0}, 4: {0, 0, 0, 0, 0}})
	states := &series.Observations{Desc: pcp.Desc{Type: pcp.String, Sem: pcp.Instant}}
	for i := range 5 {
		states.Times = append(states.Times, start+pcp.Time(i)*10e9)
	}
	s, d, r := states.Blobs.Add([]byte("S")), states.Blobs.Add([]byte("D")), states.Blobs.Add([]byte("R"))
	states.Series = []series.Series{
		{Inst: 1, Runs: []series.Run{{Row: 0, Val: s}, {Row: 1, Val: d}, {Row: 4, Val: r}}},
		{Inst: 4, Runs: []series.Run{{Row: 0, Val: d}, {Row: 2, Val: s}}},
	}
	p.obs["psinfo.sname"] = states
	h := NewHost(p)
	table, _, _ := h.Processes().Table(start, start+40e9, anyBytes)
	for _, row := range table.Processes {
		want := map[int64][2]float64{1: {75, 25}, 4: {25, 0}}[row.PID]
		if row.PID == 4 && row.New { // the second one
			want = [2]float64{}
		}
		if row.PID == 1 || row.PID == 4 {
			if *row.Uninterruptible != want[0] || *row.Runnable != want[1] {
				t.Errorf("%s: %v %% in D, %v %% in R; want %v", row.Command, *row.Uninterruptible, *row.Runnable, want)
			}
		}
	}
	c, err := h.Processes().Consumers("uninterruptible", "command", 7, pcp.Span{Start: start + 1, End: start + 40e9}, anyBytes)
	if err != nil || c.Series[0].Name != "old" || c.Series[0].Values[0] != 100 || c.Series[0].Values[3] != 0 || c.Units != "%" {
		t.Errorf("error %v, consumers %+v; want old with 100, …, 0 %%", err, c)
	}
	if c, _ = h.Processes().Consumers("read", "command", 7, pcp.Span{Start: start, End: start + 40e9}, anyBytes); c.Unreadable == "" {
		t.Error("I/O that is zero for all processes is shown as none")
	}
	p.with("io.write_bytes", counter(pcp.Units{Space: 1}), map[int32][]float64{1: {0, 0, 0, 0, 0}, 4: {0, 5000, 5000, 5000, 5000}})
	if c, _ = NewHost(p).Processes().Consumers("read", "command", 7, pcp.Span{Start: start, End: start + 40e9}, anyBytes); c.Unreadable != "" {
		t.Errorf("nothing was read, and one process wrote: %s", c.Unreadable)
	}
	if got := h.whoWaited(pcp.Span{Start: start, End: start + 40e9}); got != "; old waited for I/O in 3 of 4 samples" {
		t.Error(got)
	}
}

// A table claims memory for the processes in it, not for those that had gone before.
func TestTableClaimsItsRows(t *testing.T) {
	none, h := math.NaN(), fourProcesses()
	gone := map[int32][]float64{99: {0, 0, 0, 0, 0}}
	for inst := int32(1); inst < 99; inst++ {
		gone[inst] = []float64{0, 0, none, none, none}
	}
	h.with("psinfo.utime", counter(ms), gone)
	claimed := int64(0)
	table, _, err := NewHost(h).Processes().Table(pcp.MinTime, start+40e9, func(bytes int64) error { claimed += bytes; return nil })
	if err != nil || len(table.Processes) != 1 {
		t.Fatalf("%d processes, %v; want 1", len(table.Processes), err)
	}
	if limit := int64(100*grownBytes + 64*processBytes); claimed > limit {
		t.Errorf("%d bytes were claimed for one row, at most %d expected", claimed, limit)
	}
}

// The last sample of processes is often later than the last record of the host's CPU time:
// figures are those up to there, and starts are known.
func TestTableAfterTheLastRecordOfTheHost(t *testing.T) {
	h := fourProcesses()
	for _, name := range []string{"psinfo.utime", "psinfo.start_time"} {
		o := h.obs[name]
		o.Times[4] = start + 45e9 // the host's last row is at 40 s
	}
	p := NewHost(h).Processes()
	table, _, err := p.Table(start, start+45e9, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	if table.Machine == nil || table.Listed == nil || math.Abs(*table.Machine-100*18/30.) > 1e-9 || math.Abs(*table.Listed-100*6.8/30) > 1e-9 {
		t.Errorf("machine %v, listed %v; want 60 and %v %%, those of 30 s", table.Machine, table.Listed, 100*6.8/30)
	}
	for _, r := range table.Processes {
		if r.Command != "old" {
			continue
		}
		if r.Started == nil || *r.Started != start-990e9 {
			t.Errorf("old began at %v, want 990 s before the start", r.Started)
		}
		return
	}
	t.Error("old is not listed")
}

// Two processes that had one number, one after the other, are two rows. The name of the
// instance is still that of the first one, as pmdaproc 6.0.3 leaves it (seen with a PID
// given out again through /proc/sys/kernel/ns_last_pid), so the second one has no path.
func TestReusedPID(t *testing.T) {
	p := fourProcesses()
	commands := &series.Observations{Desc: pcp.Desc{Type: pcp.String, Sem: pcp.Discrete}}
	for i := range 5 {
		commands.Times = append(commands.Times, start+pcp.Time(i)*10e9)
	}
	first, second, other := commands.Blobs.Add([]byte("reused")), commands.Blobs.Add([]byte("another")), commands.Blobs.Add([]byte("old"))
	commands.Series = []series.Series{{Inst: 1, Runs: []series.Run{{Row: 0, Val: other}}}, {Inst: 4, Runs: []series.Run{{Row: 0, Val: first}, {Row: 3, Val: second}}}}
	p.obs["psinfo.cmd"] = commands
	// More than the first one ever wrote: its start shows that it is another one.
	p.with("io.write_bytes", counter(pcp.Units{Space: 1}), map[int32][]float64{4: {100, 100, 300, 1000, 1200}})
	for _, tt := range []struct {
		from, to pcp.Time
		want     string
	}{
		{0, 40, `reused "/bin/reused" CPU 0.00 wrote 5 new=false ended=true; another "" CPU 0.50 wrote 30 new=true ended=false`},
		{0, 20, `reused "/bin/reused" CPU 0.00 wrote 10 new=false ended=false`},
		{20, 30, `another "" CPU 1.00 wrote 100 new=true ended=false`},
		{30, 40, `another "" CPU 1.00 wrote 20 new=false ended=false`},
	} {
		table, _, err := NewHost(p).Processes().Table(start+tt.from*1e9, start+tt.to*1e9, anyBytes)
		if err != nil {
			t.Fatal(err)
		}
		var rows []string
		for _, r := range table.Processes {
			if r.PID == 4 {
				rows = append(rows, fmt.Sprintf("%s %q CPU %.2f wrote %.0f new=%v ended=%v", r.Command, r.Path, orZero(r.CPU), orZero(r.Write), r.New, r.Ended))
			}
		}
		sort.Strings(rows)
		slices.Reverse(rows) // the first one before the second
		if got := strings.Join(rows, "; "); got != tt.want {
			t.Errorf("%d to %d s: %s; want %s", tt.from, tt.to, got, tt.want)
		}
	}
}

// What was deleted before it got to the disk does not count as written, in the table and in
// its sums alike; a process that deletes what others wrote has written nothing, not less.
func TestCancelledWrites(t *testing.T) {
	const tmp, log, rm = 1, 2, 3
	p := &processHost{names: map[int32]string{tmp: "000001 /bin/tmp", log: "000002 /bin/log", rm: "000003 /bin/rm"}}
	p.cpu(1, 4, 60)
	p.with("psinfo.utime", counter(ms), map[int32][]float64{tmp: {0, 0, 0, 0}, log: {0, 0, 0, 0}, rm: {0, 0, 0, 0}})
	p.with("io.write_bytes", counter(pcp.Units{Space: 1}), map[int32][]float64{tmp: {0, 1000, 2000, 2000}, log: {0, 200, 500, 900}, rm: {0, 0, 100, 100}})
	p.with("io.cancelled_write_bytes", counter(pcp.Units{Space: 1}), map[int32][]float64{tmp: {0, 400, 1400, 1400}, log: {0, 0, 0, 0}, rm: {0, 300, 600, 600}})
	host := NewHost(p).Processes()
	for _, tt := range []struct {
		top  int
		want string
	}{
		{7, "log [NaN 20 30 40], tmp [NaN 60 0 0]"},
		{0, "all others [NaN 80 30 40]"},
	} {
		c, err := host.Consumers("write", "command", tt.top, pcp.Span{Start: start, End: start + 30e9}, anyBytes)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range c.Series {
			got = append(got, fmt.Sprint(s.Name, " ", s.Values))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("bytes a second: %s; want %s", strings.Join(got, ", "), tt.want)
		}
	}
	table, _, err := host.Table(start, start+30e9, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Processes { // over 30 s
		if want := map[string]float64{"tmp": 20, "log": 30, "rm": 0}[r.Command]; orZero(r.Write) != want {
			t.Errorf("%s wrote %v bytes a second, want %v", r.Command, orZero(r.Write), want)
		}
	}
}

// anyBytes claims nothing.
func anyBytes(int64) error { return nil }
