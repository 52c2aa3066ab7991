package core

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

func askMoves(t *testing.T, s *Session, q api.MovesQuery) api.Moves {
	t.Helper()
	x, err := s.Moves(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(x.Why, "NaN") || (x.Why == "") != (len(x.Rows) > 0) {
		t.Errorf("%d rows, and %q", len(x.Rows), x.Why)
	}
	for _, r := range x.Rows {
		if len(r.Values) != len(x.Series.Values) || !(math.Abs(r.Rho) >= 0.7 && math.Abs(r.Rho) <= 1+1e-9) || math.Abs(r.Lag) > 6*x.Resolution {
			t.Errorf("%s%s: %d values beside %d, rho %g, lag %g", r.Metric, r.Command, len(r.Values), len(x.Series.Values), r.Rho, r.Lag)
		}
	}
	return x
}

// moverIn finds the row that names a series or a command.
func moverIn(t *testing.T, x api.Moves, name string) api.Mover {
	t.Helper()
	i := slices.IndexFunc(x.Rows, func(r api.Mover) bool {
		return r.Metric == name || r.Command == name || slices.Contains(r.With, name)
	})
	if i < 0 {
		t.Errorf("%s does not move with %s: %q", name, x.Series.Metric, x.Why)
		return api.Mover{}
	}
	return x.Rows[i]
}

// In the reference archive mybackup and sed were started 30 s before the queue
// of sdb grew, with rsync; pages are written back meanwhile. A prototype on other
// steps had mybackup and sed at 0.98, 30 s before, rsync at 0.96 and writeback at
// 0.94.
func TestMoves(t *testing.T) {
	s, src := openReference(t)
	x := askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: "disk.dev.aveq", Instance: "sdb"})
	if len(x.Rows) == 0 || x.Rows[0].Command == "" || x.Looked < 300 || x.Series.Subject != "Disk sdb" {
		t.Fatalf("%d looked at; first of %s: %+v", x.Looked, x.Series.Subject, x.Rows[:min(1, len(x.Rows))])
	}
	for _, name := range []string{"mybackup", "sed", "rsync"} {
		if r := moverIn(t, x, name); math.Abs(r.Rho-0.98) > 0.025 || r.Lag != -30 || r.Same {
			t.Errorf("%s: rho %.3f, lag %g s", name, r.Rho, r.Lag)
		}
	}
	if r := moverIn(t, x, "mem.vmstat.nr_writeback"); r.Rho < 0.88 || r.Lag < 0 || r.Lag > x.Resolution {
		t.Errorf("writeback: rho %.3f, lag %g s", r.Rho, r.Lag)
	}
	if r := moverIn(t, x, "disk.dev.avactive"); !r.Same || r.Rho < 0.95 {
		t.Errorf("the disk itself: %+v", r)
	}
	if at := slices.IndexFunc(x.Rows, func(r api.Mover) bool { return r.Same }); slices.ContainsFunc(x.Rows[at:], func(r api.Mover) bool { return !r.Same }) {
		t.Error("what is the same is not last")
	}
	a, b := int64(atBig(t, "14:20:00")), int64(atBig(t, "16:00:00"))
	x = askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: "disk.dev.aveq", Instance: "sdb", Start: &api.When{Nanos: &a}, End: &api.When{Nanos: &b}})
	for _, name := range []string{"mybackup", "sed", "rsync"} { // ties outside of the hour bound their correlation
		if r := moverIn(t, x, name); r.Rho < 0.85 || r.Lag >= 0 {
			t.Errorf("within 100 minutes, %s: rho %.3f, lag %g s", name, r.Rho, r.Lag)
		}
	}
	expr := askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: "sum(disk.dev.aveq)", Start: &api.When{Nanos: &a}, End: &api.When{Nanos: &b}})
	moverIn(t, expr, "mem.vmstat.nr_writeback") // sda's part in the sum hides when rsync began
}

// walk is a random one that no other has a part in.
func walk(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	vals, v := make([]float64, n), 0.0
	for i := range vals {
		v = 0.7*v + rng.NormFloat64()
		vals[i] = v
	}
	return vals
}

