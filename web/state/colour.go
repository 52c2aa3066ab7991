package state

import (
	"cmp"
	"slices"
	"strings"
)

// hues are the colours of lines without a role, in the order in which they
// are given out: neighbours differ most. Red comes late, it looks like alarm.
var hues = []int{1, 4, 6, 5, 3, 7, 2, 8}

// roles keep their colour everywhere. The first part of a metric's name that
// is a key decides; longer keys stand first where both would.
var roles = []struct {
	end    string // of the metric's name, at a dot
	colour int
}{
	{"cpu.user", 1}, {"cpu.vuser", 1}, {"cpu.sys", 2}, {"cpu.wait.total", 3}, {"cpu.intr", 4}, {"cpu.steal", 5}, {"cpu.nice", 10}, {"cpu.guest", 10}, {"cpu.idle", 9},
	{"read", 6}, {"read_bytes", 6}, {"in.bytes", 6}, {"in.packets", 6}, {"pagesin", 6},
	{"write", 7}, {"write_bytes", 7}, {"out.bytes", 7}, {"out.packets", 7}, {"pagesout", 7},
	{"util.cached", 6}, {"util.bufmem", 5}, {"util.slab", 7}, {"util.other", 4}, {"util.used", 4}, {"util.free", 1},
}

func role(metric string) int {
	for _, r := range roles {
		if strings.HasSuffix(metric, "."+r.end) {
			return r.colour
		}
	}
	return 0
}

// colour gives the panel's lines their colours: by role where several metrics
// share the panel, else in order; where there are too many, to the largest.
func (p *Panel) colour() {
	order := make([]int, len(p.Series))
	for i := range order {
		order[i] = i
	}
	if len(order) > MostLines {
		slices.SortStableFunc(order, func(a, b int) int {
			x, y := p.Series[a].Stats, p.Series[b].Stats
			return cmp.Or(cmp.Compare(min(y.Count, 1), min(x.Count, 1)), cmp.Compare(y.Max, x.Max))
		})
		order = order[:MostLines]
		slices.Sort(order)
	}
	taken := map[int]bool{}
	if len(p.Metrics) > 1 {
		for _, i := range order {
			if c := role(p.Series[i].Metric); c > 0 && !taken[c] {
				p.Series[i].Colour, taken[c] = c, true
			}
		}
	}
	for _, i := range order {
		for _, c := range hues {
			if p.Series[i].Colour == 0 && !taken[c] {
				p.Series[i].Colour, taken[c] = c, true
			}
		}
	}
}
