package mmv

import (
	"fmt"
	"strings"

	"pcpscope/core/pcp"
)

// rawMetric has what a metric's entry says about decoding its values.
type rawMetric struct {
	typ  int32 // as in the file
	item uint32
}

// Types of values in files that PCP numbers differently, or not at all.
const typeElapsed = 9

// indom returns the identifier that the agent derives from a serial. See
// spec/mmv.md section 6.2.
func (r *reader) indom(serial uint32) pcp.InDom {
	return pcp.MakeInDom(Domain, int((uint32(r.file.Cluster)<<11|serial)&0x3fffff))
}

// domains reads instance domains. See spec/mmv.md sections 3.1, 6.2 and 7.3.
func (r *reader) domains() {
	r.domainOf, r.domainAt, r.joined = map[pcp.InDom]int{}, map[uint32]bool{}, map[int]map[int32]bool{}
	r.entries(sectionDomains, func(at uint64) {
		serial, count, offset := r.u32(at), r.u32(at+4), r.u64(at+8)
		if serial > 0x3fffff {
			r.note(at, "indom.serial", pcp.Corrupt, "The serial of an instance domain is above 4194303; PCP's agent ignores it")
		}
		d := InDom{ID: r.indom(serial), Oneline: r.ref(r.u64(at+16), "indom.shorttext"), Help: r.ref(r.u64(at+24), "indom.helptext")}
		d.Instances = r.members(at, offset, count)
		r.domainAt[serial] = true
		i, known := r.domainOf[d.ID]
		if !known {
			r.domainOf[d.ID] = len(r.file.InDoms)
			r.file.InDoms = append(r.file.InDoms, d)
			return
		}
		r.note(at, "indom.serial", pcp.Corrupt, "Two instance domains get the same identifier from PCP's agent, and were joined as it does")
		r.join(i, d.Instances)
	})
}

// join adds instances to a domain that already has some; existing ones keep
// their names.
func (r *reader) join(domain int, more []Instance) {
	d := &r.file.InDoms[domain]
	ids := r.joined[domain]
	if ids == nil {
		ids = map[int32]bool{}
		for _, in := range d.Instances {
			ids[in.ID] = true
		}
		r.joined[domain] = ids
	}
	for _, in := range more {
		if !ids[in.ID] {
			ids[in.ID] = true
			d.Instances = append(d.Instances, in)
		}
	}
}

// members reads the instances of the domain at at.
func (r *reader) members(at, offset uint64, count uint32) []Instance {
	size := r.instanceSize()
	if !r.has(offset, uint64(count)*size) {
		r.note(at+8, "indom.offset", pcp.Truncated, "The instances of a domain reach beyond the end of the file; PCP's agent ignores the domain")
		if offset > uint64(len(r.data)) {
			return nil
		}
		count = uint32((uint64(len(r.data)) - offset) / size)
	}
	if room := uint64(len(r.data))/size - r.instances; uint64(count) > room { // domains that share instances would multiply
		r.note(at+4, "indom.count", pcp.Corrupt, "The instance domains together have more instances than fit in the file")
		count = uint32(room)
	}
	r.instances += uint64(count)
	list := make([]Instance, count)
	for i := range list {
		e := offset + uint64(i)*size
		list[i].ID = int32(r.u32(e + 12))
		list[i].Name = r.instanceName(e)
	}
	return list
}

func (r *reader) instanceName(at uint64) string {
	if r.file.Version == 1 {
		s, _ := r.text(at+16, 64)
		return s
	}
	s, ok := r.text(r.u64(at+16), stringSize-1)
	if !ok {
		r.note(at+16, "instance.external", pcp.Corrupt, "The name of an instance lies behind the end of the file")
	}
	return s
}

