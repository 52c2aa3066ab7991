package core

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/derived"
	"pcpscope/core/interp"
	"pcpscope/core/loader"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A segment is a stretch of a source's time line from one recording: one archive
// of a set, or the readings of an MMV file. Nothing is interpolated from one
// segment to the next.
type segment interface {
	Name() string
	Start() pcp.Time
	End() pcp.Time
	Marks() []pcp.Time
	Gaps() []archive.Gap
	Damage() []archive.Gap
	Problems() []pcp.Fault
	Files() []archive.FileRead
	Names() []string
	Metrics() []*archive.Metric
	Lookup(name string) (*archive.Metric, bool)
	Observations(m *archive.Metric) (*series.Observations, bool)
	Instances(id pcp.InDom) ([]archive.Instance, bool)
	MaxInstances(id pcp.InDom) int
	Labels(m *archive.Metric, t pcp.Time) string
	OwnInstanceLabels(id pcp.InDom, inst int32, t pcp.Time) string
}

// recorded is an archive as a segment.
type recorded struct{ *archive.Archive }

func (r recorded) Observations(m *archive.Metric) (*series.Observations, bool) {
	return r.Archive.Observations(m.PMID)
}

// A source is what a user thinks of as one thing: the archives of a host, or
// one MMV file.
type source struct {
	session *Session
	about   api.Source // what does not change while it is open
	parts   []segment  // in order of their starts
	loader  *loader.Loader
	spool   *spool       // holds unpacked files; nil for none
	windows []readWindow // read on their own, oldest first; held by looking
	far     bool         // its volumes are on a server that supports reading ranges

	mu      sync.Mutex           // held, with turns, while list or one of indoms is made
	known   float64              // share read when indoms was made
	list    []metricEntry        // sorted by name
	counted int                  // metrics of the parts when list was made
	logged  int                  // how many of list are not derived
	listing *budget.Claim        // for list
	naming  *budget.Claim        // for indoms
	closed  bool                 // nothing may be claimed any more
	layout  *layout              // nil until known, and while the source grows
	indoms  map[pcp.InDom]*inDom // filled on demand

	finding sync.Mutex         // guards the fields below, nil as layout is; may be taken while holding mu
	working *int64             // see allWorkingBytes
	having  map[string][]int32 // see partsOf

	previews []preview     // oldest first; made while parts are being read
	looking  chan struct{} // semaphore: held while one is read

	leaving sync.Mutex           // guards left
	left    map[string]pcp.Fault // left out for lack of memory, by subject

	derived *derived.Set // its own definitions, on top of those that PCP ships
	insight insight      // cached results of analysis
	kept    answerCache
	replies answerCache // to the page: see Session.CacheAnswer
}

func (src *source) stop() { src.loader.Stop() }

// describe describes the source as far as it has been read.
func (src *source) describe() api.Source {
	d := src.about
	d.Loaded = src.loader.Share()
	d.Start, d.End = src.span()
	d.Metrics = src.loggedMetrics()
	gaps := src.gaps()
	d.Gaps, d.GapCount = gaps.some(), gaps.count()
	left := src.leftOut() // all of which must be reported
	problems := problemList{limit: maxProblems - len(left)}
	problems.add(src.about.Problems...)
	for _, p := range src.parts {
		problems.addOf(p)
	}
	problems.add(src.loader.Refused()...)
	d.Problems = append(problems.all(), left...)
	return d
}

// span returns the start of the first part and the end of the last.
func (src *source) span() (start, end pcp.Time) {
	if l := src.finished(); l != nil {
		return l.start, l.end
	}
	return src.spanOfParts()
}

func (src *source) spanOfParts() (start, end pcp.Time) {
	start, end = src.parts[0].Start(), src.parts[0].End()
	for _, p := range src.parts[1:] {
		end = max(end, p.End())
	}
	return start, max(start, end)
}

// lost returns the stretches without data: between archives, in missing
// volumes, and in damaged data.
func (src *source) lost() []pcp.Span {
	var list []pcp.Span
	for _, g := range src.gaps().stretches {
		if g.End > g.Start {
			list = append(list, pcp.Span{Start: g.Start, End: g.End})
		}
	}
	for _, p := range src.parts {
		for _, f := range p.Problems() {
			if f.Lost != nil {
				list = append(list, *f.Lost)
			}
		}
	}
	return list
}

