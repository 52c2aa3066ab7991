package analysis

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/core/trend"
)

func (h *Host) filesystems() verdict {
	v := verdict{tile: api.Tile{Resource: "Filesystems", Dashboard: "filesystems"}}
	h.doubled(&v) // of the space used, or of a database, whose host may log no capacity
	full, metrics := h.fullness()
	if full == nil {
		return v.notThere("filesys.full")
	}
	worst, judged := math.Inf(-1), h.written(full)
	judge := func(t *Table, c Column, name, whole string, metrics ...string) {
		s := t.signal(c.Vals)
		s.instant = true // in percent, as rates of time may be, but a level
		highest, row := s.highest()
		if row < 0 {
			return
		}
		if highest > worst {
			worst = highest
			v.tile.Utilisation = at(cell(name+" "+points(highest)+" %", fine), highest, "%", pcp.Span{Start: s.times[row], End: s.times[row]})
		}
		if highest > h.Rules.Full {
			v.find(look, h.above(s, h.Rules.Full, row), fmt.Sprintf("a filesystem above %s %% full", Decimals(h.Rules.Full, 0)), whole+" "+Decimals(highest, 0)+" % full", metrics...)
		}
	}
	for _, c := range judged {
		judge(full, c, h.mounted(c.Name), h.filesystem(c.Name), metrics[0]+"["+c.Name+"]", metrics[1]+"["+c.Name+"]")
	}
	if t := h.table("tmpfs.full"); t != nil { // in memory: /run, /tmp, /dev/shm, without which services do not start
		capacity := h.table("tmpfs.capacity")
		for _, c := range t.Columns {
			const least = 1024 // KiB; smaller ones are made to hold one file
			if !(last(capacity.Column(c.Name)) < least) {
				judge(t, c, c.Name, "tmpfs "+c.Name, "tmpfs.full["+c.Name+"]", "tmpfs.capacity["+c.Name+"]")
			}
		}
	}
	switch {
	case len(judged) == 0 && worst == math.Inf(-1):
		v.tile.Utilisation = cell("read-only images", fine)
	case worst == math.Inf(-1):
		return v.notThere("filesys.full")
	}
	if worst > h.Rules.Full {
		v.tile.Utilisation.State = look
	}
	h.filling(&v, full, metrics)
	h.inodes(&v)
	h.readOnly(&v)
	return v
}

// fullness is how full filesystems were, in percent of what users can have, as
// filesys.full; of all space where the archive does not say what is reserved for root.
// It says which metrics that is from, or should be looked at with it.
func (h *Host) fullness() (full *Table, metrics []string) {
	full, metrics = h.table("filesys.full"), []string{"filesys.full", "filesys.avail"}
	if used := h.table("filesys.used"); full == nil && used != nil {
		metrics = []string{"filesys.used", h.firstOf("filesys.avail", "filesys.capacity", "filesys.free")}
		if metrics[1] == "filesys.capacity" {
			capacity := h.table(metrics[1]).heldAt(used.Times, used.Broken)
			return combine(used, capacity, func(used, all float64) float64 { return 100 * used / all }), metrics
		}
		full = combine(used, h.table(metrics[1]), func(used, left float64) float64 { return 100 * used / (used + left) })
	}
	return full, metrics
}

// Short removes the folder from a device: "/dev/sda1" becomes "sda1".
func Short(device string) string { return path.Base(device) }

// mounted returns where a filesystem was mounted, for places with little room; its device
// if that is not known.
func (h *Host) mounted(device string) string {
	if h.Title != nil {
		if at := h.Title("filesys.", device); at != "" {
			return at
		}
	}
	return Short(device)
}

// filesystem returns where a filesystem was mounted and its device: "/var (dm-1)".
func (h *Host) filesystem(device string) string {
	at, name := h.mounted(device), Short(device)
	if strings.Contains(at, name) { // that is all there is, or it says so itself
		return at
	}
	return at + " (" + name + ")"
}

var (
	images = pattern.New(pattern.Images)
	cdroms = pattern.New(pattern.CDROMs)
	pseudo = pattern.New(pattern.Pseudo)
)

