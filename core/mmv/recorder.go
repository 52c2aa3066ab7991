package mmv

import (
	"cmp"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A Recorder collects the contents of one MMV file at several times, in the
// form that archives give, so that rates of a running program can be shown. The
// zero value is ready to use.
//
// A Recorder is not safe for concurrent use; results of Observations do not
// change while more is added.
type Recorder struct {
	// Live says that files are read from a running program at the given times:
	// timers then include the running interval. For a saved file the time is
	// not known precisely enough.
	Live bool

	file    *File
	last    pcp.Time
	marks   []pcp.Time
	metrics map[string]*recording
	notes   int
}

// Notes returns how many times and changes of values are stored, which is what
// grows while a file is followed.
func (r *Recorder) Notes() int { return r.notes }

// A recording is the data of one metric.
type recording struct {
	obs   series.Observations
	texts map[string]uint64 // index in obs.Blobs; nil for none
}

// Add adds the contents of the file at a time. It returns false, and changes
// nothing, for an incomplete file and for a time that is not later than the one
// before.
//
// A new generation means that the program was restarted: a mark separates it
// from the data before, and metrics whose definition changed start over.
func (r *Recorder) Add(f *File, at pcp.Time) bool {
	if !f.Complete() || r.file != nil && at <= r.last {
		return false
	}
	if r.metrics == nil {
		r.metrics = map[string]*recording{}
	}
	if r.file != nil && r.file.Generation1 != f.Generation1 {
		r.restart(f, at)
	}
	r.file, r.last = f, at
	for i := range f.Metrics {
		m := &f.Metrics[i]
		rec := r.metrics[m.Name]
		if rec == nil {
			rec = &recording{obs: series.Observations{Desc: m.Desc}}
			r.metrics[m.Name] = rec
		}
		r.notes += rec.add(m, at, r.Live)
	}
	return true
}

// restart prepares for the first reading of a new generation.
func (r *Recorder) restart(f *File, at pcp.Time) {
	r.marks = append(r.marks, r.last+(at-r.last)/2)
	for i := range f.Metrics {
		m := &f.Metrics[i]
		if rec := r.metrics[m.Name]; rec != nil && rec.obs.Desc != m.Desc {
			delete(r.metrics, m.Name)
		}
	}
}

// File returns the last file added; nil if there is none.
func (r *Recorder) File() *File { return r.file }

// Marks returns the times between generations, which no value carries over.
func (r *Recorder) Marks() []pcp.Time { return r.marks }

// Span returns the first and the last time added.
func (r *Recorder) Span() (first, last pcp.Time) {
	first = r.last
	for _, rec := range r.metrics {
		if t := rec.obs.Times; len(t) > 0 {
			first = min(first, t[0])
		}
	}
	return first, r.last
}

// Observations returns the data of a metric, by its full name.
func (r *Recorder) Observations(name string) (*series.Observations, bool) {
	rec, ok := r.metrics[name]
	if !ok {
		return nil, false
	}
	obs := rec.obs
	obs.Series = slices.Clone(obs.Series)
	return &obs, true
}

// add adds the values of a metric, and returns how many times and values are
// new.
func (rec *recording) add(m *Metric, at pcp.Time, live bool) (notes int) {
	o := &rec.obs
	if len(m.Values) == 0 {
		v := series.Void{Time: at}
		if m.Desc.Type == pcp.NoSupport {
			v.Code = pcp.ErrAppVersion
		}
		o.Voids = append(o.Voids, v)
		return 1
	}
	row := uint32(len(o.Times))
	o.Times = append(o.Times, at)
	notes++
	rec.expect(m.Values)
	for _, v := range m.Values {
		bits := v.Bits
		if live {
			bits = v.Elapsed(at)
		}
		if m.Desc.Type == pcp.String {
			bits = rec.text(v.Text)
		}
		notes += rec.set(v.Inst, row, bits)
	}
	if len(o.Series) == len(m.Values) { // each has one
		return notes
	}
	now := make(map[int32]bool, len(m.Values))
	for i := range m.Values {
		now[m.Values[i].Inst] = true
	}
	for i := range o.Series {
		s := &o.Series[i]
		if last := s.Runs[len(s.Runs)-1]; !now[s.Inst] && last.Row&series.Gone == 0 {
			s.Runs = append(s.Runs, series.Run{Row: row | series.Gone})
			notes++
		}
	}
	return notes
}

// expect makes space for all new instances at once: inserting them one by one
// would move those behind each time.
func (rec *recording) expect(values []Value) {
	var new []int32
	for i := range values {
		if _, found := rec.place(values[i].Inst); !found {
			new = append(new, values[i].Inst)
		}
	}
	if len(new) == 0 {
		return
	}
	slices.Sort(new)
	for _, inst := range slices.Compact(new) {
		rec.obs.Series = append(rec.obs.Series, series.Series{Inst: inst})
	}
	sorting.Stable(rec.obs.Series, func(a, b series.Series) int { return cmp.Compare(a.Inst, b.Inst) })
}

// set records that an instance has a value from row on, and returns 1 if the
// value changed.
func (rec *recording) set(inst int32, row uint32, bits uint64) int {
	s := rec.series(inst)
	if n := len(s.Runs); n == 0 || s.Runs[n-1].Val != bits || s.Runs[n-1].Row&series.Gone != 0 {
		s.Runs = append(s.Runs, series.Run{Row: row, Val: bits})
		return 1
	}
	return 0
}

// place returns the index of an instance, or where to insert it.
func (rec *recording) place(inst int32) (int, bool) {
	return slices.BinarySearchFunc(rec.obs.Series, inst, func(s series.Series, inst int32) int { return cmp.Compare(s.Inst, inst) })
}

// series returns the series of an instance, which must exist.
func (rec *recording) series(inst int32) *series.Series {
	i, _ := rec.place(inst)
	return &rec.obs.Series[i]
}

func (rec *recording) text(s string) uint64 {
	i, ok := rec.texts[s]
	if !ok {
		if rec.texts == nil {
			rec.texts = map[string]uint64{}
		}
		i = rec.obs.Blobs.Add([]byte(s))
		rec.texts[s] = i
	}
	return i
}

// Observations returns the values of every metric, by full name, as if they had
// been logged once, at the given time. Timers do not include a running
// interval.
func (f *File) Observations(at pcp.Time) map[string]*series.Observations {
	all := make(map[string]*series.Observations, len(f.Metrics))
	for i := range f.Metrics {
		m := &f.Metrics[i]
		rec := &recording{obs: series.Observations{Desc: m.Desc}}
		rec.add(m, at, false)
		all[m.Name] = &rec.obs
	}
	return all
}
