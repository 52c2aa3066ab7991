package derived

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
)

// tree shows a node as an S-expression.
func tree(n Node) string {
	var head string
	switch n := n.(type) {
	case *Name:
		return n.Name
	case *Number:
		return n.Text
	case *Text:
		return fmt.Sprintf("%q", n.Text)
	case *Const:
		return "(mkconst " + n.X.Text + " " + strings.Join(n.list(), " ") + ")"
	case *NoValue:
		return strings.TrimSpace("(novalue "+strings.Join(n.list(), " ")) + ")"
	case *Unary:
		head = n.Op.String()
	case *Binary:
		head = n.Op.String()
	case *Ternary:
		head = "?"
	case *Select:
		return fmt.Sprintf("(select %s %q)", tree(n.X), n.Instance)
	case *Match:
		return fmt.Sprintf("(match %v %q %s)", n.Not, n.Pattern, tree(n.X))
	case *Call:
		head = n.Func.Name
	}
	for _, p := range parts(n) {
		head += " " + tree(p)
	}
	return "(" + head + ")"
}

// The grouping of operators is that of spec/derived.md section 3, found with PCP 7.2.1.
var trees = []struct{ in, want string }{
	{"a", "a"}, {" kernel.all.load ", "kernel.all.load"}, {"a.type", "a.type"}, {"kernel..load", "kernel..load"}, {"avg", "avg"},
	{"a+b*c", "(+ a (* b c))"}, {"10-2-3", "(- (- 10 2) 3)"}, {"100/10/5", "(/ (/ 100 10) 5)"},
	{"-3*5", "(- (* 3 5))"}, {"-3+5", "(+ (- 3) 5)"}, {"2*-3", "(* 2 (- 3))"}, {"2*-3*4", "(* 2 (- (* 3 4)))"}, {"2*-3+4", "(+ (* 2 (- 3)) 4)"},
	{"!a+1", "(! (+ a 1))"}, {"!a==0", "(! (== a 0))"}, {"!a && b", "(&& (! a) b)"}, {"!a>b||c<d", "(|| (! (> a b)) (< c d))"}, {"a + !b == c", "(+ a (! (== b c)))"},
	{"--a", "(- (- a))"}, {"!!a", "(! (! a))"}, {"a- -b", "(- a (- b))"}, {"a--b", "(- a (- b))"},
	{"1 || 0 && 0", "(&& (|| 1 0) 0)"}, {"1>0>0", "(> (> 1 0) 0)"}, {"3>2==1", "(== (> 3 2) 1)"}, {"a>=b||b>c&&d", "(&& (|| (>= a b) (> b c)) d)"},
	{"p?q:r?s:t", "(? (? p q r) s t)"}, {"p?q?r:s:t", "(? p (? q r s) t)"}, {"p ? a+1 : b && c", "(? p (+ a 1) (&& b c))"}, {"!p ? q : r", "(? (! p) q r)"},
	{"(a)", "a"}, {"((a+b))*c", "(* (+ a b) c)"}, {"a[x]", `(select a "x")`}, {"a [1 minute]", `(select a "1 minute")`}, {"(a+b)[x]", `(select (+ a b) "x")`},
	{`a[x\]y\\]`, `(select a "x]y\\")`}, {"a[ x]", `(select a " x")`}, {"(a[x])[y]", `(select (select a "x") "y")`},
	{"1.5", "1.5"}, {".5", ".5"}, {"1.", "1."}, {".", "."}, {"4294967295", "4294967295"},
	{"1e3", "1e3"}, {"2.5E-6*a", "(* 2.5E-6 a)"}, // not in PCP
	{"avg(a)", "(avg a)"}, {"avg( a )", "(avg a)"}, {"rate(a/b)", "(rate (/ a b))"}, {"sum(rate(a))", "(sum (rate a))"},
	{`rescale(a, "Mbyte/sec")`, `(rescale a "Mbyte/sec")`}, {"defined(a.b)", "(defined a.b)"}, {"anon(PM_TYPE_U32)", "(anon PM_TYPE_U32)"},
	{`matchinst(/^[xy]$/, a)`, `(match false "^[xy]$" a)`}, {`matchinst( ! /a\/b\\./ , a/b)/2`, `(/ (match true "a/b\\." (/ a b)) 2)`},
	{"mkconst(3,type=U32)", `(mkconst 3 type="U32")`}, {`mkconst(42, type="double", units="Kbyte/sec", semantics=instant, meta=a.b, indom=60.10)`, `(mkconst 42 type="double" units="Kbyte/sec" semantics="instant" meta=a.b indom="60.10")`},
	{"mkconst(3,indom=null,type=32)", `(mkconst 3 indom="null" type="32")`},
	{"a ? novalue() : b", "(? a (novalue) b)"}, {"a ? b : novalue(type=float) ? c : d", `(? (? a b (novalue type="float")) c d)`},
	{"topn(5, a)", "(topn 5 a)"}, {"percentile(99.9, a+b)", "(percentile 99.9 (+ a b))"}, {"p95(a)", "(p95 a)"}, {`movavg(rate(a), "5min")`, `(movavg (rate a) "5min")`},
}

