package pmie

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// text writes an expression with all its parentheses.
func (n *node) print() string {
	switch {
	case n.op == "number":
		return fmt.Sprintf("%.6g", n.value)
	case n.op == "string":
		return fmt.Sprintf("%q", n.text)
	case n.op == "metric":
		s := n.text
		for _, i := range n.insts {
			s += " #" + i
		}
		if n.last > 0 {
			s += fmt.Sprintf(" @%d..%d", n.first, n.last)
		}
		return s
	case n.b != nil:
		return "(" + n.a.print() + " " + n.op + " " + n.b.print() + ")"
	case n.a != nil:
		return n.op + "(" + n.a.print() + ")"
	}
	return n.op
}

// How pmie 6.0.3 groups operators: what its command "l" lists.
func TestGrouping(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a + 2 * 3 - b / 2", "((a + 6) - (b / 2))"},
		{"a * 3 / 2 * b", "(((a * 3) / 2) * b)"},
		{"a > 1 || b > 2 && c > 3", "(((a > 1) || (b > 2)) && (c > 3))"},
		{"! a > 1 || b > 2", "(!((a > 1)) || (b > 2))"},
		{"some_inst a > 5 && b > 3", "(some_inst((a > 5)) && (b > 3))"},
		{"avg_inst a * 3 > 4", "((avg_inst(a) * 3) > 4)"},
		{"count_inst (a > 3) > 2", "(count_inst((a > 3)) > 2)"},
		{"30%_sample a @0..2 > 3", "%_sample((a @0..2 > 3))"},
		{"50 %_inst(a) > 3", "%_inst((a > 3))"},
		{"- a * 3 > 1", "((neg(a) * 3) > 1)"},
		{"rising a > 3 && b > 4", "(rising((a > 3)) && (b > 4))"},
		{`match_inst "sd" a > 20 && b > 3`, "(match_inst((a > 20)) && (b > 3))"},
		{"all_inst some_sample a @2..1 > 3", "all_inst(some_sample((a @1..2 > 3)))"},
		{"instant a > 3", "(instant(a) > 3)"},
		{"rate instant a > 3", "(rate(instant(a)) > 3)"},
		{"a > 60 count / min", "(a > 1)"},
		{"a > 3 Mbyte * 2", "(a > 6.29146e+06)"},
		{"a > 3 Kbytes / hour", "(a > 0.853333)"},
		{"3 min * 4 sec > a", "(720 > a)"},
		{"a #'1 minute' #sda > 3", "(a #1 minute #sda > 3)"},
		{"'a' // the name\n > /* here */ 1.5e3", "(a > 1500)"},
	} {
		p, err := Parse("x = " + tt.in + ";")
		if err != nil || len(p.Rules) != 1 || p.Rules[0].Fault != nil {
			t.Errorf("%s: %v %+v", tt.in, err, p)
			continue
		}
		if got := p.Rules[0].root.print(); got != tt.want {
			t.Errorf("%s: %s, pmie has %s", tt.in, got, tt.want)
		}
	}
}

func TestMacros(t *testing.T) {
	p, err := Parse(`disk = "sda"; total = "disk.dev.total #'$disk'"; limit = 2 * 30 count; delta = 2 min;
		busy = $total > $limit && $delta == 120 -> print 10 min "$disk is busy:" " %v" & shell "mail $USER";
		$total > 3;`)
	if err != nil || len(p.Rules) != 2 {
		t.Fatal(err, p)
	}
	r := p.Rules[0]
	if got := r.root.print(); r.Fault != nil || got != "((disk.dev.total #sda > 60) && (120 == 120))" || r.Delta != 120e9 {
		t.Error(r.Fault, got, r.Delta)
	}
	if a := r.Actions; len(a) != 2 || a[0].Kind != "print" || a[0].Holdoff != 600e9 || strings.Join(a[0].Args, "|") != "sda is busy:| %v" || a[1].Args[0] != "mail $USER" {
		t.Errorf("%+v", a)
	}
	if p.Rules[1].Name != "expr_1" {
		t.Error(p.Rules[1].Name)
	}
}

