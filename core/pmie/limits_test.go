package pmie

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// wide is a source whose metrics have many instances; odd moments have 1, the others 0.
type wide struct {
	instances int
	peak      int // values of the largest frame
}

func (*wide) Host() string { return "here" }

func (*wide) Lookup(string) (pcp.Desc, bool) {
	return pcp.Desc{Type: pcp.Uint32, InDom: 1, Sem: pcp.Instant}, true
}

func (w *wide) Frame(metric string, grid series.Grid) (series.Frame, error) {
	d, _ := w.Lookup(metric)
	f := series.Frame{Desc: d, Grid: grid, Vectors: make([]series.Vector, w.instances)}
	w.peak = max(w.peak, w.instances*grid.Count)
	vals := make([]uint64, grid.Count)
	for i := range vals {
		vals[i] = uint64(grid.At(i)/1e9) % 2
	}
	for i := range f.Vectors {
		f.Vectors[i] = series.Vector{Inst: int32(i), Name: fmt.Sprint("i", i), Vals: vals}
	}
	return f, nil
}

// ran evaluates rules each second within so much memory, and returns how much of
// it was claimed at most, and in the end.
func ran(t *testing.T, text string, src Source, seconds int, limit int64) (out []Result, peak, held int64, err error) {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Rules {
		if r.Fault != nil {
			t.Fatal(r.Fault)
		}
	}
	host := Host{Next: func(int) error { return nil }, Take: func(bytes int64) error {
		if held+bytes > limit {
			return errors.New("too much")
		}
		held += bytes
		peak = max(peak, held)
		return nil
	}}
	out, err = p.Run(src, Window{Span: pcp.Span{End: pcp.Time(seconds) * 1e9}, Zone: time.UTC}, host)
	return out, peak, held, err
}

// What evaluating takes is claimed before, and given back but for the results;
// of many series few moments are held at once.
func TestRunWithinMemory(t *testing.T) {
	const limit = 64 << 20
	src := &wide{instances: 5000}
	out, peak, held, err := ran(t, "delta = 1 sec; a = some_inst x > 0 && some_inst y > 0 && some_inst rate z > 0;", src, 200, limit)
	if err != nil || len(out) != 1 || len(out[0].Lanes[0].Runs) < 2 {
		t.Errorf("%v, %v", out, err)
	}
	if want := int64(src.instances) * 4 * cellBytes; peak < want || held > 1<<16 {
		t.Errorf("%d bytes are claimed at most, %d in the end", peak, held)
	}
	if src.peak > atOnce {
		t.Errorf("%d values are held at once", src.peak)
	}
	var many strings.Builder // each keeps the values of the moment before
	many.WriteString("delta = 1 sec;")
	for i := range 300 {
		fmt.Fprintf(&many, "r%d = some_inst rate x > %d;", i, i)
	}
	for name, text := range map[string]string{"moments before": many.String(), "samples": "delta = 1 sec; a = some_inst (sum_sample x@0..90 > 0); b = some_inst (sum_sample x@0..91 > 0); c = some_inst (sum_sample x@0..89 > 1);"} {
		if _, _, held, err := ran(t, text, &wide{instances: 5000}, 200, limit/4); err == nil || err.Error() != "too much" || held > 1<<16 {
			t.Errorf("%s: %v, %d bytes are claimed in the end", name, err, held)
		}
	}
	_, _, _, err = ran(t, "delta = 1 sec; a = some_inst (sum_sample x@0..999 > 0);", &wide{instances: 5000}, 1200, 1<<40)
	if err == nil || !strings.Contains(err.Error(), "rule a has") {
		t.Errorf("a thousand samples of 5,000 instances: %v", err)
	}
}