func TestParseTrees(t *testing.T) {
	for _, tt := range trees {
		e, err := Parse(tt.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.in, err)
			continue
		}
		if got := tree(e.Root); got != tt.want {
			t.Errorf("Parse(%q) = %s, want %s", tt.in, got, tt.want)
		}
		again, err := Parse(e.String())
		if err != nil || tree(again.Root) != tt.want {
			t.Errorf("Parse(%q) prints as %q, which does not parse to the same: %v", tt.in, e.String(), err)
		}
	}
}

// Every mistake of spec/derived.md section 9.3 that PCP 7.2.1 refuses and we do too. The
// column is the place of its "^", counted from 1; ours is never behind it.
var mistakes = []struct {
	in     string
	column int
	span   string // the text that ours marks
	say    string // a part of what ours says
}{
	{"+ a", 3, "+", `cannot begin with "+"`}, {"* a", 3, "*", `cannot begin with "*"`}, {"? a", 3, "?", "cannot begin"}, {") a", 3, ")", "cannot begin"},
	{"/ a", 3, "/", "cannot begin"}, {"< a", 3, "<", "cannot begin"}, {": a", 3, ":", "cannot begin"}, {", a", 3, ",", "cannot begin"},
	{"a -", 3, "-", `ends after "-"`}, {"a *", 3, "*", `ends after "*"`}, {"a /", 3, "/", `ends after "/"`}, {"a <", 3, "<", `ends after "<"`}, {"a <=", 4, "=", `ends after "<="`},
	{"a ==", 4, "=", `ends after "=="`}, {"a >=", 4, "=", `ends after ">="`}, {"a >", 3, ">", `ends after ">"`}, {"a !=", 4, "=", `ends after "!="`}, {"a ?", 3, "?", `ends after "?"`},
	{"a ? b :", 7, ":", `ends after ":"`}, {"- ", 1, "-", `ends after "-"`}, {"a || + b", 6, "+", `After "||"`}, {"!+ a", 2, "+", `After "!"`}, {"mkconst(3.5,type=64)", 20, "3.5", "has a fraction"},
	{"(a", 2, "a", `")" to close`}, {"a b", 3, "b", "After a, an operator"}, {"a = b", 3, "=", `"==" compares`},
	{"a +", 3, "+", `ends after "+"`}, {"a + * 2", 5, "*", `After "+", a metric, a number, a function or "(" was expected, not "*"`},
	{"a && + b", 6, "+", `After "&&"`}, {"a ? b", 5, "b", `ends after "b", where ":"`}, {"a)", 2, ")", `no matching "("`},
	{"avg (a)", 6, "avg (", "no blank"}, {"foo(a)", 5, "foo(", "There is no function"}, {"rat(kernel.all.load)", 5, "rat(", "Did you mean rate(x)?"},
	{"avg()", 5, ")", "an expression was expected"}, {"delta()", 7, ")", "an expression was expected"}, {"rate(", 5, "(", `ends after "rate("`},
	{"rate(kernel.all.load", 20, "d", `")" to close`}, {"scalar()", 8, ")", "expected"}, {"instant()", 9, ")", "expected"},
	{"rescale(a)", 10, ")", `"," and units`}, {"rescale(a,b)", 11, "b", "units in double quotes"}, {`rescale(a,"foo")`, 16, `"foo"`, `"foo" is not a unit`},
	{"mkconst(3)", 10, ")", "type="}, {"mkconst(42)", 11, ")", "type="}, {"mkconst(3,type=foo)", 16, "foo", "is not a type"}, {"mkconst(3,semantics=foo)", 21, "foo", "is not a semantics"},
	{"mkconst(3,indom=600.1)", 17, "600.1", "not an instance domain"}, {"mkconst(3,indom=511.1)", 17, "511.1", "not an instance domain"}, {"mkconst(3,indom=60.4194304)", 17, "60.4194304", "not an instance domain"},
	{"mkconst(3.5,type=u32)", 21, "3.5", "has a fraction"}, {`mkconst(3,units="foo")`, 22, `"foo"`, "not a unit"},
	{"a ? novalue(x) : b", 13, "x", "type="}, {"a ? novalue() : novalue()", 17, "novalue(", "Only one arm"},
	{"matchinst()", 11, ")", "a pattern between slashes"}, {"matchinst(/x/)", 14, ")", `"," and the expression`}, {"matchinst(/x/,)", 15, ")", "the expression whose instances"},
	{"matchinst(/[/, a)", 14, "/[/", "not a regular expression"}, {"a $ b", 3, "$", "no meaning"}, {"4294967296", 1, "4294967296", "too large"},
	{`"str"`, 1, `"str"`, "Strings are only used"}, {"novalue()", 1, "novalue(", "one arm of a ternary"}, {"3[x]", 2, "[x]", "metric or a parenthesis only"},
	{"a[x][y]", 5, "[y]", "selected already"}, {"defined()", 9, ")", "a metric's name"}, {"type", 1, "type", "reserved"}, {"", 1, "", "empty"}, {"  ", 1, "", "empty"},
	{"mkconst(-3,type=32)", 9, "-", "a number without sign"}, {"delta(a)[x]", 9, "[x]", "write (delta(a))[x]"}, {"1 +* 2", 4, "*", "expected"},
	{"a & b", 3, "&", `"&&" is the operator`}, {"a | b", 3, "|", `"||"`}, {"a ? b : c : d", 11, ":", `has no "?"`}, {"a, b", 2, ",", "separates the arguments"},
	{`rescale(a, "`, 12, `"`, "no closing"}, {"a[x", 2, "[x", "no closing ]"}, {"matchinst(/x, a)", 11, "/x, a)", "no closing /"}, {"a]", 2, "]", `no "[" before`},
	{"a # b", 3, "#", "no meaning"}, {"é + ü", 1, "é", "no meaning"}, {`rescale(b, "grün") + §`, 12, `"grün"`, "not a unit"}, {"x[𝒳] §", 7, "§", "no meaning"},
	{"movavg(a)", 9, ")", "length of time"}, {`movavg(a, "5 parsecs")`, 11, `"5 parsecs"`, "not a length of time"}, {"topn(a)", 6, "a", "a number was expected"},
	{"avg(a b)", 7, "b", "an operator"}, {"1e", 2, "e", "an operator"}, {"defined(a+b)", 10, "+", `")" to close`}, {"1.5.2", 4, ".2", "an operator"}, {"mkconst(3,type=u32 a)", 20, "a", `"," or ")"`},
}

