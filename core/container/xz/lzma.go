package xz

import (
	"encoding/binary"
	"errors"
)

var (
	errCorrupt  = errors.New("xz: no encoder writes these data")
	errDistance = errors.New("xz: a repetition from before the beginning of the data")
)

// Constants of the LZMA format.
const (
	probInit  = 1 << 10 // equal probabilities
	probBits  = 11
	probMove  = 5                             // speed of adaptation: by 1/32
	roundDown = 1<<probBits - 1<<probMove + 1 // a shift to the right rounds towards minus infinity, which a decrease must not
	normalize = 1 << 24

	states      = 16 // 12 are used; 16 avoid a bounds check
	posStates   = 16 // the maximum that pb allows
	litStates   = 7  // the states after a literal come first
	minMatch    = 2
	maxMatch    = minMatch + 8 + 8 + 256 - 1
	endOfStream = 1<<32 - 1 // as distance
)

// lengths is the model for the length of a repetition.
type lengths struct {
	choice, choice2 uint16
	low, mid        [posStates][8]uint16
	high            [256]uint16
}

// A model holds the probabilities of every bit of the format.
type model struct {
	isMatch    [states * posStates]uint16
	isRep0Long [states * posStates]uint16
	isRep      [states]uint16
	isRepG0    [states]uint16
	isRepG1    [states]uint16
	isRepG2    [states]uint16
	slot       [4][64]uint16
	special    [128]uint16 // of distances 4 to 127
	align      [16]uint16
	match, rep lengths
}

func fill(p []uint16) {
	for i := range p {
		p[i] = probInit
	}
}

func (l *lengths) reset() {
	l.choice, l.choice2 = probInit, probInit
	for i := range posStates {
		fill(l.low[i][:])
		fill(l.mid[i][:])
	}
	fill(l.high[:])
}

func (m *model) reset() {
	for _, p := range [][]uint16{m.isMatch[:], m.isRep0Long[:], m.isRep[:], m.isRepG0[:], m.isRepG1[:], m.isRepG2[:],
		m.slot[0][:], m.slot[1][:], m.slot[2][:], m.slot[3][:], m.special[:], m.align[:]} {
		fill(p)
	}
	m.match.reset()
	m.rep.reset()
}

// A decoder decodes LZMA symbols from one slice into another, the window, which
// begins with earlier output. Flat slices on both sides make it fast: a
// repetition is one copy, a byte of input one load.
type decoder struct {
	model    model
	literals []uint16 // 0x300 for each context

	lc, lp, pb uint
	state      uint64
	rep        [4]int64 // distances minus 1

	rng, code int64
	in        []byte // followed by inSlack arbitrary bytes
	ip        int
}

// inSlack is more than the bytes that one symbol takes from the input.
const inSlack = 32

// outSlack is how many bytes after the window's end a copy may overwrite.
const outSlack = 16

// properties sets lc, lp and pb from their byte.
func (d *decoder) properties(b byte, limit uint) bool {
	if b >= 9*5*5 {
		return false
	}
	d.lc, d.lp, d.pb = uint(b%9), uint(b/9%5), uint(b/45)
	return d.lc+d.lp <= limit
}

// resetState resets everything but the window.
func (d *decoder) resetState() {
	d.state, d.rep = 0, [4]int64{}
	d.model.reset()
	n := 0x300 << (d.lc + d.lp)
	if cap(d.literals) < n {
		d.literals = make([]uint16, n)
	}
	d.literals = d.literals[:n]
	fill(d.literals)
}

// start reads the first five bytes of a range coder's output.
func (d *decoder) start(in []byte) bool {
	d.rng, d.code = 1<<32-1, int64(binary.BigEndian.Uint32(in[1:]))
	return in[0] == 0
}

// outcome is why run returned.
type outcome int

const (
	outFull outcome = iota // the window holds what was asked for
	inEmpty                // the input is used up
	ended                  // by the end marker
	corrupt
	tooFar // a repetition from before the beginning
)
