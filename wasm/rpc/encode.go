package rpc

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Message is a value in transit between page and engine: JSON text, and
// beside it what JSON cannot carry, for which the text has these objects:
//
//	{"#":"123"}      a bigint
//	{"~":"NaN"}      a number that JSON cannot express: NaN, Infinity, -Infinity
//	{"@f":[8,100]}   a Float64Array of 100 from byte 8 of Data;
//	                 "@i" BigInt64Array, "@u" BigUint64Array, "@b" Uint8Array;
//	                 with a third number, of Blobs[that] in place of Data
//	{"@":0}          Blobs[0]
//	{"$":{...}}      foreign JSON, not to be interpreted
//	{"%":[2,{...}]}  a list of 2 objects: see table.go
//
// So a message takes a few bulk operations, however many columns it has;
// crossing into JavaScript costs a microsecond per value.
// wire.js has the other half (toWire, fromWire).
type Message struct {
	Text  string
	Data  []byte // numbers, little-endian, each array at a multiple of 8
	Blobs []any

	Kept *Buffer // in place of Data, where that is handed on unread: see Numbers
}

// Encode encodes v, which consists of types of api and rpc. It panics on
// types outside the protocol, which would be a bug.
func Encode(v any) Message { return EncodeYielding(v, nil) }

// EncodeYielding does the same and calls yield repeatedly, so that a
// single-threaded program learns of a cancellation during a long answer.
func EncodeYielding(v any, yield func()) Message {
	m, _ := EncodeWithin(v, yield, nil)
	return m
}

// EncodeWithin does the same and claims memory, in bytes, before a message takes
// more; it fails with the error of take.
func EncodeWithin(v any, yield func(), take func(bytes int64) error) (m Message, err error) {
	e := encoder{yield: yield, take: take, claimed: claimedFrom}
	defer func() {
		if r := recover(); r != nil {
			refused, is := r.(refusal)
			if !is {
				panic(r)
			}
			m, err = Message{}, refused.error
		}
	}()
	e.value(reflect.ValueOf(v))
	return Message{Text: string(e.text), Data: e.data, Blobs: e.blobs}, nil
}

// A refusal ends the encoding of a message for which there is no memory.
type refusal struct{ error }

// claimedFrom is how large a message gets before memory is claimed.
const claimedFrom = 64 << 10

// claim claims what n more bytes take: growing and converting them holds them twice.
func (e *encoder) claim(n int) {
	need := len(e.text) + len(e.data) + n
	if e.take == nil || need <= e.claimed {
		return
	}
	more := max(need-e.claimed, e.claimed)
	if err := e.take(2 * int64(more)); err != nil {
		panic(refusal{err})
	}
	e.claimed += more
}

type encoder struct {
	text, data []byte
	blobs      []any
	buffers    map[*Buffer]int // among the blobs

	yield func() // may be nil
	steps int    // since the last yield

	take    func(bytes int64) error // may be nil
	claimed int                     // bytes of text and data
}

var (
	timeType   = reflect.TypeFor[pcp.Time]()
	whenType   = reflect.TypeFor[api.When]()
	rawType    = reflect.TypeFor[json.RawMessage]()
	blobType   = reflect.TypeFor[Blob]()
	columnType = reflect.TypeFor[api.Column]()
)

