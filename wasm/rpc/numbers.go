package rpc

import (
	"reflect"
	"strconv"
)

// A Buffer is the data of a message that this program hands on unread: an
// ArrayBuffer, as a js.Value. It is never copied.
type Buffer struct{ JS any }

// Numbers are an array of float64 for scripts: one of this program's, or a
// part of a Buffer.
type Numbers struct {
	Floats []float64
	part
}

// Octets are the same of bytes.
type Octets struct {
	Bytes []byte
	part
}

// A part is a place in a Buffer; in none where of is nil.
type part struct {
	of      *Buffer
	at, len int
}

// Floats are numbers of this program's.
func Floats(v []float64) Numbers { return Numbers{Floats: v} }

// Bytes are octets of this program's.
func Bytes(v []byte) Octets { return Octets{Bytes: v} }

// Len counts them.
func (n Numbers) Len() int { return n.len + len(n.Floats) }

// Len counts them.
func (n Octets) Len() int { return n.len + len(n.Bytes) }

// Elsewhere says whether the numbers lie in a Buffer.
func (n Numbers) Elsewhere() bool { return n.of != nil }

var (
	numbersType = reflect.TypeFor[Numbers]()
	octetsType  = reflect.TypeFor[Octets]()
)

// part writes a place in a buffer: {"@f":[at,len,blob]}.
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

// part reads where an array lies in the message's data.
func (d *decoder) part(kind string) part {
	d.marker(kind)
	d.expect('[')
	at := d.integer(64)
	d.expect(',')
	n := d.integer(64)
	d.expect(']')
	d.expect('}')
	if at < 0 || n < 0 {
		d.fail("an array lies outside the message")
	}
	return part{d.Kept, int(at), int(n)}
}
