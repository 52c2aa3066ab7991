package derived

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// anything resolves every one-letter name to a singular number.
type anything struct{}

func (anything) Desc(name string) (pcp.Desc, bool) {
	return pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom}, len(name) == 1
}
func (anything) Names() []string { return []string{"a"} }

func (anything) Frame(string) (*series.Frame, error) {
	return &series.Frame{Desc: pcp.Desc{Type: pcp.Double, InDom: pcp.NullInDom}, Vectors: []series.Vector{{Inst: pcp.NoInstance, Vals: make([]uint64, 3)}}}, nil
}
func (anything) Instances(pcp.InDom) []Member { return nil }

// Expressions of every shape that can grow: their cost grows at most
// linearly, and none exhausts WebAssembly's stack. In wasm these run with
// half of V8's default: see docs/testing.md.
var growing = map[string]func(n int) string{
	"sum":         func(n int) string { return strings.Repeat("a+", n) + "a" },
	"wrong sum":   func(n int) string { return strings.Repeat("a+", n) + "a+missing.one" },
	"all wrong":   func(n int) string { return strings.Repeat("no.such+", n) + "a" },
	"conditions":  func(n int) string { return strings.Repeat("a&&", n) + "a" },
	"decided":     func(n int) string { return strings.Repeat("1&&", n) + "1?a:b" },
	"ternaries":   func(n int) string { return strings.Repeat("a?a:", n) + "a" },
	"guards":      func(n int) string { return "a" + strings.Repeat("?a:a", n) },
	"parentheses": func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) },
	"right sums":  func(n int) string { return strings.Repeat("a+(", n) + "a" + strings.Repeat(")", n) },
	"left sums":   func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat("+a)*a", n) },
	"calls":       func(n int) string { return strings.Repeat("avg(", n) + "a" + strings.Repeat(")", n) },
	"negations":   func(n int) string { return strings.Repeat("-", n) + "a" },
	"stars":       func(n int) string { return "matchinst(/" + strings.Repeat("(x*)*", n) + "/, a)" },
	"groups": func(n int) string {
		return "matchinst(/" + strings.Repeat("(", n) + "x" + strings.Repeat(")*", n) + "/, a)"
	},
	"alternatives": func(n int) string { return "matchinst(/" + strings.Repeat("|", n) + "/, a)" },
	"counts":       func(n int) string { return "matchinst(/" + strings.Repeat("x{1000}", n) + "/, a)" },
	"different patterns": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "matchinst(/(%dabcdefghijklmnop){900}/, a)+", i)
		}
		return b.String() + "a"
	},
	"unclosed":       func(n int) string { return strings.Repeat("(a+", n) },
	"behind":         func(n int) string { return strings.Repeat("a+", n) + "a b" },
	"boundaries":     func(n int) string { return "matchinst(/" + strings.Repeat(`\b(x*)*`, n) + "/, a)" },
	"long name":      func(n int) string { return strings.Repeat("a.", n) + "a" },
	"selections":     func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")[x]", n) },
	"numbers":        func(n int) string { return strings.Repeat("1+", n) + "a" },
	"different ones": func(n int) string { return strings.Repeat("a+b*c/d-", n) + "a" },
}

func TestGrowingExpressions(t *testing.T) {
	for name, text := range growing {
		for _, n := range []int{10, 150, 1000, 1500, 4000, 9000, 100_000} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			e, err := Parse(text(n))
			if err == nil {
				var b *Bound
				var faults []pcp.Fault
				if b, faults = e.Bind(anything{}); len(faults) > 100 {
					t.Errorf("%s of %d: %d faults", name, n, len(faults))
				}
				new(Set).Parts(e, anything{})
				Walk(e.Root, func(Node) {})
				if again, err := Parse(e.String()); err != nil || again.String() != e.String() {
					t.Errorf("%s of %d does not print itself: %v", name, n, err)
				}
				if b != nil {
					b.Lookback(1)
					b.History(1)
					if _, err := b.Eval(series.Grid{Count: 3, Step: 1}, anything{}); err != nil {
						t.Errorf("%s of %d: %v", name, n, err)
					}
				}
			} else if f := pcp.AsFault(err); len(f.Message) > 400 {
				t.Errorf("%s of %d: a message of %d bytes", name, n, len(f.Message))
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
				t.Errorf("%s of %d allocates %d MiB", name, n, took>>20)
			}
		}
	}
}

// What a pattern is compiled to is not kept with each definition that has one, nor
// made for those that are not used.
func TestPatternsOfDefinitions(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := &Set{}
	var list []*Bound
	for i := range 500 {
		if _, err := s.Define(fmt.Sprint("d", i), fmt.Sprintf("matchinst(/(%dabcdefghijklmnop){900}/, a)", i)); err != nil {
			t.Fatal(err)
		}
		b, faults := s.BindName(fmt.Sprint("d", i), anything{})
		if b == nil {
			t.Fatal(faults)
		}
		list = append(list, b)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("%d definitions allocate %d MiB", len(list), took>>20)
	}
	all := "d0"
	for i := range 10 {
		all += fmt.Sprint(" + d", i+1)
	}
	s.Define("all", all)
	if b, faults := s.BindName("all", anything{}); b != nil || len(faults) == 0 || !strings.Contains(fmt.Sprint(faults), "patterns that are too large") {
		t.Errorf("eleven of them together: %v", faults)
	}
}

// Definitions that each use the previous one twice have 2^n paths.
func TestDefinitionsOnEachOther(t *testing.T) {
	for _, how := range []string{"d%[1]d + d%[1]d", "a ? d%[1]d : (a ? d%[1]d : a)", "avg(-(d%[1]d * 2))", strings.Repeat("a+", 900) + "d%d", strings.Repeat("(", 90) + "d%d" + strings.Repeat("+1)*2", 90)} {
		s := &Set{}
		if _, err := s.Define("d0", "a"); err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			if _, err := s.Define(fmt.Sprintf("d%d", i+1), fmt.Sprintf(how, i)); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"d100", "d300"} {
			b, faults := s.BindName(name, anything{})
			if b == nil {
				if len(faults[0].Message) > 400 {
					t.Errorf("%s of %q: a message of %d bytes", name, how[:10], len(faults[0].Message))
				}
				continue
			}
			b.Lookback(1)
			b.History(1)
			if _, err := b.Eval(series.Grid{Count: 3, Step: 1}, anything{}); err != nil {
				t.Error(err)
			}
		}
	}
}