// wait returns when everything has been read.
func (src *source) wait(ctx context.Context, progress func(api.Progress)) error {
	if src.whole() {
		return nil
	}
	return src.loader.Wait(ctx, func(int) bool { return true }, progress)
}

// waitFor returns when the parts that touch a stretch of time have been read.
func (src *source) waitFor(ctx context.Context, from, to pcp.Time, progress func(api.Progress)) error {
	if src.whole() {
		return nil
	}
	return src.loader.Wait(ctx, func(i int) bool {
		first, last := src.parts[i].Start(), src.parts[i].End()
		return first <= to && last >= from || last < first // a damaged stamp says nothing about what is in the part
	}, progress)
}

// renew clears what was cached from the parts if more of them has been read
// since. The list of metrics is kept unless more metrics without a descriptor were
// found.
func (src *source) renew() {
	share := src.loader.Share()
	if share == src.known && src.indoms != nil {
		return
	}
	if n := src.metricsOfParts(); n != src.counted || src.indoms == nil {
		src.list, src.counted = nil, n
	}
	src.indoms, src.known = map[pcp.InDom]*inDom{}, share
	src.naming.Release()
}

func (src *source) metricsOfParts() (n int) {
	for _, p := range src.parts {
		if r, is := p.(recorded); is {
			n += r.MetricCount()
		}
	}
	return n
}

// forget clears everything cached from the parts.
func (src *source) forget() {
	src.insight.invalidate()
	src.kept.drop(false)
	src.replies.drop(false)
	src.mu.Lock()
	defer src.mu.Unlock()
	src.indoms, src.layout = nil, nil
	src.finding.Lock()
	defer src.finding.Unlock()
	src.working, src.having = nil, nil
}

// lookup returns the metric of a name in each part, nil in parts that lack it.
func (src *source) lookup(name string) (ms []*archive.Metric, known bool) {
	ms = make([]*archive.Metric, len(src.parts))
	look := func(i int) {
		if m, ok := src.parts[i].Lookup(name); ok {
			ms[i], known = m, true
		}
	}
	if having := src.partsOf(); having != nil {
		for _, i := range having[name] {
			look(int(i))
		}
		if _, number := pcp.ParsePMID(name); known || !number {
			return ms, known
		}
	}
	for i := range src.parts {
		look(i)
	}
	return ms, known
}

// partsOf maps the name of a metric to the parts that have it, because each of
// thousands of archives may have metrics of its own. It returns nil if asking
// every part is as fast.
func (src *source) partsOf() map[string][]int32 {
	const few = 16
	if len(src.parts) <= few || src.loader.Share() < 1 {
		return nil
	}
	src.finding.Lock()
	defer src.finding.Unlock()
	if src.having == nil {
		src.having = map[string][]int32{}
		for i, p := range src.parts {
			for _, m := range p.Metrics() {
				names := m.Names
				if len(names) == 0 {
					names = []string{m.Name()}
				}
				for _, name := range names {
					src.having[name] = append(src.having[name], int32(i))
				}
			}
		}
	}
	return src.having
}

// observations returns each part's observations of a metric, nil for parts that
// lack it.
func (src *source) observations(ms []*archive.Metric) []*series.Observations {
	return src.observationsIn(nil, ms)
}

// observationsIn returns the same laid out in buffers, one for each part; valid
// until the buffers are reused. Voids are left out unless a buffer has Voids set.
func (src *source) observationsIn(buffers []archive.Buffer, ms []*archive.Metric) []*series.Observations {
	obs := make([]*series.Observations, len(ms))
	_, fits := src.fits(ms)
	for i, m := range ms {
		if m == nil {
			continue
		}
		if fits != nil {
			obs[i] = &series.Observations{Desc: m.Desc}
			continue
		}
		obs[i] = src.observationsOf(buffers, i, m)
	}
	return obs
}

// observationsOf returns those of one part.
func (src *source) observationsOf(buffers []archive.Buffer, part int, m *archive.Metric) *series.Observations {
	var o *series.Observations
	var ok bool
	if r, is := src.parts[part].(recorded); is && buffers != nil {
		o, ok = r.ObservationsIn(&buffers[part], m.PMID)
	} else {
		o, ok = src.parts[part].Observations(m)
	}
	if !ok {
		o = &series.Observations{Desc: m.Desc} // in the metadata, without data
	}
	return o
}

// layout is how the parts of a source lie in time. Once everything has been read
// it is kept: of tens of thousands of archives, asking each again costs more than
// most questions.
type layout struct {
	segs        []interp.Segment
	overlapping bool
	start, end  pcp.Time
	marks       []pcp.Time // of all parts, if there are several
	mistyped    []pcp.Time // of all parts: see archive.Mistyped
	extent      readState
}

