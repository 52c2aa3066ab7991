package core

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/container"
	"pcpscope/core/derived"
	"pcpscope/core/loader"
	"pcpscope/core/mmv"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// openMMV opens MMV files among the leaves, each as a source of its own, up to
// a limit.
func (s *Session) openMMV(found *container.Expanded, modified map[string]pcp.Time, limit int, reject func(string, pcp.Fault)) []*source {
	var list []*source
	for _, l := range found.Leaves {
		if l.Kind != container.MMV {
			continue
		}
		if len(list) >= limit {
			reject(l.Name, *tooManySources().In(l.Name))
			continue
		}
		held := s.memory.Claim(s.memory.Limit() / spare)
		file, err := readMMV(l.Name, l.Size, l.At, held)
		if err != nil {
			held.Release()
			reject(l.Name, *pcp.AsFault(err))
			continue
		}
		at := modified[l.Name]
		if at == 0 {
			at = pcp.FromStd(time.Now())
		}
		seg := newReadings(l.Name, l.Size, file, at)
		seg.held = held
		src := &source{session: s, insight: insight{held: s.memory.Claim(0)}, replies: answerCache{limit: maxReplies}, derived: &derived.Set{Under: derived.Builtin()}, parts: []segment{seg}, about: api.Source{
			Kind: "mmv", Name: path.Base(l.Name), Version: file.Version, PID: file.PID, Timezone: "UTC",
			Bytes: l.Size, Members: []string{l.Name}, Fingerprint: fingerprintMMV(file),
		}}
		src.loader = loader.New([]loader.Part{{Name: path.Base(l.Name), Size: l.Size,
			Read: func(context.Context, func(done, total int64)) error { return nil }}}, 1)
		list = append(list, src)
	}
	return list
}

// mmvBytes is how much memory a byte of an MMV file takes: the file itself, its
// metrics and instances, and observations of their values.
const mmvBytes = 6

// readMMV reads an MMV file, replacing the claim of the previous reading.
func readMMV(name string, size int64, at io.ReaderAt, held *budget.Claim) (f *mmv.File, err error) {
	defer pcp.Recover("opening "+path.Base(name), &err)
	if err := mmv.CheckSize(name, size); err != nil {
		return nil, err
	}
	if err := held.Set(max(held.Held(), mmvBytes*size)); err != nil {
		return nil, pcp.AsFault(err).In(name)
	}
	data := make([]byte, size)
	if _, err := at.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return mmv.Read(name, data)
}