// levels are means over each step that follow a series by some steps.
func levels(of []float64, by int, scale float64) []float64 {
	vals := make([]float64, len(of))
	for i := range vals {
		vals[i] = math.Round(1000 * (50 + scale*of[min(max(0, i-by), len(of)-1)]))
	}
	return vals
}

// The sign of a lag says what came first, and that of rho which way it went.
func TestMovesLag(t *testing.T) {
	const n = 400
	base := walk(n, 3)
	one := func(v []float64) map[string]any { return map[string]any{"": v} }
	vals := map[string]map[string]any{
		"hinv.ncpu":              one([]float64{4}),
		"mem.util.available":     one(levels(base, 0, 1)),
		"kernel.all.nprocs":      one(levels(base, -3, 1)), // three records before
		"vfs.files.count":        one(levels(base, 4, -1)),
		"network.sockstat.total": one(levels(walk(n, 9), 0, 1)),
		"mem.util.used":          one(levels(base, 0, -1)),
	}
	for name, marks := range map[string]bool{"plain": false, "gaps": true} {
		if marks { // every sixth record has no values
			for _, m := range []string{"mem.util.available", "kernel.all.nprocs", "vfs.files.count", "mem.util.used"} {
				list := slices.Clone(vals[m][""].([]float64))
				for i := 5; i < n; i += 6 {
					list[i] = math.NaN()
				}
				vals[m] = one(list)
			}
		}
		s, src := record(t, recording.Recording{Host: "lag", Step: 10e9, Values: vals})
		x := askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: "mem.util.available"})
		if x.Resolution != 10 || x.From != src.Start {
			t.Errorf("%s: in steps of %g s from %v", name, x.Resolution, x.From)
		}
		// A mean is of the two records about its step, alike for all.
		if r := moverIn(t, x, "kernel.all.nprocs"); r.Lag != -30 || r.Rho < 0.8 {
			t.Errorf("%s: what came first: %+v", name, r)
		}
		if r := moverIn(t, x, "vfs.files.count"); r.Lag != 40 || r.Rho > -0.8 {
			t.Errorf("%s: what came after, inversely: %+v", name, r)
		}
		if r := moverIn(t, x, "mem.util.used"); !r.Same || r.Lag != 0 {
			t.Errorf("%s: the same subject: %+v", name, r)
		}
		if slices.ContainsFunc(x.Rows, func(r api.Mover) bool { return r.Metric == "network.sockstat.total" }) {
			t.Errorf("%s: noise moves with it", name)
		}
	}
}

// Values next to each other are alike, so a window of seven minutes has few that are
// independent: what only happens to rise with a series is not listed, and
// what follows it is. Marks each minute leave five intervals of six.
func TestMovesChance(t *testing.T) {
	const n, noise = 43, 150
	for name, every := range map[string]int{"plain": n + 1, "marks": 6} {
		rows := 0
		marked := func(vals []float64) []float64 { // a record without a value is a mark
			for i := every; i < n-1; i += every {
				vals[i] = math.NaN()
			}
			return vals
		}
		for seed := range uint64(4) {
			base := walk(n, 1000*seed+1)
			one := func(v []float64) map[string]any { return map[string]any{"": v} }
			vals := map[string]map[string]any{
				"hinv.ncpu": one([]float64{4}), "mem.util.available": one(marked(levels(base, 0, 1))), "kernel.all.nprocs": one(marked(levels(base, 1, 1))),
			}
			disks := map[string]any{}
			for i := range uint64(noise) {
				list := walk(n, 1000*seed+i+2)
				for k := 1; k < n; k++ {
					list[k] += 0.9 * list[k-1]
				}
				disks["/dev/sd"+string(rune('a'+i/26))+string(rune('a'+i%26))] = marked(levels(list, 0, 1))
			}
			vals["filesys.used"] = disks
			s, src := record(t, recording.Recording{Host: "chance", Step: 10e9, Values: vals})
			x := askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: "mem.util.available", Limit: 100})
			if r := moverIn(t, x, "kernel.all.nprocs"); r.Lag < 0 || r.Lag > 20 {
				t.Errorf("%s: what follows it: %+v", name, r)
			}
			if x.Looked < noise {
				t.Errorf("%s: %d looked at", name, x.Looked)
			}
			rows += len(x.Rows) - 1
		}
		if rows > 2 { // half a row for a window
			t.Errorf("%s: %d rows of noise in 4 windows", name, rows)
		}
	}
}

