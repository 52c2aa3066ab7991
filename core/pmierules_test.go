package core

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
)

// laneOf is the rule that says what a floor is about, by the floor's name.
var laneOf = map[string]string{
	"CPU": "cpu_busy", "how long": "cpu_busy", "one CPU": "one_cpu_busy", "other CPUs": "one_cpu_busy", "soft interrupts": "soft_interrupts", "steal": "steal", "length of steal": "steal",
	"runnable": "runnable_tasks", "runnable, of the collector": "runnable_tasks", "load": "load", "load of one CPU": "load", "switches": "context_switches",
	"pressure, CPU": "cpu_pressure", "pressure, memory": "memory_pressure", "pressure, I/O": "io_pressure",
	"memory": "memory_available", "direct reclaim": "direct_reclaim", "length of it": "direct_reclaim", "efficiency": "reclaim_efficiency", "scanning": "reclaim_efficiency",
	"slab": "slab", "promised": "memory_committed", "busy disk": "disk_busy", "queue": "disk_saturated", "latency": "disk_saturated", "slow disk": "disk_slow",
	"requests that take 10 s": "disk_slow", "small requests": "small_requests", "few of them": "small_requests", "full": "filesystem_full",
	"line rate": "line_rate_in", "retransmissions": "retransmissions", "of few segments": "retransmissions", "empty node": "node_empty", "the other node": "node_empty",
	"locality": "node_locality", "of few allocations": "node_locality", "journal": "xfs_log_buffers", "NFS": "rpc_retransmissions", "few calls": "rpc_retransmissions",
	"NFS, latency": "nfs_read", "limit": "cgroup_memory", "limit, of cache": "cgroup_memory", "throttled": "cgroup_throttled", "few periods": "cgroup_throttled", "files": "open_files",
}

// The rule of a threshold is true where its finding is, from when that has lasted long
// enough, and nowhere else; short of the threshold it is never true.
func TestThresholdsAsRules(t *testing.T) {
	tried := 0
	for _, f := range floors {
		rule := laneOf[f.name]
		if rule == "" {
			continue
		}
		tried++
		t.Run(f.name, func(t *testing.T) {
			for _, x := range []float64{f.beyond, f.short} {
				s, src := record(t, recording.Recording{Host: "host", Step: f.step * 1e9, Values: f.make(x)})
				found, err := s.Findings(t.Context(), src.ID, nil)
				if err != nil {
					t.Fatal(err)
				}
				text, samples := ruleText(t, s, src.ID, rule)
				ran, err := s.RunRules(t.Context(), api.RulesQuery{Source: src.ID, Text: text}, nil)
				if err != nil || len(ran.Rules) != 1 || ran.Rules[0].Fault != nil {
					t.Fatalf("%s: %v %+v", text, err, ran)
				}
				var runs []api.RuleRun
				for _, l := range ran.Rules[0].Lanes {
					for _, r := range l.Runs {
						if r.State == "true" {
							runs = append(runs, r)
						}
					}
				}
				if x == f.short {
					if len(runs) > 0 {
						t.Errorf("with %v %s is true: %+v", x, text, runs)
					}
					continue
				}
				if len(found) != 1 || len(runs) != 1 {
					t.Fatalf("with %v: %s is true %+v, found %+v", x, text, runs, found)
				}
				step := f.step * 1e9
				start, end := found[0].Start+pcp.Time(samples)*step, min(found[0].End+step, ran.End)
				if off := runs[0].Start - start; off < -step || off > step {
					t.Errorf("%s is true from %v, want %v", text, runs[0].Start, start)
				}
				if off := runs[0].End - end; off < -step || off > 0 {
					t.Errorf("%s is true to %v, want %v", text, runs[0].End, end)
				}
			}
		})
	}
	if tried < len(laneOf) {
		t.Errorf("%d of %d rules were tried", tried, len(laneOf))
	}
}

// ruleText is a file with one of the rules of the thresholds, and how many samples it
// looks at.
func ruleText(t *testing.T, s *Session, id api.SourceID, name string) (text string, samples int) {
	t.Helper()
	list, err := s.Rules(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		delta, rules, _ := strings.Cut(r.Pmie, "\n")
		for line := range strings.Lines(rules) {
			if strings.HasPrefix(line, name+" = ") {
				samples = 1
				if _, rest, many := strings.Cut(line, "@0.."); many {
					for n := 0; n < len(rest) && rest[n] >= '0' && rest[n] <= '9'; n++ {
						if n == 0 {
							samples = 0
						}
						samples = samples*10 + int(rest[n]-'0')
					}
					samples++
				}
				return delta + "\n" + line, samples
			}
		}
	}
	t.Fatalf("there is no rule %s", name)
	return "", 0
}

// Every evaluation of the rules of thresholds equals that of PCP's pmie. In them the
// thresholds are a hundredth of the usual ones, so that they are crossed.
func TestThresholdsAgreeWithPmie(t *testing.T) {
	reference.Program(t, "pmie")
	corpus := reference.Need(t, "corpus")
	rules := map[string]bool{}
	for _, archive := range []string{"archives/20201109-b", "archives/pcp-zeroconf", "archives/20180127.08.40"} {
		dir, base := filepath.Split(filepath.Join(corpus, archive))
		s, o := openAll(t, archiveFiles(dir, base)...)
		id := o.Sources[0].ID
		if _, err := s.Loaded(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
		list, err := s.Rules(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			if less := r.Value / 100; r.Unit != "s" {
				if list, err = s.SetRule(id, r.Name, &less); err != nil {
					t.Fatal(err)
				}
			}
		}
		text := ""
		for _, r := range list {
			if r.Name != "lineRate" { // pmie 6.0.3 crashes where interfaces have no line rate
				text += r.Pmie
			}
		}
		unpacked := t.TempDir()
		reference.UnpackTo(t, unpacked, archiveFiles(dir, base)...)
		if err := os.WriteFile(filepath.Join(unpacked, "rules"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		printed := readPmie(reference.Output(t, unpacked, fmt.Sprintf(ranPmie, base), nil))
		n, changes := compareRules(t, archive, s.sources[0], text, printed)
		for name := range printed {
			rules[name] = true
		}
		if len(printed) != strings.Count(text, " = ")-strings.Count(text, "delta = ") {
			t.Errorf("%s: pmie evaluates %d rules of\n%s", archive, len(printed), text)
		}
		t.Logf("%-28s %2d rules, %7d evaluations, %6d changes", archive, len(printed), n, changes)
		if changes < 10 {
			t.Errorf("%s: too little changes", archive)
		}
	}
	if len(rules) < 25 {
		t.Errorf("only %d rules were compared", len(rules))
	}
}
