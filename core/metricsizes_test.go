package core

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// The size of each metric is what pmlogsize(1) reports; its output for web01
// is in testdata.
func TestWeightsAgreeWithPmlogsize(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	list, err := s.Activity(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, a := range list {
		found[a.Metric] = fmt.Sprintf("%d bytes, %d records, %d values", a.Bytes, a.Records, a.Values)
	}
	text, err := os.ReadFile("testdata/pmlogsize-web01.txt")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^[0-9.]+: (\d+) bytes \[\d+%, (\d+) records?, (\d+) values?\] \((.*)\)$`)
	overview, err := s.Overview(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	var groups, sum int
	for _, g := range overview.Coverage {
		groups += int(g.Bytes)
	}
	compared, printed := 0, map[string]bool{}
	for l := range strings.Lines(string(text)) {
		m := line.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			continue
		}
		want := m[1] + " bytes, " + m[2] + " records, " + m[3] + " values"
		if n, _ := strconv.Atoi(m[1]); m[3] != "0" { // a metric of several names counts once
			sum += n
		}
		for name := range strings.SplitSeq(m[4], ", ") {
			compared++
			printed[name] = true
			if found[name] != want {
				t.Errorf("%s: %s, want %s", name, found[name], want)
			}
		}
	}
	for _, a := range list { // the print ends with what rounds to nothing
		if !printed[a.Metric] && a.State != "empty" {
			sum += int(a.Bytes)
		}
	}
	if groups != sum {
		t.Errorf("the groups take %d bytes, their metrics %d", groups, sum)
	}
	if compared < 1000 {
		t.Errorf("only %d metrics compared", compared)
	}
}

// The groups of web01: most metrics come every second, some every ten, some
// once. Expected: worked out with awk of the stamps that pmdumplog(1) 6.0.3
// prints for kernel.all.load and mem.slabinfo.slabs.total_size, in steps of 10
// microseconds.
func TestGroupsOfMetrics(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	overview, err := s.Overview(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		interval              float64
		samples               int
		mean, jitter, longest float64
	}{{1, 300, 0.999857, 0.01203, 1.19334}, {10, 30, 9.988273, 0.10598, 10.0938}, {0, 1, 0, 0, 0}}
	if len(overview.Coverage) != len(want) {
		t.Fatalf("groups %+v", overview.Coverage)
	}
	for i, g := range overview.Coverage {
		w := want[i]
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
		if g.Interval != w.interval || g.Samples != w.samples || !near(g.Mean, w.mean) || !near(g.Jitter, w.jitter) || math.Abs(g.Longest-w.longest) > 1e-4 {
			t.Errorf("group %+v, want %+v", g, w)
		}
	}
}

// Metrics of one interval are a group, recorded since the first of them was: not since the
// first by name, whose agent may have come later.
func TestGroupIsOfAllItsMetrics(t *testing.T) {
	late := append(slices.Repeat([]float64{math.NaN()}, 60), recording.Rising(40, 0, 5)...)
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: logged{}.and("disk.all.read", "", late).
		and("kernel.all.pswitch", "", recording.Rising(100, 0, 5)).and("kernel.all.sysfork", "", recording.Rising(100, 0, 5)).
		and("mem.util.free", "", recording.Steady(50, 1000.0))})
	overview, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(overview.Coverage) != 1 {
		t.Fatalf("groups %+v", overview.Coverage)
	}
	g := overview.Coverage[0]
	if g.Interval != 10 || g.Metrics != 4 || g.Samples != 100 || g.First != recording.Start || g.Last != recording.Start+990e9 || !slices.Equal(g.Examples, []string{"disk.all.read", "kernel.all.pswitch", "kernel.all.sysfork"}) {
		t.Errorf("group %+v", g)
	}
	start, end := int64(recording.Start+100e9), int64(recording.Start+200e9)
	if _, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil); err != nil {
		t.Errorf("explanation of a window without the metric that came later: %v", err)
	}
}

// A metric logged more than ten times per second keeps its interval, although
// no two records are exactly that far apart: the times are those requested of
// a logger, each slightly late.
func TestShortIntervals(t *testing.T) {
	for _, want := range []float64{0.002, 0.01, 0.02, 0.04, 0.05, 0.1, 0.125, 0.17, 0.2, 0.25, 0.5, 0.7, 1, 1.25, 1.5, 2.5, 5, 10, 15, 60, 300} {
		var times []pcp.Time
		for i := range 101 {
			late := min(0.01*want, 0.02) * float64(i*7919%13) / 13 // up to a hundredth, or 20 ms
			times = append(times, pcp.Time((float64(i)*want+late)*1e9))
		}
		g, _ := covered(times, nil)
		if math.Abs(g.Interval-want) > 1e-12 || g.Missed != 0 || g.Jitter > 0.011*want {
			t.Errorf("logged every %v s: %+v", want, g)
		}
	}
}

// The time across a mark is not an interval, and a record after a missed one
// says nothing about jitter.
func TestIntervalsOverMarks(t *testing.T) {
	var times []pcp.Time
	for _, s := range []float64{0, 10, 20.5, 30.5, 1000, 1010, 1030, 1040} {
		times = append(times, pcp.Time(s*1e9))
	}
	if g, _ := covered(times, []pcp.Time{500e9}); g.Interval != 10 || math.Abs(g.Mean-70.5/6) > 1e-9 || g.Jitter != 0.5 || g.Longest != 969.5 || g.Missed != 1 {
		t.Errorf("with a mark: %+v", g)
	}
	if g, _ := covered(times[:5], []pcp.Time{5e9, 15e9, 25e9, 500e9}); g.Interval != 0 || g.Samples != 5 || g.Missed != 0 {
		t.Errorf("once after each of four marks: %+v", g)
	}
	if g, _ := covered(times, nil); math.Abs(g.Mean-1040.0/7) > 1e-9 {
		t.Errorf("without: %+v", g)
	}
}

// A logger of 1998 that was asked for two records a second: by pmdumplog (PCP
// 6.0.3) the records of sample.milliseconds in the archive binning lie 0.493 to
// 0.508 s apart, their median is 0.503.
func TestIntervalOfALateLogger(t *testing.T) {
	if got := roundInterval(0.503); got != 0.5 {
		t.Errorf("0.503 s are taken for %v", got)
	}
	if got := roundInterval(9.988); got != 10 {
		t.Errorf("9.988 s are taken for %v", got)
	}
}
