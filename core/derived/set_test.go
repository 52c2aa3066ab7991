package derived

import (
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// The file of spec/derived.md section 12.7 and what PCP 7.2.1 says about it, except that
// definitions may use each other here.
const workedConfig = `# comment
n.a = a.cnt * 2
n.a(oneline) = twice the count
n.a(helptext) = "multi
line \"quoted\" text \
joined"
n.cont = a.cnt \
   * 4
n.nested = n.a * 2
n.dup = a.cnt
n.dup = a.kb
1bad = a.cnt
n.empty =
n.err = a.cnt + * 2
n.late(oneline) = too early
b.free = b.total
`

func TestConfig(t *testing.T) {
	var s Set
	n, faults := s.Read(workedConfig, "my.conf")
	if n != 5 || len(s.Definitions()) != 5 {
		t.Errorf("%d definitions, want 5", n)
	}
	for i, want := range []struct{ line, say string }{
		{"line 11", "n.dup is defined already"}, {"line 12", `"1bad" cannot be the name`}, {"line 13", "The expression of n.empty is missing"},
		{"line 14", `After "+"`}, {"line 15", "n.late is not defined"},
	} {
		if i >= len(faults) {
			t.Errorf("no fault for %s", want.line)
			continue
		}
		if f := faults[i]; f.File != "my.conf" || f.Field != want.line || !strings.Contains(f.Message, want.say) {
			t.Errorf("fault %d is %s %s %q; want %s %q", i, f.File, f.Field, f.Message, want.line, want.say)
		}
	}
	if len(faults) != 5 {
		t.Errorf("%d faults, want 5: %v", len(faults), faults)
	}
	if span := faults[3].Span; span == nil || *span != [2]int{8, 9} { // of "a.cnt + * 2"
		t.Errorf("the place in the expression is %v", span)
	}
	a := s.Lookup("n.a")
	if a.Oneline != "twice the count" || a.Help != "multi\nline \"quoted\" text joined" {
		t.Errorf("n.a has the texts %q and %q", a.Oneline, a.Help)
	}
	if a.PMID.String() != "511.0.3" || s.Lookup("n.cont").PMID.String() != "511.0.4" {
		t.Errorf("n.a is %v, n.cont is %v", a.PMID, s.Lookup("n.cont").PMID)
	}

	f := dm()
	for name, want := range map[string]string{
		"n.cont":   "x400 y4000 z28; x440 y4000 z32; x520 y4400 z36; x520 y200 z40; x800 y240 z44",
		"n.nested": "x400 y4000 z28; x440 y4000 z32; x520 y4400 z36; x520 y200 z40; x800 y240 z44",
	} {
		b, faults := s.BindName(name, f)
		if faults != nil {
			t.Errorf("%s: %v", name, faults)
			continue
		}
		out, err := b.Eval(dmGrid, f)
		if err != nil || values(out) != want {
			t.Errorf("%s = %s, %v; want %s", name, values(out), err, want)
		}
	}
	for _, x := range s.Available(f) {
		if x.Name == "b.free" {
			t.Error("b.free hides the metric of the source")
		}
	}

	var again Set
	if n, faults := again.Read(s.Config(), "again"); n != 5 || faults != nil {
		t.Errorf("what Config writes reads back as %d definitions, %v:\n%s", n, faults, s.Config())
	}
	for _, d := range s.Definitions() {
		r := again.Lookup(d.Name)
		if r == nil || r.Expr.String() != d.Expr.String() || r.Oneline != d.Oneline || r.Help != d.Help {
			t.Errorf("%s reads back as %+v", d.Name, r)
		}
	}
}

func TestConfigLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		says []string // "line 1: part", one for each fault
	}{
		{"", 0, nil}, {"\n \t\n   # comment\n#\n", 0, nil}, {"a.b = c", 1, nil}, {"a.b=c\r\nd = e\r\n", 2, nil},
		{"# a comment \\\nx = y\nz = y\n", 1, nil},
		{"a.b\n", 0, []string{`line 1: no "="`}}, {"= c\n", 0, []string{"line 1: name of the derived metric is missing"}}, {"a..b = c\na.b. = c\n.a = c\na-b = c\n", 0, []string{"line 1: cannot be", "line 2: cannot be", "line 3: cannot be", "line 4: cannot be"}},
		{"a = c # d\n", 0, []string{`line 1: "#" has no meaning`}},
		{"a = b\na(oneline) = x\na(oneline) = y\n", 1, []string{"line 3: already has a oneline"}},
		{"a = b\na(twoline) = x\n", 1, []string{`line 2: "twoline" is not an attribute`}}, {"a = b\na(oneline = x\n", 1, []string{`line 2: The ")"`}},
		{"a = b\na() = x\n", 1, []string{"line 2: name of the attribute"}}, {"a = b\na(oneline) =\n", 1, []string{"line 2: text of a(oneline) is missing"}},
		{"a = b\na(helptext) = 'x\ny", 1, []string{"line 2: closing ' of the text", `line 3: no "="`}}, {"a = b\na(helptext) = 'x\ny' z\nc = d\n", 2, []string{"line 3: follows the closing quote"}},
		{"a = b\na(helptext) = '\\\nx\\\ny'\nq q\n", 1, []string{`line 5: no "="`}},
		{"a = b == c ? d : e\n", 1, nil}, {"a(x) = b\n", 0, []string{"line 1: a is not defined"}},
		{"#control OPTION_NOVALUE=1,debug_s=0\n#Control global=-1\na = b", 1, nil},
		{"#control novalue=1\n", 0, []string{`line 1: no option "novalue"`}}, {"#control OPTION=2\n#control GLOBAL_LIMIT=0\n#control DEBUG_EVAL\n", 0, []string{"line 1: not a value", "line 2: not a value", `line 3: no "="`}},
	} {
		var s Set
		n, faults := s.Read(tt.in, "f")
		if n != tt.n || len(faults) != len(tt.says) {
			t.Errorf("Read(%q) = %d, %v; want %d, %q", tt.in, n, faults, tt.n, tt.says)
			continue
		}
		for i, say := range tt.says {
			line, part, _ := strings.Cut(say, ": ")
			if faults[i].Field != line || !strings.Contains(faults[i].Message, part) {
				t.Errorf("Read(%q): fault %d is %q (%s), want %q", tt.in, i, faults[i].Message, faults[i].Field, say)
			}
		}
	}
	var s Set
	s.Read("#control OPTION_NOVALUE=1\na = no.such + 1\n", "f")
	b, faults := s.BindName("a", dm())
	if faults != nil || b.Desc.Type != pcp.Uint32 {
		t.Errorf("with OPTION_NOVALUE an unknown operand is an error: %v", faults)
	}
}

