package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: no value, want %v", what, want)
	} else if math.Abs(*got-want) > 1e-6*(1+math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, *got, want)
	}
}

// The table at 14:21:45 in the archive's zone, 18:21:45 UTC. Expected values are worked out from what pmdumplog(1)
// 6.0.3 prints of proc.psinfo.utime and stime in the records of 18:21:35.413
// and 18:21:45.405: what they grew by, or their value where the process is not
// in the first, over 9.992 s; and of kernel.all.cpu.{user,nice,sys,intr}.
func TestProcessesAtBig(t *testing.T) {
	s, src := openReference(t)
	table, err := s.Processes(t.Context(), api.ProcessQuery{Source: src.ID, At: &api.When{Text: "@14:21:46"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if clockOf(table.Start) != "18:21:35" || clockOf(table.End) != "18:21:45" {
		t.Errorf("from %s to %s", clockOf(table.Start), clockOf(table.End))
	}
	// A cursor on a grid point is some milliseconds before the sample shown.
	for moment, want := range map[string]string{"@14:21:45": "18:21:45", "@14:21:43": "18:21:45", "@14:21:42": "18:21:35"} {
		other, err := s.Processes(t.Context(), api.ProcessQuery{Source: src.ID, At: &api.When{Text: moment}}, nil)
		if err != nil || clockOf(other.End) != want {
			t.Errorf("at %s are those of %s, %v; want %s", moment, clockOf(other.End), err, want)
		}
	}
	if n := len(table.Processes); n != 318 || table.Started != 12 || table.Ended != 12 {
		t.Errorf("%d processes, %d new, %d ended; want 318, 12, 12", n, table.Started, table.Ended)
	}
	near(t, "machine", table.Machine, 399.93886820281415)
	near(t, "listed", table.Listed, 153.32991643811224)
	near(t, "in no sample", table.InNoSample, 399.93886820281415-153.32991643811224)
	for i, want := range []struct {
		pid            int64
		command        string
		cpu, user, sys float64
		fresh          bool
	}{
		{6929, "cc1plus", 41.43510796695724, 39.63358153361128, 1.801526433345967, true},
		{6956, "cc1plus", 26.522472490926738, 25.02120046313843, 1.5012720277883058, true},
		{6959, "cc1plus", 21.017808389036283, 19.716705964953082, 1.3011024240831983, true},
		{10191, "Web Content", 18.01526433345967, 16.013568296408597, 2.0016960370510746, false},
		{9930, "firefox", 12.210345826011554, 10.508904194518141, 1.7014416314934133, false},
		{22592, "setroubleshootd", 12.110261024159001, 9.307886572287495, 2.802374451871504, false},
		{6962, "cc1plus", 6.605596922268545, 5.604748903743008, 1.0008480185255373, true},
	} {
		p := table.Processes[i]
		if p.PID != want.pid || p.Command != want.command || p.New != want.fresh {
			t.Errorf("row %d is %d %s, new %v; want %d %s, %v", i, p.PID, p.Command, p.New, want.pid, want.command, want.fresh)
		}
		near(t, p.Command, p.CPU, want.cpu)
		near(t, p.Command+" user", p.UserCPU, want.user)
		near(t, p.Command+" sys", p.SysCPU, want.sys)
	}
	if p := table.Processes[0]; p.User != "brolley" || p.State != "running" || p.Path != "/usr/libexec/gcc/x86_64-redhat-linux/7/cc1plus" || *p.Threads != 1 || p.Started == nil || clockOf(*p.Started) != "18:21:41" {
		t.Errorf("the first is %+v", p)
	}
	for _, p := range table.Processes {
		if p.PID == 52 && (p.Command != "kswapd0" || p.Path != "" || p.User != "root") {
			t.Errorf("a thread of the kernel is %+v", p)
		}
	}
}

// What was eating the CPU in the worst minute? By pmdumplog(1) 6.0.3 no six
// samples in a row used more than those to 18:22:15.394: 202.69 s of CPU time.
// cc1plus had 31.32 s of it, Firefox 19.38 s under all its names, all
// processes in the samples 66.81 s.
func TestWorstMinuteOfBig(t *testing.T) {
	s, src := openReference(t)
	start, end := &api.When{Text: "@14:21:16"}, &api.When{Text: "@14:22:16"}
	table, err := s.Processes(t.Context(), api.ProcessQuery{Source: src.ID, Start: start, End: end}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seconds := table.End.Since(table.Start)
	if clockOf(table.Start) != "18:21:15" || clockOf(table.End) != "18:22:15" {
		t.Fatalf("from %s to %s", clockOf(table.Start), clockOf(table.End))
	}
	near(t, "machine", table.Machine, 100*202.69/seconds)
	near(t, "listed", table.Listed, 100*66.81/seconds)
	used := map[string]float64{}
	for _, p := range table.Processes {
		if p.CPU != nil {
			used[p.Command] += *p.CPU * seconds / 100
		}
	}
	if got := used["cc1plus"]; math.Abs(got-31.32) > 1e-6 {
		t.Errorf("cc1plus used %v s, want 31.32", got)
	}

	c, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: src.ID, Start: start, End: end}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Times) != 6 || c.Series[0].Name != "cc1plus" || c.Series[len(c.Series)-1].Kind != "in no sample" {
		t.Fatalf("%d samples, %q first, %q last", len(c.Times), c.Series[0].Name, c.Series[len(c.Series)-1].Kind)
	}
	all := 0.0
	for i := range c.Times {
		sum := 0.0
		for _, x := range c.Series {
			sum += x.Values[i]
		}
		all += sum
		if sum > 405 {
			t.Errorf("sample %d: %v %% of 4 CPUs", i, sum)
		}
	}
	if mean := all / 6; math.Abs(mean-100*202.69/seconds) > 0.5 { // samples differ in length by some milliseconds
		t.Errorf("all layers make %v %%, want %v", mean, 100*202.69/seconds)
	}
	for _, what := range []string{"memory", "read", "write"} {
		for _, by := range []string{"command", "user", "process"} {
			if c, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: src.ID, What: what, By: by, Start: start, End: end}, nil); err != nil || len(c.Times) != 6 {
				t.Errorf("%s by %s: %v, %d samples", what, by, err, len(c.Times))
			}
		}
	}
	if _, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: src.ID, What: "love"}, nil); err == nil {
		t.Error("there is no such resource")
	}
}

func TestNoProcesses(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	if _, err := s.Processes(t.Context(), api.ProcessQuery{Source: o.Sources[0].ID}, nil); err == nil {
		t.Error("web01 has no processes")
	}
}

// Uptime and processes are logged at times of their own: where the last uptime is
// older than a process, nothing is known of its whole life. The other has used 6 s
// of the 60 s since it began.
func TestCPUSinceTheStart(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: map[string]map[string]any{
		"kernel.all.uptime":      {"": recording.Steady(11, 1000.0)},
		"proc.psinfo.start_time": {"000007 old": recording.Steady(11, 940e3), "000008 new": recording.Steady(11, 1003e3)},
		"proc.psinfo.utime":      {"000007 old": recording.Steady(11, 4000.0), "000008 new": recording.Steady(11, 20.0)},
		"proc.psinfo.stime":      {"000007 old": recording.Steady(11, 2000.0), "000008 new": recording.Steady(11, 10.0)},
	}})
	expect(t, "by hand", panelValues(t, s, src, "processes", "since", recording.Start, 10e9, 11), map[string]float64{"000007 old": 10, "000008 new": math.NaN()})
}
