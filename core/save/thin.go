package save

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"sort"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// thinTargets leaves out what cannot be thinned, and widens counters that would
// wrap. See spec/thin.md section 2.
func (p *plan) thinTargets() {
	p.drop(func(t *target) bool {
		if t.Type.Numeric() || t.Type == pcp.String || t.Type == pcp.NoSupport {
			return false
		}
		p.notes.add("Values of " + t.name() + " are left out: they cannot be thinned.")
		return true
	})
	for _, t := range p.targets {
		if t.Sem != pcp.Counter {
			continue
		}
		switch t.Type {
		case pcp.Int32:
			t.Type = pcp.Int64
		case pcp.Uint32:
			t.Type = pcp.Uint64
		}
	}
}

// A stretch is a part of an archive across which values may be carried.
type stretch struct {
	part       *part
	start, end pcp.Time // times of its first and last record
}

// stretches cuts a part at its marks and where data are missing.
func (p *plan) stretches(pt *part, before pcp.Time) []stretch {
	recs := pt.a.Records()[pt.first:pt.end]
	if before != 0 {
		recs = recs[:sort.Search(len(recs), func(i int) bool { return recs[i].Time >= before })]
	}
	if len(recs) == 0 {
		return nil
	}
	marks := map[pcp.Time]bool{}
	for _, m := range pt.a.Marks() {
		marks[m] = true
	}
	holes := map[pcp.Time]bool{}
	for _, h := range pt.holes {
		holes[h] = true
	}
	var list []stretch
	open := false
	for i, r := range recs {
		if marks[r.Time] {
			open = false
			continue
		}
		if !open || i > 0 && holes[recs[i-1].Time] && recs[i-1].Time < r.Time {
			list = append(list, stretch{pt, r.Time, r.Time})
			open = true
		}
		list[len(list)-1].end = r.Time
	}
	return list
}

// thinned writes a part, thinned.
func (w *writer) thinned(pt *part, before pcp.Time) error {
	list := w.plan.stretches(pt, before)
	if len(list) == 0 {
		return nil
	}
	if err := w.lead(pt); err != nil {
		return err
	}
	for i, s := range list {
		if i > 0 && w.any && !w.marked {
			at := list[i-1].end
			for _, m := range pt.a.Marks() {
				if m >= at && m <= s.start {
					w.mark(m)
					break
				}
			}
			if !w.marked {
				w.last = max(w.last, at)
				w.markBefore(s.start)
			}
		}
		if err := w.thinStretch(s); err != nil {
			return err
		}
		w.progress("thinning "+path.Base(pt.a.Name()), w.done+int64(float64(w.total-w.done)*float64(s.end-pt.start)/float64(max(1, pt.last-pt.start))), w.total)
	}
	if w.any {
		w.last = max(w.last, list[len(list)-1].end)
	}
	if n := len(pt.a.Marks()); n > 0 && w.plan.whole && w.any && !w.marked {
		if m := pt.a.Marks()[n-1]; m >= w.last {
			w.mark(m)
		}
	}
	return nil
}

// maxCells is how many values are held at once while thinning.
const maxCells = 2 << 20

// A cell is one value of the result.
type cell struct {
	to   *target
	inst int32
	code int32 // instead of a value; inst and val are undefined
	void bool
	val  uint64
	blob []byte
}

func (w *writer) thinStretch(s stretch) error {
	grid := w.grid(s)
	extra := w.extras(s)
	var metrics []*metric
	cells := 1
	for _, m := range s.part.sortedMetrics() {
		if m.to != nil && s.part.a.Logs(m.PMID) {
			metrics = append(metrics, m)
		}
	}
	cells = max(1, s.part.a.SeriesCount())
	block := max(1, maxCells/cells)
	var room archive.Buffer
	for from := 0; from < len(grid); from += block {
		to := min(from+block, len(grid))
		rows := make([][]cell, to-from)
		for _, m := range metrics {
			if !w.plan.step() {
				return errStopped
			}
			obs, ok := s.part.a.ObservationsIn(&room, m.PMID)
			if !ok {
				continue
			}
			t := thinning{w: w, m: m, obs: obs, s: s, grid: grid, from: from, to: to, rows: rows}
			t.run()
		}
		begin := s.start - 1
		if from > 0 {
			begin = grid[from-1]
		}
		for k, row := range rows {
			for len(extra) > 0 && extra[0] <= grid[from+k] {
				if extra[0] < grid[from+k] && extra[0] > begin {
					if err := w.logged(s, extra[0], metrics); err != nil {
						return err
					}
				}
				extra = extra[1:]
			}
			begin = grid[from+k]
			if err := w.thinRow(grid[from+k], row); err != nil {
				return err
			}
		}
	}
	return nil
}

