package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Samples iterates over the observations of one metric, as in Logged, one
// instance after the other. It needs memory only for the longest of them, while
// Logged has a cell for every instance in every record.
type Samples struct {
	Desc  pcp.Desc
	Blobs *series.Blobs // what bits of strings refer to
	obs   []*series.Observations
	join  *join
}

// NewSamples takes observations as for Fetcher.Frame.
func NewSamples(obs []*series.Observations) *Samples {
	frame := &series.Frame{}
	s := &Samples{obs: obs}
	var known bool
	if frame.Desc, known = latest(obs); known {
		s.join = newJoin(obs, frame)
	}
	s.Desc, s.Blobs = frame.Desc, &frame.Blobs
	return s
}

// Each calls f with the values of each instance that has any between two times,
// both included, in order of time: bits as in series.Bits. A time that was
// logged twice occurs once, with the last value. The slices are reused.
func (s *Samples) Each(from, to pcp.Time, f func(inst int32, times []pcp.Time, bits []uint64) error) error {
	if s.join == nil {
		return nil
	}
	var times []pcp.Time
	var bits []uint64
	cursor := make([]int, len(s.obs))
	for _, inst := range instances(s.obs) {
		times, bits = times[:0], bits[:0]
		for i, o := range s.obs {
			if o == nil {
				continue
			}
			for cursor[i] < len(o.Series) && o.Series[cursor[i]].Inst < inst {
				cursor[i]++
			}
			if at := cursor[i]; at == len(o.Series) || o.Series[at].Inst != inst {
				continue
			}
			times, bits = s.add(times, bits, i, o.Series[cursor[i]].Runs, before(o.Times, from), upTo(o.Times, to))
		}
		if len(times) > 0 {
			if err := f(inst, times, bits); err != nil {
				return err
			}
		}
	}
	return nil
}

// add appends what the runs of one segment have in rows from r0 up to r1.
func (s *Samples) add(times []pcp.Time, bits []uint64, seg int, runs []series.Run, r0, r1 int) ([]pcp.Time, []uint64) {
	o := s.obs[seg]
	for k := max(0, runAt(runs, uint32(r0))); k < len(runs); k++ {
		a, b := max(int(runs[k].Row&series.RowNum), r0), r1
		if k+1 < len(runs) {
			b = min(b, int(runs[k+1].Row&series.RowNum))
		}
		if a >= r1 {
			break
		}
		if runs[k].Row&(series.Gone|series.Failed) != 0 || a >= b {
			continue
		}
		one, why := [1]uint64{runs[k].Val}, [1]series.Why{}
		if s.join.converts(seg) {
			s.join.convert(seg, one[:], why[:])
			if why[0] != series.HasValue {
				continue
			}
		}
		for r := a; r < b; r++ {
			t := o.Times[r]
			if n := len(times); n > 0 && times[n-1] == t {
				bits[n-1] = one[0]
				continue
			}
			times, bits = append(times, t), append(bits, one[0])
		}
	}
	return times, bits
}
