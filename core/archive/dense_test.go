package archive

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"pcpscope/core/pcp"
)

// TestDenseDataStaySmall loads archives in which every value changes in every
// record, the worst case of the change store: it may take no more than twice
// the raw bytes.
func TestDenseDataStaySmall(t *testing.T) {
	for _, tt := range []struct {
		name  string
		types []pcp.Type
		// present says which of the instances are in a record.
		present func(r *rand.Rand, i int) bool
	}{
		{"random numbers", []pcp.Type{pcp.Uint32, pcp.Int32, pcp.Uint64, pcp.Int64, pcp.Float, pcp.Double}, func(*rand.Rand, int) bool { return true }},
		{"random 32-bit numbers", []pcp.Type{pcp.Uint32}, func(*rand.Rand, int) bool { return true }},
		{"random instances", []pcp.Type{pcp.Uint32, pcp.Uint64}, func(r *rand.Rand, i int) bool { return r.IntN(2) == 0 }},
		{"strings", []pcp.Type{pcp.String}, func(*rand.Rand, int) bool { return true }},
	} {
		m := memory{}
		r := rand.New(rand.NewPCG(1, 2))
		w, err := NewWriter(Label{Version: 3, Start: 0}, m.create)
		if err != nil {
			t.Fatal(err)
		}
		for k, kind := range tt.types {
			w.Desc(pcp.Desc{PMID: pcp.MakePMID(1, 1, k), Type: kind, InDom: indom, Sem: pcp.Instant}, "m."+string(rune('a'+k)))
		}
		for row := range 300 {
			var here []int32
			for i := range 500 {
				if tt.present(r, i) {
					here = append(here, int32(i))
				}
			}
			var sets []ValueSet
			for k, kind := range tt.types {
				set := ValueSet{PMID: pcp.MakePMID(1, 1, k), Type: kind}
				for _, i := range here {
					v := Value{Inst: i, Val: r.Uint64()}
					switch kind {
					case pcp.Double:
						v.Val = math.Float64bits(r.NormFloat64())
					case pcp.Float:
						v.Val = uint64(math.Float32bits(float32(r.NormFloat64())))
					case pcp.String:
						v.Blob = make([]byte, 12)
						for b := range v.Blob {
							v.Blob[b] = byte('a' + r.IntN(26))
						}
					}
					set.Values = append(set.Values, v)
				}
				sets = append(sets, set)
			}
			w.Record(pcp.Time(row)*second, sets)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := Open(context.Background(), m.group("a"))
		if err != nil {
			t.Fatal(err)
		}
		raw := int64(m["0"].Len())
		before := heap()
		if err := a.Load(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if after := heap(); after-before > 2*raw {
			t.Errorf("%s: %d bytes of data take %d bytes of memory", tt.name, raw, after-before)
		} else {
			t.Logf("%s: %.2f of the raw size (says StoreBytes: %.2f)", tt.name, float64(after-before)/float64(raw), float64(a.StoreBytes())/float64(raw))
		}
		check(t, tt.name+": records", len(a.Records()), 300)
		runtime.KeepAlive(a)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC() // the second collection empties pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
