package derived_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/derived"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// recorded is an archive as a source of operands.
type recorded struct {
	*archive.Archive
	fetcher *interp.Fetcher
}

// openArchive opens and reads one archive of a folder.
func openArchive(t testing.TB, dir, name string) *recorded {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, name+".*"))
	var members []archive.Member
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		info, _ := f.Stat()
		members = append(members, archive.Member{Name: filepath.Base(p), Size: info.Size(), At: f})
	}
	groups, _ := archive.Groups(members)
	if len(groups) != 1 {
		t.Fatalf("%s/%s is %d archives", dir, name, len(groups))
	}
	a, err := archive.Open(context.Background(), groups[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return &recorded{Archive: a}
}

// at prepares to give values on a grid.
func (r *recorded) at(grid series.Grid) {
	segment := interp.Segment{Start: r.Start(), End: r.End(), Marks: r.Marks()}
	r.fetcher = interp.NewFetcher([]interp.Segment{segment}, grid, interp.Options{})
}

func (r *recorded) Desc(name string) (pcp.Desc, bool) {
	m, ok := r.Lookup(name)
	if !ok {
		return pcp.Desc{}, false
	}
	return m.Desc, true
}

func (r *recorded) Frame(name string) (*series.Frame, error) {
	m, _ := r.Lookup(name)
	o, ok := r.Observations(m.PMID)
	if !ok {
		o = &series.Observations{Desc: m.Desc}
	}
	var life interp.Lifetime
	members, _ := r.Archive.Instances(m.InDom)
	if r.MaxInstances(m.InDom) >= 16 {
		life = func(inst int32) (birth, death pcp.Time, ok bool) {
			for _, i := range members {
				if i.ID == inst {
					if !i.Gone {
						return i.First, pcp.MaxTime, true
					}
					return i.First, i.Last, true
				}
			}
			return 0, 0, false
		}
	}
	f := r.fetcher.Frame([]*series.Observations{o}, life)
	names := map[int32]string{}
	for _, i := range members {
		names[i.ID] = i.Name
	}
	for k := range f.Vectors {
		f.Vectors[k].Name = names[f.Vectors[k].Inst]
	}
	return &f, nil
}

func (r *recorded) Instances(d pcp.InDom) []derived.Member {
	var list []derived.Member
	all, _ := r.Archive.Instances(d)
	for _, i := range all {
		list = append(list, derived.Member{Instance: i.Instance})
	}
	return list
}

type oracleDoc struct {
	Expressions []struct {
		Expr string
		Desc *struct {
			Type, InDom, Units string
			Sem                int
		}
		Samples []struct {
			T json.Number
			V json.RawMessage
		}
		SyntaxError, SemanticError, Crash string
	}
}

// beyond lists the expressions that PCP 7.2.1 rejects and we compute:
// function arguments, and exponents.
var beyond = map[string]bool{"1e3 * hinv.ncpu": true, "sum(rate(kernel.percpu.cpu.user))": true}

// dissent lists where we deliberately differ from 7.2.1, and why.
var dissent = map[string]string{
	"max(kernel.all.load)":              "of no values there is no largest; 7.2.1 returns what its memory held (spec/derived.md section 11, defect 4)",
	"min(kernel.all.load)":              "as max",
	"max(sample.bin) - min(sample.bin)": "as max",
	"rate(sample.wrap.longlong)":        "7.2.1 interpolates the operand wrongly where it jumps across the sign (spec/interp.md section 12, defect 6)",
}

// TestOracle compares every expression that was put to libpcp 7.2.1 on a real
// archive: descriptors, every value, and every refusal.
func TestOracle(t *testing.T) {
	committed := reference.Sets(t)[0]
	var doc oracleDoc
	reference.JSON(t, committed.Oracle("derived", "web01.json.gz"), &doc)
	a := openArchive(t, committed.Corpus("live"), "web01")
	values, refused := 0, 0
	for _, x := range doc.Expressions {
		e, err := derived.Parse(x.Expr)
		if beyond[x.Expr] {
			if err != nil {
				t.Errorf("%s: %v", x.Expr, err)
			}
			continue
		}
		if x.SyntaxError != "" {
			refused++
			if err == nil {
				t.Errorf("%s: 7.2.1 refuses it: %s", x.Expr, x.SyntaxError)
				continue
			}
			// the third line has blanks up to the "^"
			column := strings.IndexByte(strings.Split(x.SyntaxError, "\n")[2], '^')
			if span := pcp.AsFault(err).Span; span[0] > column || span[1] < column {
				t.Errorf("%s: our place is %v, that of 7.2.1 is %d", x.Expr, *span, column)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", x.Expr, err)
			continue
		}
		b, faults := e.Bind(a)
		if x.SemanticError != "" {
			refused++
			if len(faults) == 0 {
				t.Errorf("%s: 7.2.1 refuses it: %s", x.Expr, x.SemanticError)
			}
			continue
		}
		if len(faults) > 0 {
			t.Errorf("%s: %s", x.Expr, faults[0].Message)
			continue
		}
		d := b.Desc
		if d.Type.String() != x.Desc.Type || int(d.Sem) != x.Desc.Sem || d.InDom.String() != x.Desc.InDom || d.Units.String() != x.Desc.Units {
			t.Errorf("%s: %v %v %v %q, want %+v", x.Expr, d.Type, d.Sem, d.InDom, d.Units, *x.Desc)
		}
		grid := series.Grid{Start: nanos(x.Samples[0].T), Step: int64(nanos(x.Samples[1].T) - nanos(x.Samples[0].T)), Count: len(x.Samples)}
		a.at(grid)
		f, err := b.Eval(grid, a)
		if err != nil {
			t.Errorf("%s: %v", x.Expr, err)
			continue
		}
		for i, s := range x.Samples {
			if grid.At(i) != nanos(s.T) {
				t.Fatalf("sample %d is off the grid", i)
			}
			want := map[int32]string{}
			var pairs [][2]json.RawMessage
			if json.Unmarshal(s.V, &pairs) == nil {
				for _, p := range pairs {
					inst, _ := strconv.Atoi(string(p[0]))
					want[int32(inst)] = string(p[1])
				}
			}
			got := map[int32]uint64{}
			for k := range f.Vectors {
				if v := &f.Vectors[k]; v.Missing(i) == series.HasValue {
					got[v.Inst] = v.Vals[i]
				}
			}
			if dissent[x.Expr] != "" && !agree(d.Type, got, want) {
				continue
			}
			if values += len(want); !agree(d.Type, got, want) {
				t.Errorf("%s at sample %d: %v, want %s", x.Expr, i, got, s.V)
			}
		}
	}
	t.Logf("compared 1 archive, %d expressions, %d values, %d refusals", len(doc.Expressions), values, refused)
	if got, want := [3]int{len(doc.Expressions), values, refused}, [3]int{72, 1259, 21}; got != want {
		t.Errorf("expressions, values, refusals: %v, want %v", got, want)
	}
}

func nanos(n json.Number) pcp.Time {
	v, _ := strconv.ParseInt(string(n), 10, 64)
	return pcp.Time(v)
}

func agree(t pcp.Type, got map[int32]uint64, want map[int32]string) bool {
	if len(got) != len(want) {
		return false
	}
	for inst, text := range want {
		bits, ok := got[inst]
		if !ok || !same(t, bits, text) {
			return false
		}
	}
	return true
}

// same compares exactly; a FLOAT's text has nine digits.
func same(t pcp.Type, bits uint64, text string) bool {
	var special struct{ Float string }
	if json.Unmarshal([]byte(text), &special) == nil && special.Float != "" {
		text = special.Float
	}
	switch t {
	case pcp.Float:
		v, err := strconv.ParseFloat(text, 32)
		return err == nil && float32(v) == math.Float32frombits(uint32(bits))
	case pcp.Double:
		v, err := strconv.ParseFloat(text, 64)
		g := math.Float64frombits(bits)
		return err == nil && (v == g || v != v && g != g)
	case pcp.Int32, pcp.Int64:
		return strconv.FormatInt(int64(bits), 10) == text
	}
	return strconv.FormatUint(bits, 10) == text
}