// A mistake is located, and the rules around it stay.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a > ;", `Line 2, column 5: A metric, a number or an operator is expected instead of ";".`},
		{"a > 3 parsecs;", `Line 2, column 7: The unit "parsecs" is not known`},
		{"a > $b;", "Line 2, column 5: The macro $b is not defined."},
		{"some_inst a;", "Line 2, column 11: A condition is expected after some_inst, this is a number."},
		{"(a > 3) + 2;", "Line 2, column 2: A number is expected before +, this is a condition."},
		{"a @0..2 > b @0..1;", "Line 2, column 9: The operands of > have 3 and 2 samples."},
		{"ruleset a > 3 -> print \"x\";", "Line 2, column 1: ruleset is not supported"},
		{"a > 3 -> mail \"x\";", `Line 2, column 10: An action is expected instead of "mail"`},
		{"match_inst \"(\" a > 3;", `Line 2, column 12: The regular expression "(" is not valid.`},
		{"a > 3 > 2;", `Line 2, column 7: An operator or ";" is expected before ">".`},
		{"delta = 0;", "Line 2, column 9: delta must be a length of time"},
		{"é > 3;", `Line 2, column 1: The character "é" has no meaning here.`},
		{"a #1 > 3;", "Line 2, column 4: A name is expected after #"},
		{"a @5000 > 3;", "Line 2, column 4: A sample is a whole number below 1000"},
		{"101 %_inst a > 3;", "Line 2, column 1: A percentage is at most 100."},
		{"a = \"x\" 3;", `Line 2, column 9: ";" is expected after the macro a.`},
		{"a > \"x", "Line 2, column 5: This text in quotes has no end."},
	} {
		p, err := Parse("first = a > 1;\n" + tt.in + "\nlast = a > 2;")
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, r := range p.Rules {
			if r.Fault != nil && got == "" {
				got = r.Fault.Message
			}
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
		if p.Rules[0].Name != "first" || !strings.Contains(tt.in, "\"x") && p.Rules[len(p.Rules)-1].Name != "last" {
			t.Errorf("%s: the other rules are lost: %+v", tt.in, p.Rules)
		}
	}
}

// Texts that grow or nest without end are refused.
func TestGrowingRules(t *testing.T) {
	doubling := "m0 = \"a + a\";"
	for i := range 40 {
		doubling += fmt.Sprintf("m%d = \"$m%d + $m%d\";", i+1, i, i)
	}
	empties := "" // each names the next one, which is not defined yet, a hundred times
	for i := range 10 {
		empties += fmt.Sprintf("e%d = \"%s\";", i, strings.Repeat(fmt.Sprintf("$e%d", i+1), 100))
	}
	empties += "e10 = \"\";"
	for _, tt := range []struct{ in, want string }{
		{strings.Repeat("(", 20_000) + "a", "nested"},
		{strings.Repeat("! ", 20_000) + "a", "nested"},
		{strings.Repeat("- ", 20_000) + "a", "nested"},
		{"x = " + strings.Repeat("some_inst ", 20_000) + "a", "nested"},
		{"x = a" + strings.Repeat(" + a", 20_000), "in a row"},
		{"x = a > 1" + strings.Repeat(" && a > 1", 20_000), "in a row"},
		{doubling + "x = $m12 > 1;", "in a row"},
		{"z = \"\"; x = " + strings.Repeat("$z", 120_000) + "a;", "words"},
		{empties + "x = a > 1 -> print \"$e0\";", "words"},
		{doubling + "x = $m40 > 1;", "not defined"},
		{doubling + "x = a > 1 -> print \"$m13\" ;", "bytes"},
		{"m = \"$m\"; x = $m;", "not defined|nested"},
		{strings.Repeat("a", maxText+1), "longer"},
		{strings.Repeat("a>1;", maxText/4), "more than"},
		{strings.Repeat("a"+strings.Repeat(" + a", 100)+" > 1;", 150), "operators and operands"},
	} {
		p, err := Parse(tt.in)
		message := fmt.Sprint(err)
		if err == nil {
			for _, r := range p.Rules {
				if r.Fault != nil {
					message = r.Fault.Message
				}
			}
		}
		if !regexp.MustCompile(tt.want).MatchString(message) {
			t.Errorf("%.40s: %s, want %q", tt.in, message, tt.want)
		}
	}
	deepest := strings.Repeat("(", 48) + "a" + strings.Repeat(" + a", 150) + strings.Repeat(")", 48) + " > 1;"
	p, err := Parse(deepest)
	if err != nil || p.Rules[0].Fault != nil {
		t.Fatal(err, p.Rules[0].Fault)
	}
	r, err := p.Run(&made{}, Window{Span: pcp.Span{End: 20e9}, Zone: time.UTC}, free)
	if err != nil || len(r[0].Lanes) == 0 {
		t.Error(err, r)
	}
}

