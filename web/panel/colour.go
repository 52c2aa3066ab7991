package panel

import "strings"

// hues are the colours of lines without a role, in order of use: neighbours differ most.
// Red comes late because it looks like an alarm.
var hues = []int{1, 4, 6, 5, 3, 7, 2, 8, 10}

// roles have the same colour everywhere. The first part of a metric's name that is a key
// decides; longer keys take precedence.
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

// roleHues are the colours of dashboard roles.
var roleHues = map[string]int{
	"user": 1, "nice": 10, "sys": 2, "intr": 4, "wait": 3, "steal": 5, "guest": 8, "idle": 9, "read": 6, "in": 6, "write": 7, "out": 7,
	"free": 1, "cache": 6, "buffers": 5, "slab": 7, "programs": 4, "limit": 9,
}

// colour assigns colours to the panel's lines: by role; for instances, the same as in
// other panels; otherwise in order.
func (p *showing) colour() {
	taken := map[int]bool{}
	give := func(s *Series, c int) {
		if s.Colour == 0 && c > 0 && !taken[c] {
			s.Colour, taken[c] = c, true
		}
	}
	for _, idle := range []bool{false, true} { // if there are several instances, one that is not always 0 gets the role's colour
		for i := range p.Series {
			s := &p.Series[i]
			if idle != (s.Stats.Max == 0 && s.Stats.Min == 0) {
				continue
			}
			switch {
			case s.Kind == "in no sample" || s.Kind == "others":
				s.Colour = 9
			case s.Role != "":
				give(s, roleHues[s.Role])
			case len(p.Metrics) > 1 && len(p.Lines) == 0:
				give(s, role(s.Metric))
			}
		}
	}
	byInstance := len(p.Metrics) == 1
	if byInstance {
		for i := range p.Series {
			give(&p.Series[i], p.in.Colours[p.Series[i].Instance])
		}
	}
	for i := range p.Series {
		s := &p.Series[i]
		for _, c := range hues {
			give(s, c)
		}
		if s.Colour == 0 { // more lines than hues: neighbours in a stack still differ
			s.Colour = hues[i%len(hues)]
		}
	}
}
