package mmv

import (
	"cmp"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A Recorder collects what one MMV file held at several moments, in the form
// that archives give, so that rates of a running program can be shown. The
// zero value has seen nothing.
//
// A Recorder is for one goroutine at a time; what Observations returned stays
// as it is while more is added.
type Recorder struct {
	// Live says that what is added was read from a running program at the
	// moment given: timers then count the interval that is running. Of a file
	// that was saved and carried here nobody knows the moment well enough.
	Live bool

	file    *File
	last    pcp.Time
	marks   []pcp.Time
	metrics map[string]*recording
	notes   int
}

// Notes returns how many times and changes of values are noted, which is what
// grows while a file is followed.
func (r *Recorder) Notes() int { return r.notes }

// A recording is what is known of one metric.
type recording struct {
	obs     series.Observations
	texts   map[string]uint64 // those in obs.Blobs
	present map[int32]bool    // instances with a value in the last row
}

// Add notes what the file holds at a moment. It returns false, and changes
// nothing, for a file that is not complete and for a moment that is not later
// than the one before.
//
// A new generation is a new start of the program: between it and what was
// before lies a mark, and metrics that are not what they were start over.
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
			rec = &recording{obs: series.Observations{Desc: m.Desc}, texts: map[string]uint64{}, present: map[int32]bool{}}
			r.metrics[m.Name] = rec
		}
		r.notes += rec.add(m, at, r.Live)
	}
	return true
}

// restart prepares for the first look at a new generation.
func (r *Recorder) restart(f *File, at pcp.Time) {
	r.marks = append(r.marks, r.last+(at-r.last)/2)
	for i := range f.Metrics {
		m := &f.Metrics[i]
		if rec := r.metrics[m.Name]; rec != nil && rec.obs.Desc != m.Desc {
			delete(r.metrics, m.Name)
		}
	}
}

// File returns the file as it was last; nil before the first.
func (r *Recorder) File() *File { return r.file }

// Marks returns the moments between generations, across which nothing may be
// assumed.
func (r *Recorder) Marks() []pcp.Time { return r.marks }

// Span returns the number of times that were noted first and last.
func (r *Recorder) Span() (first, last pcp.Time) {
	first = r.last
	for _, rec := range r.metrics {
		if t := rec.obs.Times; len(t) > 0 {
			first = min(first, t[0])
		}
	}
	return first, r.last
}

// Observations returns all that was noted of a metric, by its complete name.
func (r *Recorder) Observations(name string) (*series.Observations, bool) {
	rec, ok := r.metrics[name]
	if !ok {
		return nil, false
	}
	obs := rec.obs
	obs.Series = slices.Clone(obs.Series)
	return &obs, true
}

// add notes a metric, and returns how many times and values are new.
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
	now := make(map[int32]bool, len(m.Values))
	for _, v := range m.Values {
		now[v.Inst] = true
		bits := v.Bits
		if live {
			bits = v.Elapsed(at)
		}
		if m.Desc.Type == pcp.String {
			bits = rec.text(v.Text)
		}
		notes += rec.set(v.Inst, row, bits)
	}
	for inst := range rec.present {
		if !now[inst] {
			s := rec.series(inst)
			s.Runs = append(s.Runs, series.Run{Row: row | series.Gone})
			notes++
		}
	}
	rec.present = now
	return notes
}

// expect makes room for instances that were not there before, all at once: one
// by one each would move those behind it.
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

// set notes that an instance has a value from row on, and returns 1 where it
// is another than before.
func (rec *recording) set(inst int32, row uint32, bits uint64) int {
	s := rec.series(inst)
	if n := len(s.Runs); n == 0 || s.Runs[n-1].Val != bits || s.Runs[n-1].Row&series.Gone != 0 {
		s.Runs = append(s.Runs, series.Run{Row: row, Val: bits})
		return 1
	}
	return 0
}

// place says where an instance is, or would be.
func (rec *recording) place(inst int32) (int, bool) {
	return slices.BinarySearchFunc(rec.obs.Series, inst, func(s series.Series, inst int32) int { return cmp.Compare(s.Inst, inst) })
}

// series returns that of an instance which is there.
func (rec *recording) series(inst int32) *series.Series {
	i, _ := rec.place(inst)
	return &rec.obs.Series[i]
}

func (rec *recording) text(s string) uint64 {
	i, ok := rec.texts[s]
	if !ok {
		i = rec.obs.Blobs.Add([]byte(s))
		rec.texts[s] = i
	}
	return i
}

// Observations returns the values of every metric, by complete name, as if
// they had been logged once, at the given moment. Timers count no running
// interval.
func (f *File) Observations(at pcp.Time) map[string]*series.Observations {
	all := make(map[string]*series.Observations, len(f.Metrics))
	for i := range f.Metrics {
		m := &f.Metrics[i]
		rec := &recording{obs: series.Observations{Desc: m.Desc}, texts: map[string]uint64{}}
		rec.add(m, at, false)
		all[m.Name] = &rec.obs
	}
	return all
}
