package archive

import (
	"strings"

	"pcpscope/core/pcp"
)

// inDomRecord locates one instance domain record in the .meta file.
type inDomRecord struct {
	time  pcp.Time
	delta bool
	n     int // number of entries
	at    int // offset of the first identifier
	end   int // end of the string table
}

// An inDom is all records of one domain, by time; their history is computed on
// demand.
type inDom struct {
	records []inDomRecord
	hist    *history
}

// inDom checks a record and notes where it is. See spec/archive.md section 8.2.
func (md *metadata) inDom(c *cursor, version int, delta bool) {
	r := inDomRecord{time: c.time(version), delta: delta}
	id := inDomID(c.u32("indom"))
	r.n = c.count("numinst", 8)
	if c.fault != nil || r.n == 0 { // an empty record changes nothing: spec/archive.md section 9.2
		return
	}
	r.at, r.end = int(c.base)+c.at, int(c.base)+len(c.buf)
	ids, offs := c.take("inst", 4*r.n), c.take("stridx", 4*r.n)
	table := c.left()
	for i := range r.n {
		if inst := int32(be32(ids[4*i:])); inst < 0 {
			c.at -= 8*r.n - 4*i
			c.fail("inst", "An instance of domain %s has the number %d.", id, inst)
			return
		}
		if off := int32(be32(offs[4*i:])); (off < 0 || int(off) >= table) && !(delta && off == -1) {
			c.at -= 4*r.n - 4*i
			c.fail("stridx", "The name of instance %d of domain %s would be at byte %s of %s.", int32(be32(ids[4*i:])), id, pcp.Grouped(off), pcp.Grouped(table))
			return
		}
	}
	d := md.indoms[id]
	if d == nil {
		d = &inDom{}
		if md.indoms == nil {
			md.indoms = map[pcp.InDom]*inDom{}
		}
		md.indoms[id] = d
	}
	d.records = append(d.records, r)
	md.take(64)
}

// entries calls f for each entry of a record. The entry's name is a prefix of
// name, which runs to the end of the table; see terminated. Entries of removed
// instances have no name.
func (md *metadata) entries(r inDomRecord, f func(id int32, name string, gone bool)) {
	ids, offs := md.data[r.at:r.at+4*r.n], md.data[r.at+4*r.n:r.at+8*r.n]
	table := md.all[r.at+8*r.n : r.end]
	for i := range r.n {
		id, off := int32(be32(ids[4*i:])), int32(be32(offs[4*i:]))
		if off < 0 {
			f(id, "", true)
			continue
		}
		f(id, table[off:], false)
	}
}

// maxName is the longest metric name in bytes, and how much of an instance's
// name is used. The format has no limit, but each component of a metric's name
// costs memory, and entries may share the bytes of one instance name, so that a
// small file can have many long ones.
const maxName = 4096

// terminated returns b up to its first NUL, if it has one.
func (md *metadata) terminated(b string) string {
	if end := strings.IndexByte(b[:min(len(b), maxName+1)], 0); end >= 0 {
		return b[:end]
	}
	if len(b) <= maxName {
		return b
	}
	if md.longNames++; md.longNames == 1 {
		md.faults.add(pcp.Faultf(pcp.Unsupported, "Names of instances are longer than %s bytes.", pcp.Grouped(maxName)), "They were cut short.")
	}
	return b[:maxName]
}

// named is terminated(b) == name, for names without a NUL, without looking for
// the end: most entries repeat the record before them.
func named(b, name string) bool {
	return len(b) >= len(name) && b[:len(name)] == name && (len(b) == len(name) || b[len(name)] == 0 || len(name) == maxName)
}

// An Instance is one member of an instance domain over the whole archive.
type Instance struct {
	pcp.Instance // with its newest name
	// First is the time of the domain's first record with the instance.
	First pcp.Time
	// Last is the time of the first record after the last one with the
	// instance; if there is none, the end of the archive.
	Last pcp.Time
	Gone bool // there is such a record
}

// Instances returns all instances that the archive ever names for a domain, by
// ID; false if it has no record of the domain. See spec/archive.md section 9.2.
func (a *Archive) Instances(id pcp.InDom) ([]Instance, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.meta.history(id)
	if h == nil {
		return nil, false
	}
	list := make([]Instance, len(h.insts))
	for i, m := range h.insts {
		s := m.spans[len(m.spans)-1]
		list[i] = Instance{Instance: pcp.Instance{ID: m.id, Name: s.name}, First: h.stamps[m.spans[0].from], Last: a.end}
		if a.meta.borrowed {
			list[i].First = a.start
		} else if s.to >= 0 {
			list[i].Last, list[i].Gone = h.stamps[s.to], true
		}
	}
	return list, true
}

// A Named is a time in which an instance of a domain had one name.
type Named struct {
	pcp.Instance
	From, To pcp.Time // of domain records: the first with it, and the first without it or the end of the archive
}

// EachName visits the instances of a domain with each of their names, by ID and time.
func (a *Archive) EachName(id pcp.InDom, visit func(Named)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.meta.history(id)
	if h == nil {
		return
	}
	for _, m := range h.insts {
		for _, s := range m.spans {
			n := Named{Instance: pcp.Instance{ID: m.id, Name: s.name}, From: h.stamps[s.from], To: a.end}
			if a.meta.borrowed {
				n.From = a.start
			} else if s.to >= 0 {
				n.To = h.stamps[s.to]
			}
			visit(n)
		}
	}
}

// InstancesAt returns the instances of a domain at time t, by ID; false if the
// archive has no record of the domain up to then.
func (a *Archive) InstancesAt(id pcp.InDom, t pcp.Time) ([]pcp.Instance, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.meta.history(id)
	if h == nil || h.at(t) < 0 && !a.meta.borrowed {
		return nil, false
	}
	now := int32(h.at(t))
	var list []pcp.Instance
	for _, m := range h.insts {
		for _, s := range m.spans {
			if a.meta.borrowed && s.to < 0 || s.from <= now && (s.to < 0 || s.to > now) {
				list = append(list, pcp.Instance{ID: m.id, Name: s.name})
			}
		}
	}
	return list, true
}

// MaxInstances returns the largest number of instances of a domain. From 16 on
// libpcp takes notice of births and deaths. See spec/interp.md section 6.
func (a *Archive) MaxInstances(id pcp.InDom) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if h := a.meta.history(id); h != nil && !a.meta.borrowed {
		return h.largest
	}
	return 0
}
