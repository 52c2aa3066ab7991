package rpc

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Decode reads a message into *into. An unknown field or a value of the wrong
// type is a fault of kind argument that names the field: usually a typo in a
// program that uses the JavaScript API.
func Decode(m Message, into any) error { return decode(m, into, nil) }

// decode calls yield, which may be nil, repeatedly.
func decode(m Message, into any, yield func()) (err error) {
	d := decoder{Message: m, yield: yield}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *pcp.Fault:
			err = e
		default:
			panic(e)
		}
	}()
	d.value(reflect.ValueOf(into).Elem(), 0)
	if d.space(); d.at != len(d.Text) {
		d.fail("there is text after the end of the value")
	}
	return nil
}

// deepest is the maximum nesting of values: encoding/json allows as much in
// labels from files. The protocol's own values have five levels.
const deepest = 10000

type decoder struct {
	Message
	at   int
	path []string // field names on the way to what is being read

	yield func() // may be nil
	steps int    // since the last yield
}

// yieldEvery is how many values are read between two rests: less than a
// millisecond's work.
const yieldEvery = 500

// step counts work, and rests after enough of it.
func (d *decoder) step() {
	if d.steps++; d.steps >= yieldEvery && d.yield != nil {
		d.steps = 0
		d.yield()
	}
}

// fail ends the decoding by a panic, which Decode recovers, so that the
// readers below need no error handling.
func (d *decoder) fail(what string) {
	if len(d.path) > 0 {
		panic(pcp.Faultf(pcp.BadArgument, "In the argument %s, %s.", strings.Join(d.path, "."), what))
	}
	panic(pcp.Faultf(pcp.BadArgument, "In the arguments, %s.", what))
}

func (d *decoder) space() {
	for d.at < len(d.Text) && strings.IndexByte(" \t\r\n", d.Text[d.at]) >= 0 {
		d.at++
	}
}

// peek returns the next byte that is not whitespace, or 0 at the end.
func (d *decoder) peek() byte {
	d.space()
	if d.at < len(d.Text) {
		return d.Text[d.at]
	}
	return 0
}

func (d *decoder) accept(c byte) bool {
	if d.peek() == c {
		d.at++
		return true
	}
	return false
}

func (d *decoder) expect(c byte) {
	if !d.accept(c) {
		d.fail("the JSON text is broken at character " + strconv.Itoa(d.at))
	}
}

func (d *decoder) null() bool {
	if d.peek() == 'n' && strings.HasPrefix(d.Text[d.at:], "null") {
		d.at += 4
		return true
	}
	return false
}

