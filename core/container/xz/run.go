package xz

import "encoding/binary"

// run decodes symbols to win[pos:] until pos is at least soft, or the input is
// consumed up to inEnd. Bytes from first on have been decoded before and may be
// repeated. No repetition may extend beyond hard; win continues for outSlack
// bytes after it. bias is added to pos for its alignment.
func (d *decoder) run(win []byte, first, pos, soft, hard, bias, inEnd int) (int, outcome) {
	m := &d.model
	in, ip, rng, code := d.in, d.ip, d.rng, d.code
	state := d.state
	rep0, rep1, rep2, rep3 := d.rep[0], d.rep[1], d.rep[2], d.rep[3]
	pbMask, lpMask, lc := 1<<d.pb-1, 1<<d.lp-1, d.lc
	result := outFull
	var one bool

loop:
	for pos < soft {
		if ip > inEnd {
			result = inEmpty
			break
		}
		posState := (pos + bias) & pbMask
		if one, rng, code, ip = isOne(&m.isMatch[(state<<4|uint64(posState))&(states*posStates-1)], rng, code, in, ip); !one {
			// A literal, in the context of the byte before it.
			before := uint(0)
			if pos > first {
				before = uint(win[pos-1])
			}
			context := uint((pos+bias)&lpMask)<<lc | before>>(8-lc)
			odds := (*[0x300]uint16)(d.literals[context*0x300:])
			sym := int64(1)
			// Eight bits, here and below without a loop: in WebAssembly each turn of one goes
			// through a table of jumps, which takes a quarter of all the time.
			if state < litStates {
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
				sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			} else { // after a repetition, the byte that would have continued it is used as context
				if uint(rep0) >= uint(pos-first) {
					result = tooFar
					break
				}
				hint, side := int64(win[pos-int(rep0)-1])<<1, int64(0x100) // side is 0 once that byte has proved wrong
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
				side, hint = side&(hint^(sym&1-1)), hint<<1
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
				side, hint = side&(hint^(sym&1-1)), hint<<1
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
				side, hint = side&(hint^(sym&1-1)), hint<<1
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
				side, hint = side&(hint^(sym&1-1)), hint<<1
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
				side, hint = side&(hint^(sym&1-1)), hint<<1
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
				side, hint = side&(hint^(sym&1-1)), hint<<1
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
				side, hint = side&(hint^(sym&1-1)), hint<<1
				sym, rng, code, ip = grow(sym, &odds[side+hint&side+sym], rng, code, in, ip)
			}
			win[pos] = byte(sym)
			pos++
			switch {
			case state < 4:
				state = 0
			case state < 10:
				state -= 3
			default:
				state -= 6
			}
			continue
		}

		sizes := &m.rep
		if one, rng, code, ip = isOne(&m.isRep[state&(states-1)], rng, code, in, ip); !one {
			rep1, rep2, rep3 = rep0, rep1, rep2
			sizes = &m.match
		} else if one, rng, code, ip = isOne(&m.isRepG0[state&(states-1)], rng, code, in, ip); !one {
			if one, rng, code, ip = isOne(&m.isRep0Long[(state<<4|uint64(posState))&(states*posStates-1)], rng, code, in, ip); !one {
				if uint(rep0) >= uint(pos-first) {
					result = tooFar
					break
				}
				win[pos] = win[pos-int(rep0)-1]
				pos++
				if state < litStates {
					state = 9
				} else {
					state = 11
				}
				continue
			}
		} else if one, rng, code, ip = isOne(&m.isRepG1[state&(states-1)], rng, code, in, ip); !one {
			rep0, rep1 = rep1, rep0
		} else if one, rng, code, ip = isOne(&m.isRepG2[state&(states-1)], rng, code, in, ip); !one {
			rep0, rep1, rep2 = rep2, rep0, rep1
		} else {
			rep0, rep1, rep2, rep3 = rep3, rep0, rep1, rep2
		}

		// The length.
		var length int64
		sym := int64(1)
		if one, rng, code, ip = isOne(&sizes.choice, rng, code, in, ip); !one {
			odds := &sizes.low[posState&(posStates-1)]
			sym, rng, code, ip = grow(sym, &odds[sym&7], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&7], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&7], rng, code, in, ip)
			length = sym + minMatch - 8
		} else if one, rng, code, ip = isOne(&sizes.choice2, rng, code, in, ip); !one {
			odds := &sizes.mid[posState&(posStates-1)]
			sym, rng, code, ip = grow(sym, &odds[sym&7], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&7], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&7], rng, code, in, ip)
			length = sym + minMatch + 8 - 8
		} else {
			odds := &sizes.high
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			sym, rng, code, ip = grow(sym, &odds[sym&0xff], rng, code, in, ip)
			length = sym + minMatch + 16 - 256
		}

		if sizes == &m.rep {
			if state < litStates {
				state = 8
			} else {
				state = 11
			}
		} else {
			// The distance: six bits of slot, then the rest.
			slots := &m.slot[min(length-minMatch, 3)]
			slot := int64(1)
			slot, rng, code, ip = grow(slot, &slots[slot&63], rng, code, in, ip)
			slot, rng, code, ip = grow(slot, &slots[slot&63], rng, code, in, ip)
			slot, rng, code, ip = grow(slot, &slots[slot&63], rng, code, in, ip)
			slot, rng, code, ip = grow(slot, &slots[slot&63], rng, code, in, ip)
			slot, rng, code, ip = grow(slot, &slots[slot&63], rng, code, in, ip)
			slot, rng, code, ip = grow(slot, &slots[slot&63], rng, code, in, ip)
			slot -= 64
			rep0 = slot
			if slot >= 4 {
				n := slot>>1 - 1
				rep0 = (2 | slot&1) << (n & 31)
				if slot < 14 {
					base, sym := rep0-slot, int64(1)
					for i := range n {
						if one, rng, code, ip = isOne(&m.special[(base+sym)&127], rng, code, in, ip); one {
							rep0 += 1 << (i & 31)
							sym = sym<<1 | 1
						} else {
							sym <<= 1
						}
					}
				} else {
					direct := int64(0)
					for range n - 4 { // bits with equal probabilities
						if rng < normalize {
							rng, code = rng<<8, code<<8|int64(in[ip])
							ip++
						}
						rng >>= 1
						code -= rng
						minus := code >> 63 // all ones if that was too much
						code += rng & minus
						direct = direct<<1 + minus + 1
					}
					rep0 += direct << 4
					sym := int64(1)
					sym, rng, code, ip = grow(sym, &m.align[sym&15], rng, code, in, ip)
					sym, rng, code, ip = grow(sym, &m.align[sym&15], rng, code, in, ip)
					sym, rng, code, ip = grow(sym, &m.align[sym&15], rng, code, in, ip)
					sym, rng, code, ip = grow(sym, &m.align[sym&15], rng, code, in, ip)
					rep0 += sym&1<<3 | sym&2<<1 | sym&4>>1 | sym&8>>3
					if rep0 == endOfStream {
						result = ended
						break loop
					}
				}
			}
			if state < litStates {
				state = 7
			} else {
				state = 10
			}
		}

		distance := int(rep0) + 1
		if uint(rep0) >= uint(pos-first) {
			result = tooFar
			break
		}
		if int(length) > hard-pos {
			result = corrupt
			break
		}
		repeat(win, pos, distance, int(length))
		pos += int(length)
	}

	d.ip, d.rng, d.code, d.state = ip, rng, code, state
	d.rep = [4]int64{rep0, rep1, rep2, rep3}
	return pos, result
}

// repeat copies length bytes to win[pos:] from distance before, where the two
// may overlap. It may write up to outSlack bytes more.
func repeat(win []byte, pos, distance, length int) {
	src := pos - distance
	switch {
	case distance >= length && length > 32:
		copy(win[pos:pos+length], win[src:])
	case distance >= 8:
		for end := pos + length; pos < end; pos, src = pos+8, src+8 {
			binary.LittleEndian.PutUint64(win[pos:], binary.LittleEndian.Uint64(win[src:]))
		}
	default: // a pattern shorter than a word: double what is there
		for length > 0 {
			n := copy(win[pos:pos+length], win[src:pos])
			pos, length = pos+n, length-n
		}
	}
}
