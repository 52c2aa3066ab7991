package core

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/pmie"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// asBefore is a source as PCP up to 6.3.1 has it, whose pmie is compared with:
// an instant metric keeps its value until the next observation, rather than to
// the middle between both. See spec/interp.md section 3.
type asBefore struct{ ruleSource }

func (b *asBefore) Frame(metric string, grid series.Grid) (series.Frame, error) {
	f, err := b.ruleSource.Frame(metric, grid)
	ms, logged := b.src.lookup(metric)
	if err != nil || !logged || f.Desc.Sem == pcp.Counter || !f.Desc.Type.Numeric() {
		return f, err
	}
	raw := interp.Logged(b.src.observations(ms), 0, pcp.MaxTime, interp.Options{})
	of := map[int32]*series.Vector{}
	for i := range raw.Vectors {
		of[raw.Vectors[i].Inst] = &raw.Vectors[i]
	}
	for i := range f.Vectors {
		v, at := &f.Vectors[i], 0
		w := of[v.Inst]
		for p := range grid.Count {
			for at+1 < len(raw.Times) && raw.Times[at+1] <= grid.At(p) {
				at++
			}
			if v.Missing(p) != series.HasValue {
				continue
			}
			for k := at; k >= 0; k-- {
				if w.Missing(k) == series.HasValue {
					v.Vals[p] = w.Vals[k]
					break
				}
			}
		}
	}
	return f, nil
}

// A pmieRun is what pmie -V printed: the states of a rule by moment.
type pmieRun struct {
	times  []string // as printed, of each evaluation
	states []map[string]string
}

// readPmie reads the output of pmie -V -e.
func readPmie(text []byte) map[string]*pmieRun {
	out := map[string]*pmieRun{}
	var at *pmieRun
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n ")
		if name, rest, ok := strings.Cut(line, " ("); ok && !strings.HasPrefix(line, " ") {
			when, state, ok := strings.Cut(rest, "):")
			if !ok || strings.HasPrefix(line, "print ") {
				continue
			}
			if at = out[name]; at == nil {
				at = &pmieRun{}
				out[name] = at
			}
			at.times = append(at.times, when)
			at.states = append(at.states, map[string]string{})
			if state = strings.TrimSpace(state); state != "" {
				at.states[len(at.states)-1]["*"] = state
			}
			continue
		}
		if at == nil || !strings.HasPrefix(line, "    ") {
			continue
		}
		cut := strings.LastIndexByte(line, ' ')
		who, state := line[:cut], line[cut+1:]
		inst := ""
		if i := strings.Index(who, ": ["); i >= 0 {
			inst = strings.TrimSuffix(who[i+3:], "]")
		}
		at.states[len(at.states)-1][inst] = state
	}
	return out
}

// stateAt returns what pmie found for an instance, "" for a condition without.
func (p *pmieRun) stateAt(i int, inst string) string {
	s := p.states[i]
	if all, whole := s["*"]; whole && (all == "true" || all == "false") {
		return all
	}
	if one, ok := s[inst]; ok {
		return one
	}
	if inst == "" && len(s) == 1 {
		for name, one := range s {
			if name != "*" { // a single instance was chosen
				return one
			}
		}
	}
	return "unknown"
}