func (d *decoder) value(v reflect.Value, depth int) {
	if depth > deepest {
		d.fail("values nest too deeply")
	}
	d.step()
	if d.null() {
		v.SetZero()
		return
	}
	switch v.Type() {
	case timeType:
		v.SetInt(d.bigint())
		return
	case whenType:
		v.Set(reflect.ValueOf(d.when()))
		return
	case rawType:
		d.marker("$")
		from := d.at
		d.skip(depth)
		v.SetBytes([]byte(strings.TrimSpace(d.Text[from:d.at])))
		d.expect('}')
		return
	case blobType:
		d.marker("@")
		i := d.integer(64)
		d.expect('}')
		if i < 0 || i >= int64(len(d.Blobs)) {
			d.fail("a Blob or ArrayBuffer is expected")
		}
		v.Set(reflect.ValueOf(d.Blobs[i]))
		return
	case columnType:
		d.column(v, depth)
		return
	case numbersType:
		if d.Kept != nil {
			v.Set(reflect.ValueOf(Numbers{part: d.part("@f")}))
		} else {
			d.bulk(v.FieldByName("Floats"))
		}
		return
	case octetsType:
		if d.Kept != nil {
			v.Set(reflect.ValueOf(Octets{part: d.part("@b")}))
		} else {
			d.bulk(v.FieldByName("Bytes"))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		switch {
		case strings.HasPrefix(d.Text[d.at:], "true"):
			d.at += 4
			v.SetBool(true)
		case strings.HasPrefix(d.Text[d.at:], "false"):
			d.at += 5
			v.SetBool(false)
		default:
			d.fail("true or false is expected")
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(d.integer(v.Type().Bits()))
	case reflect.Float64:
		v.SetFloat(d.float())
	case reflect.String:
		v.SetString(d.string())
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.value(p.Elem(), depth+1)
		v.Set(p)
	case reflect.Interface:
		v.Set(reflect.ValueOf(d.array()))
	case reflect.Struct:
		d.object(v, depth)
	case reflect.Slice:
		if d.peek() == '{' {
			if strings.HasPrefix(d.Text[d.at:], `{"%"`) && v.Type().Elem().Kind() == reflect.Struct {
				d.table(v, depth)
			} else {
				d.bulk(v)
			}
		} else {
			d.list(v, depth)
		}
	case reflect.Array:
		d.expect('[')
		for i := range v.Len() {
			if i > 0 {
				d.expect(',')
			}
			d.value(v.Index(i), depth+1)
		}
		d.expect(']')
	default:
		panic("rpc: " + v.Type().String() + " does not cross to JavaScript")
	}
}

// marker reads the start of a marker object, up to its value.
func (d *decoder) marker(key string) {
	if start := `{"` + key + `":`; d.peek() == '{' && strings.HasPrefix(d.Text[d.at:], start) {
		d.at += len(start)
		return
	}
	d.fail("a value of another kind is expected (" + map[string]string{
		"#": "a bigint of nanoseconds", "@": "a File or Blob", "$": "JSON", "@f": "a Float64Array", "@b": "a Uint8Array"}[key] + ")")
}

func (d *decoder) bigint() int64 {
	d.marker("#")
	n, err := strconv.ParseInt(d.string(), 10, 64)
	if err != nil {
		d.fail("the bigint does not fit 64 bits")
	}
	d.expect('}')
	return n
}

func (d *decoder) when() api.When {
	if d.peek() == '"' {
		return api.When{Text: d.string()}
	}
	if d.space(); !strings.HasPrefix(d.Text[d.at:], `{"#":`) {
		d.fail("a bigint of nanoseconds, a valid Date or a string such as \"-5min\" is expected")
	}
	n := d.bigint()
	return api.When{Nanos: &n}
}

// number returns the text of a number.
func (d *decoder) number() string {
	d.space()
	from := d.at
	for d.at < len(d.Text) && strings.IndexByte("+-.0123456789eE", d.Text[d.at]) >= 0 {
		d.at++
	}
	return d.Text[from:d.at]
}

func (d *decoder) integer(bits int) int64 {
	n, err := strconv.ParseInt(d.number(), 10, bits)
	if err != nil {
		d.fail("an integer is expected")
	}
	return n
}

func (d *decoder) float() float64 {
	if d.peek() == '{' {
		d.at += len(`{"~":`)
		if d.at > len(d.Text) {
			d.fail("a number is expected")
		}
		f, err := strconv.ParseFloat(d.string(), 64)
		d.expect('}')
		if err != nil {
			d.fail("a number is expected")
		}
		return f
	}
	f, err := strconv.ParseFloat(d.number(), 64)
	if err != nil {
		d.fail("a number is expected")
	}
	return f
}

func (d *decoder) string() string {
	if d.peek() != '"' {
		d.fail("a string is expected")
	}
	from := d.at
	escaped := false
	for d.at++; d.at < len(d.Text); d.at++ {
		switch d.Text[d.at] {
		case '\\':
			escaped = true
			d.at++
		case '"':
			d.at++
			text := d.Text[from:d.at]
			if !escaped {
				return text[1 : len(text)-1]
			}
			var s string
			if json.Unmarshal([]byte(text), &s) != nil {
				d.fail("a string is expected")
			}
			return s
		}
	}
	d.fail("a string is not terminated")
	return ""
}

// members calls each for every field of an object; each must read its value.
func (d *decoder) members(each func(name string)) {
	if d.peek() != '{' {
		d.fail("an object is expected")
	}
	d.at++
	if d.accept('}') {
		return
	}
	for {
		name := d.string()
		d.expect(':')
		d.path = append(d.path, name)
		each(name)
		d.path = d.path[:len(d.path)-1]
		if d.accept('}') {
			return
		}
		d.expect(',')
	}
}

func (d *decoder) object(v reflect.Value, depth int) {
	fields := fieldsOf(v.Type())
	d.members(func(name string) {
		for _, f := range fields {
			if f.name == name {
				d.value(v.Field(f.index), depth+1)
				return
			}
		}
		d.fail("no such field is known")
	})
}

func (d *decoder) column(v reflect.Value, depth int) {
	c := v.Addr().Interface().(*api.Column)
	fields := fieldsOf(v.Type())
	d.members(func(name string) {
		if name == "values" && d.peek() == '[' {
			d.value(reflect.ValueOf(&c.Strings).Elem(), depth+1)
			return
		}
		for _, f := range fields {
			if f.name == name {
				d.value(v.Field(f.index), depth+1)
				return
			}
		}
		d.fail("no such field is known")
	})
}

func (d *decoder) list(v reflect.Value, depth int) {
	if d.peek() != '[' {
		d.fail("a list is expected")
	}
	d.at++
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	if d.accept(']') {
		return
	}
	for {
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(item, depth+1)
		v.Set(reflect.Append(v, item))
		if d.accept(']') {
			return
		}
		d.expect(',')
	}
}

// bulk reads an array of numbers into a slice of its type.
func (d *decoder) bulk(v reflect.Value) {
	a := reflect.ValueOf(d.array())
	if a.Type() != v.Type() {
		d.fail("an array of other numbers is expected")
	}
	v.Set(a)
}

// array reads any array of numbers from the data.
func (d *decoder) array() any {
	d.expect('{')
	kind := d.string()
	d.expect(':')
	size := int64(len(d.Data))
	if d.Kept != nil {
		size = int64(d.Kept.Len)
	}
	at, n, width := d.place(kind, size)
	var b []byte
	if d.Kept != nil {
		b = d.Kept.bytes(int(at), int(n*width))
	} else {
		b = d.Data[at : at+n*width]
	}
	switch kind {
	case "@f":
		return words(b, math.Float64frombits)
	case "@i":
		return words(b, func(u uint64) int64 { return int64(u) })
	case "@u":
		return words(b, func(u uint64) uint64 { return u })
	case "@b":
		return append([]byte{}, b...)
	}
	d.fail("an array of numbers is expected")
	return nil
}

// place reads where in the message's data, of a size in bytes, an array of a kind is:
// the offset and the number of elements, each of width bytes.
func (d *decoder) place(kind string, size int64) (at, n, width int64) {
	d.expect('[')
	at = d.integer(64)
	d.expect(',')
	n = d.integer(64)
	d.expect(']')
	d.expect('}')
	width = 8
	if kind == "@b" {
		width = 1
	}
	if at < 0 || n < 0 || at > size || n > (size-at)/width {
		d.fail("an array lies outside the message")
	}
	return at, n, width
}

func words[T any](b []byte, from func(uint64) T) []T {
	s := make([]T, len(b)/8)
	for i := range s {
		s[i] = from(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return s
}

// skip skips a value of any kind.
func (d *decoder) skip(depth int) {
	if depth > deepest {
		d.fail("values nest too deeply")
	}
	d.step()
	switch c := d.peek(); c {
	case '"':
		d.string()
	case '{', '[':
		d.at++
		end := c + 2 // '}' follows '{' and ']' follows '[' with one between, in ASCII
		if d.accept(end) {
			return
		}
		for {
			if c == '{' {
				d.string()
				d.expect(':')
			}
			d.skip(depth + 1)
			if d.accept(end) {
				return
			}
			d.expect(',')
		}
	default:
		from := d.at
		for d.at < len(d.Text) && strings.IndexByte(",]} \t\r\n", d.Text[d.at]) < 0 {
			d.at++
		}
		if d.at == from {
			d.fail("a value is missing")
		}
	}
}
