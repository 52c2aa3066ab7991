package rpc

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"pcpscope/core/api"
)

// A long list of structs is encoded as a table, column by column: numbers in
// bulk, and of everything else each distinct value once. This reduces the
// text of a summary of 35,000 series to a twentieth, and needs no text per
// number.
//
//	{"%":[2,{"metric":{"&":[["a.b"],{"@f":[0,2]}]},"sum":{"@f":[16,2]},"maximumAt":{"@i":[32,2]}}]}
//
// has 2 rows; "&" stands for a list of distinct values and an index for each
// row. In the columns of optional fields, whose names begin with "?", null
// means an absent field.

// tableFrom is the number of rows from which a table is worth its overhead.
const tableFrom = 16

// tabular reports whether structs of type t may be in a table: they must not
// contain bulk data themselves.
func tabular(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t == whenType || t == columnType || t.NumField() == 0 {
		return false
	}
	for i := range t.NumField() {
		if !textual(t.Field(i).Type) {
			return false
		}
	}
	return true
}

func textual(t reflect.Type) bool {
	if t == rawType || t == timeType {
		return true
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float64, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return true
	case reflect.Pointer, reflect.Array:
		return textual(t.Elem())
	case reflect.Slice:
		kind := t.Elem().Kind()
		return (kind == reflect.String || kind == reflect.Struct || kind == reflect.Pointer) && textual(t.Elem())
	case reflect.Struct:
		return tabular(t)
	}
	return false
}

// table writes a list as a table, if it is long enough and tabular.
func (e *encoder) table(v reflect.Value) bool {
	if v.Len() < tableFrom || !tabular(v.Type().Elem()) {
		return false
	}
	e.claim(8 * v.Len() * v.Type().Elem().NumField())
	e.data = slices.Grow(e.data, 8*v.Len()*v.Type().Elem().NumField())
	e.put(`{"%":[`)
	e.value(reflect.ValueOf(v.Len()))
	e.put(",{")
	first := true
	for _, f := range fieldsOf(v.Type().Elem()) {
		if f.optional && nowhere(v, f) {
			continue
		}
		if !first {
			e.put(",")
		}
		first = false
		e.field(v, f)
	}
	e.put("}]}")
	return true
}

// nowhere reports whether an optional field is absent in all rows.
func nowhere(v reflect.Value, f field) bool {
	first, step := cells(v, f)
	list := v.Type().Elem().Field(f.index).Type.Kind() == reflect.Slice
	for i := range v.Len() {
		if list && len(*(*[]struct{})(unsafe.Add(first, uintptr(i)*step))) == 0 {
			continue
		}
		if !empty(v.Index(i).Field(f.index)) {
			return false
		}
	}
	return true
}

// field writes one column with its name.
func (e *encoder) field(v reflect.Value, f field) {
	if f.optional {
		e.put(`"?` + f.key[1:])
		e.distinct(v, f)
		return
	}
	e.put(f.key)
	switch t := v.Type().Elem().Field(f.index).Type; {
	case t == timeType:
		e.words(v, f, "@i", func(x reflect.Value) uint64 { return uint64(x.Int()) })
	case t.Kind() == reflect.Float64:
		e.words(v, f, "@f", func(x reflect.Value) uint64 { return math.Float64bits(x.Float()) })
	case v.Index(0).Field(f.index).CanInt():
		e.words(v, f, "@f", func(x reflect.Value) uint64 { return math.Float64bits(float64(x.Int())) })
	case t == reflect.TypeFor[string]():
		distinctBy(e, v, f, func(s string) string { return s })
	case t == reflect.TypeFor[*api.InstanceRef]():
		distinctBy(e, v, f, placeOf)
	default:
		e.distinct(v, f)
	}
}

// words stores one number per row.
func (e *encoder) words(v reflect.Value, f field, kind string, bits func(reflect.Value) uint64) {
	e.array(kind, v.Len())
	first, step := cells(v, f)
	switch t := v.Type().Elem().Field(f.index).Type; {
	case t == timeType || t.Kind() == reflect.Float64: // these are their own bits
		at, to := uintptr(0), e.room(v.Len())
		for ; len(to) > 0; at, to = at+step, to[8:] {
			binary.LittleEndian.PutUint64(to, *(*uint64)(unsafe.Add(first, at)))
		}
		return
	case t.Kind() == reflect.Int:
		at, to := uintptr(0), e.room(v.Len())
		for ; len(to) > 0; at, to = at+step, to[8:] {
			binary.LittleEndian.PutUint64(to, math.Float64bits(float64(*(*int)(unsafe.Add(first, at)))))
		}
		return
	}
	for i := range v.Len() {
		e.data = binary.LittleEndian.AppendUint64(e.data, bits(v.Index(i).Field(f.index)))
	}
}

