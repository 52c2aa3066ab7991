package shrink

import (
	"bytes"
	"testing"
)

func TestEncodings(t *testing.T) {
	r := reader{b: []byte{
		opCall, 0xc0, 0x00, // function 64, with a sign
		opLocalGet, 1,
		opI64Load, 3, 16, // aligned to 2^3 bytes, at offset 16
		opI64Const, 0xc0, 0x00, // 64: constants do have a sign
	}}
	var code []instruction
	for r.at < len(r.b) {
		code = append(code, r.instruction())
	}
	f := function{code: encodings(code)}
	want := []byte{0, opCall, 64, opLocalGet, 1, opI64Load, 0, 16, opI64Const, 0xc0, 0x00}
	if got := f.write(); r.bad || !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
}