func TestCircles(t *testing.T) {
	var s Set
	s.Read("x = y + 1\ny = z * 2\nz = x\nself = self\nok = b.n\nuses = x + no.such\n", "f")
	f := dm()
	for _, tt := range []struct{ name, say string }{
		{"x", "x uses y uses z uses x"}, {"self", "self uses self"}, {"uses", "x uses y uses z uses x"},
	} {
		if _, faults := s.BindName(tt.name, f); len(faults) == 0 || !strings.Contains(faults[0].Message, tt.say) {
			t.Errorf("%s: %v, want %q", tt.name, faults, tt.say)
		}
	}
	// Each definition uses the one before twice: linear work, not 2^60.
	var deep Set
	deep.Define("d0", "b.n")
	for i := 1; i < 60; i++ {
		name := func(i int) string { return "d" + strings.Repeat("x", i) }
		if i == 1 {
			deep.Define(name(1), "d0 + d0")
		} else {
			deep.Define(name(i), name(i-1)+" + "+name(i-1))
		}
	}
	b, faults := deep.BindName("d"+strings.Repeat("x", 20), f)
	if faults != nil {
		t.Fatal(faults)
	}
	out, err := b.Eval(dmGrid, f)
	if err != nil || values(out) != "4194304; 4194304; 4194304; 4194304; 4194304" { // 4 * 2^20
		t.Errorf("values = %s, %v; want 4194304 at all five times", values(out), err)
	}
	if b, faults = deep.BindName("d"+strings.Repeat("x", 59), f); faults != nil {
		t.Fatal(faults)
	}
	if out, _ = b.Eval(dmGrid, f); values(out) != "0; 0; 0; 0; 0" { // modulo 2^32
		t.Error(values(out))
	}
}

