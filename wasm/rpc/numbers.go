package rpc

import (
	"math"
	"reflect"
	"strconv"
)

// A Buffer is the data of a message, left where it is: an ArrayBuffer, as a js.Value. Only
// requested parts are copied.
type Buffer struct {
	JS   any
	Len  int
	Read func(at, n int) []byte
}

func (b *Buffer) bytes(at, n int) []byte {
	if n == 0 {
		return nil
	}
	return b.Read(at, n)
}

// Numbers are an array of float64 for scripts: a Go slice, or part of a Buffer.
type Numbers struct {
	Floats []float64
	part
}

// Octets are the same for bytes.
type Octets struct {
	Bytes []byte
	part
}

// A part is a range of a Buffer; of is nil if there is none.
type part struct {
	of      *Buffer
	at, len int
}

// Floats makes Numbers of a Go slice.
func Floats(v []float64) Numbers { return Numbers{Floats: v} }

// Bytes makes Octets of a Go slice.
func Bytes(v []byte) Octets { return Octets{Bytes: v} }

// Load returns the numbers, copied if they are in a Buffer.
func (n Numbers) Load() []float64 {
	if n.of == nil {
		return n.Floats
	}
	return words(n.of.bytes(n.at, 8*n.len), math.Float64frombits)
}

// Load returns the octets, copied if they are in a Buffer.
func (n Octets) Load() []byte {
	if n.of == nil {
		return n.Bytes
	}
	return n.of.bytes(n.at, n.len)
}

// Len counts them.
func (n Numbers) Len() int { return n.len + len(n.Floats) }

// Len counts them.
func (n Octets) Len() int { return n.len + len(n.Bytes) }

// InBuffer reports whether the numbers are in a Buffer.
func (n Numbers) InBuffer() bool { return n.of != nil }

var (
	numbersType = reflect.TypeFor[Numbers]()
	octetsType  = reflect.TypeFor[Octets]()
)

// part writes a range of a buffer: {"@f":[at,len,blob]}.
func (e *encoder) part(kind string, p part) {
	n, ok := e.buffers[p.of]
	if !ok {
		if e.buffers == nil {
			e.buffers = map[*Buffer]int{}
		}
		n = len(e.blobs)
		e.buffers[p.of] = n
		e.blobs = append(e.blobs, p.of.JS)
	}
	e.put(`{"` + kind + `":[`)
	for i, v := range [...]int{p.at, p.len, n} {
		if i > 0 {
			e.put(",")
		}
		e.text = strconv.AppendInt(e.text, int64(v), 10)
	}
	e.put("]}")
}

// part reads the range of an array in the message's data.
func (d *decoder) part(kind string) part {
	d.marker(kind)
	at, n, _ := d.place(kind, int64(d.Kept.Len))
	return part{d.Kept, int(at), int(n)}
}
