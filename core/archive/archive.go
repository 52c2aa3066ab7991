package archive

import (
	"context"
	"path"
	"slices"
	"sync"

	"pcpscope/core/budget"
	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

// An Archive is one open archive. Its methods are safe for concurrent use, also
// while Load runs; they then describe what has been read so far.
type Archive struct {
	group     Group
	label     Label
	labelFile string // file that label was read from
	meta      *metadata
	roles     []labelled // the volume numbers in the labels of its files
	starts    []pcp.Time // start times in the labels, in the order in which they were read
	rawIndex  []byte     // for Check
	index     []IndexEntry
	faults    faults
	atOpen    int        // how many faults Open found
	promised  pcp.Time   // the end expected by Open
	loading   sync.Mutex // one Load at a time
	opt       Options
	held      *budget.Claim // for metadata
	stored    *budget.Claim // for the store, and for buffers while filling it

	merging  sync.Mutex // guards the fields that follow
	merged   string     // the labels merged last: many metrics have the same
	mergedOf [5]*byte   // what they were merged from
	ownLabel []byte     // see hostLabel

	mu       sync.Mutex // guards everything below, and the histories of meta
	start    pcp.Time
	store    *store
	end      pcp.Time
	gaps     []Gap
	damage   []Gap      // stretches of damaged records
	mistyped []pcp.Time // see Mistyped
	loaded   bool
	reads    []volumeRead // parallel to group.Volumes
}

const (
	maxMeta   = 256 << 20 // limit on unpacked metadata: hundreds of times what pmlogger writes in a day
	featureQA = 1 << 31   // the one feature bit that exists, for PCP's own tests
)

// Options configures how archives are read. The zero value sets no limits.
type Options struct {
	Unpacker container.Unpacker
	// Budget, which may be nil, is what metadata and values are claimed from.
	// What does not fit is left out and reported as a problem of kind
	// pcp.OutOfMemory. Release gives back what an archive holds.
	Budget *budget.Budget
	Spare  int64 // bytes of the budget left to others
}

// archiveBytes is the approximate memory of an empty archive: a folder may hold
// tens of thousands.
const archiveBytes = 4 << 10

// Open opens an archive with the zero Options.
func Open(ctx context.Context, g Group) (*Archive, error) { return Options{}.Open(ctx, g) }

// Open reads what an archive says about itself: labels, metadata and the
// temporal index. It reads no data; Load does. It fails only if no file of the
// archive has a readable label; all other damage is in Problems.
func (o Options) Open(ctx context.Context, g Group) (opened *Archive, err error) {
	a := &Archive{group: g, opt: o, held: o.Budget.Claim(o.Spare), stored: o.Budget.Claim(o.Spare)}
	defer func() {
		if opened == nil {
			a.Release()
		}
	}()
	if err := a.held.Take(archiveBytes); err != nil {
		return nil, pcp.AsFault(err).In(g.Name)
	}
	metaData, indexData, err := a.readLabels(ctx)
	if ctx.Err() == nil && a.renamed() { // read again in their new roles
		a.held.Release()
		a.held, a.start, a.roles, a.starts = o.Budget.Claim(o.Spare), 0, nil, nil
		if err := a.held.Take(archiveBytes); err != nil {
			return nil, pcp.AsFault(err).In(g.Name)
		}
		metaData, indexData, err = a.readLabels(ctx)
	}
	if err != nil {
		return nil, err
	}
	g = a.group
	a.voteOnStart()
	a.meta = newMetadata(a.label.Version, &a.faults)
	a.meta.memory = a.held
	a.meta.proceed = func() bool { return a.proceed(ctx) }
	defer func() { a.meta.proceed = nil }()
	if g.Meta != nil {
		a.meta.read(metaData, g.Meta.Name)
	} else {
		a.faults.add(pcp.Faultf(pcp.Corrupt, "The metadata of the archive, %s.meta, were not given.", path.Base(g.Name)).In(g.Name+".meta"),
			"Its values are listed by their metrics' numbers.")
	}
	if g.Index != nil && indexData != nil {
		a.rawIndex = indexData
		a.index = readIndex(indexData, a.label.Version, a.faults.in(g.Index.Name))
	}
	if unknown := a.label.Features &^ featureQA; unknown != 0 {
		a.faults.add(pcp.Faultf(pcp.Unsupported, "The label asks for features that are not known (bits 0x%x).", unknown).In(a.labelFile).At(28, "feature bits"),
			"The features were ignored; its values may be wrong.")
	}
	a.end = a.guessEnd(ctx)
	a.promised = a.end
	if len(g.Volumes) == 0 {
		f := pcp.Faultf(pcp.Corrupt, "No data volume of the archive (%s.0 and so on) was given.", path.Base(g.Name)).In(g.Name + ".0")
		if a.end > a.start {
			f.Lost = &pcp.Span{Start: a.start, End: a.end}
		}
		a.faults.add(f, "Its metrics are listed without values.")
	}
	a.reads = make([]volumeRead, len(g.Volumes))
	a.store = newStore(a.label.Version, a.meta)
	if g.Meta != nil {
		g.Meta.instead(metaData)
	}
	a.atOpen = len(a.faults.list)
	a.roles, a.starts = nil, nil
	if ctx.Err() != nil {
		return nil, cancelled()
	}
	return a, nil
}

// readLabels finds the label of the archive: that of the lowest volume, as
// libpcp does, or of another file if it is damaged. It returns the contents of
// metadata and index, which it reads anyway.
func (a *Archive) readLabels(ctx context.Context) (meta, index []byte, err error) {
	g := &a.group
	var first *pcp.Fault // why there is no label
	var have bool
	unusable := func(fault *pcp.Fault) {
		if first == nil {
			first = fault
		}
		a.faults.add(fault, "The file was read as far as the other files of the archive allow.")
	}
	check := func(head []byte, file string, volume int32) {
		l, fault := readLabel(head, file, volume)
		a.noteLabel(head, volume)
		if fault != nil {
			unusable(fault)
			return
		}
		if !have {
			a.label, a.labelFile, a.start, have = l, file, l.Start, true
			return
		}
		if l.Version != a.label.Version || l.PID != a.label.PID || l.Host != a.label.Host {
			a.faults.add(pcp.Faultf(pcp.Corrupt, "The label names version %d, host %q and process %d; that of the archive names %d, %q and %d.",
				l.Version, l.Host, l.PID, a.label.Version, a.label.Host, a.label.PID).In(file).At(4, "label"), "The file was used all the same.")
		}
	}
	for i, v := range g.Volumes {
		if i > 0 && have {
			break
		}
		head, broken, err := v.head(ctx, a.opt.Unpacker, labelLenV3)
		if err != nil {
			return nil, nil, err
		}
		if broken != nil {
			unusable(broken.In(v.Name))
			continue
		}
		check(head, v.Name, int32(v.Number))
	}
	if g.Meta != nil {
		if meta, err = a.readWhole(ctx, g.Meta); err != nil {
			return nil, nil, err
		}
		check(meta[:min(len(meta), labelLenV3)], g.Meta.Name, volumeMeta)
	}
	if g.Index != nil {
		if index, err = a.readWhole(ctx, g.Index); err != nil {
			return nil, nil, err
		}
		if len(index) == 0 {
			a.faults.add(pcp.Faultf(pcp.Corrupt, "The temporal index is empty.").In(g.Index.Name), "The data are read without it.")
		} else {
			check(index[:min(len(index), labelLenV3)], g.Index.Name, volumeIdx)
		}
	}
	if !have {
		return nil, nil, first
	}
	return meta, index, nil
}

// readWhole reads a whole file. Damage to its compression is a problem, not an
// error; the bytes before it are used.
func (a *Archive) readWhole(ctx context.Context, m *Member) ([]byte, error) {
	data, err := m.readAll(ctx, a.opt.Unpacker, maxMeta, a.held)
	if ctx.Err() != nil {
		return nil, cancelled()
	}
	if err != nil {
		if f := pcp.AsFault(err); f.Passing { // opening may succeed later, with all of it
			return nil, f
		}
		a.faults.add(pcp.AsFault(err).In(m.Name), "What could be unpacked before, %s, was read.", pcp.Counted(len(data), "byte", "bytes"))
	}
	return data, nil
}

// recordHead is the length of a data record before its value sets.
func recordHead(version int) int64 {
	if version == 2 {
		return 16
	}
	return 20
}

// Release returns the archive's memory to the budget. The archive must not be
// used afterwards.
func (a *Archive) Release() {
	a.held.Release()
	a.stored.Release()
}

// proceed yields, and reports whether to continue.
func (a *Archive) proceed(ctx context.Context) bool {
	if yield := a.opt.Unpacker.Yield; yield != nil {
		yield()
	}
	return ctx.Err() == nil
}

// Name returns the base name of the archive, with folders as they were given.
func (a *Archive) Name() string { return a.group.Name }

// Group returns the files of the archive.
func (a *Archive) Group() Group { return a.group }

// Label returns the label of the archive: that of its lowest volume.
func (a *Archive) Label() Label { return a.label }

// Start returns the start of the archive according to its label. Single records
// may be earlier.
//
// If the labels of the other files agree on another start, that is used; if it
// is nowhere near the records, the time of the first record.
func (a *Archive) Start() pcp.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.start
}

