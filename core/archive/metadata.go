package archive

import (
	"cmp"
	"slices"
	"strings"
	"unsafe"

	"pcpscope/core/budget"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A Metric is what an archive says about one metric.
type Metric struct {
	pcp.Desc
	// Names holds every name bound to the PMID, in the order of the file:
	// usually one, none for a metric that lost its name to another.
	Names []string
	// Oneline and Help are the help texts, "" if there are none. Texts and
	// names are the bytes of the file: usually UTF-8, but no encoding is
	// declared.
	Oneline, Help string
	// Guessed says that the archive has values of the metric, but no
	// descriptor: Desc is derived from the values alone. See spec/archive.md
	// section 9.1.
	Guessed bool
}

// Name returns the first name, or the PMID as text if there is none.
func (m *Metric) Name() string {
	if len(m.Names) > 0 {
		return m.Names[0]
	}
	return m.PMID.String()
}

// Types of metadata records. See spec/archive.md section 8.
const (
	typeDesc       = 1
	typeInDomV2    = 2
	typeLabelV2    = 3
	typeText       = 4
	typeInDom      = 5
	typeInDomDelta = 6
	typeLabel      = 7
)

var typeWords = [...]string{"", "descriptor", "instance domain", "label", "help text", "instance domain", "instance domain", "label"}

type textKey struct{ kind, id uint32 }

// metadata is the contents of the .meta file.
type metadata struct {
	data      []byte                   // the file; read-only
	all       string                   // the same bytes: names and texts are substrings
	described []*Metric                // those with a descriptor, in the order of the file; read-only once read
	number    table[pcp.PMID, uint32]  // where each is among them
	ordered   []*Metric                // the same, in the order of Archive.Metrics
	guessed   table[pcp.PMID, *Metric] // with values but no descriptor
	names     table[string, *Metric]   // nil for the inner nodes of the name space
	indoms    map[pcp.InDom]*inDom
	labels    map[labelKey][]labelRecord
	texts     map[textKey]string
	faults    *faults
	version   int
	borrowed  bool // from another archive: its times mean nothing here

	strange    int // records of the other version
	deepLabels int // label sets that were left out
	longNames  int // instance names that were cut short

	*namesRead // nil except while a file is read

	proceed func() bool // checked now and then while reading; nil for always
	memory  *budget.Claim
	owed    int64 // used since the last claim
	full    bool  // no memory is left
}

// namesRead is the state of reading descriptors. It is not part of metadata because a
// folder may hold tens of thousands of archives, of which one is being read.
type namesRead struct {
	slab   slab[describedMetric]
	given  []string // the names in the descriptor being read
	folder string   // the inner node that the last name is in
	inner  int      // how many of names are inner nodes
}

func newMetadata(version int, f *faults) *metadata {
	return &metadata{faults: f, version: version}
}

// read reads a whole .meta file of the given name. Damaged records are left out
// and reported; a file that ends inside a record gives all before it.
func (md *metadata) read(data []byte, file string) {
	md.data, md.all = data, unsafe.String(unsafe.SliceData(data), len(data))
	md.namesRead = &namesRead{}
	md.expect(countDescs(data, labelLen(md.version)))
	f := md.faults.in(file)
	asked := 0
	for at := labelLen(md.version); at < len(data); {
		if at-asked > checkEvery {
			if asked = at; !md.proceeds() {
				return
			}
		}
		if md.full {
			f.add(pcp.Faultf(pcp.OutOfMemory, "The metadata take more memory than is available.").At(int64(at), ""), "Everything before was read.")
			break
		}
		n, ok := frame(data, at)
		if !ok {
			at = md.resync(data, at, f)
			continue
		}
		md.record(data[at:at+n-4], int64(at), f)
		at += n
	}
	if md.strange > 0 {
		f.add(pcp.Faultf(pcp.Corrupt, "%d metadata records are of the other archive version, not of version %d.", md.strange, md.version), "They were used all the same.")
	}
	if md.deepLabels > 0 {
		f.add(pcp.Faultf(pcp.Unsupported, "%s nested more than %d deep.", pcp.Counted(md.deepLabels, "label set is", "label sets are"), maxLabelDepth),
			"%s left out.", choose(md.deepLabels, "It was", "They were"))
	}
	md.finish()
}

// countDescs returns how many descriptors there are before the end or the first damage.
func countDescs(data []byte, at int) (n int) {
	for {
		size, ok := frame(data, at)
		if !ok {
			return n
		}
		if be32(data[at+4:]) == typeDesc {
			n++
		}
		at += size
	}
}

// expect allocates memory for n descriptors, all of which are in the file. If the
// budget does not allow that, as many as fit are read.
func (md *metadata) expect(n int) {
	if md.memory.Take(64*int64(n)) != nil {
		return
	}
	md.described = make([]*Metric, 0, n)
	md.number.expect(n)
	md.names.expect(n)
}

// A describedMetric is a metric and the memory of its first name.
type describedMetric struct {
	Metric
	name [1]string
}

// checkEvery is after how many bytes the context is checked.
const checkEvery = 1 << 20

func (md *metadata) proceeds() bool { return md.proceed == nil || md.proceed() }

// frame returns the length of the record at data[at:] if it is complete, with
// two equal lengths and a known type.
func frame(data []byte, at int) (int, bool) {
	left := len(data) - at
	if left < 12 {
		return 0, false
	}
	n := int64(int32(be32(data[at:])))
	if n < 12 || n > int64(left) {
		return 0, false
	}
	return int(n), be32(data[at+int(n)-4:]) == uint32(n)
}

func plausible(data []byte, at int) bool {
	if len(data)-at < 12 || data[at] != 0 && data[at] > 0x0f {
		return false
	}
	if t := be32(data[at+4:]); t < typeDesc || t > typeLabel {
		return false
	}
	_, ok := frame(data, at)
	return ok
}

// resync reports the damage at data[at:] and returns where to continue.
func (md *metadata) resync(data []byte, at int, f fileFaults) int {
	left := len(data) - at
	if left < 8 {
		f.add(pcp.Faultf(pcp.Truncated, "%s left at the end of the file.", pcp.Counted(left, "stray byte is", "stray bytes are")).At(int64(at), "length"), "%s", choose(left, "It was ignored.", "They were ignored."))
		return len(data)
	}
	n, kind := int64(int32(be32(data[at:]))), be32(data[at+4:])
	// A record with inconsistent lengths may still be complete: then the next
	// one is where the first length says.
	if n >= 12 && n <= int64(left) && kind >= typeDesc && kind <= typeLabel && (n == int64(left) || plausible(data, at+int(n))) {
		f.add(pcp.Faultf(pcp.Corrupt, "The lengths of a %s record disagree: %s at its start, %s at its end.", typeWords[kind], pcp.Grouped(n), pcp.Grouped(int32(be32(data[at+int(n)-4:])))).At(int64(at)+n-4, "length"),
			"The record was read by its first length.")
		md.record(data[at:at+int(n)-4], int64(at), f)
		return at + int(n)
	}
	asked := at
	for next := at + 1; next+12 <= len(data); next++ {
		if next-asked > checkEvery {
			if asked = next; !md.proceeds() {
				return len(data)
			}
		}
		if be64(data[next:]) == 0 { // no record begins with zeros: neither here nor at the next four bytes
			next += 4
			continue
		}
		if plausible(data, next) {
			f.add(pcp.Faultf(pcp.Corrupt, "The metadata record here is damaged: it says that it has %s bytes.", pcp.Grouped(n)).At(int64(at), "length"),
				"%s skipped, up to the next whole record.", pcp.Counted(next-at, "byte was", "bytes were"))
			return next
		}
	}
	if n > int64(left) && kind >= typeDesc && kind <= typeLabel {
		f.add(pcp.Faultf(pcp.Truncated, "The file ends inside a %s record: %s of its %s bytes are there.", typeWords[kind], pcp.Grouped(left), pcp.Grouped(n)).At(int64(at), "length"),
			"Everything before it was read.")
	} else {
		f.add(pcp.Faultf(pcp.Corrupt, "The metadata from here to the end of the file, %s, are damaged.", pcp.Counted(left, "byte", "bytes")).At(int64(at), "length"),
			"Everything before was read.")
	}
	return len(data)
}

// record reads one record, given without its last length word.
func (md *metadata) record(rec []byte, offset int64, f fileFaults) {
	c := cursor{buf: rec, at: 4, base: offset, all: md.all}
	kind := c.u32("type")
	switch kind {
	case typeDesc:
		md.desc(&c, f)
	case typeInDomV2:
		md.inDom(&c, 2, false)
	case typeInDom, typeInDomDelta:
		md.inDom(&c, 3, kind == typeInDomDelta)
	case typeLabelV2:
		md.label(&c, 2)
	case typeLabel:
		md.label(&c, 3)
	case typeText:
		md.text(&c)
	default:
		if f.enough() {
			return
		}
		f.add(pcp.Faultf(pcp.Unsupported, "A metadata record has the type %d, which is not one of LOGARCHIVE(5).", int32(kind)).At(offset+4, "type"), "The record was skipped.")
		return
	}
	if c.fault != nil {
		f.add(c.fault, "The %s record was left out.", typeWords[kind])
	}
	if old := kind == typeInDomV2 || kind == typeLabelV2; kind != typeDesc && kind != typeText && old != (md.version == 2) {
		md.strange++
	}
}

// desc reads a descriptor. See spec/archive.md sections 8.1 and 9.1.
func (md *metadata) desc(c *cursor, f fileFaults) {
	start := c.base
	d := pcp.Desc{
		PMID: pcp.PMID(c.u32("pmid") &^ (1 << 31)), Type: pcp.Type(c.i32("type")), InDom: inDomID(c.u32("indom")),
		Sem: pcp.Semantics(c.i32("semantics")), Units: pcp.MakeUnits(c.u32("units")),
	}
	names := md.given[:0]
	if c.left() > 0 { // one writer omits the count if there is no name
		for range c.count("number of names", 4) {
			names = append(names, c.text("name", c.count("length of name", 1)))
		}
	}
	md.given = names
	if c.fault != nil && (c.at < 28 || len(names) == 0) {
		return
	}
	var m *Metric
	if n, known := md.number.find(d.PMID); known {
		m = md.described[n]
	}
	if m == nil {
		block := md.slab.new()
		m = &block.Metric
		m.Desc, m.Names = d, block.name[:0]
		md.number.set(d.PMID, uint32(len(md.described)))
		md.described = append(md.described, m)
		md.take(500)
	} else if what := conflict(m.Desc, d); what != "" {
		f.add(pcp.Faultf(pcp.Corrupt, "The metric %s (%s) is described twice, with different %s.", short(m.Name()), d.PMID, what).At(start, "descriptor"),
			"The first description holds.")
	}
	for _, name := range names {
		md.bind(m, name, start, f)
	}
}

// conflict says how two descriptors of one metric differ.
func conflict(a, b pcp.Desc) string {
	switch {
	case a.Type != b.Type:
		return "types: " + a.Type.String() + " and " + b.Type.String()
	case a.Sem != b.Sem:
		return "semantics: " + a.Sem.String() + " and " + b.Sem.String()
	case a.InDom != b.InDom:
		return "instance domains: " + a.InDom.String() + " and " + b.InDom.String()
	case a.Units != b.Units:
		return "units: \"" + a.Units.String() + "\" and \"" + b.Units.String() + "\""
	}
	return ""
}

// bind gives m a name, unless the name is taken by another metric or an inner
// node of the name space.
func (md *metadata) bind(m *Metric, name string, at int64, f fileFaults) {
	if name == "" {
		return
	}
	if len(name) > maxName {
		f.add(pcp.Faultf(pcp.Corrupt, "A name of the metric %s is %s bytes long; there can be %s.", m.PMID, pcp.Grouped(len(name)), pcp.Grouped(maxName)).At(at, "name"), "The metric stays without this name.")
		return
	}
	if other, taken := md.names.find(name); taken {
		switch {
		case other == m || f.enough():
		case other == nil:
			f.add(pcp.Faultf(pcp.Corrupt, "The name %s of metric %s is the beginning of other metrics' names.", short(name), m.PMID).At(at, "name"), "The metric stays without this name.")
		default:
			f.add(pcp.Faultf(pcp.Corrupt, "The name %s is given to two metrics, %s and %s.", short(name), other.PMID, m.PMID).At(at, "name"), "The first one keeps it.")
		}
		return
	}
	md.names.set(name, m)
	md.take(150)
	m.Names = append(m.Names, name)
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || name[:i] == md.folder { // consecutive names mostly share it
		return
	}
	for md.folder = name[:i]; i > 0; i = strings.LastIndexByte(name[:i], '.') {
		if _, known := md.names.find(name[:i]); known {
			break
		}
		md.names.set(name[:i], nil)
		md.inner++
		md.take(60)
	}
}

// take claims memory already used, in steps. It may come afterwards because the
// uncounted use is at most that of one record.
func (md *metadata) take(n int64) {
	const step = 256 << 10
	if md.owed += n; md.owed < step {
		return
	}
	if md.memory.Take(md.owed) != nil {
		md.full = true
	}
	md.owed = 0
}

// short shortens a name for a message.
func short(name string) string { return pcp.Clip(name, 120) }

// text reads a help text. The last one for an object wins. See spec/archive.md
// section 8.4.
func (md *metadata) text(c *cursor) {
	kind, id := c.u32("type"), c.u32("identifier")
	text := c.text("text", c.left())
	if c.fault == nil && kind&3 != 0 && kind&12 != 0 {
		if md.texts == nil {
			md.texts = map[textKey]string{}
		}
		md.texts[textKey{kind, id}] = text
		md.take(80)
	}
}

// Kinds of help text.
const (
	textOneline = 1
	textHelp    = 2
	textMetric  = 4
	textInDom   = 8
)

// help returns the texts of an object. A missing long text is replaced by the
// short one.
func (md *metadata) help(object, id uint32) (oneline, help string) {
	oneline, help = md.texts[textKey{object | textOneline, id}], md.texts[textKey{object | textHelp, id}]
	if help == "" {
		help = oneline
	}
	return oneline, help
}

// finish connects data from separate records.
func (md *metadata) finish() {
	if len(md.texts) > 0 {
		for _, m := range md.described {
			m.Oneline, m.Help = md.help(textMetric, uint32(m.PMID))
		}
	}
	md.ordered = slices.Clone(md.described)
	sortByName(md.ordered)
	for _, d := range md.indoms {
		// The order in the file does not matter, except between equal
		// timestamps: the later wins.
		sorting.Stable(d.records, func(a, b inDomRecord) int { return cmp.Compare(a.time, b.time) })
	}
	md.orderLabels()
	if md.inner >= md.names.len()/2 { // inner nodes are needed only for reading names
		var names table[string, *Metric]
		names.expect(md.names.len() - md.inner)
		for name, m := range md.names.all() {
			if m != nil {
				names.set(name, m)
			}
		}
		md.names = names
	}
	md.namesRead = nil
}

// sortByName puts metrics in the order of Archive.Metrics: by name, then those without
// one. No two metrics share a name.
func sortByName(list []*Metric) {
	named := make([]*Metric, 0, len(list))
	var nameless []*Metric
	for _, m := range list {
		if len(m.Names) > 0 {
			named = append(named, m)
		} else {
			nameless = append(nameless, m)
		}
	}
	sorting.ByName(named, func(m *Metric) string { return m.Names[0] })
	sorting.Stable(nameless, func(x, y *Metric) int { return cmp.Compare(x.PMID, y.PMID) })
	copy(list[copy(list, named):], nameless)
}

// metric finds a metric with a descriptor, or one that only has values.
func (md *metadata) metric(id pcp.PMID) *Metric {
	if n, known := md.number.find(id); known {
		return md.described[n]
	}
	return md.guessed.get(id)
}

// guess adds a metric that has values but no descriptor.
func (md *metadata) guess(m *Metric) {
	if md.guessed.get(m.PMID) == nil {
		md.guessed.set(m.PMID, m)
	}
}

func inDomID(bits uint32) pcp.InDom {
	if pcp.InDom(bits) == pcp.NullInDom {
		return pcp.NullInDom
	}
	return pcp.InDom(bits &^ (1 << 31)) // the top bit is a flag
}
