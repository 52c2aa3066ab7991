package archive

import (
	"testing"

	"pcpscope/core/pcp"
)

// TestStrayInstances: records of the 1990s give singular metrics an instance, a different
// one in each record; the values must be read regardless. See spec/archive.md section 5.2.
// The numbers are those of kernel.all.pswitch in PCP's own archive 960624.08.17_v2, as
// printed by pmval.
func TestStrayInstances(t *testing.T) {
	instances := []int32{0, 131076, 131075, 131076, 7, 0}
	values := []uint64{69011074, 69288913, 69525529, 69785345, 70108240, 70433818}
	for i, kind := range []pcp.Type{pcp.Int32, pcp.Uint32, pcp.Int64, pcp.Uint64, pcp.Float, pcp.Double, pcp.String} {
		m := memory{}
		w, err := NewWriter(Label{Version: 2, Start: 100 * second}, m.create)
		if err != nil {
			t.Fatal(err)
		}
		d := pcp.Desc{PMID: pcp.MakePMID(1, 1, i), Type: kind, InDom: pcp.NullInDom, Sem: pcp.Counter}
		w.Desc(d, "kernel.all.pswitch")
		for k, v := range values {
			one := Value{Inst: instances[k], Val: v, Blob: []byte{byte(v), byte(v >> 8)}}
			again := one // of a second value the first counts
			again.Val, again.Blob, again.Inst = 1, nil, one.Inst+1
			w.Record(pcp.Time(100+120*k)*second, []ValueSet{{PMID: d.PMID, Type: kind, Values: []Value{one, again}[:1+k%2]}})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		a := load(t, m.group("a"))
		obs, _ := a.Observations(d.PMID)
		if len(obs.Series) != 1 || obs.Series[0].Inst != -1 || len(obs.Series[0].Runs) != len(values) {
			t.Errorf("%s: %+v", kind, obs.Series)
			continue
		}
		for k, r := range obs.Series[0].Runs {
			if int(r.Row) != k {
				t.Errorf("%s: run %d is of row %d", kind, k, r.Row)
			}
			if kind == pcp.String {
				check(t, kind.String(), string(obs.Blobs.At(r.Val)), string([]byte{byte(values[k]), byte(values[k] >> 8)}))
			} else {
				check(t, kind.String(), r.Val, values[k])
			}
		}
	}
}

// TestInstanceOfOneOtherBit: instances with different numbers are different,
// even if only one bit differs that is also part of the index of a block. The
// list in the second record has each bit of one instance flipped.
func TestInstanceOfOneOtherBit(t *testing.T) {
	for bit := range 31 {
		m := memory{}
		w, err := NewWriter(Label{Version: 3, Start: 100 * second}, m.create)
		if err != nil {
			t.Fatal(err)
		}
		dom := pcp.MakeInDom(1, 1)
		d := pcp.Desc{PMID: pcp.MakePMID(1, 1, 1), Type: pcp.Uint64, InDom: dom, Sem: pcp.Counter}
		w.Desc(d, "a.b")
		for row, other := range []int32{0, 1 << bit} {
			var values []Value
			for i := range int32(24) {
				inst := i
				if i == 17 {
					inst = 17 ^ other
					if other != 0 && inst < 24 { // no instance twice
						inst = 17 ^ other | 64
					}
				}
				values = append(values, Value{Inst: inst, Val: uint64(1000*row + int(i))})
			}
			w.Record(pcp.Time(100+row)*second, []ValueSet{{PMID: d.PMID, Type: d.Type, Values: values}})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		obs, _ := load(t, m.group("a")).Observations(d.PMID)
		if len(obs.Series) != 25 {
			t.Errorf("bit %d: there are %d instances, not 24 and the other one", bit, len(obs.Series))
		}
	}
}
