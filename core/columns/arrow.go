package columns

import (
	"encoding/binary"
	"io"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/klauspost/compress/zstd"
)

// batchRows is the most rows of a record batch.
const batchRows = 1 << 17

// Arrow writes a table as a file of the Arrow IPC format, version 5
// (https://arrow.apache.org/docs/format/Columnar.html): record batches whose
// buffers are compressed with zstd. After the first eight bytes it can also be
// read as a stream.
type Arrow struct {
	schema Schema
	out    io.Writer
	at     int64
	group  gathered
	blocks []block
	zstd   *zstd.Encoder
	err    error
}

// A block is the location of a record batch in the file.
type block struct{ offset, meta, body int64 }

// Constants of the format: format/Message.fbs, format/Schema.fbs.
const (
	arrowMagic    = "ARROW1"
	version5      = 4
	headerSchema  = 1
	headerBatch   = 3
	typeInt       = 2
	typeFloat     = 3
	typeUtf8      = 5
	typeTimestamp = 10
	double        = 2
	nanosecond    = 3
	codecZstd     = 1
)

// NewArrow begins a file.
func NewArrow(out io.Writer, s Schema) *Arrow {
	return &Arrow{schema: s, out: out, group: newGathered(s)}
}

// Write implements Writer.
func (a *Arrow) Write(batch []Column) error {
	rows, err := rowsOf(a.schema, batch)
	if err != nil {
		return err
	}
	for from := 0; from < rows && a.err == nil; {
		from += a.group.add(batch, from, rows, batchRows)
		if a.group.full(batchRows) {
			a.endBatch()
		}
	}
	return a.err
}

// Close implements Writer.
func (a *Arrow) Close() error {
	a.endBatch()
	a.begin()
	a.put([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}) // end of the stream
	b := flatbuffers.NewBuilder(4096)
	schema := a.schemaTable(b)
	b.StartVector(24, len(a.blocks), 8)
	for i := len(a.blocks) - 1; i >= 0; i-- {
		x := a.blocks[i]
		b.Prep(8, 24)
		b.PrependInt64(x.body)
		b.Pad(4)
		b.PrependInt32(int32(x.meta))
		b.PrependInt64(x.offset)
	}
	batches := b.EndVector(len(a.blocks))
	b.StartObject(5)
	b.PrependInt16Slot(0, version5, 0)
	b.PrependUOffsetTSlot(1, schema, 0)
	b.PrependUOffsetTSlot(3, batches, 0)
	b.Finish(b.EndObject())
	footer := b.FinishedBytes()
	a.put(footer)
	a.put(append(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), arrowMagic...))
	return a.err
}

func (a *Arrow) begin() {
	if a.at > 0 || a.err != nil {
		return
	}
	if a.zstd, a.err = newZstd(); a.err != nil {
		return
	}
	a.put([]byte(arrowMagic + "\x00\x00"))
	b := flatbuffers.NewBuilder(4096)
	a.message(b, headerSchema, a.schemaTable(b), nil)
}

func (a *Arrow) put(b []byte) {
	if a.err != nil {
		return
	}
	var n int
	n, a.err = a.out.Write(b)
	a.at += int64(n)
}

// message writes metadata, whose header has been built, and a body.
func (a *Arrow) message(b *flatbuffers.Builder, kind byte, header flatbuffers.UOffsetT, body []byte) block {
	b.StartObject(5)
	b.PrependInt16Slot(0, version5, 0)
	b.PrependByteSlot(1, kind, 0)
	b.PrependUOffsetTSlot(2, header, 0)
	b.PrependInt64Slot(3, int64(len(body)), 0)
	b.Finish(b.EndObject())
	meta := b.FinishedBytes()
	padded := (len(meta) + 7) &^ 7
	at := a.at
	a.put(binary.LittleEndian.AppendUint32([]byte{0xff, 0xff, 0xff, 0xff}, uint32(padded)))
	a.put(meta)
	a.put(make([]byte, padded-len(meta)))
	a.put(body)
	return block{at, int64(8 + padded), int64(len(body))}
}

// schemaTable builds the table Schema.
func (a *Arrow) schemaTable(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	var fields, pairs []flatbuffers.UOffsetT
	for _, f := range a.schema.Fields {
		name := b.CreateString(f.Name)
		children := vector(b, nil)
		kind, typ := typeTable(b, f)
		b.StartObject(7)
		b.PrependUOffsetTSlot(0, name, 0)
		b.PrependBoolSlot(1, f.Nullable, false)
		b.PrependByteSlot(2, kind, 0)
		b.PrependUOffsetTSlot(3, typ, 0)
		b.PrependUOffsetTSlot(5, children, 0)
		fields = append(fields, b.EndObject())
	}
	for _, kv := range a.schema.Metadata {
		key, value := b.CreateString(kv[0]), b.CreateString(kv[1])
		b.StartObject(2)
		b.PrependUOffsetTSlot(0, key, 0)
		b.PrependUOffsetTSlot(1, value, 0)
		pairs = append(pairs, b.EndObject())
	}
	list, metadata := vector(b, fields), vector(b, pairs)
	b.StartObject(4)
	b.PrependUOffsetTSlot(1, list, 0)
	b.PrependUOffsetTSlot(2, metadata, 0)
	return b.EndObject()
}

