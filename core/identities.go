package core

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// identities say who is who in a domain whose instances change numbers. An agent that is
// started anew, as after a boot, may number filesystems, cgroups or disks otherwise, and a
// device that is plugged in again may get another number. PCP's tools go by numbers, and give
// all values of one to its newest name (spec/archive.md section 9.2); so do values and charts
// here. What is said about a host must go by names: else one disk has another's past.
//
// The zero value is for domains in which every number has one name, and every name one number.
type identities struct {
	spells map[int32][]series.Spell // by number, of those that do not always count under it
	names  map[int32]string         // of numbers that no instance has
}

// maxIdentified is how many instances a domain may have to be told apart, with four times
// as many names, so that this takes little time and memory. Domains of devices are smaller.
const maxIdentified = 1 << 14

// identified is a timeline whose instances are the same throughout.
func (src *source) identified(line timeline, ms []*archive.Metric) timeline {
	who := src.inDom(descOf(ms).InDom).who()
	if len(who.spells) == 0 {
		return line
	}
	obs := make([]*series.Observations, len(line.obs))
	for i, o := range line.obs {
		if o != nil {
			obs[i] = o.Renumbered(func(inst int32) []series.Spell { return who.spells[inst] })
		}
	}
	line.obs = obs
	return line
}

// numbered reports whether an instance is called by its number, as processes are: such a one
// does not come back under another.
func numbered(in pcp.Instance) bool {
	return strings.HasPrefix(in.Name, fmt.Sprintf("%06d", in.ID))
}

// An identifying is what identities are made from.
type identifying struct {
	named  []archive.Named // in order of time
	byName map[string][]int
	newest map[int32]string
}

// identify compares the names and numbers of a domain. Archives of one time count in the order
// of their starts; where one name has two numbers at a time, it stands for two instances.
func (src *source) identify(id pcp.InDom, d *inDom) identities {
	if len(d.list) == 0 || len(d.list) > maxIdentified || src.about.Kind != "archive" {
		return identities{}
	}
	x := identifying{byName: map[string][]int{}, newest: make(map[int32]string, len(d.list))}
	for _, in := range d.list {
		x.newest[in.ID] = in.Name
	}
	if !x.collect(src, id) || x.regular() {
		return identities{}
	}
	return x.resolve()
}

// collect lists the names in order of time; false if there are too many.
func (x *identifying) collect(src *source, id pcp.InDom) bool {
	few := true
	for _, p := range src.parts {
		a, ok := p.(recorded)
		if !ok {
			continue
		}
		a.EachName(id, func(n archive.Named) {
			n.Name = text(n.Name)
			if few = few && len(x.named) < maxIdentified*4; few && !numbered(n.Instance) {
				x.named = append(x.named, n)
			}
		})
	}
	sorting.Stable(x.named, func(a, b archive.Named) int { return cmp.Compare(a.From, b.From) })
	for i, n := range x.named {
		x.byName[n.Name] = append(x.byName[n.Name], i)
	}
	return few
}

// regular reports whether every number has one name and every name one number.
func (x *identifying) regular() bool {
	for name, list := range x.byName {
		for _, i := range list {
			if id := x.named[i].ID; id != x.named[list[0]].ID || x.newest[id] != name {
				return false
			}
		}
	}
	return true
}

// resolve gives every name its numbers, and lists the numbers that instances have over time.
func (x *identifying) resolve() identities {
	who := identities{spells: map[int32][]series.Spell{}, names: map[int32]string{}}
	number := make([]int32, len(x.named))
	free := int32(math.MaxInt32)
	for i, n := range x.named {
		if list := x.byName[n.Name]; list[0] == i {
			x.number(list, number, func() int32 {
				for _, taken := x.newest[free]; taken; _, taken = x.newest[free] {
					free--
				}
				who.names[free] = n.Name
				free--
				return free + 1
			})
		}
		spells := who.spells[n.ID]
		if len(spells) == 0 || spells[len(spells)-1].Inst != number[i] {
			who.spells[n.ID] = append(spells, series.Spell{From: n.From, Inst: number[i]})
		}
	}
	for id, spells := range who.spells {
		if len(spells) == 1 && spells[0].Inst == id {
			delete(who.spells, id)
		}
	}
	return who
}

// number chooses the numbers of the instances of one name. If they are one, it has the number of
// the last that is still called so. What is called otherwise now has a number that no instance has.
func (x *identifying) number(list []int, number []int32, fresh func() int32) {
	if !x.one(list) {
		was := map[int32]int32{}
		for _, i := range list {
			id := x.named[i].ID
			if _, known := was[id]; !known {
				if was[id] = id; x.newest[id] != x.named[i].Name {
					was[id] = fresh()
				}
			}
			number[i] = was[id]
		}
		return
	}
	still := slices.DeleteFunc(slices.Clone(list), func(i int) bool { return x.newest[x.named[i].ID] != x.named[i].Name })
	var at int32
	if n := len(still); n > 0 {
		at = x.named[still[n-1]].ID
	} else {
		at = fresh()
	}
	for _, i := range list {
		number[i] = at
	}
}

// one reports whether the instances of a name, in order of time, can be one: no two numbers
// have it at the same time.
func (x *identifying) one(list []int) bool {
	last := x.named[list[0]]
	for _, i := range list[1:] {
		n := x.named[i]
		if n.ID != last.ID && n.From < last.To {
			return false
		}
		if n.To >= last.To {
			last = n
		}
	}
	return true
}