// written returns the columns, in percent, of the filesystems that something can be written
// to. Snaps, CDs and pseudo filesystems are full from the start, and so are their inodes,
// which is no reason to act; a file may also hold a filesystem that is used like any other.
func (h *Host) written(t *Table) []Column {
	return slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool {
		lowest, _ := t.signal(c.Vals).least()
		return lowest >= 99.9 && (images().MatchString(c.Name) || h.alwaysReadOnly(c.Name)) || cdroms().MatchString(h.mounted(c.Name)) || pseudo().MatchString(c.Name)
	})
}

// alwaysReadOnly reports whether a filesystem was mounted read-only throughout.
func (h *Host) alwaysReadOnly(name string) bool {
	t := h.table("filesys.readonly")
	lowest, row := t.signal(t.Column(name)).least()
	return row >= 0 && lowest == 1
}

const hour = 3600.0 // seconds

// What would be full in less than this time, at the latest rate, is filling.
const fillingWithin = 30 * 24 * hour

// filling judges how fast space is used up, and predicts when it will run out. full is
// how full filesystems were, according to the metrics in of.
func (h *Host) filling(v *verdict, full *Table, of []string) {
	left := h.firstOf("filesys.avail", "filesys.free")
	used, free, metrics := h.table("filesys.used"), h.table(left), []string{"filesys.used", left}
	if used == nil || free == nil { // in percent, then
		used, metrics = full, of[:1]
		free = combine(used, used, func(full, _ float64) float64 { return 100 - full })
	}
	v.tile.Saturation = cell("not filling", fine)
	soonest, short, few := math.Inf(1), 0.0, true
	slowly := false
	for _, c := range used.Columns {
		s := used.signal(c.Vals).rows(present(used, c))
		slope, from, to := recentSlope(s, hour)
		left := free.in(used.Desc.Units)(last(free.Column(c.Name)))
		few = few && math.IsNaN(slope) // of each
		if !(slope > 0) || !(left > 0) {
			continue
		}
		// Nothing is foretold from minutes for a day, or from less for minutes.
		seconds, base := left/slope, to.Since(from)
		if needs := h.Rules.FillingFrom; base < needs || seconds >= h.Rules.FullSoon && base < 0.95*hour {
			if seconds < h.Rules.FullSometime {
				if base >= needs {
					needs = hour
				}
				short = max(short, needs)
			}
			continue
		}
		slowly = slowly || seconds >= h.Rules.FullSometime && seconds < fillingWithin
		when := pcp.Span{Start: from, End: to}
		if seconds < soonest && seconds < h.Rules.FullSometime {
			soonest = seconds
			v.tile.Saturation = at(cell(h.mounted(c.Name)+" full in "+FormatDuration(seconds), fine), seconds, "s", when)
		}
		text := fmt.Sprintf("At the rate of the last %s, %s would be full %s after the end", FormatDuration(base), h.filesystem(c.Name), FormatDuration(seconds))
		switch {
		case seconds < h.Rules.FullSoon:
			v.tile.Saturation.State = look
			v.find(look, when, "full within "+FormatDuration(h.Rules.FullSoon)+" at the latest rate", text, metrics...)
		case seconds < h.Rules.FullSometime:
			v.find(know, when, "full within "+FormatDuration(h.Rules.FullSometime)+" at the latest rate", text, metrics...)
		}
	}
	switch {
	case soonest < math.Inf(1):
	case few:
		v.tile.Saturation = unjudged("five values")
	case short > 0:
		v.tile.Saturation = unjudged("values of " + FormatDuration(short))
	case slowly: // for how long is not foretold from an hour
		v.tile.Saturation = cell("not full within "+FormatDuration(h.Rules.FullSometime), fine)
	}
}

// present returns the rows from which on an instance was in every record of its metric, up to
// the last one; none if that is without it. A filesystem that was unmounted fills no more,
// and another one may have its number later.
func present(t *Table, c Column) (from, to int) {
	from, to = len(c.Vals), len(c.Vals)
	for from > 0 && (c.Vals[from-1] == c.Vals[from-1] || !t.anyAt(from-1)) {
		from--
	}
	return from, to
}