// End returns the time of the last complete record, marks included. Until the
// archive is loaded it is the time given by the index.
func (a *Archive) End() pcp.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.end
}

// Loaded reports whether all data have been read.
func (a *Archive) Loaded() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.loaded
}

// Index returns the credible entries of the temporal index.
func (a *Archive) Index() []IndexEntry { return a.index }

// Problems returns what is wrong with the archive, in the order in which it was
// found.
func (a *Archive) Problems() []pcp.Fault { return a.faults.all() }

// Metrics returns all metrics, sorted by name; those without a name follow,
// by PMID. After Load they include metrics that have values but no
// descriptor.
func (a *Archive) Metrics() []*Metric {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.meta.guessed.len() == 0 {
		return slices.Clone(a.meta.ordered)
	}
	list := make([]*Metric, 0, len(a.meta.ordered)+a.meta.guessed.len())
	list = append(list, a.meta.ordered...)
	for _, m := range a.meta.guessed.all() {
		list = append(list, m)
	}
	sortByName(list)
	return list
}

// MetricCount returns how many metrics Metrics would return.
func (a *Archive) MetricCount() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.meta.ordered) + a.meta.guessed.len()
}

// Names returns every name of every metric, sorted. A metric may have several.
func (a *Archive) Names() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]string, 0, a.meta.names.len())
	for name, m := range a.meta.names.all() {
		if m != nil {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Lookup finds a metric by any of its names or, if it has none, by its PMID as
// text.
func (a *Archive) Lookup(name string) (*Metric, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m := a.meta.names.get(name); m != nil {
		return m, true
	}
	if id, ok := pcp.ParsePMID(name); ok {
		if m := a.meta.metric(id); m != nil && len(m.Names) == 0 {
			return m, true
		}
	}
	return nil, false
}

// Metric finds a metric by its PMID.
func (a *Archive) Metric(id pcp.PMID) (*Metric, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.meta.metric(id)
	return m, m != nil
}

// InDoms returns the instance domains that metrics or records name, sorted.
func (a *Archive) InDoms() []pcp.InDom {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen := map[pcp.InDom]bool{pcp.NullInDom: true}
	var list []pcp.InDom
	add := func(id pcp.InDom) {
		if !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	for _, m := range a.meta.ordered {
		add(m.InDom)
	}
	for _, m := range a.meta.guessed.all() {
		add(m.InDom)
	}
	for id := range a.meta.indoms {
		add(id)
	}
	slices.Sort(list)
	return list
}

// InDomHelp returns the help texts of an instance domain, "" if it has none.
func (a *Archive) InDomHelp(id pcp.InDom) (oneline, help string) {
	return a.meta.help(textInDom, uint32(id))
}
