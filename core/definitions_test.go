package core

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

const someDefinitions = `# comments stay outside
my.io = delta(disk.dev.total_bytes) / \
        delta(disk.dev.total)
my.io(oneline) = size of a request
my.lost = no.such.metric * 2
my.wrong = kernel.all.load +
kernel.all.load = 1
`

// What a configuration file defines is a metric like any other; a definition
// that cannot be computed is kept with the reason; wrong lines are reported
// by number.
func TestDefinitions(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	d, err := s.Define(id, someDefinitions, "my.conf")
	if err != nil || strings.Join(d.Names, " ") != "my.io my.lost kernel.all.load" {
		t.Fatal(d, err)
	}
	if len(d.Faults) != 1 || d.Faults[0].File != "my.conf" || d.Faults[0].Field != "line 6" {
		t.Errorf("the wrong line is reported as %+v", d.Faults)
	}
	ms, _ := s.Metrics(id, "my")
	if len(ms) != 1 || ms[0].Name != "my.io" || ms[0].Oneline != "size of a request" || ms[0].Units != "Kbyte / count" {
		t.Errorf("listed as %+v", ms)
	}
	found := map[string]api.Definition{}
	list, err := s.Definitions(id)
	for _, def := range list {
		found[def.Name] = def
	}
	if io := found["my.io"]; err != nil || io.BuiltIn || io.Fault != nil || io.Metric == nil || io.Metric.Semantics != "instant" {
		t.Errorf("my.io is %+v, %v", io, err)
	}
	if lost := found["my.lost"]; lost.Metric != nil || lost.Fault == nil || lost.Fault.Span == nil || *lost.Fault.Span != [2]int{0, 14} {
		t.Errorf("my.lost is %+v", lost)
	}
	if hidden := found["kernel.all.load"]; hidden.Metric != nil || hidden.Fault == nil {
		t.Errorf("the definition that a logged metric hides is %+v", hidden)
	}
	if load, _ := s.Metrics(id, "kernel.all.load"); len(load) != 1 || load[0].Expression != "" {
		t.Errorf("kernel.all.load has become %+v", load)
	}
	text, err := s.Config(id)
	again, b := openAll(t, liveFiles("web01")...)
	back, _ := again.Define(b.Sources[0].ID, text, "back.conf")
	if err != nil || len(back.Faults) > 0 || strings.Join(back.Names, " ") != strings.Join(d.Names, " ") {
		t.Errorf("written as\n%s\nand read back as %v, %v", text, back, err)
	}
	if gone, _ := s.Undefine(id, "my.io"); !gone {
		t.Error("my.io was not there to be forgotten")
	}
	if ms, _ := s.Metrics(id, "my"); len(ms) != 0 {
		t.Errorf("after that %v is listed", ms)
	}
}