func TestMistakes(t *testing.T) {
	for _, tt := range mistakes {
		e, err := Parse(tt.in)
		if err == nil {
			t.Errorf("Parse(%q) = %s, want a mistake", tt.in, tree(e.Root))
			continue
		}
		f := pcp.AsFault(err)
		if f.Kind != pcp.BadExpression || f.Span == nil {
			t.Errorf("Parse(%q): fault %+v has the wrong kind or no place", tt.in, f)
			continue
		}
		text := utf16.Encode([]rune(tt.in))
		if got := string(utf16.Decode(text[f.Span[0]:f.Span[1]])); got != tt.span || !strings.Contains(f.Message, tt.say) {
			t.Errorf("Parse(%q): %q at %q; want something with %q at %q", tt.in, f.Message, got, tt.say, tt.span)
		}
		if f.Span[0] > tt.column-1 {
			t.Errorf("Parse(%q): the fault is at %v, behind PCP's column %d", tt.in, *f.Span, tt.column)
		}
	}
}

func TestNestingIsLimited(t *testing.T) {
	for _, in := range []string{
		strings.Repeat("(", 1e5), strings.Repeat("-", 1e5) + "a", strings.Repeat("avg(", 1e5), "a" + strings.Repeat("+a", 1e5),
		strings.Repeat("a?", 1e5), "a" + strings.Repeat("?a:a", 1e5), strings.Repeat("!(a+", 1e4), strings.Repeat("a", maxText+1),
	} {
		if _, err := Parse(in); err == nil {
			t.Errorf("Parse accepts %.20q...", in)
		}
	}
	if _, err := Parse(strings.Repeat("(", 150) + "a" + strings.Repeat(")", 150)); err != nil {
		t.Error(err)
	}
	if _, err := Parse("a" + strings.Repeat(" + a", 4000)); err != nil {
		t.Error(err)
	}
	// What is parsed in a loop is computed by recursion, over the depth of the plan.
	for n, want := range map[int]bool{900: true, 1100: false} {
		e, err := Parse("a" + strings.Repeat(" + a", n))
		if err != nil {
			t.Fatal(err)
		}
		if b, faults := e.Bind(anything{}); (b != nil) != want || !want && (len(faults) != 1 || !strings.Contains(faults[0].Message, "nests more than 1000 operations")) {
			t.Errorf("a sum of %d: bound is %v, with %v", n, b != nil, faults)
		}
	}
}