// fingerprintMMV identifies a program's file by what it defines, not by its
// values, which change.
func fingerprintMMV(f *mmv.File) string {
	sum := sha256.New()
	for _, m := range f.Metrics {
		sum.Write([]byte(m.Name + m.Desc.PMID.String() + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// readings is one or more readings of an MMV file, as a segment.
type readings struct {
	name string
	size int64
	held *budget.Claim // the last file, and everything recorded from it

	mu      sync.Mutex
	file    *mmv.File
	rec     mmv.Recorder
	byName  map[string]*readMetric
	domains map[pcp.InDom]*domain           // filled on demand
	current map[string]*series.Observations // from an incomplete file, which a Recorder refuses
	first   pcp.Time
	last    pcp.Time
}

// A readMetric is a metric, as the file and as an archive would describe it.
type readMetric struct {
	*mmv.Metric
	about archive.Metric
}

func newReadings(name string, size int64, f *mmv.File, at pcp.Time) *readings {
	r := &readings{name: name, size: size, first: at, last: at}
	if !r.rec.Add(f, at) {
		r.current = f.Observations(at)
	}
	r.take(f)
	return r
}

func (r *readings) take(f *mmv.File) {
	r.file, r.byName, r.domains = f, make(map[string]*readMetric, len(f.Metrics)), nil
	all, names := make([]readMetric, len(f.Metrics)), make([]string, len(f.Metrics))
	for i := range f.Metrics {
		m := &f.Metrics[i]
		names[i] = m.Name
		all[i] = readMetric{m, archive.Metric{Desc: m.Desc, Names: names[i : i+1 : i+1], Oneline: m.Oneline, Help: m.Help}}
		r.byName[m.Name] = &all[i]
	}
}

// add records another reading; false if the file was being rewritten and must
// be read again.
func (r *readings) add(f *mmv.File, at pcp.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.Live = true // the file comes from this machine: running timers count
	if !r.rec.Add(f, at) {
		return false
	}
	if r.current != nil { // the previous file was incomplete
		r.current, r.first = nil, at
	}
	r.last = at
	r.take(f)
	return true
}

// noteBytes is the size of one recorded change of a value.
const noteBytes = 32

// newNotes returns the most changes that recording a reading can add.
func (r *readings) newNotes(f *mmv.File) (n int) {
	for i := range f.Metrics {
		n += 1 + len(f.Metrics[i].Values)
	}
	return n
}

// account replaces the claimed estimate by what is really used.
func (r *readings) account(size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held.Force(mmvBytes*size + noteBytes*int64(r.rec.Notes()))
}

func (r *readings) Name() string          { return r.name }
func (r *readings) Gaps() []archive.Gap   { return nil }
func (r *readings) Damage() []archive.Gap { return nil }

// Files returns the one file, which is read completely when opened.
func (r *readings) Files() []archive.FileRead {
	return []archive.FileRead{{Member: archive.Member{Name: r.name, Size: r.size}, Read: r.size, First: r.Start(), Last: r.End()}}
}

func (r *readings) Start() pcp.Time { r.mu.Lock(); defer r.mu.Unlock(); return r.first }
func (r *readings) End() pcp.Time   { r.mu.Lock(); defer r.mu.Unlock(); return r.last }

func (r *readings) Marks() []pcp.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.rec.Marks())
}

func (r *readings) Problems() []pcp.Fault {
	r.mu.Lock()
	defer r.mu.Unlock()
	problems := slices.Clone(r.file.Problems)
	for i := range r.file.Metrics {
		if h := r.file.Metrics[i].Hidden; h != nil && len(problems) < maxInspected {
			problems = append(problems, *h.Fault(r.file.Name))
		}
	}
	return problems
}

// unlisted is how many problems there are beyond those that Problems lists.
func (r *readings) unlisted() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := len(r.file.Problems)
	for i := range r.file.Metrics {
		if r.file.Metrics[i].Hidden != nil {
			all++
		}
	}
	return max(0, all-max(maxInspected, len(r.file.Problems)))
}

func (r *readings) Names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := make([]string, 0, len(r.byName))
	for name := range r.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (r *readings) Metrics() []*archive.Metric {
	var list []*archive.Metric
	for _, name := range r.Names() {
		m, _ := r.Lookup(name)
		list = append(list, m)
	}
	return list
}

func (r *readings) Lookup(name string) (*archive.Metric, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.byName[name]
	if !ok {
		return nil, false
	}
	return &m.about, true
}

func (r *readings) Observations(m *archive.Metric) (*series.Observations, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current != nil {
		o, ok := r.current[m.Name()]
		return o, ok
	}
	return r.rec.Observations(m.Name())
}

// A domain is an instance domain of an MMV file, with its instances by number.
type domain struct {
	*mmv.InDom
	members map[int32]*mmv.Instance
}

func (r *readings) inDom(id pcp.InDom) *domain {
	if r.domains == nil {
		r.domains = make(map[pcp.InDom]*domain, len(r.file.InDoms))
		for i := range slices.Backward(r.file.InDoms) { // of duplicates the first counts
			d := &r.file.InDoms[i]
			r.domains[d.ID] = &domain{InDom: d}
		}
	}
	return r.domains[id]
}

func (d *domain) member(inst int32) *mmv.Instance {
	if d.members == nil {
		d.members = make(map[int32]*mmv.Instance, len(d.Instances))
		for i := range slices.Backward(d.Instances) {
			d.members[d.Instances[i].ID] = &d.Instances[i]
		}
	}
	return d.members[inst]
}

func (r *readings) Instances(id pcp.InDom) ([]archive.Instance, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.inDom(id)
	if d == nil {
		return nil, false
	}
	var list []archive.Instance
	for _, in := range d.Instances {
		list = append(list, archive.Instance{Instance: in.Instance, First: r.first, Last: r.last})
	}
	sorting.Stable(list, func(a, b archive.Instance) int { return int(a.ID) - int(b.ID) })
	return list, true
}

func (r *readings) MaxInstances(pcp.InDom) int { return 0 } // no births and deaths are known

func (r *readings) Labels(m *archive.Metric, _ pcp.Time) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if own := r.byName[m.Name()]; own != nil {
		return string(own.Labels)
	}
	return ""
}

func (r *readings) OwnInstanceLabels(id pcp.InDom, inst int32, _ pcp.Time) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := r.inDom(id); d != nil {
		if in := d.member(inst); in != nil {
			return string(in.Labels)
		}
	}
	return ""
}

// Update takes another reading of a source's MMV file, to follow the values of
// a running program. It fails with kind "truncated" while the program is
// rewriting the file: read it again.
func (s *Session) Update(ctx context.Context, id api.SourceID, f File) (api.Source, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Source{}, err
	}
	r, ok := src.parts[0].(*readings)
	if !ok {
		return api.Source{}, pcp.Faultf(pcp.BadArgument, "Only an MMV file can be read again; %s is an archive.", src.about.Name)
	}
	file, err := readMMV(strings.TrimPrefix(f.Name, "/"), f.Size, f.At, r.held)
	if err == nil {
		err = r.held.Take(noteBytes * int64(r.newNotes(file)))
	}
	if err != nil {
		return api.Source{}, err
	}
	added := r.add(file, max(pcp.FromStd(time.Now()), r.End()+1))
	r.account(f.Size)
	if !added {
		return api.Source{}, pcp.Faultf(pcp.Truncated, "The program is rewriting the file; read it again.").In(f.Name)
	}
	src.forget()
	return src.describe(), nil
}