// cells returns the address of a field in the first row and the distance
// between rows. Reflection would take ten times as long per step.
func cells(v reflect.Value, f field) (first unsafe.Pointer, step uintptr) {
	row := v.Type().Elem()
	return unsafe.Add(v.UnsafePointer(), row.Field(f.index).Offset), row.Size()
}

// distinctBy is distinct for a field of type T whose values can be
// distinguished by a key, so that they need not be encoded to be compared. A
// value seen before needs no key, because rows share pointers; and values
// mostly repeat in the same order, as the instances of the previous metric
// do, which avoids even the map.
func distinctBy[T, K comparable](e *encoder, v reflect.Value, f field, key func(T) K) {
	met, seen := map[T]int{}, map[K]int{}
	var order []T
	index := make([]float64, v.Len())
	first, step := cells(v, f)
	e.put(`{"&":[[`)
	n := -1
	for i := range index {
		e.step()
		cell := *(*T)(unsafe.Add(first, uintptr(i)*step))
		switch {
		case n >= 0 && order[n] == cell:
		case n+1 < len(order) && order[n+1] == cell:
			n++
		default:
			known := false
			if n, known = met[cell]; !known {
				k := key(cell)
				if n, known = seen[k]; !known {
					n = len(order)
					seen[k] = n
					order = append(order, cell)
					if n > 0 {
						e.put(",")
					}
					e.value(v.Index(i).Field(f.index))
				}
				met[cell] = n
			}
		}
		index[i] = float64(n)
	}
	e.put("],")
	e.numbers(reflect.ValueOf(index))
	e.put("]}")
}

// place is the key of an instance, which may be nil.
type place struct {
	known bool
	api.InstanceRef
}

func placeOf(in *api.InstanceRef) place {
	if in == nil {
		return place{}
	}
	return place{true, *in}
}

// distinct stores each distinct value once, and an index per row.
func (e *encoder) distinct(v reflect.Value, f field) {
	seen := map[string]float64{}
	index := make([]float64, v.Len())
	e.put(`{"&":[[`)
	for i := range index {
		x := v.Index(i).Field(f.index)
		from := len(e.text)
		if len(seen) > 0 {
			e.put(",")
		}
		at := len(e.text)
		if f.optional && empty(x) {
			e.put("null")
		} else {
			e.value(x)
		}
		n, ok := seen[string(e.text[at:])]
		if ok {
			e.text = e.text[:from]
		} else {
			n = float64(len(seen))
			seen[string(e.text[at:])] = n
		}
		index[i] = n
	}
	e.put("],")
	e.numbers(reflect.ValueOf(index))
	e.put("]}")
}

// table reads a table into a list.
func (d *decoder) table(v reflect.Value, depth int) {
	d.marker("%")
	d.expect('[')
	n := d.integer(32)
	if n < 0 || n > int64(len(d.Text)+len(d.Data)) {
		d.fail("a table has no such size")
	}
	d.expect(',')
	rows := reflect.MakeSlice(v.Type(), int(n), int(n))
	fields := fieldsOf(v.Type().Elem())
	d.members(func(name string) {
		name, optional := strings.CutPrefix(name, "?")
		for _, f := range fields {
			if f.name == name && f.optional == optional {
				d.columnOf(rows, f, depth)
				return
			}
		}
		d.fail("no such field is known")
	})
	d.expect(']')
	d.expect('}')
	v.Set(rows)
}

// columnOf reads one column of a table.
func (d *decoder) columnOf(rows reflect.Value, f field, depth int) {
	if strings.HasPrefix(d.Text[d.at:], `{"&":[[`) {
		d.at += len(`{"&":[`)
		list := reflect.New(reflect.SliceOf(rows.Type().Elem().Field(f.index).Type)).Elem()
		d.list(list, depth+1)
		d.expect(',')
		index, ok := d.array().([]float64)
		d.expect(']')
		d.expect('}')
		if !ok || len(index) != rows.Len() {
			d.fail("a column has another length than its table")
		}
		for i, n := range index {
			if n < 0 || n >= float64(list.Len()) {
				d.fail("a column has no such value")
			}
			d.step()
			rows.Index(i).Field(f.index).Set(list.Index(int(n)))
		}
		return
	}
	switch list := d.array().(type) {
	case []float64:
		if len(list) == rows.Len() {
			for i, x := range list {
				d.step()
				if cell := rows.Index(i).Field(f.index); cell.CanInt() {
					cell.SetInt(int64(x))
				} else if cell.CanFloat() {
					cell.SetFloat(x)
				}
			}
			return
		}
	case []int64:
		if len(list) == rows.Len() && rows.Type().Elem().Field(f.index).Type == timeType {
			for i, x := range list {
				d.step()
				rows.Index(i).Field(f.index).SetInt(x)
			}
			return
		}
	}
	d.fail("a column has another length or kind than its table")
}
