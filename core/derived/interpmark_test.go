package derived_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// Results of PCP 7.2.1 on the archive interpmark of PCP's QA: spec/derived.md
// section 12.4, seconds after its start. An instance is named with its values, one for
// each moment; a last value repeats. "error" is what is refused.
var interpmark = []struct{ in, desc, want string }{
	{"disk.dev.read + disk.dev.write", "U64 counter count 60.1", "sda 352423 352436 352436, sdb 250240"},
	{"delta(disk.dev.write)", "DOUBLE instant count 60.1", "sda - 13 0, sdb - 0"},
	{"delta(disk.dev.write_bytes)", "64 instant Kbyte 60.1", "sda - 92 0, sdb - 0"},
	{"rate(disk.dev.write)", "DOUBLE instant count / sec 60.1", "sda - 3.25 0, sdb - 0"},
	{"delta(disk.dev.write_bytes) / delta(disk.dev.write)", "DOUBLE instant Kbyte / count 60.1", "sda - 7.0769230769230766 0, sdb - 0"},
	{"sum(disk.dev.write)", "U64 counter count", "417314 417327"}, {"avg(disk.dev.write)", "FLOAT instant count", "208657 208663.5"},
	{"max(filesys.used)", "U64 instant Kbyte", "191700868"}, {"min(filesys.used)", "U64 instant Kbyte", "563588"}, {"count(filesys.used)", "U32 instant count", "9"},
	{"100 * filesys.used / filesys.capacity", "DOUBLE instant 60.5", "/dev/sda8 4.6441053534050143 4.6441070179314607 4.6441078501946835, /dev/sda5 53.470805217237483"},
	{"filesys.capacity - filesys.used", "U64 instant Kbyte 60.5", "/dev/sda8 458296808 458296800 458296796"},
	{"mem.physmem - hinv.physmem", "DOUBLE discrete Mbyte", "0.55078125"}, {"mem.physmem == hinv.physmem", "U32 discrete", "0"},
	{"swap.length / mem.physmem", "DOUBLE instant", "0.47665711285458823"},
	{"disk.dev.write[sda]", "U64 counter count 60.1", "sda 254032 254045"},
	{"scalar(disk.dev.write[sda]) + scalar(disk.dev.write[sdb])", "U64 counter count", "417314 417327"},
	{"matchinst(/sdb[0-9]/, filesys.used)", "U64 instant Kbyte 60.5", "/dev/sdb1 563588, /dev/sdb5 3574320, /dev/sdb6 1244612, /dev/sdb9 191700868"},
	{`rescale(filesys.capacity[/dev/sda8], "Gbyte")`, "U64 discrete Gbyte 60.5", "/dev/sda8 458"},
	{`rescale(rate(disk.dev.write_bytes), "Mbyte/hour")`, "DOUBLE instant Mbyte / hour 60.1", "sda - 80.859375 0, sdb - 0"},
	{"disk.dev.write / hinv.ncpu", "DOUBLE counter count 60.1", "sda 42338.666666666664 42340.833333333336"},
	{"hinv.ncpu * disk.dev.write", "U64 discrete count 60.1", "sda 1524192 1524270"},
	{"hinv.ncpu > 4 ? instant(disk.all.write) : instant(disk.all.read)", "U64 instant count", "417314 417327"},
	{"hinv.ncpu > 4 ? mem.physmem : swap.length", "error", "semantics differ"},
	{"defined(disk.dev.foo) ? disk.dev.foo : disk.dev.write", "U64 counter count 60.1", "sda 254032 254045, sdb 163282"},
	{"mem.physmem > 1000", "U32 discrete", "1"}, {"mem.physmem > 1000.0", "error", "dimensions differ"},
	{"rate(filesys.used)", "DOUBLE instant Kbyte / sec 60.5", "/dev/sda8 - 2 1, /dev/sda5 - 0"},
	{"disk.dev.write + filesys.used", "error", "a counter can only be multiplied"}, {"disk.dev.write * filesys.used", "error", "filesys.used must have no units"},
}