func TestSharedOperandsKeepTheirReasons(t *testing.T) {
	var s Set
	s.Read("late = m.late\nboth = delta(late) * late\n", "f")
	f := dm()
	b, faults := s.BindName("both", f)
	if faults != nil {
		t.Fatal(faults)
	}
	out, err := b.Eval(dmGrid, f)
	if err != nil || values(out) != "-; -; -; x300; x400 z420" {
		t.Errorf("values = %s, %v; want none, none, none, x 300, x 400 and z 420", values(out), err)
	}
}

func TestSetsOverSets(t *testing.T) {
	var below Set
	below.Define("a", "1")
	below.Define("b", "a + 1")
	above := Set{Under: &below}
	above.Define("a", "10")
	f := dm()
	b, faults := above.BindName("b", f)
	if faults != nil {
		t.Fatal(faults)
	}
	if out, _ := b.Eval(dmGrid, f); values(out) != "11; 11; 11; 11; 11" {
		t.Errorf("b does not use the a above: %s", values(out))
	}
	if names := above.Names(); len(names) != 2 {
		t.Errorf("names are %q", names)
	}
	if !above.Remove("a") || above.Remove("a") || above.Lookup("a").Expr.Text != "1" {
		t.Error("Remove does not bring the definition below back")
	}
}

func FuzzBind(f *testing.F) {
	for _, tt := range worked {
		f.Add(tt.in)
	}
	for _, tt := range trees {
		f.Add(tt.in)
	}
	f.Add("topn(3, max(m.late)) + movavg(a.lvl, \"20s\")")
	src := dm()
	f.Fuzz(func(t *testing.T, in string) {
		e, err := Parse(in)
		if err != nil {
			return
		}
		b, faults := e.Bind(src)
		if (b == nil) == (len(faults) == 0) {
			t.Fatalf("%q: %v with faults %v", in, b, faults)
		}
		if b == nil {
			return
		}
		out, err := b.Eval(dmGrid, src)
		if err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		for i := range out.Vectors {
			v := &out.Vectors[i]
			if len(v.Vals) != dmGrid.Count || v.Why != nil && len(v.Why) != dmGrid.Count || i > 0 && v.Inst <= out.Vectors[i-1].Inst {
				t.Fatalf("%q: vector %d is malformed", in, i)
			}
			for k := range v.Vals {
				if v.Missing(k) != 0 && v.Vals[k] != 0 {
					t.Fatalf("%q: a missing value is not 0", in)
				}
			}
		}
		if (out.Desc.InDom == pcp.NullInDom) && len(out.Vectors) > 1 {
			t.Fatalf("%q: %d values of a singular metric", in, len(out.Vectors))
		}
	})
}

// An expression over several lines keeps them, also when it is written and
// read again; a word that a backslash cuts in two is one word.
func TestConfigLayout(t *testing.T) {
	text := "a.b = delta(x.y) \\\n  + delta(x.z) \\\n  / 2\n"
	var s Set
	if n, faults := s.Read(text, ""); n != 1 || len(faults) > 0 {
		t.Fatal(n, faults)
	}
	if got, want := s.Lookup("a.b").Expr.Text, "delta(x.y)\n  + delta(x.z)\n  / 2"; got != want {
		t.Errorf("read as %q, want %q", got, want)
	}
	if got := s.Config(); got != text {
		t.Errorf("written as %q, want %q", got, text)
	}
	var cut Set
	cut.Read("a.b = x.\\\ny\na.b(oneline) = one \\\ntwo\n", "")
	if d := cut.Lookup("a.b"); d == nil || d.Expr.Text != "x.y" || d.Oneline != "one two" {
		t.Errorf("cut lines are read as %+v", d)
	}
}
