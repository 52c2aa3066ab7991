package analysis

import (
	"fmt"
	"math"

	"pcpscope/core/api"
)

// nodes looks for work that runs far from its memory.
func (h *Host) nodes() verdict {
	v := verdict{tile: api.Tile{Resource: "NUMA", Dashboard: "numa"}}
	h.emptyNode(&v)
	const local, other = "mem.numa.alloc.local_node", "mem.numa.alloc.other_node"
	share := combine(h.rate(local), h.rate(other), func(near, far float64) float64 {
		if near+far < h.Rules.Allocations {
			return math.NaN()
		}
		return 100 * near / (near + far)
	})
	if share == nil {
		return v
	}
	for _, c := range share.Columns {
		s := share.signal(c.Vals)
		for _, e := range s.episodes(below(h.Rules.Locality), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(look, e, fmt.Sprintf("less than %s %% of memory from the node of the CPU, for %s", Decimals(h.Rules.Locality, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("Only %s %% of the memory of %s went to its own CPUs for %s", Decimals(e.mean, 0), c.Name, FormatDuration(e.lasted)), local+"["+c.Name+"]", other+"["+c.Name+"]")
		}
	}
	return v
}

// emptyNode looks for a node without free memory while another has plenty.
func (h *Host) emptyNode(v *verdict) {
	free := combine(h.table("mem.numa.util.free"), h.table("mem.numa.util.total"), func(some, all float64) float64 { return 100 * some / all })
	if free == nil {
		return
	}
	highest := make([]float64, len(free.Times))
	for i := range highest {
		highest[i] = math.Inf(-1)
		for _, c := range free.Columns {
			highest[i] = math.Max(highest[i], c.Vals[i])
		}
	}
	for _, c := range free.Columns {
		s := free.signal(c.Vals).with(func(i int, x float64) float64 {
			if !(highest[i] > h.Rules.NodeOther) {
				return math.NaN() // all nodes are short of memory
			}
			return x
		})
		for _, e := range s.episodes(below(h.Rules.NodeFree), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(look, e, fmt.Sprintf("a node with less than %s %% of its memory free while another has more than %s %%, for %s", Decimals(h.Rules.NodeFree, 0), Decimals(h.Rules.NodeOther, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s had only %s %% of its memory free for %s while another node had %s %%", c.Name, Number(e.mean), FormatDuration(e.lasted), Decimals(free.signal(highest).mean(e.from, e.to), 0)), "mem.numa.util.free", "mem.numa.util.total")
		}
	}
}