// made is a source of two metrics: a singular one that counts up, and one with
// two instances.
type made struct{}

func (*made) Host() string { return "here" }

func (*made) Lookup(metric string) (pcp.Desc, bool) {
	switch metric {
	case "a":
		return pcp.Desc{Type: pcp.Double, InDom: pcp.NullInDom, Sem: pcp.Instant}, true
	case "i":
		return pcp.Desc{Type: pcp.Uint32, InDom: 1, Sem: pcp.Counter}, true
	case "s":
		return pcp.Desc{Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}, true
	}
	return pcp.Desc{}, false
}

func (m *made) Frame(metric string, grid series.Grid) (series.Frame, error) {
	d, _ := m.Lookup(metric)
	f := series.Frame{Desc: d, Grid: grid}
	insts := []int32{pcp.NoInstance}
	if metric == "i" {
		insts = []int32{1, 2}
	}
	for _, id := range insts {
		v := series.Vector{Inst: id, Vals: make([]uint64, grid.Count)}
		if id >= 0 {
			v.Name = fmt.Sprintf("inst %d", id)
		}
		if metric == "s" {
			v.Vals[0] = f.Blobs.Add([]byte("x"))
			for i := range v.Vals {
				v.Vals[i] = v.Vals[0]
			}
		}
		f.Vectors = append(f.Vectors, v)
	}
	return f, nil
}

func FuzzRules(f *testing.F) {
	for _, s := range []string{
		"a > 1;", "delta = 5 sec; x = some_inst i > 1 -> print \"%i %v\" \" %h\";", "m = \"i @0..2\"; all_sample $m > 1;",
		"50 %_inst i > 1 && ! a > 2 || rising a > 0;", "match_inst \"^i\" i > 0;", "s == \"x\"; s != \"y\";", "i #'inst 1' > 0; i #x #y > 1; i :here > 1;",
		"rate i > 1; instant i > 1; avg_inst i + count_inst i > 1 > 3; max_sample i @1..3 / min_host a > 1;", "$hour > 3 && $delta == 10;", "a / a > i / i; - a == 1 hour;",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		results, err := p.Run(&made{}, Window{Span: pcp.Span{Start: 1e9, End: 61e9}, Zone: time.UTC}, free)
		if err != nil {
			return
		}
		for _, r := range results {
			if r.Fault != nil && r.Fault.Kind != pcp.UnknownMetric && len(r.Lanes) > 0 {
				t.Errorf("%q: a rule that was refused has lanes", text)
			}
			for _, l := range r.Lanes {
				at := pcp.Time(1e9)
				for _, run := range l.Runs {
					if run.Start != at || run.End < run.Start {
						t.Errorf("%q: runs with a gap: %+v", text, l.Runs)
					}
					at = run.End
				}
				if at != r.Last {
					t.Errorf("%q: the last run ends at %v, the evaluations at %v", text, at, r.Last)
				}
			}
		}
	})
}

// free limits nothing.
var free = Host{Next: func(int) error { return nil }, Take: func(int64) error { return nil }}