func (src *source) layOut() *layout {
	l := &layout{segs: src.segments(), overlapping: src.overlapping(), extent: src.extentOfParts()}
	l.start, l.end = src.spanOfParts()
	if len(src.parts) > 1 {
		l.marks = src.marksOfParts(pcp.MinTime, pcp.MaxTime)
	}
	for _, p := range src.parts {
		if a, ok := p.(recorded); ok {
			l.mistyped = append(l.mistyped, a.Mistyped()...)
		}
	}
	slices.Sort(l.mistyped)
	return l
}

// finished returns the layout of a source that has been read, nil before.
func (src *source) finished() *layout {
	if src.loader.Share() < 1 {
		return nil
	}
	src.mu.Lock()
	have := src.layout
	src.mu.Unlock()
	if have == nil {
		have = src.layOut()
		src.mu.Lock()
		src.layout = have
		src.mu.Unlock()
	}
	return have
}

// laidOut returns the parts' time lines for interpolation, read-only, and
// whether parts overlap in time.
func (src *source) laidOut() (segs []interp.Segment, overlapping bool) {
	if l := src.finished(); l != nil {
		return l.segs, l.overlapping
	}
	return src.segments(), src.overlapping()
}

// whole reports whether every part has been read completely.
func (src *source) whole() bool {
	l := src.finished()
	return l != nil && l.extent.whole
}

func (src *source) segments() []interp.Segment {
	segs := make([]interp.Segment, len(src.parts))
	for i, p := range src.parts {
		s := interp.Segment{Start: p.Start(), End: p.End(), Marks: slices.Clip(p.Marks())}
		// libpcp interpolates across a missing volume, and stops at damage.
		// Nothing is known of that time, so no value is carried across it.
		hole := func(g archive.Gap, why series.Why) {
			s.Holes = append(s.Holes, interp.Hole{Span: pcp.Span{Start: g.Start, End: g.End}, Why: why})
			s.Marks = append(s.Marks, g.Start+1, g.End-1)
		}
		for _, g := range p.Gaps() {
			hole(g, series.VolumeMissing)
		}
		for _, g := range p.Damage() {
			if g.Start < s.End {
				hole(g, series.DataDamaged)
			}
		}
		if len(s.Holes) > 0 {
			slices.Sort(s.Marks)
			s.Marks = slices.Clip(s.Marks)
			sorting.Stable(s.Holes, func(a, b interp.Hole) int { return cmp.Compare(a.Start, b.Start) })
		}
		segs[i] = s
	}
	return segs
}

// An inDom is an instance domain over all parts.
type inDom struct {
	list []instance // sorted by ID
	life interp.Lifetime
	who  func() identities
}

// An instance is one of a domain, which may have hundreds of thousands, so it is
// small: instances of the API are made when they are asked for.
type instance struct {
	Name        string
	First, Last pcp.Time
	ID          int32
	part        int32 // index of the last part that has it
}

// instanceLabels returns what an instance was labelled with itself, nil for
// nothing.
func (src *source) instanceLabels(id pcp.InDom, in *instance) json.RawMessage {
	if own := src.parts[in.part].OwnInstanceLabels(id, in.ID, in.Last); own != "" && own != "{}" {
		return labelsOf(own)
	}
	return nil
}

// find returns the index of an instance in the list.
func (d *inDom) find(inst int32) (at int, known bool) {
	return slices.BinarySearchFunc(d.list, inst, func(in instance, id int32) int { return cmp.Compare(in.ID, id) })
}

// finder is find for many instances, most of which follow the one before, as
// they are in the list.
func (d *inDom) finder() func(inst int32) (at int, known bool) {
	next := 0
	return func(inst int32) (at int, known bool) {
		if next < len(d.list) && d.list[next].ID == inst {
			at, known = next, true
		} else {
			at, known = d.find(inst)
		}
		next = at + 1
		return at, known
	}
}

// inDom returns what the source knows of a domain; read-only.
func (src *source) inDom(id pcp.InDom) *inDom {
	src.mu.Lock()
	defer src.mu.Unlock()
	src.renew()
	d := src.indoms[id]
	if d == nil {
		if len(src.indoms) == maxInDoms {
			clear(src.indoms)
			src.naming.Release()
		}
		d = src.joinInDom(id)
		src.indoms[id] = d
	}
	return d
}

