package derived_test

import (
	"fmt"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// disk is a source with two counters of one device, read every ten seconds.
type disk map[string]*series.Frame

func (d disk) Desc(name string) (pcp.Desc, bool) {
	f, ok := d[name]
	if !ok {
		return pcp.Desc{}, false
	}
	return f.Desc, true
}

func (d disk) Names() []string                          { return []string{"disk.all.bytes", "disk.all.total"} }
func (d disk) Frame(name string) (*series.Frame, error) { return d[name], nil }
func (d disk) Instances(id pcp.InDom) []derived.Member  { return nil }
func counter(units string, values ...uint64) *series.Frame {
	u, _, _ := pcp.ParseUnits(units)
	return &series.Frame{
		Desc:    pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: u},
		Vectors: []series.Vector{{Inst: pcp.NoInstance, Vals: values}},
	}
}

func Example() {
	source := disk{"disk.all.bytes": counter("Kbyte", 100, 140, 140), "disk.all.total": counter("count", 7, 17, 17)}

	e, err := derived.Parse("delta(disk.all.bytes) / delta(disk.all.total)")
	if err != nil {
		fmt.Println(err)
	}
	b, faults := e.Bind(source)
	if faults != nil {
		fmt.Println(faults)
	}
	fmt.Println(b.Desc.Type, b.Desc.Sem, b.Desc.Units)

	grid := series.Grid{Step: 10e9, Count: 3}
	f, err := b.Eval(grid, source)
	if err != nil {
		fmt.Println(err)
	}
	v := f.Vectors[0]
	for i := range v.Vals {
		if why := v.Missing(i); why != series.HasValue {
			fmt.Println(why)
			continue
		}
		fmt.Println(series.Float(f.Desc.Type, v.Vals[i]))
	}
	// Output:
	// DOUBLE instant Kbyte / count
	// no previous sample
	// 4
	// 0
}

func Example_mistakes() {
	source := disk{"disk.all.bytes": counter("Kbyte"), "disk.all.total": counter("count")}
	for _, text := range []string{"rat(disk.all.total)", "disk.all.totl + 1", "disk.all.bytes / disk.all.total"} {
		e, err := derived.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		_, faults := e.Bind(source)
		fmt.Println(faults[0].Message)
	}
	// Output:
	// There is no function "rat". Did you mean rate(x)?
	// There is no metric disk.all.totl here. Did you mean disk.all.total?
	// disk.all.bytes (U64 counter, Kbyte) / disk.all.total (U64 counter, count): two counters can only be added or subtracted; rate() or delta() makes them numbers that can be multiplied and divided.
}
