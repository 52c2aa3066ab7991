package derived

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A libpcpRun is what libpcp answered in one context. A value is the pair of
// instance and text.
type libpcpRun struct {
	Times   []int64
	Indoms  map[string][][2]any // [id, name] in the order of libpcp, by number
	Metrics []struct {
		Name, Type, Units string
		Sem               int32
		InDom             uint32
		Values            [][][2]any // for each time; none for a metric that was not fetched
	}
	Expressions []struct {
		Expr    string
		Refused bool
		Desc    []any // type, semantics, domain, units
		Values  [][][2]any
	}
}

var typeByText = map[string]pcp.Type{"32": pcp.Int32, "U32": pcp.Uint32, "64": pcp.Int64, "U64": pcp.Uint64, "FLOAT": pcp.Float, "DOUBLE": pcp.Double, "STRING": pcp.String}

// point reads the values of one moment. Texts count as present only.
func point(t pcp.Type, pairs [][2]any) map[int32]uint64 {
	m := map[int32]uint64{}
	for _, p := range pairs {
		v := uint64(0)
		if t.Numeric() {
			v = bits(t, p[1].(string))
		}
		m[int32(p[0].(float64))] = v
	}
	return m
}

func (r *libpcpRun) source() *fake {
	f := &fake{map[string]*series.Frame{}, map[pcp.InDom][]Member{}}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		t, ok := typeByText[m.Type]
		if !ok {
			t = pcp.Aggregate
		}
		names := map[int32]string{}
		d := pcp.InDom(m.InDom)
		fresh := f.members[d] == nil
		for _, in := range r.Indoms[fmt.Sprint(m.InDom)] {
			id, name := int32(in[0].(float64)), in[1].(string)
			names[id] = name
			if fresh {
				f.members[d] = append(f.members[d], Member{Instance: pcp.Instance{ID: id, Name: name}})
			}
		}
		columns := map[int32]*series.Vector{}
		for at, pairs := range m.Values {
			for inst, v := range point(t, pairs) {
				c := columns[inst]
				if c == nil {
					c = &series.Vector{Inst: inst, Name: names[inst], Vals: make([]uint64, len(r.Times)), Why: slices.Repeat([]series.Why{series.BeforeFirst}, len(r.Times))}
					columns[inst] = c
				}
				c.Vals[at], c.Why[at] = v, series.HasValue
			}
		}
		frame := &series.Frame{Desc: pcp.Desc{Type: t, Sem: pcp.Semantics(m.Sem), InDom: d, Units: units(m.Units)}}
		frame.Blobs.Add(nil)
		for _, inst := range slices.SortedFunc(maps.Keys(columns), cmp.Compare[int32]) {
			frame.Vectors = append(frame.Vectors, *columns[inst])
		}
		f.frames[m.Name] = frame
	}
	return f
}

// TestRandomExpressions compares random expressions with what libpcp made of
// them on a real archive: descriptors, refusals and every value. The document
// says how it was made.
func TestRandomExpressions(t *testing.T) {
	file, err := os.Open("testdata/libpcp.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Runs []libpcpRun }
	if err := json.NewDecoder(z).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	expressions, refusals, total := 0, 0, 0
	for i := range doc.Runs {
		r := &doc.Runs[i]
		src := r.source()
		times := make([]pcp.Time, len(r.Times))
		for k, at := range r.Times {
			times[k] = pcp.Time(at)
		}
		for _, x := range r.Expressions {
			e, err := Parse(x.Expr)
			if err != nil {
				t.Errorf("%s: %v", x.Expr, err)
				continue
			}
			b, faults := e.Bind(src)
			if x.Refused {
				if refusals++; len(faults) == 0 {
					t.Errorf("%s: libpcp refuses it", x.Expr)
				}
				continue
			}
			if len(faults) > 0 {
				t.Errorf("%s: %s", x.Expr, faults[0].Message)
				continue
			}
			expressions++
			d := b.Desc
			if d.Type != typeByText[x.Desc[0].(string)] || d.Sem != pcp.Semantics(x.Desc[1].(float64)) || d.InDom != pcp.InDom(uint32(x.Desc[2].(float64))) || d.Units.String() != x.Desc[3] {
				t.Errorf("%s: %v, want %v", x.Expr, d, x.Desc)
				continue
			}
			f, err := b.EvalAt(times, src)
			if err != nil {
				t.Errorf("%s: %v", x.Expr, err)
				continue
			}
			for at := range times {
				got, want := map[int32]uint64{}, point(d.Type, x.Values[at])
				for k := range f.Vectors {
					if v := &f.Vectors[k]; v.Missing(at) == series.HasValue {
						got[v.Inst] = v.Vals[at]
					}
				}
				total += len(want)
				if !maps.EqualFunc(got, want, func(a, b uint64) bool {
					return a == b || d.Type == pcp.Double && f64(a) != f64(a) && f64(b) != f64(b)
				}) {
					t.Errorf("%s at %d: %v, want %v", x.Expr, at, got, x.Values[at])
				}
			}
		}
	}
	t.Logf("compared %d expressions, %d values, %d refusals", expressions, total, refusals)
	if expressions < 200 || total < 10000 {
		t.Error("the document holds less than it should")
	}
}