func typeTable(b *flatbuffers.Builder, f Field) (kind byte, table flatbuffers.UOffsetT) {
	switch {
	case f.Time:
		utc := b.CreateString("UTC")
		b.StartObject(2)
		b.PrependInt16Slot(0, nanosecond, 0)
		b.PrependUOffsetTSlot(1, utc, 0)
		return typeTimestamp, b.EndObject()
	case f.Kind == Int32 || f.Kind == Int64:
		b.StartObject(2)
		b.PrependInt32Slot(0, map[Kind]int32{Int32: 32, Int64: 64}[f.Kind], 0)
		b.PrependBoolSlot(1, true, false)
		return typeInt, b.EndObject()
	case f.Kind == Float64:
		b.StartObject(1)
		b.PrependInt16Slot(0, double, 0)
		return typeFloat, b.EndObject()
	}
	b.StartObject(0)
	return typeUtf8, b.EndObject()
}

func vector(b *flatbuffers.Builder, list []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependUOffsetT(list[i])
	}
	return b.EndVector(len(list))
}

// endBatch writes the gathered rows as a record batch.
func (a *Arrow) endBatch() {
	if a.err != nil || a.group.rows == 0 {
		return
	}
	if a.begin(); a.err != nil {
		return
	}
	rows := a.group.rows
	body := &bufferList{zstd: a.zstd}
	var nulls []int64
	for i, f := range a.schema.Fields {
		nulls = append(nulls, body.column(f, &a.group.columns[i], rows))
	}
	b := flatbuffers.NewBuilder(4096)
	b.StartVector(16, len(nulls), 8)
	for i := len(nulls) - 1; i >= 0; i-- {
		pair(b, int64(rows), nulls[i])
	}
	nodes := b.EndVector(len(nulls))
	b.StartVector(16, len(body.places), 8)
	for i := len(body.places) - 1; i >= 0; i-- {
		pair(b, body.places[i][0], body.places[i][1])
	}
	buffers := b.EndVector(len(body.places))
	b.StartObject(2)
	b.PrependByteSlot(0, codecZstd, 0)
	compression := b.EndObject()
	b.StartObject(5)
	b.PrependInt64Slot(0, int64(rows), 0)
	b.PrependUOffsetTSlot(1, nodes, 0)
	b.PrependUOffsetTSlot(2, buffers, 0)
	b.PrependUOffsetTSlot(3, compression, 0)
	a.blocks = append(a.blocks, a.message(b, headerBatch, b.EndObject(), body.data))
	a.group.reset()
}

// pair prepends a struct of two 64-bit integers.
func pair(b *flatbuffers.Builder, first, second int64) {
	b.Prep(8, 16)
	b.PrependInt64(second)
	b.PrependInt64(first)
}

// A bufferList is the body of a record batch.
type bufferList struct {
	zstd   *zstd.Encoder
	data   []byte
	places [][2]int64 // offset and length
}

// column appends the buffers of a column, and counts the rows without a value.
func (l *bufferList) column(f Field, c *Column, rows int) (nulls int64) {
	var valid []byte
	if nulls = int64(rows - countValues(c, rows)); nulls > 0 {
		valid = make([]byte, (rows+7)/8)
		for i, null := range c.Null {
			if !null {
				valid[i/8] |= 1 << (i % 8)
			}
		}
	}
	l.add(valid)
	var b []byte
	switch f.Kind {
	case Int32:
		for _, v := range c.Int32s {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	case Int64:
		for _, v := range c.Int64s {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
	case Float64:
		for _, v := range c.Float64s {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	default:
		ends := binary.LittleEndian.AppendUint32(nil, 0)
		for _, s := range c.Strings {
			b = append(b, s...)
			ends = binary.LittleEndian.AppendUint32(ends, uint32(len(b)))
		}
		l.add(ends)
	}
	l.add(b)
	return nulls
}

// add appends a buffer: its original length, and the compressed bytes.
func (l *bufferList) add(b []byte) {
	at := int64(len(l.data))
	if len(b) > 0 {
		l.data = binary.LittleEndian.AppendUint64(l.data, uint64(len(b)))
		l.data = l.zstd.EncodeAll(b, l.data)
	}
	l.places = append(l.places, [2]int64{at, int64(len(l.data)) - at})
	for len(l.data)%8 != 0 {
		l.data = append(l.data, 0)
	}
}