// grid returns the points of a stretch. See spec/thin.md section 1.
func (w *writer) grid(s stretch) []pcp.Time {
	base, every := w.timeline.start, w.plan.Every
	k := (s.start - base + every - 1) / every
	var list []pcp.Time
	for t := base + max(0, k)*every; t < s.end; t += every {
		list = append(list, t)
		if len(list) > 1<<22 { // more than any archive has records
			break
		}
	}
	return append(list, s.end)
}

// places returns the first and last index in Records, within a stretch, of the
// values of a metric.
func (s *stretch) places(id pcp.PMID) (first, last int, ok bool) {
	values, _ := s.part.a.LoggedAt(id)
	begin, end := s.part.a.Between(s.start, s.end)
	i, _ := slices.BinarySearch(values, uint32(begin))
	k, _ := slices.BinarySearch(values, uint32(end))
	if i >= k {
		return 0, 0, false
	}
	return int(values[i]), int(values[k-1]), true
}

// extras returns the times of the first and last observations of counters.
func (w *writer) extras(s stretch) []pcp.Time {
	recs := s.part.a.Records()
	times := map[pcp.Time]bool{}
	for id, m := range s.part.metrics {
		if m.to == nil || m.to.Sem != pcp.Counter {
			continue
		}
		if first, last, ok := s.places(id); ok {
			times[recs[first].Time], times[recs[last].Time] = true, true
		}
	}
	return slices.Sorted(maps.Keys(times))
}

// logged writes the counters whose first or last observation was at t, as they
// were logged.
func (w *writer) logged(s stretch, t pcp.Time, metrics []*metric) error {
	var row []cell
	recs := s.part.a.Records()
	for _, m := range metrics {
		if m.to.Sem != pcp.Counter {
			continue
		}
		first, last, ok := s.places(m.PMID)
		if !ok || recs[first].Time != t && recs[last].Time != t {
			continue
		}
		obs, _ := s.part.a.Observations(m.PMID)
		rows := [][]cell{nil}
		th := thinning{w: w, m: m, obs: obs, s: s, grid: []pcp.Time{t}, to: 1, rows: rows}
		th.run()
		row = append(row, rows[0]...)
	}
	return w.thinRow(t, row)
}

// thinRow writes the values of one point.
func (w *writer) thinRow(t pcp.Time, row []cell) error {
	if len(row) == 0 {
		return nil
	}
	sorting.Stable(row, func(a, b cell) int { return cmp.Compare(a.to.PMID, b.to.PMID) })
	if err := w.flushMark(); err != nil {
		return err
	}
	if err := w.metaUntil(t); err != nil {
		return err
	}
	w.build.Reset()
	for i := 0; i < len(row); {
		to := row[i].to
		if row[i].void {
			w.build.Void(to.PMID, row[i].code)
			i++
			continue
		}
		format := uint32(1)
		if to.Type == pcp.Int32 || to.Type == pcp.Uint32 {
			format = 0
		}
		w.build.Begin(to.PMID, format)
		for ; i < len(row) && row[i].to == to && !row[i].void; i++ {
			c := row[i]
			if w.plan.Instances != nil && to.InDom != pcp.NullInDom && !w.plan.chosen(w.domain(to.InDom).now[c.inst]) {
				continue
			}
			if to.Type.Numeric() {
				w.build.Number(c.inst, to.Type, c.val)
			} else {
				w.build.Bytes(c.inst, to.Type, c.blob)
			}
		}
		w.build.End()
	}
	return w.built(t)
}

// A thinning is one metric of a stretch, at the points from from to to.
type thinning struct {
	w        *writer
	m        *metric
	obs      *series.Observations
	s        stretch
	grid     []pcp.Time
	from, to int
	rows     [][]cell

	begin, end int   // rows of the metric within the stretch
	at         []int // for each point the number of rows up to it; at[0] is for the point before
}

func (t *thinning) run() {
	times := t.obs.Times
	t.begin = sort.Search(len(times), func(i int) bool { return times[i] >= t.s.start })
	t.end = sort.Search(len(times), func(i int) bool { return times[i] > t.s.end })
	t.at = make([]int, t.to-t.from+1)
	t.at[0] = t.begin
	if t.from > 0 {
		t.at[0] = t.behind(t.grid[t.from-1])
	}
	for k := t.from; k < t.to; k++ {
		t.at[k-t.from+1] = t.behind(t.grid[k])
	}
	t.voids()
	for _, s := range t.obs.Series {
		switch {
		case !t.m.to.Type.Numeric() || t.m.to.Sem == pcp.Discrete:
			t.changes(s)
		case t.m.to.Sem == pcp.Counter:
			t.counter(s)
		default:
			t.mean(s)
		}
	}
}

