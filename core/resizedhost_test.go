package core

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// resizedHost is a host with two CPUs up to record 361 and four from there, of which 80 %
// are busy between two records and 20 % otherwise.
func resizedHost(t *testing.T, n, from, to int) (*Session, api.Source) {
	cpus := func(i int) float64 { return []float64{2, 4}[i/361] }
	user := func(i int) float64 {
		if i > from && i <= to {
			return 0.8 * cpus(i)
		}
		return 0.2 * cpus(i)
	}
	values := host(n, 10, user, level(0.02), level(3))
	times := make([]float64, n)
	total := 0.0
	for i := range times {
		total += 10_000 * (cpus(i) - user(i))
		times[i] = math.Round(total)
	}
	values["kernel.all.cpu.idle"][""] = times
	counts := make([]float64, n)
	for i := range counts {
		counts[i] = cpus(i)
	}
	values["hinv.ncpu"][""] = counts
	delete(values, "kernel.all.pswitch") // there are more of them
	return record(t, recording.Recording{Host: "grown", Step: 10e9, Values: values})
}

// cpuTimeIn returns the row about CPU time of the explanation of the records between two.
func cpuTimeIn(t *testing.T, s *Session, src api.Source, from, to int64) api.ExplanationRow {
	t.Helper()
	start, end := int64(recording.Start)+from*10e9, int64(recording.Start)+to*10e9
	why, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(why.Rows, func(r api.ExplanationRow) bool { return r.Metric == "kernel.all.cpu.user" })
	if at < 0 {
		t.Fatalf("no row about CPU time in %+v", why.Rows)
	}
	return why.Rows[at]
}

// Where the host was given twice as many CPUs, of which the same share is busy, nothing
// happened but that. A quarter of an hour with 80 instead of 20 % busy is told as that, by
// explanations and comparisons as well.
func TestStoryOfAResizedHost(t *testing.T) {
	const n = 720
	s, src := resizedHost(t, n, 100, 190)
	x := storyOf(t, s, api.StoryQuery{Source: src.ID, Least: 1})
	begin, until := recording.Start+100*10e9, recording.Start+190*10e9
	if len(x.Incidents) != 1 {
		t.Errorf("%d incidents, want 1", len(x.Incidents))
	}
	for _, in := range x.Incidents {
		if in.At != begin || in.Until == nil || *in.Until != until {
			t.Errorf("from %v: %q", in.At.Since(recording.Start), in.Text)
		}
	}
	if !slices.ContainsFunc(x.Text, func(text string) bool {
		return strings.Contains(text, "CPU in programs 20.") && (strings.Contains(text, " % to 79.") || strings.Contains(text, " % to 80."))
	}) {
		t.Errorf("story = %q, want 20 to 80 %%", x.Text)
	}
	if r := cpuTimeIn(t, s, src, 100, 190); math.Abs(r.Was-1.6) > 0.02 || math.Abs(r.Low-0.4) > 0.05 || math.Abs(r.High-0.4) > 0.05 { // in CPUs, of which there were two
		t.Errorf("user: %v, usually %v to %v", r.Was, r.Low, r.High)
	}
	half := int64(recording.Start + 361*10e9)
	early, late := int64(recording.Start+200*10e9), int64(recording.Start+(n-1)*10e9)
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: &api.When{Nanos: &early}, AEnd: &api.When{Nanos: &half}, BStart: &api.When{Nanos: &half}, BEnd: &api.When{Nanos: &late}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range c.Changes {
		if strings.HasPrefix(change.Metric, "kernel.all.cpu.") {
			t.Errorf("%s changed from %v to %v of all CPUs", change.Metric, change.MedianA, change.MedianB)
		}
	}
}

// Where CPUs are added while 80 % of them are busy, that is one level in the small chart of
// an explanation, four times as high as the one before it, and its mean.
func TestExplainAcrossAResize(t *testing.T) {
	s, src := resizedHost(t, 720, 340, 400)
	r := cpuTimeIn(t, s, src, 340, 400)
	if math.Abs(r.Was-0.8*4) > 0.05 || math.Abs(r.Low-0.2*4) > 0.05 || math.Abs(r.High-0.2*4) > 0.05 {
		t.Errorf("%v of 4 CPUs, usually %v to %v; want 3.2, usually 0.8", r.Was, r.Low, r.High)
	}
	high := 0
	for i, v := range r.Values {
		share := v / 4 // of the CPUs at the end of the window
		switch {
		case math.Abs(share-0.8) < 0.16: // noise is 5 % of each value
			high++
		case math.Abs(share-0.2) > 0.04:
			t.Errorf("value %d is %.3g of all CPUs, want 0.2 or 0.8", i, share)
		}
	}
	if high != 60 {
		t.Errorf("%d values are 0.8 of all CPUs, want the 60 in the window", high)
	}
}
