package columns

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"pcpscope/core/pcp"
)

// A chunk is one column of a row group as it is in a file: an optional
// dictionary, and data pages.
type chunk struct {
	field      Field
	zstd       *zstd.Encoder
	data       []byte
	meta       format.ColumnMetaData
	index      pageIndex
	dictionary bool
	whole      bounds
	err        error
}

// newChunk makes the chunk of a column. A panic is returned as its err, as
// chunks are made in several goroutines, where the caller could not recover it.
func newChunk(f Field, c *Column, rows int, z *zstd.Encoder) (k *chunk) {
	k = &chunk{field: f, zstd: z}
	defer pcp.Recover("writing the column "+f.Name, &k.err)
	k.meta = format.ColumnMetaData{Type: physical(f.Kind), PathInSchema: []string{f.Name}, Codec: format.Zstd, NumValues: int64(rows)}
	k.index.columns = &format.ColumnIndex{}
	encoding := format.Plain
	var index []uint16
	if f.Delta && (f.Kind == Int32 || f.Kind == Int64) {
		encoding = format.DeltaBinaryPacked
	} else if numbered, first, ok := numbers(c, f.Kind, rows); ok && len(first) > 0 {
		encoding, index, k.dictionary = format.RLEDictionary, numbered, true
		k.entries(c, first)
	}
	k.meta.DataPageOffset = int64(len(k.data))
	had := 0 // rows with a value before the page
	for from := 0; from < rows; {
		to := min(from+pageRows, rows)
		if f.Kind == String && index == nil {
			for text, i := 0, from; i < to; i++ {
				if text += len(c.Strings[i]); text > pageText && i > from {
					to = i
				}
			}
		}
		part := slice(c, f.Kind, from, to)
		values := countValues(&part, to-from)
		var numbered []uint16
		if index != nil {
			numbered = index[had : had+values]
		}
		k.page(&part, numbered, encoding, from, to-from, values)
		from, had = to, had+values
	}
	k.meta.Encoding = []format.Encoding{encoding, format.RLE}
	if k.dictionary {
		k.meta.Encoding = append(k.meta.Encoding, format.Plain)
	}
	k.meta.TotalCompressedSize = int64(len(k.data))
	k.meta.Statistics = k.whole.statistics()
	if k.index.columns != nil {
		k.index.columns.BoundaryOrder = format.Unordered
	}
	return k
}

func countValues(c *Column, rows int) (n int) {
	if c.Null == nil {
		return rows
	}
	for _, null := range c.Null {
		if !null {
			n++
		}
	}
	return n
}

// entries writes the dictionary page.
func (k *chunk) entries(c *Column, first []int32) {
	var b []byte
	for _, i := range first {
		b = appendPlain(b, c, k.field.Kind, int(i))
	}
	k.put(b, format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(len(first)), Encoding: format.Plain})})
}

// page writes a data page (version 1): which rows have a value, and the values.
func (k *chunk) page(c *Column, index []uint16, encoding format.Encoding, row, rows, values int) {
	var b []byte
	if k.field.Nullable {
		b = appendLevels(b, c.Null, rows)
	}
	switch encoding {
	case format.RLEDictionary:
		b = appendIndex(b, index)
	case format.DeltaBinaryPacked:
		var e delta.BinaryPackedEncoding
		var packed []byte
		var err error
		if k.field.Kind == Int32 {
			packed, err = e.EncodeInt32(nil, present(c.Int32s, c.Null, values))
		} else {
			packed, err = e.EncodeInt64(nil, present(c.Int64s, c.Null, values))
		}
		if err != nil {
			k.err = err
		}
		b = append(b, packed...)
	default:
		for i := range rows {
			if c.Null == nil || !c.Null[i] {
				b = appendPlain(b, c, k.field.Kind, i)
			}
		}
	}
	found := boundsOf(c, k.field.Kind)
	k.whole.join(found, k.field.Kind)
	at := int64(len(k.data))
	k.put(b, format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{
		NumValues: int32(rows), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE, Statistics: found.statistics()})})
	k.index.offsets.PageLocations = append(k.index.offsets.PageLocations, format.PageLocation{Offset: at, CompressedPageSize: int32(int64(len(k.data)) - at), FirstRowIndex: int64(row)})
	if x := k.index.columns; x != nil {
		if values > 0 && !found.known() {
			k.index.columns = nil
			return
		}
		x.NullPages = append(x.NullPages, values == 0)
		x.MinValues, x.MaxValues = append(x.MinValues, found.low), append(x.MaxValues, found.high)
		x.NullCounts = append(x.NullCounts, int64(rows-values))
	}
}

// put compresses a page and writes it after its header.
func (k *chunk) put(b []byte, h format.PageHeader) {
	packed := k.zstd.EncodeAll(b, nil)
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(b)), int32(len(packed))
	head, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
	if err != nil {
		k.err = err
	}
	k.data = append(append(k.data, head...), packed...)
	k.meta.TotalUncompressedSize += int64(len(head) + len(b))
}

func present[T any](list []T, null []bool, values int) []T {
	if null == nil {
		return list
	}
	out := make([]T, 0, values)
	for i, v := range list {
		if !null[i] {
			out = append(out, v)
		}
	}
	return out
}

// appendLevels writes definition levels: 1 where there is a value. After the
// length, they are bit-packed as one run of the hybrid encoding, or a repeated
// 1 if nothing is missing.
func appendLevels(b []byte, null []bool, rows int) []byte {
	var run []byte
	if null == nil {
		run = append(binary.AppendUvarint(nil, uint64(rows)<<1), 1)
	} else {
		groups := (rows + 7) / 8
		run = binary.AppendUvarint(nil, uint64(groups)<<1|1)
		bits := make([]byte, groups)
		for i, is := range null {
			if !is {
				bits[i/8] |= 1 << (i % 8)
			}
		}
		run = append(run, bits...)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(run)))
	return append(b, run...)
}

// appendIndex writes dictionary indexes as one run packed into whole bytes, one
// or two each: what repeats, such as the times of one series after another,
// repeats byte for byte, and compresses well.
func appendIndex(b []byte, index []uint16) []byte {
	largest := uint16(0)
	for _, v := range index {
		largest = max(largest, v)
	}
	groups := (len(index) + 7) / 8
	fill := 8*groups - len(index)
	if largest < 1<<8 {
		b = binary.AppendUvarint(append(b, 8), uint64(groups)<<1|1)
		for _, v := range index {
			b = append(b, byte(v))
		}
		return append(b, make([]byte, fill)...)
	}
	b = binary.AppendUvarint(append(b, 16), uint64(groups)<<1|1)
	for _, v := range index {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return append(b, make([]byte, 2*fill)...)
}

func appendPlain(b []byte, c *Column, k Kind, i int) []byte {
	switch k {
	case Int32:
		return binary.LittleEndian.AppendUint32(b, uint32(c.Int32s[i]))
	case Int64:
		return binary.LittleEndian.AppendUint64(b, uint64(c.Int64s[i]))
	case Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(c.Float64s[i]))
	}
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(c.Strings[i]))), c.Strings[i]...)
}