// maxInDoms is how many domains are kept: hundreds of times what agents have.
const maxInDoms = 1 << 13

// instanceBytes is the approximate size of an instance in the list of its
// domain while that is being made.
const instanceBytes = 1 << 8

// joinInDom merges what the parts know of a domain. The newest name of an
// instance wins. See spec/archive.md section 9.2, spec/interp.md section 6.
func (src *source) joinInDom(id pcp.InDom) *inDom {
	d := &inDom{}
	d.who = sync.OnceValue(func() identities { return src.identify(id, d) })
	if id == pcp.NullInDom {
		return d
	}
	pace := src.session.newPace(nil)
	type lived struct {
		id          int32
		part        int32
		first, last pcp.Time
		gone        bool
		name        string
	}
	if src.naming == nil && !src.closed {
		src.naming = src.session.memory.Claim(0)
	}
	var lives []lived
	index := map[int32]int32{}                                 // index into lives, by instance
	once := len(src.parts) == 1 && src.about.Kind == "archive" // then every instance occurs once, and index is not needed
	var here []int32                                           // those still present
	largest := 0
	for i, p := range src.parts {
		largest = max(largest, p.MaxInstances(id))
		list, ok := p.Instances(id)
		if !ok || len(list) == 0 {
			continue
		}
		if more := len(list) - len(lives); more > 0 && src.naming.Take(int64(more)*instanceBytes) != nil {
			src.leaveOut("instances of "+id.String(), pcp.Faultf(pcp.OutOfMemory, "There is not enough memory for the names of %s instances of the domain %s; they are shown by number.", pcp.Grouped(len(list)), id))
			continue
		}
		begin := pcp.MaxTime // of what this part says about the domain
		for _, in := range list {
			begin = min(begin, in.First)
		}
		for _, k := range here { // in an earlier part but not in this one: gone when this part begins
			lives[k].gone, lives[k].last = true, begin
		}
		here = here[:0]
		if lives == nil {
			lives = make([]lived, 0, len(list))
		}
		for _, in := range list {
			pace.rest(oneSeries/2 + len(in.Name)/2)
			k, known := index[in.ID]
			if !known {
				k = int32(len(lives))
				lives = append(lives, lived{id: in.ID, first: in.First})
				if !once {
					index[in.ID] = k
				}
			}
			l := &lives[k]
			l.last, l.gone, l.part, l.name = in.Last, in.Gone, int32(i), text(in.Name)
			if !once && !l.gone {
				here = append(here, k)
			}
		}
	}
	sorting.Stable(lives, func(a, b lived) int { return cmp.Compare(a.id, b.id) })
	d.list = make([]instance, len(lives))
	for i := range lives {
		pace.rest(oneSeries / 2)
		l := &lives[i]
		d.list[i] = instance{Name: l.name, First: l.first, Last: l.last, ID: l.id, part: l.part}
	}
	if largest >= 16 {
		gone := make([]bool, len(lives))
		for i := range lives {
			gone[i] = lives[i].gone
		}
		d.life = func(inst int32) (birth, death pcp.Time, ok bool) {
			i, known := d.find(inst)
			if !known {
				return 0, 0, false
			}
			if !gone[i] {
				return d.list[i].First, pcp.MaxTime, true
			}
			return d.list[i].First, d.list[i].Last, true
		}
	}
	return d
}

func (src *source) instanceList(id pcp.InDom) []instance { return src.inDom(id).list }

// metadataDamaged reports whether instances may be missing because part of the
// metadata could not be read; values are then identified by number.
func (src *source) metadataDamaged() bool {
	if src.about.Kind != "archive" {
		return false
	}
	for _, p := range src.parts {
		if slices.ContainsFunc(p.Problems(), func(f pcp.Fault) bool { return strings.Contains(path.Base(f.File), ".meta") }) {
			return true
		}
	}
	return false
}

// descOf returns the latest descriptor.
func descOf(ms []*archive.Metric) pcp.Desc { return latest(ms).Desc }

// latest returns the latest description.
func latest(ms []*archive.Metric) *archive.Metric {
	for _, m := range slices.Backward(ms) {
		if m != nil {
			return m
		}
	}
	return &archive.Metric{Desc: pcp.Desc{InDom: pcp.NullInDom}}
}

func (src *source) unknownMetric(name string) error {
	return pcp.Faultf(pcp.UnknownMetric, "%s is not a metric of %s.", name, path.Base(src.about.Name))
}