// A pattern is compiled by recursion into its groups, to a program that grows
// with the product of its repetitions.
func TestPatternsAreLimited(t *testing.T) {
	for pattern, why := range map[string]string{
		strings.Repeat("x", 4097): "longer than 4096 bytes", strings.Repeat("(", 101) + strings.Repeat(")", 101): "nested more than 100 deep",
		"(" + strings.Repeat("x", 100) + "){300}": "its repetitions multiply to too much", strings.Repeat("x", 4096): "none", strings.Repeat("(", 100) + strings.Repeat(")", 100): "none",
	} {
		_, err := patternSize(pattern)
		if (err == nil) != (why == "none") || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%.20s… of %d bytes: %v, want %q", pattern, len(pattern), err, why)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, tt := range []struct {
		pattern, in string
		want        bool
	}{
		{"^sd", "sda", true}, {"^sd", "xsda", false}, {"a|b", "xxb", true}, {"(lo|eth)[0-9]?$", "eth0", true}, {"[[:digit:]]+", "a7", true},
		{`\w+\s`, "ab c", true}, {`\.`, "abc", false}, {`\.`, "a.c", true}, {`[\]x]`, `\x]`, true}, {"[]a]", "]", true}, {"[^]a]", "]", false},
		{"*a", "*a", true}, {"(*a)", "*a", true}, {`\(*a`, "((a", true}, {`\<da\>`, "sda da", true}, {`\<da\>`, "sda", false}, {"a{2}", "aa", true}, {`\d`, "d", true}, {`\d`, "5", false},
		{"[[:alpha:]_]x", "_x", true}, {"", "anything", true},
	} {
		if _, err := patternSize(tt.pattern); err != nil {
			t.Errorf("/%s/: %v", tt.pattern, err)
		} else if got := compilePattern(tt.pattern).MatchString(tt.in); got != tt.want {
			t.Errorf("/%s/ on %q = %v", tt.pattern, tt.in, got)
		}
	}
	for _, bad := range []string{"[", "(", `a\`, `(a)\1`, "[[:foo:]]", "a{3,2}"} {
		if _, err := patternSize(bad); err == nil {
			t.Errorf("/%s/ compiles", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range trees {
		f.Add(tt.in)
	}
	for _, tt := range mistakes {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		e, err := Parse(in)
		if err != nil {
			f := pcp.AsFault(err)
			units := len(utf16.Encode([]rune(in)))
			if f.Kind != pcp.BadExpression || f.Span == nil || f.Span[0] < 0 || f.Span[0] > f.Span[1] || f.Span[1] > units {
				t.Fatalf("Parse(%q): fault %+v, span %v", in, f, f.Span)
			}
			return
		}
		again, err := Parse(e.String())
		if err != nil {
			t.Fatalf("Parse(%q) prints as %q, which does not parse: %v", in, e.String(), err)
		}
		if tree(again.Root) != tree(e.Root) {
			t.Fatalf("Parse(%q) = %s; printed as %q it is %s", in, tree(e.Root), e.String(), tree(again.Root))
		}
	})
}

// The functions that PCP lacks are those that its tools are not given.
func TestExtensions(t *testing.T) {
	for _, f := range Functions {
		if known := pattern.Extended(f.Name + "(a.b)"); known != f.Ours {
			t.Errorf("Ours of %s is %v; core/pattern/extended.go says %v", f.Name, f.Ours, known)
		}
	}
}
