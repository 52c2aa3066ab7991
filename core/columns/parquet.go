package columns

import (
	"encoding/binary"
	"io"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// groupRows is the most rows of a row group: enough that its dictionaries pay,
// and few enough to be held in memory.
const groupRows = 1 << 20

// pageRows and pageText limit a page, which is what a selective reader has to
// unpack.
const (
	pageRows = 1 << 17
	pageText = 1 << 20
)

// Parquet writes a table as a file of the Parquet format: row groups of a
// million rows, with an index of the smallest and largest values of each page.
type Parquet struct {
	schema Schema
	out    io.Writer
	at     int64
	group  gathered
	rows   int64
	groups []format.RowGroup
	index  [][]pageIndex // by group and column
	zstd   *zstd.Encoder
	err    error
}

type pageIndex struct {
	columns *format.ColumnIndex // nil if a bound is too long
	offsets format.OffsetIndex
}

// NewParquet begins a file. Nothing is written before a group is full, or
// before Close.
func NewParquet(out io.Writer, s Schema) *Parquet {
	return &Parquet{schema: s, out: out, group: newGathered(s)}
}

// Write implements Writer.
func (p *Parquet) Write(batch []Column) error {
	rows, err := rowsOf(p.schema, batch)
	if err != nil {
		return err
	}
	for from := 0; from < rows && p.err == nil; {
		from += p.group.add(batch, from, rows, groupRows)
		if p.group.full(groupRows) {
			p.EndGroup()
		}
	}
	return p.err
}

// EndGroup ends a row group; the next row begins another. Readers that use
// ranges read only the groups that they need.
func (p *Parquet) EndGroup() error {
	if p.err != nil || p.group.rows == 0 {
		return p.err
	}
	if p.begin(); p.err != nil {
		return p.err
	}
	chunks := make([]*chunk, len(p.schema.Fields))
	var wg sync.WaitGroup
	lanes := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, f := range p.schema.Fields {
		wg.Go(func() {
			lanes <- struct{}{}
			chunks[i] = newChunk(f, &p.group.columns[i], p.group.rows, p.zstd)
			<-lanes
		})
	}
	wg.Wait()
	g := format.RowGroup{NumRows: int64(p.group.rows), FileOffset: p.at, Ordinal: int16(len(p.groups))}
	for i := range p.schema.SortedBy {
		g.SortingColumns = append(g.SortingColumns, format.SortingColumn{ColumnIdx: int32(i)})
	}
	var index []pageIndex
	for _, c := range chunks {
		if c.err != nil {
			p.err = c.err
			return p.err
		}
		c.moveTo(p.at)
		p.put(c.data)
		g.Columns = append(g.Columns, format.ColumnChunk{MetaData: c.meta})
		g.TotalByteSize += c.meta.TotalUncompressedSize
		g.TotalCompressedSize += c.meta.TotalCompressedSize
		index = append(index, c.index)
	}
	p.groups, p.index = append(p.groups, g), append(p.index, index)
	p.rows += int64(p.group.rows)
	p.group.reset()
	return p.err
}

const magic = "PAR1"

func (p *Parquet) begin() {
	if p.at == 0 {
		p.put([]byte(magic))
	}
	if p.zstd == nil && p.err == nil {
		p.zstd, p.err = newZstd()
	}
}

// newZstd makes the encoder of both formats, configured so that calls are
// independent.
func newZstd() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithWindowSize(1<<20))
}

func (p *Parquet) put(b []byte) {
	if p.err != nil {
		return
	}
	var n int
	n, p.err = p.out.Write(b)
	p.at += int64(n)
}

// Close implements Writer: it writes the last group, the page index, and the
// footer.
func (p *Parquet) Close() error {
	p.EndGroup()
	p.begin()
	for i := range p.groups {
		for k := range p.groups[i].Columns {
			if c := p.index[i][k].columns; c != nil {
				col := &p.groups[i].Columns[k]
				col.ColumnIndexOffset = p.at
				col.ColumnIndexLength = int32(p.marshal(c))
			}
		}
	}
	for i := range p.groups {
		for k := range p.groups[i].Columns {
			col := &p.groups[i].Columns[k]
			col.OffsetIndexOffset = p.at
			col.OffsetIndexLength = int32(p.marshal(&p.index[i][k].offsets))
		}
	}
	meta := format.FileMetaData{Version: 2, Schema: elements(p.schema), NumRows: p.rows, RowGroups: p.groups, CreatedBy: "pcpscope"}
	if meta.RowGroups == nil {
		meta.RowGroups = []format.RowGroup{}
	}
	for _, kv := range p.schema.Metadata {
		meta.KeyValueMetadata = append(meta.KeyValueMetadata, format.KeyValue{Key: kv[0], Value: kv[1]})
	}
	for range p.schema.Fields {
		meta.ColumnOrders = append(meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	n := p.marshal(&meta)
	p.put(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), magic...))
	return p.err
}

// marshal writes a structure of the format, and returns its length.
func (p *Parquet) marshal(v any) int {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if p.err == nil {
		p.err = err
	}
	p.put(b)
	return len(b)
}

// elements is the schema in the form of the format: a root, and its fields.
func elements(s Schema) []format.SchemaElement {
	list := []format.SchemaElement{{Name: s.Name, NumChildren: thrift.New(int32(len(s.Fields)))}}
	for _, f := range s.Fields {
		e := format.SchemaElement{Name: f.Name, Type: thrift.New(physical(f.Kind)), RepetitionType: thrift.New(format.Required)}
		if f.Nullable {
			e.RepetitionType = thrift.New(format.Optional)
		}
		switch {
		case f.Time:
			e.LogicalType.Value = &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.NanoSeconds)}}
		case f.Kind == String: // JSON, too: some readers treat the format's own JSON type as bytes
			e.LogicalType.Value = new(format.StringType)
			e.ConvertedType = thrift.New(deprecated.UTF8)
		}
		list = append(list, e)
	}
	return list
}

func physical(k Kind) format.Type {
	return [...]format.Type{Int32: format.Int32, Int64: format.Int64, Float64: format.Double, String: format.ByteArray}[k]
}

// moveTo makes the offsets of a chunk's pages relative to the file.
func (c *chunk) moveTo(at int64) {
	c.meta.DataPageOffset += at
	if c.dictionary {
		c.meta.DictionaryPageOffset = at
	}
	for i := range c.index.offsets.PageLocations {
		c.index.offsets.PageLocations[i].Offset += at
	}
}
