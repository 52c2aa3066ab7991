package archive

import (
	"unsafe"

	"pcpscope/core/pcp"
)

// A timeline is the numbers of the records in which some tracks occurred.
// Tracks that have always occurred together share one, so that a thousand
// metrics of one logging group cost as much as one.
type timeline struct {
	recs    []uint32
	members int32
	timed   uint32    // how many of recs have times
	times   *pcp.Time // the first of these, computed as needed; shared with callers
}

// A track is something that occurs in records: the values of a metric, or one
// of its error codes.
type track struct{ line *timeline }

// advance records that the tracks of a shape occur in record rec.
func (st *store) advance(s *shape, rec uint32) {
	if s.generation != st.generation || s.lines == nil {
		st.align(s)
	}
	for _, l := range s.lines {
		l.recs = append(l.recs, rec)
	}
}

// align finds the timelines of a shape, and splits those of which the shape has
// only some tracks.
func (st *store) align(s *shape) {
	met := map[*timeline]int32{}
	var order []*timeline
	for i := range s.sets {
		if t := s.sets[i].track; t != nil {
			if met[t.line] == 0 && t.line != nil {
				order = append(order, t.line)
			}
			met[t.line]++
		}
	}
	instead := map[*timeline]*timeline{}
	if n := met[nil]; n > 0 {
		instead[nil] = &timeline{members: n}
		order = append(order, instead[nil])
	}
	for i, l := range order {
		if n := met[l]; n > 0 && n < l.members {
			part := &timeline{recs: append([]uint32(nil), l.recs...), members: n}
			l.members -= n
			instead[l], order[i] = part, part
			st.generation++
		}
	}
	for i := range s.sets {
		if t := s.sets[i].track; t != nil {
			if l := instead[t.line]; l != nil {
				t.line = l
			}
		}
	}
	s.lines, s.generation = order, st.generation
	if s.lines == nil {
		s.lines = []*timeline{}
	}
}

// timesOf returns the times of a timeline's records.
func (st *store) timesOf(l *timeline) []pcp.Time {
	if l == nil {
		return nil
	}
	if int(l.timed) != len(l.recs) {
		times := make([]pcp.Time, len(l.recs))
		for i, r := range l.recs {
			times[i] = st.recs[r].Time
		}
		l.times, l.timed = unsafe.SliceData(times), uint32(len(times))
	}
	return unsafe.Slice(l.times, l.timed)
}