// Across the marks; from and step in seconds.
var acrossMarks = []struct {
	in         string
	from, step int64
	want       string
}{
	{"delta(disk.all.write)", 20, 5, "- 7 7 - - 8"}, {"rate(disk.all.write)", 20, 5, "- 1.4 1.4 - - 1.6"},
	{"delta(disk.all.write)", 22, 10, "- 13 - - 8 -"}, {"disk.all.write", 22, 10, "417330 417343 - 417394 417402 -"},
}

func TestInterpmark(t *testing.T) {
	dir := reference.Need(t, "corpus", "archives")
	a := openArchive(t, dir, "interpmark")
	frame := func(in string, from, step int64, n int) (*series.Frame, []pcp.Fault) {
		e, err := derived.Parse(in)
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		b, faults := e.Bind(a)
		if faults != nil {
			return nil, faults
		}
		grid := series.Grid{Start: a.Start() + pcp.Time(from*1e9), Step: step * 1e9, Count: n}
		a.at(grid)
		f, err := b.Eval(grid, a)
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		return f, nil
	}
	for _, tt := range interpmark {
		f, faults := frame(tt.in, 12, 4, 3)
		if tt.desc == "error" {
			if len(faults) == 0 || !strings.Contains(faults[0].Message, tt.want) {
				t.Errorf("%s: %v, want a fault with %q", tt.in, faults, tt.want)
			}
			continue
		}
		if faults != nil {
			t.Errorf("%s: %s", tt.in, faults[0].Message)
			continue
		}
		desc := f.Desc.Type.String() + " " + f.Desc.Sem.String() + " " + f.Desc.Units.String()
		if f.Desc.InDom != pcp.NullInDom {
			desc += " " + f.Desc.InDom.String()
		}
		if desc = strings.Join(strings.Fields(desc), " "); desc != tt.desc {
			t.Errorf("%s is %q, want %q", tt.in, desc, tt.desc)
		}
		for _, one := range strings.Split(tt.want, ", ") {
			name, words := "", strings.Fields(one)
			if f.Desc.InDom != pcp.NullInDom {
				name, words = words[0], words[1:]
			}
			compare(t, tt.in, f, name, words)
		}
	}
	for _, tt := range acrossMarks {
		f, faults := frame(tt.in, tt.from, tt.step, 6)
		if faults != nil {
			t.Fatal(faults)
		}
		compare(t, tt.in, f, "", strings.Fields(tt.want))
	}
}

func compare(t *testing.T, in string, f *series.Frame, name string, want []string) {
	for k := range f.Vectors {
		v := &f.Vectors[k]
		if v.Name != name {
			continue
		}
		for i := range v.Vals {
			w := want[min(i, len(want)-1)]
			if got := text(f.Desc.Type, v, i); got != canon(f.Desc.Type, w) {
				t.Errorf("%s[%s] at point %d is %s, want %s", in, name, i, got, w)
			}
		}
		return
	}
	t.Errorf("%s has no instance %q", in, name)
}

func text(kind pcp.Type, v *series.Vector, i int) string {
	if v.Missing(i) != series.HasValue {
		return "-"
	}
	switch kind {
	case pcp.Float:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.Vals[i]))), 'g', -1, 32)
	case pcp.Double:
		return strconv.FormatFloat(math.Float64frombits(v.Vals[i]), 'g', -1, 64)
	}
	return strconv.FormatInt(int64(v.Vals[i]), 10)
}

// canon writes an expected number as text does.
func canon(kind pcp.Type, s string) string {
	size := 64
	if kind == pcp.Float {
		size = 32
	}
	if v, err := strconv.ParseFloat(s, size); err == nil && !kind.Integer() {
		return strconv.FormatFloat(v, 'g', -1, size)
	}
	return s
}