// Other work has its turn within a moment, too, and can end it there.
func TestRunTakesTurns(t *testing.T) {
	p, err := Parse("delta = 1 sec; a = " + strings.Repeat("some_inst x > 0 && ", 100) + "some_inst x > 0;")
	if err != nil || p.Rules[0].Fault != nil {
		t.Fatal(err, p.Rules[0].Fault)
	}
	turns := 0
	host := Host{Take: free.Take, Next: func(values int) error {
		if turns++; values > 1<<19 {
			t.Errorf("%d values without a turn", values)
		}
		if turns == 20 {
			return errors.New("nobody waits any more")
		}
		return nil
	}}
	if _, err := p.Run(&wide{instances: 100_000}, Window{Zone: time.UTC}, host); err == nil || turns != 20 {
		t.Errorf("after %d turns: %v", turns, err)
	}
}

// The text of an action is told at each change, so it is short.
func TestSaysIsShort(t *testing.T) {
	text := "delta = 1 sec; a = some_inst x > 0 -> print \"" + strings.Repeat("long ", 12_000) + "\" \" %i " + strings.Repeat("value", 1000) + "\";"
	out, _, held, err := ran(t, text, &wide{instances: 30}, 2000, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out[0].Lanes[0].Runs {
		if len(r.Says) > 1000+len("…") {
			t.Fatalf("%d bytes are told", len(r.Says))
		}
	}
	if n := int64(len(out[0].Lanes[0].Runs)); n < 1000 || held < n/2*maxSays {
		t.Errorf("of %d runs %d bytes are claimed", n, held)
	}
}

// What is small in a file may be large where it is used.
func TestWhatGrowsOnUse(t *testing.T) {
	long := strings.Repeat("long ", 12_000)
	var patterns, args strings.Builder
	for i := range 10 {
		fmt.Fprintf(&patterns, "r%d = match_inst \"(%dabcdefghijklmnop){1000}\" x > 0;", i, i)
	}
	for range 30 {
		args.WriteString(` "$m"`)
	}
	for _, tt := range []struct{ in, want string }{
		{"x = match_inst \"(" + strings.Repeat("a", 900) + "){1000}\" i > 0;", "its repetitions multiply to too much"},
		{patterns.String(), "too large together"},
		{"m = \"" + long + "\"; x = a > 0 -> print" + args.String() + ";", "more than 1048576 bytes"},
	} {
		p, err := Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		if f := p.Rules[len(p.Rules)-1].Fault; f == nil || !strings.Contains(f.Message, tt.want) {
			t.Errorf("%.60s: %v, want %s", tt.in, f, tt.want)
		}
	}
	same := strings.Repeat("x = match_inst \"(abcdefghijklmnop){1000}\" i > 0;", 50)
	if p, err := Parse(same); err != nil || p.Rules[49].Fault != nil {
		t.Errorf("the same expression again and again: %v", p.Rules[49].Fault)
	}
	conf := "#pmieconf-rules 1\nstring global.v default = \"" + long + "\";"
	for i := range 10 {
		conf += fmt.Sprintf("rule r%d predicate = \"a > 0\" help = \"$v$\";", i)
	}
	if _, _, _, err := Conf(conf); err == nil || !strings.Contains(err.Error(), "With its variables the file has more than") {
		t.Errorf("a help text of many rules: %v", err)
	}
}

// Mistakes have their places in whichever order they are found.
func TestPlacesOfMistakes(t *testing.T) {
	text := "ä𝄞 x\n\nyz\n"
	var p places
	for _, at := range []int{0, 9, 2, 10, 9, len(text), 2} {
		if got, want := p.fault(text, at, "here"), (&places{}).fault(text, at, "here"); got.Message != want.Message || *got.Span != *want.Span {
			t.Errorf("byte %d: %s %v, want %s %v", at, got.Message, *got.Span, want.Message, *want.Span)
		}
	}
	if f := p.fault(text, 10, "here"); f.Message != "Line 3, column 1: here" || *f.Span != [2]int{7, 8} { // a, two units, a blank, x, two line feeds
		t.Errorf("%s %v", f.Message, *f.Span)
	}
}