func last(vals []float64) float64 {
	for _, v := range slices.Backward(vals) {
		if v == v {
			return v
		}
	}
	return math.NaN()
}

// whole returns how a signal rose: its slope per second, as in trend.Slope, and
// its first and last value; NaN for fewer than five values.
func (s signal) whole() (slope, first, final float64) {
	var xs, ys []float64
	for i, v := range s.vals {
		if v == v {
			xs, ys = append(xs, s.times[i].Since(s.times[0])), append(ys, v)
		}
	}
	if len(ys) < 5 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return trend.Slope(xs, ys), ys[0], ys[len(ys)-1]
}

// recentSlope is the slope, per second, of the last seconds of a signal, or of its last five
// values if they reach further back. It is that of trend.Slope, which a single jump does not
// affect; NaN for fewer than five values. It does not end at a mark: the space in use is the
// same on both sides.
func recentSlope(s signal, seconds float64) (slope float64, from, to pcp.Time) {
	const fewest = 5
	n := len(s.vals)
	if n == 0 {
		return math.NaN(), 0, 0
	}
	first, known := n, 0
	for i := n - 1; i >= 0 && (known < fewest || s.times[n-1].Since(s.times[i]) <= seconds); i-- {
		if first = i; s.vals[i] == s.vals[i] {
			known++
		}
	}
	from, to = s.times[first], s.times[n-1]
	if known < fewest {
		return math.NaN(), from, to
	}
	xs := make([]float64, n-first)
	for i := range xs {
		xs[i] = s.times[first+i].Since(from)
	}
	return trend.Slope(xs, s.vals[first:]), from, to
}

func (h *Host) inodes(v *verdict) {
	share := combine(h.table("filesys.usedfiles"), h.table("filesys.maxfiles"), func(used, all float64) float64 { return 100 * used / all })
	if share == nil {
		return
	}
	for _, c := range h.written(share) {
		s := share.signal(c.Vals)
		s.instant = true
		if highest, row := s.highest(); row >= 0 && highest > h.Rules.Inodes {
			when := h.above(s, h.Rules.Inodes, row)
			if v.tile.Utilisation.State != look { // space is not what is short
				v.tile.Utilisation = at(cell(h.mounted(c.Name)+" "+Decimals(highest, 0)+" % of inodes", look), highest, "%", when)
			}
			v.find(look, when, fmt.Sprintf("more than %s %% of inodes in use", Decimals(h.Rules.Inodes, 0)), fmt.Sprintf("%s has %s %% of its inodes in use", h.filesystem(c.Name), Decimals(highest, 0)), "filesys.usedfiles["+c.Name+"]")
		}
	}
}

// above is the longest time that a level is above a limit; where that cannot be said,
// as of one sample, the row of its maximum. What is full before a time without records and
// after it, as of a host that is off at night, is full.
func (h *Host) above(s signal, limit float64, row int) pcp.Span {
	if e := longest(s.joined(s.episodes(above(limit), 0, h.Rules.Pause), above(limit))); e.lasted > 0 {
		return e.Span
	}
	return s.span(row)
}

func (h *Host) readOnly(v *verdict) {
	t := h.table("filesys.readonly")
	if t == nil {
		v.tile.Errors = unjudged("filesys.readonly")
		return
	}
	v.tile.Errors = cell("none", fine)
	for _, c := range t.Columns {
		for i := 1; i < len(c.Vals); i++ {
			if c.Vals[i] == 1 && c.Vals[i-1] == 0 {
				when := t.signal(c.Vals).span(i)
				v.tile.Errors = at(cell(h.mounted(c.Name)+" read-only", isBroken), 1, "", when)
				v.find(isBroken, when, "a filesystem that became read-only", h.filesystem(c.Name)+" became read-only", "filesys.readonly["+c.Name+"]")
			}
		}
	}
}
