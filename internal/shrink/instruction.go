package shrink

import "encoding/binary"

// An instruction of WebAssembly. Its immediate operands are in a and b if it
// has one or two: the depth of a branch, the index of a local, the value of a
// constant, the alignment and offset of a memory access.
type instruction struct {
	op    byte
	a, b  int64
	table []uint64 // of opBrTable, its default last
	raw   []byte   // its encoding
}

// The operations that matter here (WebAssembly core specification 2.0, section
// 5.4).
const (
	opBlock, opLoop, opIf, opElse       = 0x02, 0x03, 0x04, 0x05
	opEnd, opBr, opBrIf, opBrTable      = 0x0b, 0x0c, 0x0d, 0x0e
	opReturn                            = 0x0f
	opCall, opCallIndirect              = 0x10, 0x11
	opLocalGet, opLocalSet, opLocalTee  = 0x20, 0x21, 0x22
	opGlobalGet, opGlobalSet            = 0x23, 0x24
	opFirstLoad, opI64Load, opLastLoad  = 0x28, 0x29, 0x35
	opI32Store, opI64Store, opLastStore = 0x36, 0x37, 0x3e // the first of all stores
	opI32Store16                        = 0x3b
	opMemorySize, opMemoryGrow          = 0x3f, 0x40
	opNop                               = 0x01
	opI32Zero, opI64Zero                = 0x45, 0x50 // is it zero
	opI32Const, opI64Const              = 0x41, 0x42
	opF32Const, opF64Const              = 0x43, 0x44
	opI32Less, opI32Add, opI32Sub       = 0x49, 0x6a, 0x6b // unsigned
	opI32Mul                            = 0x6c
	opI32And                            = 0x71
	opI32ShiftLeft, opI32ShiftRight     = 0x74, 0x76 // unsigned
	opI64Add, opI64Or                   = 0x7c, 0x84
	opWrap, opExtend                    = 0xa7, 0xad // i32 of i64, i64 of i32 as unsigned
	opLastPlain, opMore                 = 0xc4, 0xfc
)

const void = -0x40 // the type of a block without a value

// read reads an instruction.
func (r *reader) instruction() instruction {
	from := r.at
	i := instruction{op: r.byte()}
	switch op := i.op; {
	case op == opBlock || op == opLoop || op == opIf || op == opI32Const || op == opI64Const:
		i.a = r.int()
	case op == opBr || op == opBrIf || op == opCall || op >= opLocalGet && op <= opGlobalSet:
		i.a = int64(r.uint())
	case op == opBrTable:
		n := r.uint()
		if n >= uint64(len(r.b)-r.at) {
			r.bad = true
			break
		}
		for range n + 1 {
			i.table = append(i.table, r.uint())
		}
	case op == opCallIndirect || op >= opFirstLoad && op <= opLastStore:
		i.a, i.b = int64(r.uint()), int64(r.uint())
	case op == opMemorySize || op == opMemoryGrow:
		r.bytes(1)
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)
	case op == opMore:
		switch i.a = int64(r.uint()); {
		case i.a == 10: // memory.copy
			r.bytes(2)
		case i.a == 11: // memory.fill
			r.bytes(1)
		case i.a > 7: // below are saturating conversions
			r.bad = true
		}
	case op <= 1 || op == 5 || op == opEnd || op == opReturn || op == 0x1a || op == 0x1b || op > opF64Const && op <= opLastPlain:
	default:
		r.bad = true
	}
	i.raw = r.b[from:r.at]
	return i
}

// plain makes an instruction without operands.
func plain(op byte) instruction { return instruction{op: op, raw: []byte{op}} }

// constant makes an instruction with a signed operand, and block one of these.
func constant(op byte, n int64) instruction {
	return instruction{op: op, a: n, raw: appendInt([]byte{op}, n)}
}

// indexed makes an instruction with an index or a depth.
func indexed(op byte, n int64) instruction {
	return instruction{op: op, a: n, raw: binary.AppendUvarint([]byte{op}, uint64(n))}
}

// access makes a load or a store.
func access(op byte, align, offset int64) instruction {
	raw := binary.AppendUvarint([]byte{op}, uint64(align))
	return instruction{op: op, a: align, b: offset, raw: binary.AppendUvarint(raw, uint64(offset))}
}

// is reports whether an instruction is op with the number a.
func (i instruction) is(op byte, a int64) bool { return i.op == op && i.a == a }

// nests returns by how much an instruction changes the nesting depth.
func (i instruction) nests() int {
	switch i.op {
	case opBlock, opLoop, opIf:
		return 1
	case opEnd:
		return -1
	}
	return 0
}

// stack returns how many values an instruction pops and pushes. ok is false if
// that depends on more than the instruction, and for branches.
func (i instruction) stack() (takes, leaves int, ok bool) {
	switch op := i.op; {
	case op == opLocalGet || op == opGlobalGet || op >= opI32Const && op <= opF64Const:
		return 0, 1, true
	case op == opLocalSet || op == opGlobalSet || op == 0x1a: // 0x1a drops
		return 1, 0, true
	case op == 0x1b: // select
		return 3, 1, true
	case op >= opI32Store && op <= opLastStore:
		return 2, 0, true
	case op == opLocalTee, op >= opFirstLoad && op <= opLastLoad, op == opMore && i.a <= 7,
		op == 0x45 || op == 0x50,                                                                // is it zero
		op >= 0x67 && op <= 0x69 || op >= 0x79 && op <= 0x7b,                                    // counts of bits
		op >= 0x8b && op <= 0x91 || op >= 0x99 && op <= 0x9f, op >= opWrap && op <= opLastPlain: // of one float; conversions
		return 1, 1, true
	case op > 0x45 && op < opWrap:
		return 2, 1, true
	}
	return 0, 0, false
}
