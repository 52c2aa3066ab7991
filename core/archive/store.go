package archive

import (
	"cmp"
	"iter"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A store is the change store of one archive: all its values, stored as changes
// from record to record.
type store struct {
	version    int
	head       int // bytes of a record before its value sets
	meta       *metadata
	columns    []*column                // of the metrics with a descriptor, in their order; nil where no record has values
	strays     table[pcp.PMID, *column] // of the others
	domains    table[pcp.InDom, *domain]
	singular   *domain               // for all metrics without a domain
	unknown    table[group, *domain] // for metrics without a descriptor
	recs       []Record
	marks      []pcp.Time
	valueless  []int32 // numbers of records, see Valueless
	log        eventLog
	generation int // incremented when timelines split

	*pass // nil except while records are read
}

// A Record is one record of a data volume.
type Record struct {
	Time   pcp.Time
	Offset int64 // in the uncompressed volume
	Size   int32 // bytes
	Volume int32 // number
}

// A column is the state of one metric: the series of each instance and, while
// records are being read, its last row.
type column struct {
	*Metric
	dom    *domain
	slots  slots
	values track
	*extras
	*lastRow // nil once everything has been read
}

// A pass is the state of reading records, besides each metric's last row. It is not
// part of store because a folder may hold tens of thousands of archives, of which a
// few are being read.
type pass struct {
	shapes     map[uint64]*shape // by hash
	latest     map[int32]*shape  // by number of sets
	shapeCells int               // value sets of all shapes
	made       uint32            // shapes made so far

	// What examine found in the current record, for commit.
	changes []change
	changed []uint32 // positions
	moved   []uint32 // scratch of shift
	walked  []set    // scratch of walk

	columnSlab slab[column]
	rowSlab    slab[lastRow]
}

// A lastRow is the last row of a metric as it is in the record. It is small: there
// is one for each metric while records are being read.
type lastRow struct {
	shape  uint32 // number of the last shape made that has the metric; a pointer would keep shapes that are not cached any more
	layout layout
	format uint32 // valfmt in record byte order
	header uint32 // of each block in record byte order, if all are the same
	base   uint32 // offset of the first block in its record
	list   *instList
	bytes  []byte // the pairs, one for each instance of the list, and then the blocks
}

func (l *lastRow) pairs() []byte  { return l.bytes[:l.split()] }
func (l *lastRow) blocks() []byte { return l.bytes[l.split():] }

func (l *lastRow) split() int {
	if l.list == nil {
		return 0
	}
	return 8 * len(l.list.ids)
}

// extras are rarely needed fields, kept out of column because a hostile file
// can have as many columns as lines of text.
type extras struct {
	voids           []void
	voidOf          map[pcp.Code]*track // the same, once there are many
	blobs           series.Blobs
	texts           map[string]uint64 // number of each text in blobs, while that saves memory
	formatChanges   int               // how often valfmt changed
	formatChangedAt int               // the record of the first change
	failed          bool              // some value does not match the metric's type
	failedAt        int               // the record of the first of them
	cells           []cell            // of the last row, by position; for layouts whose bytes are not compared
}

// noExtras is shared by all columns without extras; read-only.
var noExtras = new(extras)

// own returns the column's own extras, which may be modified.
func (c *column) own() *extras {
	if c.extras == noExtras {
		c.extras = new(extras)
	}
	return c.extras
}

type void struct {
	code pcp.Code
	*track
}

// A layout is how the values of a row are laid out in the record.
type layout uint8

const (
	layoutNone    layout = iota
	layoutInSitu         // in the pairs
	layout12             // 12-byte blocks (8 of payload), uniform and in order
	layout8              // 8-byte blocks (4 of payload), uniform and in order
	layoutVarying        // varying length: strings, events; in order
	layoutAny            // anything else
)

// stride returns the length of a block.
func (l layout) stride() int {
	if l == layout12 {
		return 12
	}
	return 8
}

// A cell is one value, or an error code in its place.
type cell struct {
	val    uint64
	failed bool
}

func newStore(version int, meta *metadata) *store {
	return &store{version: version, head: int(recordHead(version)), meta: meta}
}

// A group is a cluster of an agent's metrics, which usually share one domain.
type group struct{ domain, cluster int }

// find returns the column of a metric, nil if no record has it.
func (st *store) find(id pcp.PMID) *column {
	n, described := st.meta.number.find(id)
	switch {
	case !described:
		return st.strays.get(id)
	case int(n) < len(st.columns):
		return st.columns[n]
	}
	return nil
}

// all iterates over the columns in the order of the descriptors, then over those of
// metrics without one.
func (st *store) all() iter.Seq[*column] {
	return func(yield func(*column) bool) {
		for _, c := range st.columns {
			if c != nil && !yield(c) {
				return
			}
		}
		for _, c := range st.strays.all() {
			if !yield(c) {
				return
			}
		}
	}
}

// column returns the column of a metric, making up a metric if there is no
// descriptor.
func (st *store) column(id pcp.PMID) *column {
	if c := st.find(id); c != nil {
		return c
	}
	m := st.meta.metric(id)
	if m == nil {
		m = &Metric{Desc: pcp.Desc{PMID: id, Type: pcp.NoSupport, InDom: pcp.NullInDom, Sem: pcp.Instant}, Guessed: true}
	}
	c := st.columnSlab.new()
	*c = column{Metric: m, extras: noExtras, lastRow: st.rowSlab.new()}
	switch {
	case m.Guessed: // it is not known which metrics share a domain
		in := group{id.Domain(), id.Cluster()}
		if c.dom = st.unknown.get(in); c.dom == nil {
			c.dom = newDomain(false)
			st.unknown.set(in, c.dom)
		}
	case m.InDom == pcp.NullInDom:
		if st.singular == nil {
			st.singular = newDomain(true)
		}
		c.dom = st.singular
	default:
		if c.dom = st.domains.get(m.InDom); c.dom == nil {
			c.dom = newDomain(false)
			st.domains.set(m.InDom, c.dom)
		}
	}
	if n, described := st.meta.number.find(id); !described {
		st.strays.set(id, c)
	} else {
		if st.columns == nil {
			st.columns = make([]*column, len(st.meta.described))
		}
		st.columns[n] = c
	}
	return c
}

// guess gives a metric without a descriptor the type suggested by its values.
func (c *column) guess(format uint32, block []byte) {
	if !c.Guessed || c.Type != pcp.NoSupport {
		return
	}
	c.Type = pcp.Int32
	if format != 0 {
		c.Type = pcp.Aggregate
		if t := pcp.Type(block[0]); t >= pcp.Int64 && t <= pcp.HighresEvent {
			c.Type = t
		}
	}
	if c.Type == pcp.String {
		c.Sem = pcp.Discrete
	}
}

const fewVoids = 8 // codes of one metric that are searched linearly

// void returns the track of the rows that have a code instead of values.
func (c *column) void(code pcp.Code) *track {
	c.own()
	if t := c.voidOf[code]; t != nil {
		return t
	}
	if c.voidOf == nil {
		for _, v := range c.voids {
			if v.code == code {
				return v.track
			}
		}
	}
	t := &track{}
	c.voids = append(c.voids, void{code, t})
	if len(c.voids) > fewVoids {
		if c.voidOf == nil {
			c.voidOf = map[pcp.Code]*track{}
			for _, v := range c.voids {
				c.voidOf[v.code] = v.track
			}
		}
		c.voidOf[code] = t
	}
	return t
}

// series returns the number of an instance's series, creating it if need be.
func (st *store) series(c *column, dense uint32) uint32 {
	if slot := c.slots.at(dense); slot != 0 {
		return slot - 1
	}
	n := st.log.add(packingOf(c.Type))
	c.slots.set(dense, n, len(c.dom.insts))
	return n
}

// observations returns everything that the store has for a column; with a
// buffer, the runs are laid out in that and voids left out unless it has Voids set.
func (st *store) observations(c *column, buf *Buffer) *series.Observations {
	obs := &series.Observations{Desc: c.Desc, Times: st.timesOf(c.values.line), Blobs: c.blobs}
	shared := buf != nil
	if !shared || !buf.TimesOnly {
		st.runsOf(c, obs, buf)
	}
	if shared && !buf.Voids {
		return obs
	}
	for _, v := range c.voids {
		for _, t := range st.timesOf(v.line) {
			obs.Voids = append(obs.Voids, series.Void{Time: t, Code: v.code})
		}
	}
	if len(c.voids) > 1 {
		sorting.Stable(obs.Voids, func(a, b series.Void) int { return cmp.Compare(a.Time, b.Time) })
	}
	return obs
}

// runsOf lays out the runs of all series of a column.
func (st *store) runsOf(c *column, obs *series.Observations, buf *Buffer) {
	fresh := st.freshOf(c)
	if buf == nil {
		buf = &Buffer{}
	}
	const many = 4096
	if c.slots.n > many || cap(buf.runs) == 0 { // growing by and by would hold it twice
		packed := 0
		c.slots.all(func(_, s uint32) { packed += st.log.size(s) })
		buf.runs = slices.Grow(buf.runs[:0], packed/3+c.slots.n)
	}
	runs, list, ends := buf.runs[:0], slices.Grow(buf.list[:0], c.slots.n), slices.Grow(buf.ends[:0], c.slots.n)
	for _, d := range c.order() {
		slot, from := c.slots.at(d), len(runs)
		if slot == 0 {
			continue
		}
		for i := range st.log.packed {
			runs = st.log.packed[i].unpack(runs, slot-1, st.log.packing[slot-1])
		}
		for _, e := range fresh[slot-1] {
			runs = append(runs, series.Run{Row: e.row, Val: e.val})
		}
		if len(runs) > from {
			list, ends = append(list, series.Series{Inst: c.dom.insts[d]}), append(ends, uint32(len(runs)))
		}
	}
	from := uint32(0)
	for i, end := range ends {
		list[i].Runs, from = runs[from:end:end], end
	}
	obs.Series = list
	buf.runs, buf.list, buf.ends = runs, list, ends
}

// A Buffer is memory for the observations of one metric, reused by callers that
// visit one metric at a time. Its zero value is ready to use.
type Buffer struct {
	Voids     bool // include voids, which are allocated separately
	TimesOnly bool // leave out the series

	runs []series.Run
	list []series.Series
	ends []uint32 // of the runs of each
}

// manyFresh is how many events are packed rather than searched for each metric.
const manyFresh = freshEvents / 8

// freshOf returns the column's events that are not packed yet, by series.
func (st *store) freshOf(c *column) map[uint32][]event {
	if len(st.log.fresh) >= manyFresh { // requests for one metric are followed by others
		st.log.flush()
	}
	if len(st.log.fresh) == 0 {
		return nil
	}
	mine := make([]bool, len(st.log.packing))
	c.slots.all(func(_, s uint32) { mine[s] = true })
	found := map[uint32][]event{}
	for _, e := range st.log.fresh {
		if mine[e.series] {
			found[e.series] = append(found[e.series], e)
		}
	}
	return found
}

// grows is the peak memory of growing a slice: the new one and the old.
func grows(bytes int) int {
	if bytes < 1<<20 {
		return bytes
	}
	return bytes * 9 / 4
}

// size estimates the store's memory in bytes.
func (st *store) size() int64 {
	n := grows(32*cap(st.recs)) + grows(8*cap(st.marks)) + grows(4*cap(st.valueless)) + grows(16*len(st.log.fresh)) + grows(5*cap(st.log.packing))
	for _, seg := range st.log.packed {
		n += len(seg.data) + 4*len(seg.start)
	}
	lines := map[*timeline]bool{}
	n += 8 * len(st.columns)
	for c := range st.all() {
		n += 136 + c.slots.size()
		if c.lastRow != nil {
			n += 56 + cap(c.bytes) + 16*cap(c.cells)
		}
		if c.extras != noExtras {
			n += 160 + c.blobs.Size() + 100*len(c.voids)
		}
		lines[c.values.line] = true
		for _, v := range c.voids {
			lines[v.line] = true
		}
	}
	for l := range lines {
		if l != nil {
			n += grows(4*cap(l.recs)) + grows(8*int(l.timed))
		}
	}
	for _, d := range st.domains.all() {
		n += d.size()
	}
	for _, d := range st.unknown.all() {
		n += d.size()
	}
	return int64(n)
}