// behind returns the number of rows up to a time.
func (t *thinning) behind(at pcp.Time) int {
	times := t.obs.Times
	return max(t.begin, min(t.end, sort.Search(len(times), func(i int) bool { return times[i] > at })))
}

// voids writes an error code where a step has one and no value.
func (t *thinning) voids() {
	if _, voids := t.s.part.a.LoggedAt(t.m.PMID); len(voids) == 0 {
		return
	}
	obs, _ := t.s.part.a.Observations(t.m.PMID)
	for _, v := range obs.Voids {
		if v.Time < t.s.start || v.Time > t.s.end || v.Code == 0 {
			continue
		}
		k := sort.Search(len(t.grid), func(i int) bool { return t.grid[i] >= v.Time })
		if k < t.from || k >= t.to || t.at[k-t.from] != t.at[k-t.from+1] {
			continue
		}
		row := t.rows[k-t.from]
		if n := len(row); n > 0 && row[n-1].to == t.m.to {
			row[n-1].code = int32(v.Code)
			continue
		}
		if t.m.to.Sem == pcp.Counter && t.begin < t.at[k-t.from] && t.at[k-t.from] < t.end {
			continue // there is a value of a counter
		}
		t.rows[k-t.from] = append(row, cell{to: t.m.to, void: true, code: int32(v.Code)})
	}
}

// put adds an original value to a point.
func (t *thinning) put(k int, inst int32, val uint64) {
	c := cell{to: t.m.to, inst: inst, val: val}
	if !t.m.Type.Numeric() {
		c.blob = t.obs.Blobs.At(val)
		if r := t.w.plan.Rewrite; r != nil {
			c.blob = r.Text(t.m.Metric, c.blob)
		}
	}
	t.rows[k-t.from] = append(t.rows[k-t.from], c)
}

// A span is a range of rows with one value.
type span struct {
	from, to int
	val      uint64
}

// spans calls f for the rows of a series that have values, within the stretch.
func (t *thinning) spans(s series.Series, f func(span)) {
	for i, r := range s.Runs {
		if r.Row&(series.Gone|series.Failed) != 0 {
			continue
		}
		from, to := int(r.Row&series.RowNum), t.end
		if i+1 < len(s.Runs) {
			to = min(to, int(s.Runs[i+1].Row&series.RowNum))
		}
		if from = max(from, t.begin); from < to {
			f(span{from, to, r.Val})
		}
	}
}

// convert converts a value to the type and units of the result.
func (t *thinning) convert(val uint64) (uint64, bool) {
	if t.m.convert == nil {
		return val, true
	}
	c := *t.m.convert
	return c.value(val)
}

// changes writes the last value of each step, if it differs from the one
// written before. See spec/thin.md section 2.
func (t *thinning) changes(s series.Series) {
	n := t.to - t.from
	val, fresh, again := make([]uint64, n), make([]bool, n), make([]bool, n)
	var before span
	had, written := false, false // something was written before these points: before.val
	var last uint64
	t.spans(s, func(x span) {
		gap := had && before.to != x.from // the instance was gone for a while
		before, had = x, true
		if x.from < t.at[0] {
			written, last = true, x.val
			return
		}
		if k := t.step(x.from); k < t.to {
			val[k-t.from], fresh[k-t.from] = x.val, true
			again[k-t.from] = again[k-t.from] || gap
		}
	})
	for i := range n {
		if !fresh[i] || written && last == val[i] && !again[i] {
			continue
		}
		written, last = true, val[i]
		if v, ok := t.convert(val[i]); ok {
			t.put(t.from+i, s.Inst, v)
		}
	}
}

// step returns the first point whose step contains row or a later one.
func (t *thinning) step(row int) int {
	return t.from + sort.Search(t.to-t.from, func(i int) bool { return t.at[i+1] > row })
}

// mean writes the mean of each step.
func (t *thinning) mean(s series.Series) {
	n := t.to - t.from
	sum, count := make([]float64, n), make([]int, n)
	last, varies := make([]uint64, n), make([]bool, n)
	t.spans(s, func(x span) {
		v := series.Float(t.m.Type, x.val)
		for k := t.step(x.from); k < t.to && t.at[k-t.from] < x.to; k++ {
			rows := min(x.to, t.at[k-t.from+1]) - max(x.from, t.at[k-t.from])
			if rows > 0 {
				varies[k-t.from] = varies[k-t.from] || count[k-t.from] > 0 && last[k-t.from] != x.val
				last[k-t.from] = x.val
				sum[k-t.from] += v * float64(rows)
				count[k-t.from] += rows
			}
		}
	})
	for i := range n {
		if count[i] == 0 {
			continue
		}
		val, ok := t.convert(last[i]) // exact, if all are the same
		if varies[i] {
			mean := sum[i] / float64(count[i])
			if t.m.convert != nil {
				mean = t.m.convert.scale.Float64(mean)
			}
			val, ok = numberOf(t.m.to.Type, mean)
		}
		if ok {
			t.rows[i] = append(t.rows[i], cell{to: t.m.to, inst: s.Inst, val: val})
		}
	}
}

