package derived_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// PCP's QA archive 20180102 is not among the reference data, but what libpcp
// 7.2.1 computes from it is in spec/derived.md sections 12.3 and 12.5. The numbers below
// are such that these results follow: 38.626213592233007 is 7957 Kbyte in 206
// operations, and both shares of the memory have the denominator 32844796.
// Minutes are those after 60.002.
var host20180102 = []struct {
	name, units string
	desc        pcp.Desc
	values      string // "inst: a b c d", or without instance; an increment "+n" for counters
}{
	{"kernel.all.load", "", pcp.Desc{PMID: pcp.MakePMID(60, 2, 0), Type: pcp.Float, Sem: pcp.Instant, InDom: pcp.MakeInDom(60, 2)},
		"1: 1.69 .91 .91 .91, 5: .89 .81 .81 .81, 15: .5 .5 .5 .5"},
	{"hinv.ncpu", "", pcp.Desc{PMID: pcp.MakePMID(60, 0, 32), Type: pcp.Uint32, Sem: pcp.Discrete, InDom: pcp.NullInDom}, "12 12 12 12"},
	{"kernel.all.cpu.user", "millisec", cpuCounter(20), "5000000 +25909 +21262 +20232"},
	{"kernel.all.cpu.sys", "millisec", cpuCounter(22), "900000 +4622 +3758 +4183"},
	{"kernel.all.cpu.idle", "millisec", cpuCounter(23), "80000000 +681070 +688709 +689422"},
	{"kernel.all.cpu.intr", "millisec", cpuCounter(34), "1000 +86 +43 +79"},
	{"kernel.all.cpu.wait.total", "millisec", cpuCounter(35), "70000 +4313 +1793 +1742"},
	{"mem.physmem", "Kbyte", pcp.Desc{PMID: pcp.MakePMID(60, 1, 0), Type: pcp.Uint64, Sem: pcp.Discrete, InDom: pcp.NullInDom}, "32844796 32844796 32844796 32844796"},
	{"mem.util.used", "Kbyte", pcp.Desc{PMID: pcp.MakePMID(60, 1, 1), Type: pcp.Uint64, Sem: pcp.Instant, InDom: pcp.NullInDom}, "25970684 26099348 26099348 26099348"},
	{"network.interface.in.bytes", "byte", pcp.Desc{PMID: pcp.MakePMID(60, 3, 0), Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.MakeInDom(60, 3)},
		"0: 164747296000 +4159815 +0 +0, 1: 767 +0 +0 +0"},
	{"network.interface.speed", "Mbyte / sec", pcp.Desc{PMID: pcp.MakePMID(60, 3, 22), Type: pcp.Float, Sem: pcp.Discrete, InDom: pcp.MakeInDom(60, 3)},
		"0: 119 119 119 119, 1: 0 0 0 0"},
	{"sample.milliseconds", "millisec", pcp.Desc{PMID: pcp.MakePMID(29, 0, 3), Type: pcp.Double, Sem: pcp.Counter, InDom: pcp.NullInDom}, ""},
	{"disk.dev.total", "count", diskCounter(28, pcp.Uint64), "0: 90 +8 +65 +17, 1: 80 +206 +92 +11, 2: 7 +0 +0 +0, 3: 60 +21 +233 +7, 4: 50 +1755 +67 +23"},
	{"disk.dev.total_bytes", "Kbyte", diskCounter(40, pcp.Uint32), "0: 900 +63 +696 +130, 1: 800 +7957 +763 +102, 2: 70 +0 +0 +0, 3: 600 +272 +4311 +71, 4: 500 +136067 +911 +384"},
	{"disk.dev.read", "count", diskCounter(4, pcp.Uint64), "0: 0 +0 +0 +0, 1: 0 +0 +0 +0, 2: 0 +0 +0 +0, 3: 0 +0 +0 +0, 4: 0 +1000 +0 +20"},
	{"disk.dev.write", "count", diskCounter(5, pcp.Uint64), "0: 90 +8 +65 +17, 1: 80 +206 +92 +11, 2: 7 +0 +0 +0, 3: 60 +21 +233 +7, 4: 50 +755 +67 +3"},
	{"disk.dev.read_bytes", "Kbyte", diskCounter(38, pcp.Uint32), "0: 0 +0 +0 +0, 1: 0 +0 +0 +0, 2: 0 +0 +0 +0, 3: 0 +0 +0 +0, 4: 0 +136000 +0 +300"},
	{"disk.dev.write_bytes", "Kbyte", diskCounter(39, pcp.Uint32), "0: 900 +63 +696 +130, 1: 800 +7957 +763 +102, 2: 70 +0 +0 +0, 3: 600 +272 +4311 +71, 4: 500 +67 +911 +84"},
	{"disk.dev.avactive", "millisec", diskCounter(46, pcp.Uint32), "0: 1 +176 +192 +180, 1: 2 +694 +492 +496, 2: 3 +0 +0 +0, 3: 4 +680 +560 +500, 4: 5 +3777 +346 +268"},
}

