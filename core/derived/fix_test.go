package derived

import (
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// disks is metadata as disk.dev has it. Units: pminfo -d disk.dev.
type disks map[string]string

func (d disks) Desc(name string) (pcp.Desc, bool) {
	units, ok := d[name]
	u, _, _ := pcp.ParseUnits(units)
	return pcp.Desc{Type: pcp.Uint32, Sem: pcp.Counter, InDom: pcp.MakeInDom(60, 1), Units: u}, ok
}

func (d disks) Names() []string {
	var names []string
	for name := range d {
		names = append(names, name)
	}
	return names
}

var someDisks = disks{
	"disk.dev.read_rawactive": "millisec", "disk.dev.write_rawactive": "millisec", "disk.dev.avactive": "millisec",
	"disk.dev.write_bytes": "Kbyte", "disk.dev.total": "count",
}

func TestFix(t *testing.T) {
	for _, c := range []struct {
		text string
		fix  *pcp.Fix
	}{
		{"delta(disk.dev.read_rawactive) + delta(disk.dev.write_bytes)", &pcp.Fix{Span: [2]int{39, 59}, Text: "disk.dev.write_rawactive", What: "millisec"}},
		{"delta(disk.dev.read_rawactive) + topn(3, delta(disk.dev.write_bytes))", &pcp.Fix{Span: [2]int{47, 67}, Text: "disk.dev.write_rawactive", What: "millisec"}},
		{"max(delta(disk.dev.read_rawactive)) + p95(delta(disk.dev.write_bytes))", &pcp.Fix{Span: [2]int{48, 68}, Text: "disk.dev.write_rawactive", What: "millisec"}},
		{"disk.dev.totl", &pcp.Fix{Span: [2]int{0, 13}, Text: "disk.dev.total"}},
		{"raet(disk.dev.total)", &pcp.Fix{Span: [2]int{0, 4}, Text: "rate"}},
		{"1 + raet(disk.dev.total)", &pcp.Fix{Span: [2]int{4, 8}, Text: "rate"}},
		{"nothing.like.it", nil},
		{"disk.dev.total +", nil},
	} {
		var fault *pcp.Fault
		if e, err := Parse(c.text); err != nil {
			fault = pcp.AsFault(err)
		} else if _, faults := e.Bind(someDisks); len(faults) > 0 {
			fault = &faults[0]
		}
		switch {
		case fault == nil:
			t.Errorf("%s: no fault", c.text)
		case c.fix == nil && fault.Fix != nil:
			t.Errorf("%s: the fix %+v is offered, want none", c.text, *fault.Fix)
		case c.fix != nil && (fault.Fix == nil || *fault.Fix != *c.fix):
			t.Errorf("%s: the fix is %+v, want %+v (%s)", c.text, fault.Fix, *c.fix, fault.Message)
		}
	}
}

// A name that metrics are below is no slip of the pen, however similar one of them is: pmval says
// "Metric name is not a leaf in PMNS".
func TestNameOfAGroup(t *testing.T) {
	names := disks{"kernel.all.hz": "count / sec", "kernel.all.load": "", "kernel.alt": ""}
	for text, want := range map[string]string{
		"kernel.all": "kernel.all is not a metric but the prefix of others, such as kernel.all.",
		"kernel.al":  "There is no metric kernel.al here. Did you mean kernel.alt?",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, faults := e.Bind(names); len(faults) != 1 || !strings.HasPrefix(faults[0].Message, want) {
			t.Errorf("%s: %+v", text, faults)
		}
	}
}

func TestParts(t *testing.T) {
	e, err := Parse("delta(disk.dev.read_rawactive) / delta(disk.dev.total)")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"disk.dev.read_rawactive", "delta(disk.dev.read_rawactive)", "disk.dev.total", "delta(disk.dev.total)", e.Text}
	parts := new(Set).Parts(e, someDisks)
	if len(parts) != len(want) {
		t.Fatalf("%d parts, want %d", len(parts), len(want))
	}
	for i, p := range parts {
		if p.Text != want[i] || !p.OK {
			t.Errorf("part %d is %q, right: %t; want %q", i, p.Text, p.OK, want[i])
		}
	}
	if got := parts[4].Desc.Units.String(); got != "millisec / count" {
		t.Errorf("the whole has the units %q", got)
	}
	e, _ = Parse("disk.dev.total + disk.dev.write_bytes")
	if parts = new(Set).Parts(e, someDisks); len(parts) != 3 || !parts[0].OK || !parts[1].OK || parts[2].OK {
		t.Errorf("parts of a sum with a fault = %+v, want three, the last not OK", parts)
	}
}
