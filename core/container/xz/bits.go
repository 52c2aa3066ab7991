package xz

// The range decoder, in two functions small enough for the compiler to inline,
// which keeps its state in registers. 32-bit numbers are kept in 64 bits, which
// WebAssembly handles with fewer instructions, and signed, so that a difference
// tells by its sign which one is larger.

// isOne decodes a bit with probability p, as a branch condition.
func isOne(p *uint16, rng, code int64, in []byte, ip int) (bool, int64, int64, int) {
	if rng < normalize {
		rng, code = rng<<8, code<<8|int64(in[ip])
		ip++
	}
	odds := int64(*p)
	bound := rng >> probBits * odds
	if code < bound {
		*p = uint16(odds + (1<<probBits-odds)>>probMove)
		return false, bound, code, ip
	}
	*p = uint16(odds - odds>>probMove)
	return true, rng - bound, code - bound, ip
}

// grow decodes a bit with probability p, and appends it to m. No branch depends
// on the bit: a processor could not predict it.
func grow(m int64, p *uint16, rng, code int64, in []byte, ip int) (int64, int64, int64, int) {
	if rng < normalize {
		rng, code = rng<<8, code<<8|int64(in[ip])
		ip++
	}
	bound := rng >> probBits * int64(*p)
	one := ^((code - bound) >> 63) // all ones if the bit is 1
	*p += uint16((1<<probBits - one&roundDown - int64(*p)) >> probMove)
	return m<<1 - one, bound + one&(rng-2*bound), code - one&bound, ip
}