func cpuCounter(item int) pcp.Desc {
	return pcp.Desc{PMID: pcp.MakePMID(60, 0, item), Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.NullInDom}
}

func diskCounter(item int, t pcp.Type) pcp.Desc {
	return pcp.Desc{PMID: pcp.MakePMID(60, 0, item), Type: t, Sem: pcp.Counter, InDom: pcp.MakeInDom(60, 1)}
}

// write20180102 writes the archive and opens it again.
func write20180102(t *testing.T) *recorded {
	t.Helper()
	const start = pcp.Time(1514847600e9)
	files := map[string]*bytes.Buffer{}
	w, err := archive.NewWriter(archive.Label{Version: 2, Start: start, Host: "bozo", Timezone: "AEDT-11"}, func(suffix string) (io.WriteCloser, error) {
		files[suffix] = &bytes.Buffer{}
		return closer{files[suffix]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.InDom(start, pcp.MakeInDom(60, 1), []pcp.Instance{{ID: 0, Name: "sda"}, {ID: 1, Name: "sdb"}, {ID: 2, Name: "sdc"}, {ID: 3, Name: "sdd"}, {ID: 4, Name: "sde"}})
	w.InDom(start, pcp.MakeInDom(60, 2), []pcp.Instance{{ID: 1, Name: "1 minute"}, {ID: 5, Name: "5 minute"}, {ID: 15, Name: "15 minute"}})
	w.InDom(start, pcp.MakeInDom(60, 3), []pcp.Instance{{ID: 0, Name: "eth0"}, {ID: 1, Name: "lo"}})
	var records [4][]archive.ValueSet
	for _, m := range host20180102 {
		u, _, err := pcp.ParseUnits(m.units)
		if err != nil {
			t.Fatal(err)
		}
		m.desc.Units = u
		w.Desc(m.desc, m.name)
		var sets [4]archive.ValueSet
		for _, one := range strings.Split(m.values, ", ") {
			inst, words, set := strings.Cut(one, ": ")
			id := pcp.NoInstance
			if !set {
				words = inst
			} else {
				fmt.Sscan(inst, &id)
			}
			sum := uint64(0)
			for i, word := range strings.Fields(words) {
				switch {
				case m.desc.Type == pcp.Float:
					var v float32
					fmt.Sscan(word, &v)
					sum = uint64(math.Float32bits(v))
				default:
					var v uint64
					fmt.Sscan(strings.TrimPrefix(word, "+"), &v)
					if word[0] != '+' {
						sum = 0
					}
					sum += v
				}
				sets[i].Values = append(sets[i].Values, archive.Value{Inst: id, Val: sum})
			}
		}
		for i := range sets {
			if m.values != "" {
				sets[i].PMID, sets[i].Type = m.desc.PMID, m.desc.Type
				records[i] = append(records[i], sets[i])
			}
		}
	}
	for i, sets := range records {
		w.Record(start+pcp.Time(60.002e9+60e9*float64(i)), sets)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var members []archive.Member
	for suffix, b := range files {
		members = append(members, archive.Member{Name: "20180102." + suffix, Size: int64(b.Len()), At: bytes.NewReader(b.Bytes())})
	}
	groups, _ := archive.Groups(members)
	a, err := archive.Open(context.Background(), groups[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return &recorded{Archive: a}
}

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

// The values of spec/derived.md sections 12.3 and 12.5, by libpcp 7.2.1. "sda - 7.875" are
// those of an instance; without values "", there is no value anywhere. Three
// decimals are as many as the text there has.
var on20180102 = []struct{ in, desc, want string }{
	// 12.3
	{"sample.milliseconds", "DOUBLE counter millisec", ""},
	{"delta(sample.milliseconds)", "DOUBLE instant millisec", ""},
	{"network.interface.in.bytes", "U64 counter byte 60.3", "eth0 164747296000"},
	{"delta(network.interface.in.bytes)", "DOUBLE instant byte 60.3", "eth0 - 4159815"},
	{"delta(network.interface.in.bytes) / delta(sample.milliseconds)", "DOUBLE instant byte / millisec 60.3", ""},
	{"network.interface.speed", "FLOAT discrete Mbyte / sec 60.3", "eth0 119"},
	{"network.interface.speed - delta(network.interface.in.bytes) / delta(sample.milliseconds)", "DOUBLE instant Mbyte / sec 60.3", ""},
	{"delta(disk.dev.total_bytes) / delta(disk.dev.total)", "DOUBLE instant Kbyte / count 60.1", averageIO},
	// 12.5
	{"kernel.all.load[1 minute]", "FLOAT instant 60.2", "1_minute 1.69000006 0.910000026"},
	{"matchinst(/^5$/, kernel.all.load)", "FLOAT instant 60.2", "5_minute 0.889999986 0.810000002"},
	{"matchinst(/minute/, kernel.all.load)", "FLOAT instant 60.2", ""},
	{"rate(kernel.all.cpu.user)", "DOUBLE instant", "- 0.43181666666666668"},
	{"100 * rate(kernel.all.cpu.user) / hinv.ncpu", "DOUBLE instant", "- 3.5984722222222221"},
	{"sum(network.interface.in.bytes)", "U64 counter byte", "164747296767 164751456582"},
	{"rate(sum(network.interface.in.bytes))", "DOUBLE instant byte / sec", "- 69330.25"},
	{"mem.util.used / mem.physmem", "DOUBLE instant", "0.79070924964795031 0.79462658254902852"},
	{"kernel.cpu.util.user", "DOUBLE instant", "- ~3.598 ~2.953 ~2.810"}, {"kernel.cpu.util.sys", "DOUBLE instant", "- ~0.642 ~0.522 ~0.581"},
	{"kernel.cpu.util.idle", "DOUBLE instant", "- ~94.593 ~95.654 ~95.753"}, {"kernel.cpu.util.intr", "DOUBLE instant", "- ~0.012 ~0.006 ~0.011"},
	{"kernel.cpu.util.wait", "DOUBLE instant", "- ~0.599 ~0.249 ~0.242"},
	{"disk.dev.util", "DOUBLE instant 60.1", "sda - ~0.293 ~0.320 ~0.300, sdb - ~1.157 ~0.820 ~0.827, sdd - ~1.133 ~0.933 ~0.833, sde - ~6.295 ~0.577 ~0.447"},
	{"disk.dev.avg_rqsz", "DOUBLE instant Kbyte / count 60.1", averageIO},
	// where libpcp 7.2.1 has an accident: spec/derived.md section 11, defect 9
	{"kernel.all.load[15]", "FLOAT instant 60.2", "15_minute 0.5"},
}

const averageIO = "sda - 7.875 10.707692307692307 7.6470588235294121, sdb - 38.626213592233007 8.2934782608695645 9.2727272727272734, sdc - 0 0 0, " +
	"sdd - 12.952380952380953 18.502145922746781 10.142857142857142, sde - 77.531054131054134 13.597014925373134 16.695652173913043"

func Test20180102(t *testing.T) {
	a := write20180102(t)
	grid := series.Grid{Start: a.Start() + pcp.Time(60.002e9), Step: 60e9, Count: 4}
	a.at(grid)
	for _, tt := range on20180102 {
		e, err := derived.Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		b, faults := e.Bind(a)
		if strings.Contains(tt.in, ".util") || strings.HasSuffix(tt.in, "avg_rqsz") {
			if !strings.Contains(tt.in, "mem.") {
				b, faults = derived.Builtin().BindName(tt.in, a)
			}
		}
		if faults != nil {
			t.Errorf("%s: %s", tt.in, faults[0].Message)
			continue
		}
		f, err := b.Eval(grid, a)
		if err != nil {
			t.Fatal(err)
		}
		desc := []string{f.Desc.Type.String(), f.Desc.Sem.String(), f.Desc.Units.String(), f.Desc.InDom.String()}
		if f.Desc.InDom == pcp.NullInDom {
			desc = desc[:3]
		}
		if got := strings.Join(strings.Fields(strings.Join(desc, " ")), " "); got != tt.desc {
			t.Errorf("%s is %q, want %q", tt.in, got, tt.desc)
		}
		got := map[string]string{}
		for k := range f.Vectors {
			v := &f.Vectors[k]
			var points []string
			for i := range v.Vals {
				points = append(points, text(f.Desc.Type, v, i))
			}
			if strings.Trim(strings.Join(points, ""), "-") != "" {
				got[strings.ReplaceAll(v.Name, " ", "_")] = strings.Join(points, " ")
			}
		}
		if tt.want == "" && len(got) > 0 {
			t.Errorf("%s has the values %v, want none", tt.in, got)
		}
		if strings.HasPrefix(tt.in, "matchinst") || strings.HasSuffix(tt.in, "]") {
			if n := min(len(tt.want), 1); len(got) != n {
				t.Errorf("%s has the instances %v, want %d", tt.in, got, n)
			}
		}
		for _, one := range strings.Split(tt.want, ", ") {
			words := strings.Fields(one)
			name := ""
			if f.Desc.InDom != pcp.NullInDom && len(words) > 0 {
				name, words = words[0], words[1:]
			}
			points := strings.Fields(got[name])
			for i, want := range words {
				have := "nothing"
				if i < len(points) {
					have = points[i]
				}
				if short, ok := strings.CutPrefix(want, "~"); ok {
					var v float64
					fmt.Sscan(have, &v)
					if have = fmt.Sprintf("%.3f", v); have != short {
						t.Errorf("%s[%s] at minute %d is %s, want %s", tt.in, name, i, have, short)
					}
				} else if have != canon(f.Desc.Type, want) {
					t.Errorf("%s[%s] at minute %d is %s, want %s", tt.in, name, i, have, want)
				}
			}
		}
	}
	// the operands of disk.dev.await are not there: it is not offered
	for _, d := range derived.Builtin().Available(a) {
		if strings.HasSuffix(d.Name, "await") {
			t.Errorf("%s is offered, although none of its operands is logged", d.Name)
		}
	}
}