// A file of definitions dropped on an open source defines them there; one
// that comes with an archive only in that archive.
func TestSettings(t *testing.T) {
	conf := filepath.Join(t.TempDir(), "extra.conf")
	if err := os.WriteFile(conf, []byte("extra.a = kernel.all.load * 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, o := openAll(t, append(liveFiles("web01"), conf)...)
	if len(o.Settings) != 1 || o.Settings[0].Kind != "derived" || len(o.Settings[0].Defined.Names) != 1 || len(o.Rejected) > 0 {
		t.Fatalf("the settings are %+v, rejected %v", o.Settings, o.Rejected)
	}
	if ms, _ := s.Metrics(o.Sources[0].ID, "extra"); len(ms) != 1 {
		t.Errorf("%v is defined", ms)
	}
	data := "later.a = extra.a + 1\n"
	later, err := s.Open(t.Context(), []File{{Name: "later.conf", Size: int64(len(data)), At: strings.NewReader(data)}}, nil)
	if err != nil || len(later.Sources) > 0 || len(later.Settings) != 1 {
		t.Fatal(later, err)
	}
	if ms, _ := s.Metrics(o.Sources[0].ID, "later"); len(ms) != 1 {
		t.Errorf("%v is defined by the file that came alone", ms)
	}
}

func TestDescribe(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	d, err := s.Describe(id, "rate(disk.dev.read_bytes)")
	if err != nil || len(d.Faults) > 0 || d.Metric == nil || d.Metric.Units != "Kbyte / sec" || *d.Metric.InDom != "60.1" {
		t.Errorf("described as %+v, %v", d, err)
	}
	d, _ = s.Describe(id, "rate(disk.dev.read_byte) + 1")
	if len(d.Faults) != 1 || d.Metric != nil || d.Faults[0].Fix == nil || d.Faults[0].Fix.Text != "disk.dev.read_bytes" {
		t.Errorf("a slip of the pen gives %+v", d)
	}
	if d, _ = s.Describe(id, "rate("); len(d.Faults) != 1 || d.Faults[0].Kind != pcp.BadExpression {
		t.Errorf("a beginning gives %+v", d)
	}
}

func TestComplete(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	for _, c := range []struct {
		text string // | is the cursor
		want string // the first candidates
		span [2]int
		n    int // in all; 0 for whatever
	}{
		// pminfo -a web01 disk.dev.tot; pminfo -a web01 disk.dev
		{"delta(disk.dev.tot|", "disk.dev.total disk.dev.total_bytes disk.dev.total_rawactive", [2]int{6, 18}, 3},
		{"delta(disk.dev.|total)", "disk.dev.avactive disk.dev.aveq disk.dev.avg_qlen", [2]int{6, 20}, 0},
		{"ra|", "rate(", [2]int{0, 2}, 0},
		{"kernel.all.load[1 m|", "1 minute]", [2]int{16, 19}, 1},
		{`rescale(mem.physmem, "Gb|`, "", [2]int{24, 24}, 0},
		{"disk.nothing.here|", "", [2]int{0, 17}, 0},
		{"/* ü𝄞 */ + kernel.all.lo|", "kernel.all.load", [2]int{12, 25}, 1},
		{"network|", "network.icmp. network.interface. network.ip.", [2]int{0, 7}, 0},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		got, err := s.Complete(id, before+after, len(utf16.Encode([]rune(before))))
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, x := range got.Candidates {
			texts = append(texts, x.Text)
		}
		if first := strings.Join(texts, " "); !strings.HasPrefix(first, c.want) || c.want == "" && first != "" || got.Span != c.span || c.n > 0 && got.Total != c.n {
			t.Errorf("%s: %v, %d at %v; want %s at %v", c.text, texts, got.Total, got.Span, c.want, c.span)
		}
	}
	got, _ := s.Complete(id, "disk.dev.total_bytes", 20)
	// pminfo -dt -a web01 disk.dev.total_bytes
	want := api.Candidate{Text: "disk.dev.total_bytes", Kind: "metric", Name: "disk.dev.total_bytes", Help: "per-disk count of total bytes read and written", Type: "U64", Semantics: "counter", Units: "Kbyte"}
	if len(got.Candidates) != 1 || got.Candidates[0] != want {
		t.Errorf("the candidate is %+v", got.Candidates)
	}
	// Few candidates stand for the thousand that begin with a letter.
	if got, _ = s.Complete(id, "k", 1); len(got.Candidates) == 0 || len(got.Candidates) > maxCandidates || got.Candidates[0].Kind != "prefix" || got.Candidates[0].Text != "kernel." {
		t.Errorf("for one letter: %+v", got.Candidates)
	}
}

// Built-in definitions exist only where their operands were logged; the user
// may define and remove one of the same name.
func TestBuiltinDefinitions(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	user := func() *api.Definition {
		list, err := s.Definitions(id)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if list[i].Name == "kernel.cpu.util.user" {
				return &list[i]
			}
			if strings.HasPrefix(list[i].Name, "disk.wwid.") {
				t.Errorf("%s is listed; web01 has no disk.wwid", list[i].Name)
			}
		}
		t.Fatal("there is no kernel.cpu.util.user")
		return nil
	}
	built := user()
	if !built.BuiltIn || built.Metric == nil || built.Expression == "" {
		t.Errorf("built in: %+v", built)
	}
	s.Define(id, "kernel.cpu.util.user = kernel.all.load\n", "")
	if own := user(); own.BuiltIn || own.Expression != "kernel.all.load" {
		t.Errorf("definition of the same name = %+v, want the user's own", own)
	}
	if text, _ := s.Config(id); text != "kernel.cpu.util.user = kernel.all.load\n" {
		t.Errorf("written as %q", text)
	}
	s.Undefine(id, "kernel.cpu.util.user")
	if again := user(); !again.BuiltIn || again.Expression != built.Expression {
		t.Errorf("after it is forgotten: %+v", again)
	}
	m, o := openAll(t, "../testdata/mmv/acme")
	if list, err := m.Definitions(o.Sources[0].ID); err != nil || len(list) != 0 {
		t.Errorf("an MMV file has %v, %v", list, err)
	}
}

// A derived metric is found and summarised like any other. The averages of
// kernel.all.load are those of pmlogsummary (PCP 6.0.3), which does not support
// derived metrics: 2.141, 2.413 and 2.023.
func TestDerivedLikeAnyOther(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	s.Define(id, "my.load = kernel.all.load * 100\nmy.load(oneline) = load in hundredths\n", "")
	for _, text := range []string{"my.load", "hundredths"} {
		if hits, err := s.Search(t.Context(), id, text, 5); err != nil || len(hits) == 0 || hits[0].Metric != "my.load" {
			t.Errorf("a search for %s finds %v, %v", text, hits, err)
		}
	}
	sums, err := s.Summary(t.Context(), api.SummaryQuery{Source: id, Metrics: []string{"my.load", "kernel.all.load"}}, nil)
	if err != nil || len(sums) != 6 {
		t.Fatal(sums, err)
	}
	for i, want := range []float64{214.1, 241.3, 202.3} {
		mine, logged := sums[i], sums[3+i]
		if mine.Metric != "my.load" || mine.Instance.Name != logged.Instance.Name || mine.TimeAverage < want-0.1 || mine.TimeAverage > want+0.1 {
			t.Errorf("%s[%s] is %v on average, want %v", mine.Metric, mine.Instance.Name, mine.TimeAverage, want)
		}
		if mine.MaximumAt != logged.MaximumAt || mine.Count != logged.Count || math.Abs(mine.P95-100*logged.P95) > 1e-3 {
			t.Errorf("%+v is not a hundred times %+v", mine, logged)
		}
	}
	all, err := s.Summary(t.Context(), api.SummaryQuery{Source: id}, nil)
	found := 0
	for _, a := range all {
		if a.Metric == "my.load" {
			found++
		}
	}
	if err != nil || found != 3 {
		t.Errorf("the summary of everything has %d lines of it, %v", found, err)
	}
	if _, err := s.Summary(t.Context(), api.SummaryQuery{Source: id, Metrics: []string{"no.such"}}, nil); pcp.AsFault(err) == nil || pcp.AsFault(err).Kind != pcp.UnknownMetric {
		t.Errorf("an unknown name gives %v", err)
	}
}
