package archive

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"unsafe"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// Classes of labels, lowest precedence first. See spec/archive.md section 8.3.
const (
	classContext   = 1
	classDomain    = 2
	classInDom     = 4
	classCluster   = 8
	classItem      = 16
	classInstances = 32
)

type labelKey struct{ class, id uint32 }

// A labelRecord holds the label sets of one key from one time on.
type labelRecord struct {
	time pcp.Time
	sets []labelSet
}

type labelSet struct {
	inst       int32
	from, size int // of the JSON text in the .meta file
}

// label reads a record of label sets. Their index entries are ignored: names
// and values are taken from the JSON text. See spec/archive.md section 8.3.
func (md *metadata) label(c *cursor, version int) {
	r := labelRecord{time: c.time(version)}
	k := labelKey{c.u32("label type"), c.u32("identifier")}
	switch k.class {
	case classContext:
		k.id = 0
	case classDomain, classInDom, classCluster, classItem, classInstances:
	default:
		c.at -= 8
		c.fail("label type", "A label record is of the class %d, which does not exist.", k.class)
		return
	}
	n := c.count("number of label sets", 12)
	if c.fault != nil {
		return
	}
	r.sets = make([]labelSet, 0, n)
	for range n {
		s := labelSet{inst: c.i32("instance")}
		s.size = c.count("length of JSON", 1)
		s.from = int(c.base) + c.at
		c.take("JSON", s.size)
		entries := c.i32("number of labels") // negative: an error code
		if c.fault == nil && (s.size > 65535 || entries > 255) {
			c.fail("number of labels", "A label set has %s labels in %s bytes; there can be 255 in 65,535.", pcp.Grouped(entries), pcp.Grouped(s.size))
		}
		c.take("labels", 8*max(0, int(entries)))
		if c.fault != nil {
			return
		}
		if jsonDepth(md.data[s.from:s.from+s.size]) > maxLabelDepth {
			md.deepLabels++
			s.size = 0
		}
		r.sets = append(r.sets, s)
	}
	if k.class == classInstances && !slices.IsSortedFunc(r.sets, byInstance) {
		sorting.Stable(r.sets, byInstance)
	}
	if md.labels == nil {
		md.labels = map[labelKey][]labelRecord{}
	}
	md.labels[k] = append(md.labels[k], r)
	md.take(100 + 12*int64(n))
}

func byInstance(a, b labelSet) int { return cmp.Compare(a.inst, b.inst) }

// orderLabels sorts records by time. With equal timestamps the first in the
// file wins: spec/archive.md section 9.3.
func (md *metadata) orderLabels() {
	for k, list := range md.labels {
		sorting.Stable(list, func(a, b labelRecord) int { return cmp.Compare(a.time, b.time) })
		md.labels[k] = slices.CompactFunc(list, func(a, b labelRecord) bool { return a.time == b.time })
	}
}

// labelsOf returns the JSON text of a key at time t.
func (md *metadata) labelsOf(class, id uint32, inst int32, t pcp.Time) []byte {
	list := md.labels[labelKey{class, id}]
	n := len(list)
	if !md.borrowed {
		n = sort.Search(n, func(i int) bool { return list[i].time > t })
	}
	if n == 0 {
		return nil
	}
	sets, at := list[n-1].sets, 0
	if class == classInstances { // sorted; of duplicates the first counts
		at = sort.Search(len(sets), func(i int) bool { return sets[i].inst >= inst })
	}
	if at == len(sets) || class == classInstances && sets[at].inst != inst {
		return nil
	}
	return md.data[sets[at].from : sets[at].from+sets[at].size]
}

// Labels returns the labels of a metric at time t, merged over the levels above
// the instances, as the JSON text of an object sorted by name; "" if there are
// none. See spec/archive.md section 9.3.
func (a *Archive) Labels(m *Metric, t pcp.Time) string {
	levels := a.levels(m, t)
	var which [5]*byte // the same bytes give the same text
	for i := range levels {
		which[i] = unsafe.SliceData(levels[i])
	}
	a.merging.Lock()
	defer a.merging.Unlock()
	if a.merged == "" || a.mergedOf != which {
		var l labelTree
		for _, level := range levels {
			l.merge(level)
		}
		a.merged, a.mergedOf = l.text(), which
	}
	return a.merged
}

// ContextLabels returns the labels of the host as a whole at time t, in the
// form of Labels.
func (a *Archive) ContextLabels(t pcp.Time) string {
	var l labelTree
	if len(a.meta.labels[labelKey{classContext, 0}]) == 0 {
		l.merge(a.hostLabel())
	} else {
		l.merge(a.meta.labelsOf(classContext, 0, int32(pcp.NoInstance), t))
	}
	return l.text()
}

// InstanceLabels is Labels with the instance's own labels on top.
func (a *Archive) InstanceLabels(m *Metric, inst int32, t pcp.Time) string {
	var l labelTree
	for _, level := range a.levels(m, t) {
		l.merge(level)
	}
	if m.InDom != pcp.NullInDom {
		l.merge(a.meta.labelsOf(classInstances, uint32(m.InDom), inst, t))
	}
	return l.text()
}

// OwnInstanceLabels returns only the labels of the instance itself.
func (a *Archive) OwnInstanceLabels(id pcp.InDom, inst int32, t pcp.Time) string {
	var l labelTree
	l.merge(a.meta.labelsOf(classInstances, uint32(id), inst, t))
	return l.text()
}

// levels returns the labels of a metric, lowest precedence first.
func (a *Archive) levels(m *Metric, t pcp.Time) (levels [5][]byte) {
	const noInst = int32(pcp.NoInstance)
	if len(a.meta.labels[labelKey{classContext, 0}]) == 0 {
		levels[0] = a.hostLabel()
	} else {
		levels[0] = a.meta.labelsOf(classContext, 0, noInst, t)
	}
	levels[1] = a.meta.labelsOf(classDomain, uint32(m.PMID.Domain()), noInst, t)
	if m.InDom != pcp.NullInDom {
		levels[2] = a.meta.labelsOf(classInDom, uint32(m.InDom), noInst, t)
	}
	levels[3] = a.meta.labelsOf(classCluster, uint32(m.PMID)&^0x3ff, noInst, t)
	levels[4] = a.meta.labelsOf(classItem, uint32(m.PMID), noInst, t)
	return levels
}

// hostLabel is used as the context labels if there are none.
func (a *Archive) hostLabel() []byte {
	a.merging.Lock()
	defer a.merging.Unlock()
	if a.ownLabel == nil {
		a.ownLabel = []byte(`{"hostname":` + strconv.Quote(a.label.Host) + `}`)
	}
	return a.ownLabel
}
