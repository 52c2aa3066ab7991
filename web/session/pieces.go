package session

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"pcpscope/core/pcp"
)

// Limits of what is decoded without a rest, in bytes of JSON.
const (
	maxPiece = 512 << 10  // a panel, a note, or a session or source without its lists and long texts
	maxLong  = 1280 << 10 // a long text: definitions, rules
	chunk    = 16 << 10   // what is read between two rests
)

// pieces decodes JSON in short pieces, and rests between them.
type pieces struct {
	*json.Decoder
	text []byte
	left int // bytes that the current piece may still take
	rest func()
}

func newPieces(text []byte, rest func()) *pieces {
	p := &pieces{text: text, rest: rest}
	p.Decoder = json.NewDecoder(p)
	return p
}

// Read is for the decoder.
func (p *pieces) Read(b []byte) (int, error) {
	p.rest()
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	if p.left <= 0 {
		return 0, TooLarge()
	}
	n := copy(b[:min(len(b), chunk)], p.text)
	p.text, p.left = p.text[n:], p.left-n
	return n, nil
}

// TooLarge is the fault of a session larger than any real one.
func TooLarge() *pcp.Fault {
	return pcp.Faultf(pcp.Corrupt, "This session is larger than any that pcpscope makes.")
}

func (p *pieces) decode(v any, limit int) error {
	p.left = limit
	return p.Decode(v)
}

func (p *pieces) token() (json.Token, error) {
	p.left = maxPiece
	return p.Token()
}

// listOf decodes a list of up to most members.
func listOf[T any](p *pieces, list *[]T, limit int, decode func(*T) error) error {
	t, err := p.token()
	if err != nil || t == nil { // null
		return err
	}
	if t != json.Delim('[') {
		return fmt.Errorf("%v is not a list", t)
	}
	for p.More() {
		if len(*list) == limit {
			return TooLarge()
		}
		var member T
		if err := decode(&member); err != nil {
			return err
		}
		*list = append(*list, member)
	}
	_, err = p.token()
	return err
}

// object decodes some members of an object with functions, and returns an object with
// the others, up to the first error.
func (p *pieces) object(members map[string]func() error) (others []byte, err error) {
	others = []byte("{}")
	add := func(name string, value json.RawMessage) error {
		if len(others)+len(name)+len(value) > maxPiece {
			return TooLarge()
		}
		quoted, err := json.Marshal(name)
		if len(others) > 2 {
			quoted = append([]byte{','}, quoted...)
		}
		others = slices.Concat(others[:len(others)-1], quoted, []byte{':'}, value, []byte{'}'})
		return err
	}
	t, err := p.token()
	if err != nil {
		return others, err
	}
	if t != json.Delim('{') {
		return others, fmt.Errorf("%v is not an object", t)
	}
	for p.More() {
		key, err := p.token()
		if err != nil {
			return others, err
		}
		name, _ := key.(string)
		if decode := members[name]; decode != nil {
			err = decode()
		} else {
			var value json.RawMessage
			if err = p.decode(&value, maxPiece); err == nil {
				err = add(name, value)
			}
		}
		if err != nil {
			return others, err
		}
	}
	_, err = p.token()
	p.rest()
	return others, err
}
