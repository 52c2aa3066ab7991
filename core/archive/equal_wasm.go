package archive

import "encoding/binary"

// equal compares two rows of the same length, a multiple of 4. In wasm this
// is three times faster than bytes.Equal.
func equal(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	le := binary.LittleEndian
	for len(a) >= 32 && len(b) >= 32 {
		if (le.Uint64(a)^le.Uint64(b))|(le.Uint64(a[8:])^le.Uint64(b[8:]))|
			(le.Uint64(a[16:])^le.Uint64(b[16:]))|(le.Uint64(a[24:])^le.Uint64(b[24:])) != 0 {
			return false
		}
		a, b = a[32:], b[32:]
	}
	for len(a) >= 4 && len(b) >= 4 {
		if le.Uint32(a) != le.Uint32(b) {
			return false
		}
		a, b = a[4:], b[4:]
	}
	return true
}