// counter writes the value of a counter at each point.
func (t *thinning) counter(s series.Series) {
	type known struct {
		row int
		val uint64
	}
	small := t.m.Type == pcp.Int32 || t.m.Type == pcp.Uint32
	var lift uint64 // total added for wraps so far
	var last known
	had := false
	k := t.from
	between := func(a, b known, reset bool) {
		for ; k < t.to && t.at[k-t.from+1]-1 < b.row; k++ {
			row := t.at[k-t.from+1] - 1
			if row != a.row {
				continue // before it, or where the instance is missing
			}
			at := t.grid[k]
			switch {
			case t.obs.Times[row] == at || reset:
				t.cell(k, s.Inst, a.val)
			case b.row == a.row+1:
				t.cell(k, s.Inst, blend(t.m.Type, a.val, b.val, at, t.obs.Times[row], t.obs.Times[b.row]))
			}
		}
	}
	t.spans(s, func(x span) {
		val := x.val
		if had && small && wrapped(t.m.Type, last.val-lift, val) {
			lift += 1 << 32
		}
		val += lift
		first := known{x.from, val}
		if had {
			between(last, first, first.row == last.row+1 && falls(t.m.Type, last.val, val))
		}
		for row := x.from; row+1 < x.to && k < t.to; { // the same value: skip to the next points
			for k < t.to && t.at[k-t.from+1]-1 < row {
				k++
			}
			if k == t.to {
				break
			}
			if row = t.at[k-t.from+1] - 1; row+1 < x.to {
				t.cell(k, s.Inst, val)
				k++
			}
		}
		last, had = known{x.to - 1, val}, true
	})
	if had { // the last observation, at its own time
		for ; k < t.to; k++ {
			if row := t.at[k-t.from+1] - 1; row == last.row && t.obs.Times[row] == t.grid[k] {
				t.cell(k, s.Inst, last.val)
			}
		}
	}
}

func (t *thinning) cell(k int, inst int32, val uint64) {
	if t.m.convert != nil {
		c := *t.m.convert
		switch { // it was widened
		case c.from == pcp.Int32:
			c.from = pcp.Int64
		case c.from == pcp.Uint32:
			c.from = pcp.Uint64
		}
		c.to = t.m.to.Type
		var ok bool
		if val, ok = c.value(val); !ok {
			return
		}
	}
	t.rows[k-t.from] = append(t.rows[k-t.from], cell{to: t.m.to, inst: inst, val: val})
}

// wrapped reports whether a 32-bit counter has wrapped: a fall from the upper
// quarter of its range to the lower one.
func wrapped(typ pcp.Type, a, b uint64) bool {
	if typ == pcp.Int32 { // compare as bits, from the smallest number up
		a, b = uint64(uint32(a)^1<<31), uint64(uint32(b)^1<<31)
	} else {
		a, b = uint64(uint32(a)), uint64(uint32(b))
	}
	return a >= 3<<30 && b < 1<<30
}

// falls reports whether a counter goes back.
func falls(typ pcp.Type, a, b uint64) bool {
	switch typ {
	case pcp.Int32, pcp.Int64:
		return int64(b) < int64(a)
	case pcp.Uint32, pcp.Uint64:
		return b < a
	}
	return series.Float(typ, b) < series.Float(typ, a)
}

// blend interpolates a counter between two observations that do not fall. See
// spec/thin.md section 2.
func blend(typ pcp.Type, v, w uint64, at, before, after pcp.Time) uint64 {
	f, d := at.Since(before), after.Since(before)
	switch typ {
	case pcp.Float:
		a, b := math.Float32frombits(uint32(v)), math.Float32frombits(uint32(w))
		return uint64(math.Float32bits(float32(float64(a) + float64(f*float64(b-a))/d)))
	case pcp.Double:
		a, b := math.Float64frombits(v), math.Float64frombits(w)
		return math.Float64bits(a + float64(f*(b-a))/d)
	}
	const exact = 1 << 53 // doubles hold integers exactly up to here
	if int64(v) > -exact && int64(v) < exact && int64(w) > -exact && int64(w) < exact && (typ == pcp.Int32 || typ == pcp.Int64 || int64(v) >= 0) {
		return uint64(int64(0.5 + float64(int64(v)) + float64(f*float64(int64(w-v)))/d))
	}
	return v + uint64(0.5+float64(f*float64(w-v))/d)
}