// compareRules holds every evaluation of every rule against pmie's, and returns
// how many there were, and how many differ.
func compareRules(t *testing.T, name string, src *source, rules string, printed map[string]*pmieRun) (compared, changes int) {
	t.Helper()
	program, err := pmie.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	first, last := src.span()
	first -= first % 1000 // pmie 6.0.3 begins up to a microsecond before an archive that has nanoseconds
	results, err := program.Run(&asBefore{ruleSource{t.Context(), src}}, pmie.Window{Span: pcp.Span{Start: first, End: last}, Zone: time.UTC}, pmie.Host{Next: func(int) error { return nil }, Take: func(int64) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Fault != nil {
			if r.Fault.Kind != pcp.UnknownMetric {
				t.Errorf("%s: %s: %v", name, r.Name, r.Fault)
			} else if printed[r.Name] != nil && !strings.Contains(r.Fault.Message, "has no metric") {
				t.Errorf("%s: %s: pmie evaluates it: %v", name, r.Name, r.Fault)
			}
			continue
		}
		want := printed[r.Name]
		if want == nil {
			t.Logf("%s: %s: pmie does not evaluate it", name, r.Name)
			continue
		}
		if n := int(int64(last-first)/r.Delta) + 1; n != len(want.times) {
			t.Errorf("%s: %s: %d evaluations, pmie has %d", name, r.Name, n, len(want.times))
		}
		seen := map[string]bool{}
		bad := 0
		for _, l := range r.Lanes {
			seen[l.Name] = true
			k := 0
			for i := range want.times {
				at := first + pcp.Time(int64(i)*r.Delta)
				for k+1 < len(l.Runs) && l.Runs[k+1].Start <= at {
					k++
				}
				compared++
				if got, is := l.Runs[k].State.String(), want.stateAt(i, l.Name); got != is {
					if bad++; bad <= 3 {
						t.Errorf("%s: %s [%s] at %s (%d): %s, pmie has %s (%v)", name, r.Name, l.Name, want.times[i], i, got, is, want.states[i])
					}
				}
			}
			changes += len(l.Runs) - 1
		}
		for i := range want.states {
			for inst, state := range want.states[i] {
				if inst != "*" && inst != "" && r.Lanes != nil && len(seen) > 0 && !seen[""] && !seen[inst] && state == "true" {
					t.Errorf("%s: %s: no lane of %s", name, r.Name, inst)
				}
			}
		}
	}
	return compared, changes
}

// rulesFor returns the rules of a file whose metrics a source has: pmie 6.0.3
// crashes on some that lack theirs.
func rulesFor(t *testing.T, file string, src *source) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	program, err := pmie.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	results, err := program.Run(&ruleSource{t.Context(), src}, pmie.Window{Zone: time.UTC}, pmie.Host{Next: func(int) error { return nil }, Take: func(int64) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	rules := string(text)
	for _, r := range results {
		if r.Fault != nil && r.Fault.Kind != pcp.UnknownMetric {
			t.Errorf("%s: %v", r.Name, r.Fault)
		}
		if r.Fault != nil {
			before, rest, _ := strings.Cut(rules, "\n"+r.Name+" =")
			_, after, _ := strings.Cut(rest, "\n")
			rules = before + "\n" + after
		}
	}
	return rules
}

// slower multiplies the deltas of rules.
func slower(rules string, by float64) string {
	return regexp.MustCompile(`(?m)^delta = (\d+) (\w+);`).ReplaceAllStringFunc(rules, func(line string) string {
		var n float64
		var unit string
		fmt.Sscanf(line, "delta = %f %s", &n, &unit)
		return fmt.Sprintf("delta = %g %s;", n*by, strings.TrimSuffix(unit, ";"))
	})
}

// rulesOf opens one archive and returns its source and the rules that it has
// the metrics of.
func rulesOf(t *testing.T, dir, base string, delta float64) (*source, string) {
	t.Helper()
	s, o := openAll(t, archiveFiles(dir, base)...)
	if len(o.Sources) != 1 {
		t.Fatal(base, o)
	}
	if _, err := s.Loaded(t.Context(), o.Sources[0].ID, nil); err != nil {
		t.Fatal(err)
	}
	src := s.sources[0]
	return src, slower(rulesFor(t, "testdata/pmie/language.pmie", src), delta)
}

// ranPmie is the command that prints every evaluation.
const ranPmie = "pmie -V -e -q -Z UTC -a %s -c rules"

// Every evaluation of the rules equals what PCP's pmie 6.0.3 printed, on a
// recording of its output.
func TestRulesAsRecorded(t *testing.T) {
	dir := t.TempDir()
	src, rules := rulesOf(t, "../testdata/live", "web01-v2", 1.0/6)
	reference.UnpackTo(t, dir, archiveFiles("../testdata/live", "web01-v2")...)
	if err := os.WriteFile(filepath.Join(dir, "rules"), []byte(rules), 0o644); err != nil {
		t.Fatal(err)
	}
	printed := reference.Recorded(t, dir, fmt.Sprintf(ranPmie, "web01-v2"), nil)
	n, changes := compareRules(t, "web01-v2", src, rules, readPmie(printed))
	t.Logf("%d evaluations, %d changes", n, changes)
	if n < 1000 || changes < 100 {
		t.Error("too little was compared")
	}
}

// Every evaluation of the rules equals that of PCP's pmie, on real archives of
// several kinds of hosts, with marks, and with counters that go backwards.
func TestRulesAgreeWithPmie(t *testing.T) {
	reference.Program(t, "pmie")
	corpus := reference.Need(t, "corpus")
	// The deltas of the rules are multiplied so that each has many evaluations
	// and pmie does not take minutes.
	archives := []struct {
		name  string
		delta float64
		only  string // the rules that begin so, where pmie takes a minute for all
	}{
		{"archives/20041125", 1, ""}, {"archives/20201109-b", 1.0 / 30, ""}, {"archives/bozo-disk", 1.0 / 20, ""}, {"archives/babylon.pmview_v2", 1.0 / 10, ""},
		{"archives/section-a", 1.0 / 60, ""}, {"archives/section-d", 1.0 / 60, ""}, {"archives/interpmark", 1.0 / 60, ""}, {"archives/20190628.04.03", 1.0 / 30, ""},
		{"archives/pcp-zeroconf", 1.0 / 30, ""}, {"archives/pcp-free-tera", 1.0 / 60, ""}, {"archives/pcp-pidstat-process-states", 0.5, ""}, {"archives/dm-io", 1.0 / 60, ""},
		{"archives/coverage", 1, ""}, {"archives/archive-goodred-20150417", 1.0 / 2, ""}, {"archives/20180127.08.40", 1.0 / 12, ""}, {"archives/kenj-pc-1", 4, ""}, {"archives/small", 1, ""},
		{"archives/20130706-a", 10, "d.write"}, {"big/20180416.10.00", 8, ""},
	}
	total, with := 0, 0
	for _, archive := range archives {
		dir, base := filepath.Split(filepath.Join(corpus, archive.name))
		src, rules := rulesOf(t, dir, base, archive.delta)
		if archive.only != "" {
			rules = strings.Join(slices.DeleteFunc(strings.Split(rules, "\n"), func(line string) bool {
				return !strings.HasPrefix(line, "delta") && !strings.HasPrefix(line, archive.only)
			}), "\n")
		}
		unpacked := t.TempDir()
		reference.UnpackTo(t, unpacked, archiveFiles(dir, base)...)
		if err := os.WriteFile(filepath.Join(unpacked, "rules"), []byte(rules), 0o644); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		printed := reference.Output(t, unpacked, fmt.Sprintf(ranPmie, base), nil)
		took := time.Since(began)
		began = time.Now()
		n, changes := compareRules(t, archive.name, src, rules, readPmie(printed))
		t.Logf("%-36s %7d evaluations, %6d changes; pmie %v, here %v", archive.name, n, changes, took.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		total += n
		if changes > 0 {
			with++
		}
	}
	t.Logf("%d evaluations on %d archives", total, with)
	if with < 10 || total < 100_000 {
		t.Error("too little was compared")
	}
}

// The rules that PCP ships for pmieconf, all of them enabled, are true, false and
// unknown when its pmie finds them so, with the file that its pmieconf writes: on
// archives of Linux, of other systems, with marks, and with what only some have.
func TestShippedRulesAgreeWithPmie(t *testing.T) {
	reference.Program(t, "pmie")
	reference.Program(t, "pmieconf")
	corpus := reference.Need(t, "corpus")
	files, _ := filepath.Glob("/var/lib/pcp/config/pmieconf/*/*")
	if len(files) == 0 {
		t.Skip("there is no /var/lib/pcp/config/pmieconf")
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	ours, _, _, err := pmie.Conf(all.String())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	reference.Output(t, dir, "pmieconf -f conf enable all", nil)
	theirs, err := os.ReadFile(filepath.Join(dir, "conf"))
	if err != nil {
		t.Fatal(err)
	}
	evaluated, were, refused := map[string]int{}, map[string]int{}, 0 // by rule and archives, and by state
	for _, name := range []string{
		"corpus/archives/20041125", "corpus/archives/20180127.08.40", "corpus/archives/20190628.04.03", "corpus/archives/20201109-b", "corpus/archives/all-irix-6.5.25", "corpus/archives/archive-goodred-20150417",
		"corpus/archives/babylon.pmview_v2", "corpus/archives/bozo-disk", "corpus/archives/coverage", "corpus/archives/daily_report", "corpus/archives/dm-io", "corpus/archives/pcp-free-tera",
		"corpus/archives/pcp-pidstat-process-states", "corpus/archives/pcp-zeroconf", "corpus/big/20180416.10.00", "live/web01-v2",
	} {
		from, base := filepath.Split(filepath.Join("../testdata", name))
		if rest, real := strings.CutPrefix(name, "corpus/"); real {
			from, base = filepath.Split(filepath.Join(corpus, rest))
		}
		packed := archiveFiles(from, base)
		if len(packed) == 0 {
			t.Errorf("there is no %s", name)
			continue
		}
		s, o := openAll(t, packed...)
		if _, err := s.Loaded(t.Context(), o.Sources[0].ID, nil); err != nil {
			t.Fatal(err)
		}
		src := s.sources[0]
		program, err := pmie.Parse(ours)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := program.Run(&ruleSource{t.Context(), src}, pmie.Window{Zone: time.UTC}, pmie.Host{Next: func(int) error { return nil }, Take: func(int64) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		var known []string
		for _, r := range bound {
			switch {
			case r.Fault == nil:
				known = append(known, r.Name)
				evaluated[r.Name]++
			case r.Name == "power.thermal_throttle" && strings.Contains(r.Fault.Message, "some_host over several instances"):
				refused++ // pmie looks at the first of them only
			case r.Fault.Kind != pcp.UnknownMetric:
				t.Errorf("%s: %s: %v", name, r.Name, r.Fault)
			}
		}
		first, last := src.span()
		delta := regexp.MustCompile(`(?m)^delta = .*;`) // long enough for 300 evaluations
		seconds := []byte(fmt.Sprintf("delta = %d sec;", int64(last.Since(first)/300)+1))
		unpacked := t.TempDir()
		reference.UnpackTo(t, unpacked, packed...)
		if err := os.WriteFile(filepath.Join(unpacked, "rules"), delta.ReplaceAll([]byte(onlyRules(string(theirs), known)), seconds), 0o644); err != nil {
			t.Fatal(err)
		}
		printed := readPmie(reference.Output(t, unpacked, fmt.Sprintf(ranPmie, base), nil))
		for _, name := range known {
			for _, state := range []string{"true", "false", "unknown"} {
				if run := printed[name]; run != nil && slices.ContainsFunc(run.states, func(s map[string]string) bool { return s["*"] == state }) {
					were[state]++
				}
			}
		}
		n, changes := compareRules(t, name, src, string(delta.ReplaceAll([]byte(onlyRules(ours, known)), seconds)), printed)
		t.Logf("%-44s %2d rules, %6d evaluations, %5d changes", name, len(known), n, changes)
	}
	t.Logf("%d rules were evaluated; on so many archives each: %v", len(evaluated), were)
	if len(evaluated) < 20 || were["true"] < 10 || were["false"] < 100 || were["unknown"] < 100 || refused == 0 {
		t.Error("too little was compared")
	}
}

// onlyRules keeps some of the rules of a file, in which each begins with its delta.
func onlyRules(text string, names []string) string {
	var b strings.Builder
	for _, block := range strings.Split(text, "\ndelta = ") {
		block = strings.TrimPrefix(block, "delta = ")
		_, rest, ok := strings.Cut(block, "\n")
		name, _, rule := strings.Cut(rest, " =")
		if ok && rule && slices.Contains(names, name) {
			b.WriteString("delta = " + block + "\n")
		}
	}
	return b.String()
}

// A file of pmieconf's is evaluated with the defaults of its variables.
func TestRulesOfPmieconf(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	const file = "#pmieconf-rules 1\nrule my.load help = \"The load is above limit.\" enabled = no predicate = \"some_inst kernel.all.load $hosts$ > $limit$\";\n" +
		"double limit default = 0; string delta default = 1min; string rule default = \"Load\";\nrule my.none predicate = \"no.such > 1\";\nrule my.bad predicate = \"some_inst >\";"
	a, err := s.RunRules(t.Context(), api.RulesQuery{Source: o.Sources[0].ID, Text: file}, nil)
	if err != nil || len(a.Rules) != 3 {
		t.Fatal(err, a)
	}
	load, missing, bad := a.Rules[0], a.Rules[1], a.Rules[2]
	if load.Name != "my.load" || !load.Off || load.Help != "The load is above limit." || load.Delta != 60 || len(load.Lanes) != 1 || load.True != 180 { // all of five evaluations but the first, at the start of the label
		t.Errorf("%+v", load)
	}
	if runs := load.Lanes[0].Runs; !strings.HasPrefix(runs[len(runs)-1].Says, "Load ") {
		t.Errorf("%+v", runs)
	}
	if f := missing.Fault; f == nil || f.Kind != pcp.UnknownMetric || len(missing.Lanes) != 1 || missing.Lanes[0].Runs[0].State != "unknown" || missing.Delta != 120 {
		t.Errorf("%+v", missing)
	}
	if bad.Fault == nil || bad.Fault.Span != nil || len(bad.Lanes) != 0 {
		t.Errorf("%+v", bad)
	}
}
