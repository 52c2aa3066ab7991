package mmv

import (
	"cmp"
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// values reads values: the first entry of each metric and instance counts, and
// instances are in the order of their domain. See spec/mmv.md sections 3.4 and
// 6.3.
func (r *reader) values() {
	first := make([]map[int32]uint64, len(r.raw)) // by metric: instance -> offset of the entry
	r.entries(sectionValues, func(at uint64) {
		i, ok := r.metricAt[r.u64(at+16)]
		if !ok {
			r.note(at+16, "value.metric", pcp.Corrupt, "A value belongs to no metric and was left out")
			return
		}
		inst := pcp.NoInstance
		if m := &r.file.Metrics[i]; m.Desc.InDom != pcp.NullInDom {
			entry := r.u64(at + 24)
			if !r.has(entry, r.instanceSize()) {
				r.note(at+24, "value.instance", pcp.Corrupt, "A value belongs to no instance and was left out")
				return
			}
			inst = int32(r.u32(entry + 12))
			r.adopt(m.Desc.InDom, inst, entry)
		}
		if first[i] == nil {
			first[i] = map[int32]uint64{}
		}
		if _, twice := first[i][inst]; twice {
			r.note(at, "value", pcp.Corrupt, "A metric and instance has more than one value; the first one counts")
			return
		}
		first[i][inst] = at
	})
	places := r.places()
	for i := range r.raw {
		m := &r.file.Metrics[i]
		type entry struct {
			inst  int32
			at    uint64
			place int
		}
		var entries []entry
		for inst, at := range first[i] {
			place, ok := places[m.Desc.InDom][inst]
			if !ok && m.Desc.InDom != pcp.NullInDom {
				place = -1
			}
			entries = append(entries, entry{inst, at, place})
		}
		sorting.Stable(entries, func(a, b entry) int { return cmp.Or(a.place-b.place, cmp.Compare(a.at, b.at)) })
		for _, e := range entries {
			if e.place < 0 {
				r.note(e.at, "value.instance", pcp.Corrupt, "A value is of an instance that its domain does not have, and was left out")
				continue
			}
			if v, ok := r.value(e.at, m.Desc.Type, r.raw[i].typ); ok {
				v.Inst = e.inst
				m.Values = append(m.Values, v)
			}
		}
	}
}

// places returns the first index of each instance in its domain.
func (r *reader) places() map[pcp.InDom]map[int32]int {
	all := map[pcp.InDom]map[int32]int{}
	for _, d := range r.file.InDoms {
		p := make(map[int32]int, len(d.Instances))
		for i, in := range d.Instances {
			if _, twice := p[in.ID]; !twice {
				p[in.ID] = i
			}
		}
		all[d.ID] = p
	}
	return all
}

// adopt adds an instance to a domain that metrics refer to but the file does
// not define: their values still name instances.
func (r *reader) adopt(id pcp.InDom, inst int32, entry uint64) {
	if _, known := r.domainOf[id]; !known {
		r.domainOf[id] = len(r.file.InDoms)
		r.file.InDoms = append(r.file.InDoms, InDom{ID: id})
		if r.adopted == nil {
			r.adopted = map[pcp.InDom]map[int32]bool{}
		}
		r.adopted[id] = map[int32]bool{}
	}
	if seen := r.adopted[id]; seen != nil && !seen[inst] {
		seen[inst] = true
		d := &r.file.InDoms[r.domainOf[id]]
		d.Instances = append(d.Instances, Instance{Instance: pcp.Instance{ID: inst, Name: r.instanceName(entry)}})
	}
}

// value decodes the entry at at; ok is false if the entry says that there is no
// value. See spec/mmv.md section 4.
func (r *reader) value(at uint64, typ pcp.Type, raw int32) (v Value, ok bool) {
	word, low, extra := r.u64(at), r.u32(at), int64(r.u64(at+8))
	sentinel := r.file.Flags&Sentinel != 0
	if sentinel && typ.Integer() && word == math.MaxUint64 {
		return v, false
	}
	switch typ {
	case pcp.Int32:
		v.Bits = uint64(int64(int32(low)))
	case pcp.Uint32:
		v.Bits = uint64(low)
	case pcp.Int64, pcp.Uint64:
		v.Bits = word
		if raw == typeElapsed {
			v.Since = r.since(at, extra)
		}
	case pcp.Float:
		v.Bits = uint64(low)
		return v, !sentinel || !math.IsNaN(float64(math.Float32frombits(low)))
	case pcp.Double:
		v.Bits = word
		return v, !sentinel || !math.IsNaN(math.Float64frombits(word))
	case pcp.String:
		v.Text, ok = r.text(uint64(extra), stringSize-1)
		if !ok || extra == 0 {
			r.note(at+8, "value.extra", pcp.Corrupt, "A text lies outside the file")
			return v, false
		}
		return v, !sentinel || v.Text != ""
	default:
		return v, false
	}
	return v, true
}

// since returns when the running interval of a timer began, 0 if none is
// running.
func (r *reader) since(at uint64, extra int64) int64 {
	if extra > 0 || extra == math.MinInt64 {
		r.note(at+8, "value.extra", pcp.Corrupt, "The start of a timed interval is not a time")
		return 0
	}
	return -extra
}
