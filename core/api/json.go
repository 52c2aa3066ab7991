package api

import (
	"encoding/json"
	"math"
	"reflect"
)

// MarshalJSON encodes a frame as JSON, with the names that it has in
// JavaScript. JSON has no NaN: missing and infinite values are null. Strings
// are in "values", as there.
func (f Frame) MarshalJSON() ([]byte, error) { return json.Marshal(plain(reflect.ValueOf(f))) }

// MarshalJSON encodes a summary as JSON; NaN and infinities are null.
func (s Summary) MarshalJSON() ([]byte, error) { return json.Marshal(plain(reflect.ValueOf(s))) }

// An object is a JSON object with ordered fields.
type object []field

type field struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// plain converts a value to types that encoding/json accepts.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Uint8:
			if v.Type().Elem() != reflect.TypeFor[uint8]() || v.Type() != reflect.TypeFor[[]uint8]() {
				return v.Interface() // json.RawMessage
			}
			list := make([]int, v.Len()) // not as base64
			for i := range list {
				list[i] = int(v.Index(i).Uint())
			}
			return list
		case reflect.Float64, reflect.Struct:
			list := make([]any, v.Len())
			for i := range list {
				list[i] = plain(v.Index(i))
			}
			return list
		}
	case reflect.Struct:
		var o object
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, omit, ok := tagOf(f)
			if !ok || omit && v.Field(i).IsZero() || omit && v.Field(i).Kind() == reflect.Slice && v.Field(i).Len() == 0 {
				continue
			}
			value := v.Field(i)
			if f.Name == "Strings" && v.Type() == reflect.TypeFor[Column]() {
				name = "values"
			}
			o = append(o, field{name, plain(value)})
		}
		if o != nil {
			return o
		}
	}
	return v.Interface()
}

func tagOf(f reflect.StructField) (name string, omit, ok bool) {
	tag := f.Tag.Get("json")
	if tag == "" || tag == "-" || !f.IsExported() {
		return "", false, false
	}
	for i := range len(tag) {
		if tag[i] == ',' {
			return tag[:i], tag[i:] == ",omitempty", true
		}
	}
	return tag, false, true
}

// JSON encodes any question or answer as JSON, with the names that it has in
// JavaScript; NaN and infinities are null.
func JSON(v any) ([]byte, error) { return json.Marshal(plain(reflect.ValueOf(v))) }