// If there can be no rows, a sentence says why.
func TestMovesNothing(t *testing.T) {
	noise, other := levels(walk(200, 4), 0, 1), levels(walk(200, 5), 0, 1)
	for name, c := range map[string]struct {
		vals map[string]map[string]any
		why  string
	}{
		"one sample":  {map[string]map[string]any{"kernel.all.nprocs": {"": []float64{7}}}, "too few"},
		"few samples": {map[string]map[string]any{"kernel.all.nprocs": {"": noise[:10]}}, "too few"},
		"one metric":  {map[string]map[string]any{"kernel.all.nprocs": {"": noise}}, "No other metric"},
		"constant":    {map[string]map[string]any{"kernel.all.nprocs": {"": make([]float64, 200)}, "vfs.files.count": {"": noise}}, "same value"},
		"unrelated":   {map[string]map[string]any{"kernel.all.nprocs": {"": noise}, "vfs.files.count": {"": other}}, "None of 1"},
	} {
		s, src := record(t, recording.Recording{Host: "little", Step: 10e9, Values: c.vals})
		if x := askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: "kernel.all.nprocs"}); !strings.Contains(x.Why, c.why) {
			t.Errorf("%s: %q, want %q", name, x.Why, c.why)
		}
		a, b := int64(src.End)+1e9, int64(src.End)+100e9
		if x := askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: "kernel.all.nprocs", Start: &api.When{Nanos: &a}, End: &api.When{Nanos: &b}}); !strings.Contains(x.Why, "Nothing was recorded") {
			t.Errorf("%s: outside of the record: %q", name, x.Why)
		}
		for _, q := range []api.MovesQuery{{Metric: "no.such"}, {Metric: "kernel.all.nprocs", Points: 1}, {Metric: "kernel.all.nprocs", Limit: 101}, {Metric: "kernel.all.nprocs", Start: &api.When{Nanos: &b}, End: &api.When{Nanos: &a}}} {
			q.Source = src.ID
			if _, err := s.Moves(t.Context(), q, nil); pcp.AsFault(err) == nil {
				t.Errorf("%s: %+v has no fault", name, q)
			}
		}
	}
	s, o := openAll(t, archiveFiles("../testdata/live", "web01")...)
	if len(o.Sources) > 0 {
		_, err := s.Moves(t.Context(), api.MovesQuery{Source: o.Sources[0].ID, Metric: "kernel.percpu.cpu.user"}, nil)
		if f := pcp.AsFault(err); f == nil || !strings.Contains(f.Message, "several instances") {
			t.Errorf("without an instance: %v", err)
		}
	}
}

// rsync wrote to sdb, and that is what moves most with its CPU time.
func TestMovesOfCommand(t *testing.T) {
	s, src := openReference(t)
	x := askMoves(t, s, api.MovesQuery{Source: src.ID, Command: "rsync"})
	if x.Series.Command != "rsync" || x.Series.Name != "CPU time" || x.Looked < 300 || len(x.Series.Values) == 0 || len(x.Rows) == 0 {
		t.Fatalf("%d looked at, of %+v", x.Looked, x.Series)
	}
	if r := x.Rows[0]; r.Subject != "Disk sdb" || r.Metric != "disk.dev.write_bytes" || !slices.Contains(r.With, "disk.dev.aveq[sdb]") {
		t.Errorf("most of all %+v moves with it", r)
	}
	if slices.ContainsFunc(x.Rows, func(r api.Mover) bool { return r.Command == "rsync" && r.Name == "CPU time" }) {
		t.Error("it moves with itself")
	}
	if _, err := s.Moves(t.Context(), api.MovesQuery{Source: src.ID, Command: "rsync", Metric: "kernel.all.load"}, nil); err == nil {
		t.Error("a metric and a command at once are accepted")
	}
	if x := askMoves(t, s, api.MovesQuery{Source: src.ID, Command: "no such command"}); x.Why == "" || len(x.Rows) > 0 {
		t.Errorf("of a command that never ran: %q, %d rows", x.Why, len(x.Rows))
	}
}