func (e *encoder) value(v reflect.Value) {
	e.step()
	if !v.IsValid() {
		e.put("null")
		return
	}
	switch v.Type() {
	case timeType:
		e.bigint(v.Int())
		return
	case whenType:
		e.when(v.Interface().(api.When))
		return
	case rawType:
		e.raw(v.Bytes())
		return
	case blobType:
		e.put(`{"@":` + strconv.Itoa(len(e.blobs)) + `}`)
		e.blobs = append(e.blobs, v.Interface())
		return
	case columnType:
		e.column(v)
		return
	case numbersType:
		if n := v.Interface().(Numbers); n.of != nil {
			e.part("@f", n.part)
		} else {
			e.numbers(reflect.ValueOf(n.Floats))
		}
		return
	case octetsType:
		if n := v.Interface().(Octets); n.of != nil {
			e.part("@b", n.part)
		} else {
			e.numbers(reflect.ValueOf(n.Bytes))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		e.text = strconv.AppendBool(e.text, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.text = strconv.AppendInt(e.text, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.text = strconv.AppendUint(e.text, v.Uint(), 10)
	case reflect.Float64:
		e.float(v.Float())
	case reflect.String:
		e.string(v.String())
	case reflect.Pointer, reflect.Interface:
		e.value(v.Elem())
	case reflect.Struct:
		e.put("{")
		e.fields(v, nil)
		e.put("}")
	case reflect.Slice, reflect.Array:
		if !e.numbers(v) && (v.Kind() == reflect.Array || !e.table(v)) {
			e.list(v)
		}
	default:
		panic(fmt.Sprintf("rpc: %s does not cross to JavaScript", v.Type()))
	}
}

// step counts work, and rests after enough of it.
func (e *encoder) step() {
	if e.steps++; e.steps >= yieldEvery && e.yield != nil {
		e.steps = 0
		e.yield()
	}
}

func (e *encoder) put(s string) {
	e.claim(len(s))
	e.text = append(e.text, s...)
}

func (e *encoder) string(s string) {
	e.step()
	e.claim(len(s) + 2)
	if plain(s) {
		e.text = append(append(append(e.text, '"'), s...), '"')
		return
	}
	quoted, _ := json.Marshal(s) // never fails; invalid UTF-8 becomes U+FFFD
	e.text = append(e.text, quoted...)
}

// plain reports whether s needs no escape: nearly every string here.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func (e *encoder) bigint(n int64) {
	e.put(`{"#":"`)
	e.text = strconv.AppendInt(e.text, n, 10)
	e.put(`"}`)
}

func (e *encoder) when(w api.When) {
	if w.Nanos != nil {
		e.bigint(*w.Nanos)
		return
	}
	e.string(w.Text)
}

func (e *encoder) float(f float64) {
	switch {
	case math.IsNaN(f):
		e.put(`{"~":"NaN"}`)
	case math.IsInf(f, 1):
		e.put(`{"~":"Infinity"}`)
	case math.IsInf(f, -1):
		e.put(`{"~":"-Infinity"}`)
	default:
		e.text = strconv.AppendFloat(e.text, f, 'g', -1, 64)
	}
}

// raw passes on JSON from a file. Invalid JSON becomes {}.
func (e *encoder) raw(b []byte) {
	if !json.Valid(b) {
		b = []byte("{}")
	}
	e.claim(len(b))
	e.put(`{"$":`)
	e.text = append(e.text, b...)
	e.put(`}`)
}

func (e *encoder) list(v reflect.Value) {
	if columns, ok := v.Interface().([]api.Column); ok { // growing by doubling would copy them repeatedly
		words := 0
		for _, c := range columns {
			words += len(c.Values) + len(c.Low) + len(c.High) + (len(c.Why)+7)/8
		}
		e.claim(8 * words)
		e.data = slices.Grow(e.data, 8*words)
	}
	if list, ok := v.Interface().([]Numbers); ok {
		words := 0
		for _, n := range list {
			words += len(n.Floats) + (len(n.Floats)+7)/8 // and as many reasons, mostly
		}
		e.claim(8 * words)
		e.data = slices.Grow(e.data, 8*words)
	}
	e.put("[")
	for i := range v.Len() {
		if i > 0 {
			e.put(",")
		}
		e.value(v.Index(i))
	}
	e.put("]")
}

// numbers stores a slice of numbers in the data, if v is one.
func (e *encoder) numbers(v reflect.Value) bool {
	switch s := v.Interface().(type) {
	case []float64:
		e.array("@f", len(s))
		to := e.room(len(s))
		for i, x := range s {
			binary.LittleEndian.PutUint64(to[8*i:], math.Float64bits(x))
		}
	case []int64:
		e.array("@i", len(s))
		for _, x := range s {
			e.data = binary.LittleEndian.AppendUint64(e.data, uint64(x))
		}
	case []uint64:
		e.array("@u", len(s))
		for _, x := range s {
			e.data = binary.LittleEndian.AppendUint64(e.data, x)
		}
	case []uint8:
		e.array("@b", len(s))
		e.data = append(e.data, s...)
		for len(e.data)%8 != 0 {
			e.data = append(e.data, 0)
		}
	default:
		return false
	}
	return true
}

// room appends n words to the data for the caller to fill.
func (e *encoder) room(n int) []byte {
	at := len(e.data)
	e.data = slices.Grow(e.data, 8*n)[:at+8*n]
	return e.data[at:]
}

// array writes a reference to n numbers at the end of the data, which the
// caller stores next.
func (e *encoder) array(kind string, n int) {
	e.claim(8 * n)
	e.put(`{"` + kind + `":[`)
	e.text = strconv.AppendInt(e.text, int64(len(e.data)), 10)
	e.put(",")
	e.text = strconv.AppendInt(e.text, int64(n), 10)
	e.put("]}")
}

// column writes a column. In JavaScript its values, numbers or strings, are
// always in the field values.
func (e *encoder) column(v reflect.Value) {
	c := v.Interface().(api.Column)
	e.put(`{"values":`)
	if c.Strings != nil {
		e.list(reflect.ValueOf(c.Strings))
	} else {
		e.numbers(reflect.ValueOf(c.Values))
	}
	e.put(",")
	e.fields(v, func(name string) bool { return name == "values" || name == "strings" })
	e.put("}")
}

// fields writes the fields of a struct without its braces.
func (e *encoder) fields(v reflect.Value, skip func(name string) bool) {
	first := true
	for _, f := range fieldsOf(v.Type()) {
		x := v.Field(f.index)
		if f.optional && empty(x) || skip != nil && skip(f.name) {
			continue
		}
		if !first {
			e.put(",")
		}
		first = false
		e.text = append(e.text, f.key...)
		e.value(x)
	}
}

func empty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.IsZero()
}

// A field is a field of a struct as described by its json tag.
type field struct {
	name     string
	key      string // `"name":`
	index    int
	optional bool
}

var known sync.Map // of reflect.Type to []field

func fieldsOf(t reflect.Type) []field {
	if fs, ok := known.Load(t); ok {
		return fs.([]field)
	}
	var fs []field
	for i := range t.NumField() {
		name, option, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			fs = append(fs, field{name, strconv.Quote(name) + ":", i, option == "omitempty"})
		}
	}
	known.Store(t, fs)
	return fs
}