// metrics reads metrics. See spec/mmv.md sections 3.3, 6.1 and 7.3.
func (r *reader) metrics() {
	r.metricAt = map[uint64]int{}
	prefix := "mmv."
	if r.file.Flags&NoPrefix == 0 {
		prefix += r.file.Name + "."
	}
	names := newNamespace()
	items := map[uint32]bool{}
	many := 0
	for _, s := range r.sections[sectionMetrics] {
		many += s.count
	}
	r.file.Metrics, r.raw = make([]Metric, 0, many), make([]rawMetric, 0, many)
	r.entries(sectionMetrics, func(at uint64) {
		var m Metric
		var own string
		e := at
		if r.file.Version == 1 {
			if own, _ = r.text(at, nameSize); len(own) == nameSize { // the agent would read on into the numbers after it
				m.Hidden = &Hidden{why: endless}
			}
			e += nameSize
		} else {
			own = r.longName(at, &m)
			e += 8
		}
		item := r.u32(e)
		m.Name = prefix + own
		m.Desc = r.desc(e, item)
		m.Oneline = r.ref(r.u64(e+24), "metric.shorttext")
		if m.Help = r.ref(r.u64(e+32), "metric.helptext"); m.Help == "" {
			m.Help = m.Oneline
		}
		switch {
		case m.Hidden != nil:
		case !validName(m.Name):
			m.Hidden = &Hidden{why: badName}
		case item > 1023:
			m.Hidden = &Hidden{why: highItem}
		case items[item]:
			m.Hidden = &Hidden{why: takenItem}
		case names.used(m.Name):
			m.Hidden = &Hidden{why: takenName}
		default:
			items[item] = true
		}
		if m.Hidden != nil {
			m.Hidden.name, m.Hidden.item, m.Hidden.at = m.Name, item, int64(at)
		}
		m.Name = names.add(m.Name, item, m.Hidden == nil)
		if _, twice := r.metricAt[at]; !twice {
			r.metricAt[at] = len(r.file.Metrics)
		}
		r.file.Metrics = append(r.file.Metrics, m)
		r.raw = append(r.raw, rawMetric{typ: int32(r.u32(e + 4)), item: item})
	})
}

// longName returns the name of a metric in a file of version 2 or 3.
func (r *reader) longName(at uint64, m *Metric) string {
	offset := r.u64(at)
	s, ok := r.text(offset, stringSize-1)
	if !ok || !r.has(offset, stringSize) {
		m.Hidden = &Hidden{why: lostName}
	}
	return s
}

// desc makes the descriptor of the metric whose item is at e.
func (r *reader) desc(e uint64, item uint32) pcp.Desc {
	d := pcp.Desc{
		PMID: pcp.MakePMID(Domain, r.file.Cluster, int(item)), Type: pcp.Type(int32(r.u32(e + 4))), InDom: pcp.NullInDom,
		Sem: pcp.Semantics(int32(r.u32(e + 8))), Units: pcp.MakeUnits(r.u32(e + 12)),
	}
	if item > 1023 {
		d.PMID = pcp.NullPMID
	}
	switch {
	case d.Type == typeElapsed:
		d.Type, d.Sem, d.Units = pcp.Int64, pcp.Counter, pcp.Units{Time: 1, TimeScale: pcp.Microsec}
	case d.Type != pcp.String && !d.Type.Numeric() && d.Type != pcp.NoSupport:
		r.note(e+4, "metric.type", pcp.Corrupt, fmt.Sprintf("A metric is of type %d, which has no values in MMV files", int32(d.Type)))
		d.Type = pcp.NoSupport
	}
	if d.Sem == 0 {
		d.Sem = pcp.Counter // the agent treats it so, and writers mean it so
	}
	if serial := int32(r.u32(e + 16)); serial != 0 && serial != -1 {
		d.InDom = r.indom(uint32(serial))
		if !r.domainAt[uint32(serial)] {
			r.note(e+16, "metric.indom", pcp.Corrupt, "A metric refers to an instance domain that is not defined; PCP's agent has no values for it, here it has the instances that the values name")
		}
	}
	return d
}

// validName applies PCP's rule to a complete name. See spec/mmv.md section 6.1.
func validName(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		if letter := 'a' <= c && c <= 'z'; !letter && (i == 0 || name[i] != '_' && name[i] != '.' && (name[i] < '0' || name[i] > '9')) {
			return false
		}
	}
	return name != ""
}

// A namespace is the tree of names: a leaf cannot have names below it.
type namespace struct {
	taken  map[string]bool // names given to metrics
	leaf   map[string]bool // of those exported
	inner  map[string]bool // their prefixes
	serial int             // of the last name made unique by number
}

func newNamespace() *namespace {
	return &namespace{taken: map[string]bool{}, leaf: map[string]bool{}, inner: map[string]bool{}}
}

func (n *namespace) used(name string) bool {
	if n.leaf[name] || n.inner[name] {
		return true
	}
	for i := range len(name) {
		if name[i] == '.' && n.leaf[name[:i]] {
			return true
		}
	}
	return false
}

// add adds a name and returns it, made unique if need be.
func (n *namespace) add(name string, item uint32, exported bool) string {
	if exported {
		n.leaf[name] = true
		for i := range len(name) {
			if name[i] == '.' {
				n.inner[name[:i]] = true
			}
		}
	}
	unique := name
	if unique == "" || n.taken[unique] {
		unique = fmt.Sprintf("%s#%d", strings.TrimSuffix(name, "."), item)
	}
	for n.taken[unique] {
		n.serial++
		unique = fmt.Sprintf("%s#%d#%d", strings.TrimSuffix(name, "."), item, n.serial)
	}
	n.taken[unique] = true
	return unique
}
