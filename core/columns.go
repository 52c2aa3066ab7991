package core

import (
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// exactUpTo is where whole numbers stop being exact in a float64.
const exactUpTo = 1 << 53

// columns turns one metric's frame into columns of an answer. keep selects
// instances by name; nil keeps all. If own is set, the frame is not shared, and the
// columns may use its memory. stop is called for each, with 0, and true
// ends the work.
func columns(metric string, f *series.Frame, keep func(name string) bool, own bool, stop func(int) bool) []api.Column {
	own = own && keep == nil // the memory of one instance is part of that of many
	list := make([]api.Column, 0, len(f.Vectors))
	for i := range f.Vectors {
		if stop(0) {
			break
		}
		v := &f.Vectors[i]
		if keep != nil && !keep(v.Name) {
			continue
		}
		c := api.Column{Metric: metric, Units: f.Desc.Units.String(), Type: typeName(f.Desc.Type), Semantics: f.Desc.Sem.String(), Why: whys(v.Why, own), Codes: codes(v.Codes), Operand: v.Operand}
		if f.Desc.InDom != pcp.NullInDom || len(f.Vectors) > 1 { // without metadata the domain is unknown but instances have numbers
			c.Instance = &api.InstanceRef{ID: v.Inst, Name: text(v.Name)}
		}
		if f.Desc.Type.Numeric() {
			c.Values, c.Exact = numbers(f.Desc.Type, v, own)
		} else {
			c.Strings = texts(f, v)
		}
		list = append(list, c)
	}
	return list
}

// typeName maps both aggregate types to one name, because the API does not
// expose where an agent kept the bytes.
func typeName(t pcp.Type) string {
	if t == pcp.AggregateStatic {
		t = pcp.Aggregate
	}
	return t.String()
}

func whys(w []series.Why, own bool) []uint8 {
	if w == nil {
		return nil
	}
	if own {
		return unsafe.Slice((*uint8)(unsafe.SliceData(w)), len(w))
	}
	out := make([]uint8, len(w))
	for i := range w {
		out[i] = uint8(w[i])
	}
	return out
}

func codes(m map[int]pcp.Code) []api.CodeAt {
	var list []api.CodeAt
	for _, at := range slices.Sorted(maps.Keys(m)) {
		list = append(list, api.CodeAt{At: at, Code: int32(m[at]), Text: m[at].String()})
	}
	return list
}

// numbers returns the values as doubles, and also exactly if a 64-bit integer
// does not fit into one. Of hundreds of thousands of instances a second copy would
// be most of what an answer takes: doubles replace the bits of own values.
func numbers(t pcp.Type, v *series.Vector, own bool) (values []float64, exact any) {
	large := beyondDoubles(t, v)
	if own && !large {
		values = unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(v.Vals))), len(v.Vals))
	} else {
		values = make([]float64, len(v.Vals))
	}
	for i, bits := range v.Vals {
		if v.Missing(i) != series.HasValue {
			values[i] = math.NaN()
			continue
		}
		values[i] = series.Float(t, bits)
	}
	if !large {
		return values, nil
	}
	switch t {
	case pcp.Int64:
		whole := make([]int64, len(v.Vals))
		for i, bits := range v.Vals {
			whole[i] = int64(bits)
		}
		exact = whole
	case pcp.Uint64:
		exact = append([]uint64(nil), v.Vals...)
	}
	return values, exact
}

// beyondDoubles reports whether one of the values is an integer that a double may
// not hold exactly.
func beyondDoubles(t pcp.Type, v *series.Vector) bool {
	if t != pcp.Int64 && t != pcp.Uint64 {
		return false
	}
	for i, bits := range v.Vals {
		if beyondDouble(t, bits) && v.Missing(i) == series.HasValue {
			return true
		}
	}
	return false
}

// beyondDouble compares integers: as a double, the first that is beyond is rounded
// to the last that is not.
func beyondDouble(t pcp.Type, bits uint64) bool {
	switch t {
	case pcp.Int64:
		return int64(bits) > exactUpTo || int64(bits) < -exactUpTo
	case pcp.Uint64:
		return bits > exactUpTo
	}
	return false
}

func texts(f *series.Frame, v *series.Vector) []*string {
	out := make([]*string, len(v.Vals))
	last, lastBits := (*string)(nil), uint64(0)
	for i, bits := range v.Vals {
		if v.Missing(i) != series.HasValue {
			continue
		}
		if last == nil || bits != lastBits { // values repeat: share the text
			s := blobText(f.Desc.Type, f.Blobs.At(bits))
			last, lastBits = &s, bits
		}
		out[i] = last
	}
	return out
}

// blobText formats a value that is not a number: strings as they are, opaque
// bytes in hex.
func blobText(t pcp.Type, b []byte) string {
	if t == pcp.String {
		return text(string(b))
	}
	return hex.EncodeToString(b)
}

// text makes s valid UTF-8. Archives declare no encoding; text that is not
// UTF-8 is read as Latin-1, which loses nothing.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// nameOf returns an instance's name, or its number if the archive never names
// it, as PCP's tools do.
func (d *inDom) nameOf(inst int32) string {
	if inst == pcp.NoInstance {
		return ""
	}
	if at, known := d.find(inst); known {
		return d.list[at].Name
	}
	if name, known := d.who().names[inst]; known {
		return name
	}
	return strconv.Itoa(int(inst))
}

// setNames fills in the names of vectors that have none yet.
func (d *inDom) setNames(vs []series.Vector) {
	find := d.finder()
	for i := range vs {
		if vs[i].Name != "" {
			continue
		}
		if at, known := find(vs[i].Inst); known && vs[i].Inst != pcp.NoInstance {
			vs[i].Name = d.list[at].Name
		} else {
			vs[i].Name = d.nameOf(vs[i].Inst)
		}
	}
}
