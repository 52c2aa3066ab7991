package xz

// The range decoder, in two functions small enough for the compiler to inline,
// which keeps its state in registers. 32-bit numbers are kept in 64 bits, which
// WebAssembly handles with fewer instructions.

// isOne decodes a bit with probability p, as a branch condition.
func isOne(p *uint16, rng, code uint64, in []byte, ip int) (bool, uint64, uint64, int) {
	if rng < normalize {
		rng, code = rng<<8, code<<8|uint64(in[ip])
		ip++
	}
	odds := uint64(*p)
	bound := rng >> probBits * odds
	if code < bound {
		*p = uint16(odds + (1<<probBits-odds)>>probMove)
		return false, bound, code, ip
	}
	*p = uint16(odds - odds>>probMove)
	return true, rng - bound, code - bound, ip
}

// grow decodes a bit with probability p, and appends it to m.
func grow(m uint64, p *uint16, rng, code uint64, in []byte, ip int) (uint64, uint64, uint64, int) {
	if rng < normalize {
		rng, code = rng<<8, code<<8|uint64(in[ip])
		ip++
	}
	m <<= 1
	odds := uint64(*p)
	bound := rng >> probBits * odds
	if code < bound {
		*p = uint16(odds + (1<<probBits-odds)>>probMove)
		return m, bound, code, ip
	}
	*p = uint16(odds - odds>>probMove)
	return m + 1, rng - bound, code - bound, ip
}
