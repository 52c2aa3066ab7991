package analysis

import (
	"slices"
	"strconv"
)

// grown is how much a counter of a process grew before a sample.
type grown struct {
	inst, k int32
	by      float64
}

const (
	keptGrowthBytes = 16      // size of a grown
	maxGrown        = 1 << 20 // for each counter and part; more of them are worked out again
)

// keptGrowth returns the growth of a counter of CPU time in all samples of a part, in the order
// of growthIn; nil if that is not kept. Accounting, the judgement and what commands used ask
// for it one after the other. A range that is much shorter is found sooner among the
// observations. Once the accounting is prepared, nothing is added: several may ask at a time.
func (p *Processes) keptGrowth(s sampled, name string, first, last int) []grown {
	if !slices.Contains(cpuTimes, name) || 2*(min(last, len(s.at)-1)-max(first, 0)+1) < len(s.at) {
		return nil
	}
	key := name + " " + strconv.Itoa(s.part)
	list, known := p.grown[key]
	if known {
		return list
	}
	list, full := []grown{}, false
	const step = 1024
	p.growthIn(s, name, 0, len(s.at)-1, func(inst int32, k int, by float64) {
		if n := len(list); n%step == 0 && !full {
			full = n == maxGrown || !p.data.Claim(step*keptGrowthBytes)
		}
		if !full {
			list = append(list, grown{inst, int32(k), by})
		}
	})
	if full {
		p.data.Claim(-keptGrowthBytes * int64((len(list)+step-1)/step*step))
		list = nil
	}
	if p.grown == nil {
		p.grown = map[string][]grown{}
	}
	p.grown[key] = list
	return list
}
