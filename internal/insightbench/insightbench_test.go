package main

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

func TestReadTruth(t *testing.T) {
	for _, c := range []struct{ text, fails string }{
		{`{"start": 100, "end": 200.5, "faults": [{"kind": "b", "family": "cpu", "command": "x", "start": 150, "end": 160}, {"kind": "a", "family": "disk", "start": 110, "end": 120}]}`, ""},
		{`{"start": "2018-04-16T14:00:00Z", "end": "2018-04-16T14:00:01.5Z"}`, ""},
		{`{"start": 100, "end": 100}`, "ends before it starts"},
		{`{"start": 100, "end": 200, "faults": [{"kind": "a", "start": 110, "end": 120}]}`, "no family"},
		{`{"start": 100, "end": 200, "faults": [{"kind": "a", "family": "cpu", "start": 90, "end": 120}]}`, "no span within"},
		{`{"start": "yesterday", "end": 200}`, "yesterday"},
		{`{`, "unexpected end"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "truth.json"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readTruth(dir)
		switch {
		case c.fails == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%s: got error %v, want one with %q", c.text, err, c.fails)
		case c.fails == "" && len(got.Faults) > 0 && got.Faults[0].Kind != "a":
			t.Errorf("%s: faults are not in order of time", c.text)
		case c.fails == "" && len(got.Faults) == 0 && (len(got.Quiet) != 1 || got.Quiet[0].seconds() != 1.5):
			t.Errorf("%s: quiet is %v, want all of it", c.text, got.Quiet)
		}
	}
}

func TestNames(t *testing.T) {
	x := api.Explanation{
		Who:   []api.ResourceUse{{Commands: []api.Share{{Command: "rsync"}}}},
		Began: []api.StartedCommand{{Command: "0123456789abcde"}},
	}
	for command, want := range map[string]bool{"rsync": true, "rsy": false, "0123456789abcdefgh": true, "sed": false} {
		if got := names(&x, command); got != want {
			t.Errorf("names(%q): got %v, want %v", command, got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		list []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}} {
		if got := median(c.list); got != c.want {
			t.Errorf("median(%v): got %v, want %v", c.list, got, c.want)
		}
	}
}

// What is known of the reference archive can be judged.
func TestJudge(t *testing.T) {
	reference.Need(t, "corpus", "big")
	got, err := judgeFolder(t.Context(), "testdata/20180416", false, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Faults != 5 || got.Third == 0 || got.Ends != 3 || got.EndsFound != 3 || got.Pairs != 20 || got.Commands != 4 {
		t.Errorf("got %+v", got)
	}
}

// What broke is found, when it did, and nothing else is called broken: not a process that
// was killed by a user, a file system that was mounted read-only, or a mirror being checked.
func TestErrors(t *testing.T) {
	const folder = "testdata/broken-71"
	truth, err := readTruth(folder)
	if err != nil {
		t.Fatal(err)
	}
	s := core.NewSession(core.Options{})
	opened, closer, err := s.OpenPath(t.Context(), nil, folder)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	list, err := s.Findings(t.Context(), opened.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	reported := map[string]int{}
	for _, f := range list {
		if f.Level == "know" {
			continue
		}
		spans := f.Spans
		if len(spans) == 0 {
			spans = []pcp.Span{{Start: f.Start, End: f.End}}
		}
		for _, span := range spans {
			const slack = 6 // seconds: three samples
			fault := truth.during(moment(float64(span.Start)/1e9), slack)
			if fault == nil || float64(span.End)/1e9 > float64(fault.End)+slack {
				t.Errorf("%s: %s from %v to %v, when nothing happened", f.Level, f.Text, span.Start, span.End)
				continue
			}
			reported[f.Level+" "+fault.Kind]++
		}
	}
	want := map[string]int{"broken oom": 1, "broken oom-cgroup": 1, "broken readonly": 1, "broken degraded": 1, "look full": 1}
	if !maps.Equal(reported, want) {
		t.Errorf("got %v, want %v", reported, want)
	}
}

// So can the labelled days.
func TestJudgeWeeks(t *testing.T) {
	reference.Need(t, "corpus", "history")
	got, err := judgeFolder(t.Context(), "testdata/history", false, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Faults != 16 || got.Third < 15 || got.Incidents < 10 || got.Pairs != 20 || got.PairRows > 20 {
		t.Errorf("got %+v", got)
	}
}

// The recordings that are there are what their lines say: as long, as often, and with
// faults or none.
func TestRecordings(t *testing.T) {
	list, err := readRecordings("testdata/" + listName)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.minutes == 0 || !r.made() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.folder, truthName))
		if err != nil {
			t.Fatal(err)
		}
		var made struct{ Seed int }
		if err := json.Unmarshal(data, &made); err != nil {
			t.Fatal(err)
		}
		known, err := readTruth(r.folder)
		if err != nil {
			t.Fatal(err)
		}
		// fault-lab starts no fault that could last longer than it is to record, which takes up to 2 minutes off.
		least := 60*float64(r.minutes) - 120
		if made.Seed != r.seed || float64(known.End-known.Start) < least || (len(known.Faults) == 0) != r.quiet {
			t.Errorf("%+v: seed %d, %g s, %d faults", r, made.Seed, known.End-known.Start, len(known.Faults))
		}
		s := core.NewSession(core.Options{})
		opened, closer, err := s.OpenPath(t.Context(), nil, r.folder)
		if err != nil || len(opened.Sources) != 1 {
			t.Fatal(err, opened)
		}
		t.Cleanup(func() { closer.Close() })
		src := opened.Sources[0]
		if length := float64(src.End-src.Start) / 1e9; length < least-2*float64(r.interval) {
			t.Errorf("%s lasts %g s", r.folder, length)
		}
		seen, err := s.Cadences(t.Context(), src.ID, []string{"kernel.all.cpu.user"}, false)
		if err != nil || len(seen) != 1 || math.Abs(float64(seen[0].Usual)/1e9-float64(r.interval)) > 0.1 {
			t.Errorf("%s: %+v, %v; want a record every %d s", r.folder, seen, err, r.interval)
		}
	}
}

// On the recordings that thresholds are tuned on, what is said is as good as its goals.
func TestTuned(t *testing.T) {
	list, err := readRecordings("testdata/" + listName)
	if err != nil {
		t.Fatal(err)
	}
	var sum figures
	for _, r := range list {
		if r.use != "tune" || r.minutes == 0 || !r.made() {
			continue
		}
		one, err := judgeFolder(t.Context(), r.folder, false, 1)
		if err != nil {
			t.Fatal(r.folder, err)
		}
		sum.add(one)
	}
	share := func(n, of int) float64 { return float64(n) / float64(of) }
	if sum.Faults < 14 || share(sum.First, sum.Faults) < 0.7 || share(sum.Third, sum.Faults) < 0.9 || share(sum.Named, sum.Commands) < 0.8 || median(sum.Onsets) > 2 {
		t.Errorf("explanations: %+v", sum)
	}
	if sum.Headlines > 0 || sum.Pairs < 20 || share(sum.PairRows, sum.Pairs) > 0.5 || share(sum.TrueWarnings, sum.Warnings) < 0.85 || sum.TrueErrors < sum.Errors {
		t.Errorf("quiet: %+v", sum)
	}
}
