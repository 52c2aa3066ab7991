package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

func (h *Host) network() verdict {
	v := verdict{tile: api.Tile{Resource: "Network", Dashboard: "network"}}
	in, out := h.rate("network.interface.in.bytes").Keep(h.realNIC), h.rate("network.interface.out.bytes").Keep(h.realNIC)
	if in == nil && out == nil && h.firstOf("network.interface.in.drops", "network.interface.in.errors", "network.interface.in.packets") == "" {
		if h.firstOf("network.tcp.retranssegs", "network.tcp.listenoverflows", "network.udp.recvbuferrors", "network.softnet.dropped") == "" {
			return v.notThere("network.interface.in.bytes")
		}
		v.tile.Dashboard = "tcp"
	}
	h.lineRate(&v, in, out)
	h.wraps(&v)
	h.drops(&v)
	h.networkErrors(&v)
	h.links(&v)
	h.unclosed(&v)
	return v
}

// A counter that wrapped in more of the records than this share leaves much unknown, and may
// have wrapped twice between two others.
const (
	fewWraps   = 5
	wrapsShare = 0.05
)

// wraps reports interfaces whose traffic is not known much of the time, as a counter of 32 bits is
// too small for it: at 10 Gbit/s one wraps every 3.4 s.
func (h *Host) wraps(v *verdict) {
	worst, metrics := map[string]wrapping{}, map[string][]string{}
	for _, metric := range []string{"network.interface.in.bytes", "network.interface.out.bytes"} {
		t := h.table(metric).Keep(h.realNIC)
		if t == nil || t.Desc.Sem != pcp.Counter || t.Desc.Type != pcp.Uint32 {
			continue
		}
		for _, c := range t.Columns {
			if w := t.wrapping(c.Vals); w.times >= fewWraps && w.share > wrapsShare {
				metrics[c.Name] = append(metrics[c.Name], metric+"["+c.Name+"]")
				if w.share > worst[c.Name].share {
					worst[c.Name] = w
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(worst)) {
		v.find(know, worst[name].Span, fmt.Sprintf("a counter of 32 bits that wraps in more than %s %% of the records", Decimals(100*wrapsShare, 0)),
			fmt.Sprintf("Traffic of %s is unknown in %s %% of the records, in which its counter wrapped, and may be more than it seems in others", name, Decimals(100*worst[name].share, 0)), metrics[name]...)
	}
}

// A wrapping is how often a counter wrapped, in which share of its records, and when.
type wrapping struct {
	times int
	share float64
	pcp.Span
}

func (t *Table) wrapping(vals []float64) (w wrapping) {
	known := 0
	for i := 1; i < len(vals); i++ {
		d := vals[i] - vals[i-1]
		if d != d || t.Broken[i] {
			continue
		}
		if known++; d >= 0 {
			continue
		}
		if w.times++; w.times == 1 {
			w.Start = t.Times[i-1]
		}
		w.End = t.Times[i]
	}
	w.share = float64(w.times) / float64(known)
	return w
}

// realNIC reports whether an interface leads out of the host: according to the
// kernel if that was logged, else by its name.
func (h *Host) realNIC(name string) bool {
	if virtual := h.virtual(name); virtual == virtual && !h.NICsByName() {
		return virtual == 0
	}
	return RealNIC(name)
}

// virtual is 0 of an interface that the kernel takes for hardware; NaN if that was not logged.
func (h *Host) virtual(name string) float64 {
	return last(h.table("network.interface.virtual").Column(name))
}

// NICsByName reports whether only names tell which interfaces lead out of the host: the
// kernel does not if it says that all are virtual, as in a container, or if that was not
// logged. Nor does an agent that calls the loopback interface real: it says so of all.
func (h *Host) NICsByName() bool {
	if h.nicsByName == nil {
		told := false
		if t := h.table("network.interface.virtual"); t != nil {
			lo := func(c Column) bool { return loopback().MatchString(c.Name) }
			told = slices.ContainsFunc(t.Columns, func(c Column) bool { return last(c.Vals) == 0 && !lo(c) }) &&
				!slices.ContainsFunc(t.Columns, func(c Column) bool { return slices.Contains(c.Vals, 0) && lo(c) })
		}
		byName := !told
		h.nicsByName = &byName
	}
	return *h.nicsByName
}

// LateNICs reports whether an interface that is named like hardware appeared after it was
// logged which ones are virtual, and lists those that are.
func (h *Host) LateNICs() (virtual []string, late bool) {
	if h.NICsByName() {
		return nil, false
	}
	for _, metric := range []string{"network.interface.in.bytes", "network.interface.in.packets", "network.interface.in.drops"} {
		if t := h.table(metric); t != nil {
			late = late || slices.ContainsFunc(t.Columns, func(c Column) bool { v := h.virtual(c.Name); return v != v && RealNIC(c.Name) })
		}
	}
	for _, c := range h.table("network.interface.virtual").Columns {
		if !(last(c.Vals) == 0) && RealNIC(c.Name) {
			virtual = append(virtual, c.Name)
		}
	}
	return virtual, late
}

// fastest is the line rate, in bytes per second, above which a driver means
// that it knows none; unknownRate is the same in Mbit/s where the kernel has 16
// bits for it (SPEED_UNKNOWN of ethtool, -1).
const (
	fastest     = 1e12
	unknownRate = 65535
)

var bytesPerSecond = pcp.Units{Space: 1, Time: -1, TimeScale: pcp.Sec}

// lineSpeed returns the line rate of an interface in bytes per second at each
// of several times, NaN if it is not known; nil if it never is. Wireless
// interfaces change theirs from frame to frame, so that a sample means little:
// for them the highest rate is used.
func (h *Host) lineSpeed(name string, times []pcp.Time) []float64 {
	for _, metric := range []string{baudrate, "network.interface.speed"} {
		t := h.table(metric)
		vals := t.Column(name)
		if vals == nil {
			continue
		}
		scale, known := pcp.ScaleOf(t.Desc.Units, bytesPerSecond)
		inBits := metric == baudrate && h.BaudDivisor() != ""
		if !known && !inBits {
			continue
		}
		speeds, some := t.At(vals, times), false
		for i, v := range speeds {
			if inBits {
				v = knownLine(v / 8)
			} else {
				v = knownLine(scale.Float64(v))
			}
			speeds[i], some = v, some || v == v
		}
		if !some {
			continue
		}
		if h.Wireless(name) {
			best, _ := signal{vals: speeds}.highest()
			for i := range speeds {
				speeds[i] = best
			}
		}
		return speeds
	}
	return nil
}

const baudrate = "network.interface.baudrate"

// BaudDivisor is the unit of what network.interface.baudrate has to be divided by, as
// well as by 8, to be in bytes per second; empty if it is. It is in bits per second, as
// their kernels have it, from PCP's agents for FreeBSD, NetBSD and OpenBSD, which give
// it no unit, and from that for macOS, which calls it bytes.
func (h *Host) BaudDivisor() string {
	t := h.table(baudrate)
	switch {
	case t == nil:
	case t.Desc.Units == pcp.Units{}:
		return "sec/byte"
	case t.Desc.Units == pcp.Units{Space: 1} && t.Desc.PMID.Domain() == darwin:
		return "sec"
	}
	return ""
}

// knownLine returns a line rate in bytes per second, NaN where the driver means that it
// knows none.
func knownLine(v float64) float64 {
	if !(v > 0 && v < fastest) || math.Round(v*8/1e6) == unknownRate {
		return math.NaN()
	}
	return v
}

// LineRate formats the line rate of an interface, as logged in units of bytes per
// time: "1 Gbit/s", or "unknown"; false if the units are others.
func LineRate(v float64, units pcp.Units) (string, bool) {
	scale, known := pcp.ScaleOf(units, bytesPerSecond)
	if !known {
		return "", false
	}
	if v = knownLine(scale.Float64(v)); v != v {
		return "unknown", true
	}
	return bits(v), true
}

// bits formats a line rate, given in bytes per second, in the usual units.
func bits(speed float64) string {
	if mega := math.Round(80*speed/1e6) / 10; mega < 1000 {
		return scaled(mega) + " Mbit/s"
	}
	return scaled(math.Round(8*speed/1e7)/100) + " Gbit/s"
}

// Wireless reports whether an interface is wireless: according to the kernel if
// that was logged, else by its name. Its line rate keeps changing, and it is
// half duplex.
func (h *Host) Wireless(name string) bool {
	if w := last(h.table("network.interface.wireless").Column(name)); w == w {
		return w == 1
	}
	return radio().MatchString(name)
}

// tooFast is from how many percent of its line rate on an interface moves more
// than its line can: the rate is that of no line, as of many virtual machines,
// or wrong. Below, timestamps may be to blame.
const tooFast = 110

// traffic is what an interface moved in one direction, in percent of its line
// rate; both together where the line is half duplex.
type traffic struct {
	signal
	name, metric string
	speed        []float64 // line rate by row, in bytes per second
}

// lines returns the traffic of all interfaces whose line rate is known.
func (h *Host) lines(in, out *Table) []traffic {
	var list []traffic
	duplex, rows := h.duplex(), out.rowsIn(in)
	for _, dir := range []struct {
		*Table
		metric string
	}{{in, "network.interface.in.bytes"}, {out, "network.interface.out.bytes"}} {
		scale, known := pcp.ScaleOf(dir.Desc.Units, bytesPerSecond)
		if !known {
			continue
		}
		for _, c := range dir.Columns {
			speed := h.lineSpeed(c.Name, dir.Times)
			if speed == nil {
				continue
			}
			other := in.Column(c.Name)
			half := last(duplex.Column(c.Name)) == 1
			list = append(list, traffic{dir.signal(c.Vals).with(func(i int, x float64) float64 {
				if half && dir.Table == out && other != nil && rows != nil && rows[i] >= 0 {
					x += other[rows[i]]
				}
				return 100 * scale.Float64(x) / speed[i]
			}), c.Name, dir.metric, speed})
		}
	}
	return list
}

// lineRate judges how much of its line rate an interface used. Each direction
// has the full rate, unless the line is half duplex.
func (h *Host) lineRate(v *verdict, in, out *Table) {
	v.tile.Utilisation = unjudged("network.interface.baudrate")
	if in == nil || out == nil {
		v.tile.Utilisation = unjudged("network.interface.in.bytes and network.interface.out.bytes")
		return
	}
	lines, wrong := h.lines(in, out), map[string]bool{}
	for _, s := range lines {
		if highest, row := s.highest(); highest > tooFast && !wrong[s.name] {
			wrong[s.name] = true
			v.tile.Utilisation.Why = s.name + " moved more than its line rate"
			v.find(know, s.span(row), fmt.Sprintf("an interface above %d %% of the line rate that was logged", tooFast),
				fmt.Sprintf("%s moved %s in one direction, more than its line rate of %s: that rate is not the line's", s.name, bits(highest/100*s.speed[row]), bits(s.speed[row])), s.metric+"["+s.name+"]")
		}
	}
	name, most, when := busiest(in, out)
	judged := len(wrong) == 0 && slices.ContainsFunc(lines, func(s traffic) bool { return s.name == name })
	if !judged && most >= 0 { // how much it moved is known all the same
		why := v.tile.Utilisation.Why
		if len(wrong) == 0 {
			why = "no line rate is known of " + name + ", the busiest"
		}
		v.tile.Utilisation = at(api.TileCell{Text: Quantity(most, bytesPerSecond.String()) + " at most", State: cannotJudge, Why: why}, most, bytesPerSecond.String(), when)
	}
	worst := math.Inf(-1)
	for _, s := range lines {
		if wrong[s.name] {
			continue
		}
		if highest, row := s.highest(); row >= 0 && highest > worst && judged {
			worst = highest
			v.tile.Utilisation = at(cell(whole(highest)+" % of line rate", fine), highest, "%", s.span(row))
			v.tile.Utilisation.Why = s.name
			if h.Wireless(s.name) {
				v.tile.Utilisation.Why += ", of the highest rate that its radio had"
			}
		}
	}
	for _, s := range busierWay(lines, out.rowsIn(in)) {
		if wrong[s.name] {
			continue
		}
		for _, e := range s.episodes(above(h.Rules.LineRate), h.Rules.Lasting, h.Rules.Pause) {
			v.tile.Utilisation.State = look
			v.lasting(look, e, fmt.Sprintf("an interface above %s %% of its line rate for %s", Decimals(h.Rules.LineRate, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("%s used %s %% of its line rate for %s", s.name, Decimals(e.mean, 0), FormatDuration(e.lasted)), "network.interface.in.bytes["+s.name+"]", "network.interface.out.bytes["+s.name+"]")
		}
	}
}

// busierWay is the traffic of each interface in the direction that moved more at each moment, so
// that an hour in which both were busy counts once. rows are those of in for each of out, nil
// if they were not logged together: then each direction stays.
func busierWay(lines []traffic, rows []int) []traffic {
	const in = "network.interface.in.bytes"
	if rows == nil {
		return lines
	}
	var list []traffic
	at := map[string]int{} // in list, by name
	for _, s := range lines {
		k, both := at[s.name]
		if s.metric == in || !both {
			at[s.name] = len(list)
			list = append(list, s)
			continue
		}
		other := list[k].vals
		s.signal = s.with(func(i int, x float64) float64 {
			if row := rows[i]; row >= 0 && (other[row] > x || math.IsNaN(x)) {
				return other[row]
			}
			return x
		})
		list[k] = s
	}
	return list
}

// busiest is the interface that moved the most in one direction in any interval, how many bytes a second,
// and when.
func busiest(in, out *Table) (name string, most float64, when pcp.Span) {
	most = math.Inf(-1)
	for _, t := range []*Table{in, out} {
		scale, known := pcp.ScaleOf(t.Desc.Units, bytesPerSecond)
		for _, c := range t.Columns {
			s := t.signal(c.Vals)
			if highest, row := s.highest(); known && row >= 0 && scale.Float64(highest) > most {
				name, most, when = c.Name, scale.Float64(highest), s.span(row)
			}
		}
	}
	return name, most, when
}

// duplex reports which lines are full duplex. It leaves out wireless ones.
func (h *Host) duplex() *Table {
	return h.table("network.interface.duplex").Keep(func(name string) bool { return !h.Wireless(name) })
}

// lossy is a counter of losses.
type lossy struct {
	metric     string
	what, rest string // of one: "collision"; what follows the noun
	nics       bool   // of interfaces, so that their share of all packets is known
	late       bool   // late, but not lost
}

// fewLosses is how many lost packets are harmless, whatever their share.
const fewLosses = 100

// packets counts what physical interfaces received and sent; NaN if that was
// not logged.
func (h *Host) packets() float64 {
	sum := math.NaN()
	for _, name := range []string{"network.interface.in.packets", "network.interface.out.packets"} {
		if t := h.counter(name).Keep(h.realNIC); t != nil {
			n, _ := growthOf(t)
			if sum != sum {
				sum = 0
			}
			sum += n
		}
	}
	return sum
}

// What makes a burst of losses, as multiples of what makes losses matter when they last.
const (
	burstOfDrops = 100
	burstOfShare = 10
)

// lossBurst is the longest time in which much was lost.
func (h *Host) lossBurst(l lossy) episode {
	t := h.rate(l.metric)
	if l.nics {
		t = t.Keep(h.realNIC)
	}
	s := t.signal(t.Sum())
	if l.nics {
		passed := make([]float64, len(s.times))
		for _, name := range []string{"network.interface.in.packets", "network.interface.out.packets"} {
			if p := h.rate(name).Keep(h.realNIC); p != nil {
				for i, v := range p.At(p.Sum(), s.times) {
					passed[i] += v
				}
			}
		}
		s = s.with(func(i int, lost float64) float64 {
			if lost < burstOfShare*h.Rules.DropShare/100*passed[i] {
				return 0
			}
			return lost
		})
	}
	return longest(s.episodes(above(burstOfDrops*h.Rules.Drops), h.Rules.Lasting, h.Rules.Pause))
}

// losses adds up counters of losses, and reports those that are too high.
func (h *Host) losses(v *verdict, list []lossy) (n float64, when pcp.Span, logged bool) {
	for _, l := range list {
		t := h.counter(l.metric)
		if t == nil {
			continue
		}
		if l.nics {
			t = t.Keep(h.realNIC)
		}
		logged = logged || len(t.Times) > 1 // one value says nothing of a loss
		sum, span := growthOf(t)
		if sum == 0 {
			continue
		}
		n += sum
		if when == (pcp.Span{}) || span.Start < when.Start {
			when.Start = span.Start
		}
		when.End = max(when.End, span.End)
		length := t.Times[len(t.Times)-1].Since(t.Times[0])
		level, rule := know, fmt.Sprintf("more than %s a second", Number(h.Rules.Drops))
		text, metric := fmt.Sprintf("%s %s%s", Decimals(sum, 0), plural(int(math.Round(sum)), l.what, l.what+"s"), l.rest), l.metric
		if l.nics && len(t.Columns) > 1 {
			if nic := onlyGrowing(t); nic != "" {
				text, metric = text+" on "+nic, metric+"["+nic+"]"
			}
		}
		switch {
		case l.late || sum < fewLosses:
		case length > 0 && sum/length > h.Rules.Drops && !(l.nics && sum < h.Rules.DropShare/100*h.packets()):
			level = look
		default: // of weeks, minutes matter, too
			if e := h.lossBurst(l); e.lasted > 0 {
				level, span = look, e.Span
				rule = fmt.Sprintf("more than %s a second for %s", Number(burstOfDrops*h.Rules.Drops), FormatDuration(h.Rules.Lasting))
				if l.nics {
					rule += fmt.Sprintf(", and %s %% of packets", Number(burstOfShare*h.Rules.DropShare))
				}
				text += fmt.Sprintf(", %s a second for %s", Number(e.mean), FormatDuration(e.lasted))
			}
		}
		v.find(level, span, rule, text, metric)
	}
	return n, when, logged
}

// onlyGrowing returns the only instance of a counter that grew; "" if several did.
func onlyGrowing(t *Table) string {
	name := ""
	for _, c := range t.Columns {
		if sum, _ := growthOf(t.alone(c)); sum == 0 {
			continue
		}
		if name != "" {
			return ""
		}
		name = c.Name
	}
	return name
}

// unclosed looks for connections that the peer has closed but a local program
// has not: a leak.
func (h *Host) unclosed(v *verdict) {
	const metric = "network.tcpconn.close_wait"
	s := h.value(metric)
	slope, first, final := s.whole()
	if more := final - first; slope > 0 && more > h.Rules.CloseWait {
		v.find(look, pcp.Span{Start: s.times[0], End: s.times[len(s.times)-1]}, fmt.Sprintf("more than %s connections more in close wait, and rising", Decimals(h.Rules.CloseWait, 0)),
			fmt.Sprintf("Connections in close wait rose from %s to %s: a program does not close them", Decimals(first, 0), Decimals(final, 0)), metric)
	}
}

func (h *Host) drops(v *verdict) {
	n, when, logged := h.losses(v, []lossy{
		{"network.interface.in.drops", "inbound packet", " dropped", true, false}, {"network.interface.out.drops", "outbound packet", " dropped", true, false},
		{"network.softnet.dropped", "packet", " dropped because the kernel's queue was full", false, false},
		{"network.tcp.listenoverflows", "connection request", " dropped because a server did not accept in time", false, false},
		{"network.udp.recvbuferrors", "datagram", " dropped because a program did not read in time", false, false},
	})
	switch {
	case !logged:
		v.tile.Saturation = unjudged("network.interface.in.drops")
	case n == 0:
		v.tile.Saturation = cell("no drops", fine)
		if h.table("network.interface.in.drops") == nil && h.table("network.interface.out.drops") == nil {
			v.tile.Saturation.Why = "those of the interfaces were not logged"
		}
	default:
		v.tile.Saturation = at(cell(Decimals(n, 0)+" dropped", stateOf(v.findings)), n, "count", when)
	}
	h.losses(v, []lossy{{"network.softnet.time_squeeze", "time squeeze", ": the kernel ran out of time with packets left to process", false, true}}) // late, but not lost
}

// stateOf returns the state of a cell with the given findings.
func stateOf(list []api.Finding) string {
	for _, f := range list {
		if f.Level != know {
			return f.Level
		}
	}
	return fine
}

func (h *Host) networkErrors(v *verdict) {
	before := len(v.findings)
	n, when, logged := h.losses(v, []lossy{
		{"network.interface.in.errors", "damaged packet", " received", true, false}, {"network.interface.out.errors", "packet", " could not be sent", true, false},
		{"network.interface.out.carrier", "time", " the line was lost while sending", true, false}, {"network.interface.collisions", "collision", "", true, false},
	})
	state := stateOf(v.findings[before:])
	again := h.retransmissions(v)
	switch {
	case again != nil && again.State != fine && state == fine:
		v.tile.Errors = *again
	case n > 0:
		v.tile.Errors = at(cell(Decimals(n, 0)+" "+plural(int(n), "error", "errors"), state), n, "count", when)
	case logged:
		v.tile.Errors = cell("none", fine)
	case again != nil:
		v.tile.Errors = *again
		v.tile.Errors.Why = "those of the interfaces were not logged"
	default:
		v.tile.Errors = unjudged("network.interface.in.errors")
	}
}

// retransmissions judges TCP retransmissions; nil if they are not known.
func (h *Host) retransmissions(v *verdict) *api.TileCell {
	all := h.rate("network.tcp.outsegs")
	share := combine(h.rate("network.tcp.retranssegs"), all, func(again, all float64) float64 {
		if all < h.Rules.Segments {
			return math.NaN()
		}
		return 100 * again / all
	})
	if share == nil {
		return nil
	}
	s := share.signal(share.Column(""))
	list := s.episodes(above(h.Rules.Retransmissions), 60, h.Rules.Pause)
	segments := all.At(all.Column(""), share.Times)
	for _, e := range list {
		sum, sent := 0.0, 0.0 // so that it is the share of all segments
		for i := e.from; i < e.to; i++ {
			if v, n := s.vals[i], segments[i]*s.lasted(i); v > h.Rules.Retransmissions && n > 0 {
				sum, sent = sum+v*n, sent+n
			}
		}
		e.mean = sum / sent
		v.lasting(look, e, fmt.Sprintf("TCP retransmissions above %s %% of more than %s segments a second", Decimals(h.Rules.Retransmissions, 0), Decimals(h.Rules.Segments, 0)),
			fmt.Sprintf("TCP retransmissions: %s %% of segments for %s", Number(e.mean), FormatDuration(e.lasted)), "network.tcp.retranssegs", "network.tcp.outsegs")
	}
	worst, row := s.highest()
	if row < 0 {
		return nil
	}
	c := at(cell(Number(worst)+" % retransmitted", look), worst, "%", s.span(row))
	if len(list) == 0 {
		c.Text, c.State = Number(worst)+" % retransmitted at most", fine
	}
	return &c
}

// links looks for interfaces that lost their link or came back slower.
func (h *Host) links(v *verdict) {
	if t := h.table("network.interface.running").Keep(h.realNIC); t != nil {
		for _, c := range t.Columns {
			var lost []pcp.Span
			for i := 1; i < len(c.Vals); i++ {
				if c.Vals[i] == 0 && c.Vals[i-1] == 1 && !t.Broken[i] {
					lost = append(lost, t.signal(c.Vals).span(i))
				}
			}
			if len(lost) > 0 {
				v.find(look, pcp.Span{Start: lost[0].Start, End: lost[len(lost)-1].End}, "an interface that loses its link", fmt.Sprintf("%s lost its link %s", c.Name, Times(len(lost))), "network.interface.running["+c.Name+"]")
			}
		}
	}
	if t := h.table("network.interface.speed").Keep(h.realNIC); t != nil {
		for _, c := range t.Columns {
			speed := h.lineSpeed(c.Name, t.Times)
			if speed == nil || h.Wireless(c.Name) {
				continue
			}
			// A link that is down or not negotiated yet has no speed and is
			// ignored.
			// A speed in a single record, as while a link is negotiated, is none to
			// come down from.
			s := t.signal(speed).with(func(i int, x float64) float64 {
				if i+1 < len(speed) && speed[i+1] >= x || i > 0 && speed[i-1] >= x {
					return x
				}
				return math.NaN()
			})
			highest, row := s.highest()
			if now := last(speed); row >= 0 && now < highest {
				for i := row; i < len(s.vals); i++ {
					if s.vals[i] > now {
						row = i // the last before it came down
					}
				}
				v.find(look, pcp.Span{Start: t.Times[row], End: t.Times[len(t.Times)-1]}, "a link slower than it was", fmt.Sprintf("Link speed of %s dropped from %s to %s", c.Name, bits(highest), bits(now)), "network.interface.speed["+c.Name+"]")
			}
		}
	}
	var half []string
	if t := h.duplex().Keep(h.realNIC); t != nil {
		for _, c := range t.Columns {
			if last(c.Vals) == 1 {
				half = append(half, c.Name)
			}
		}
		if len(half) > 0 {
			v.find(know, pcp.Span{Start: t.Times[0], End: t.Times[len(t.Times)-1]}, "a line that is half duplex", strings.Join(half, ", ")+plural(len(half), " is", " are")+" half duplex", "network.interface.duplex")
		}
	}
}
