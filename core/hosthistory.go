package core

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// settings are properties of a host that seldom change, with the kind of event
// that a change is.
var settings = []struct{ metric, kind, name string }{
	{"kernel.uname.release", "kernel", "kernel"},
	{"kernel.uname.distro", "packages", "system"},
	{"pmcd.version", "packages", "collector"},
	{"rpm.version", "packages", ""},
	{"hinv.machine", "hardware", "machine"},
	{"hinv.ncpu", "hardware", "CPUs"},
	{"hinv.cpu.model_name", "hardware", "processor"},
	{"hinv.physmem", "hardware", "memory"},
	{"mem.physmem", "hardware", "memory"}, // where that was not logged
	{lineSpeed, "hardware", "link speed of"},
	{"network.interface.mtu", "limits", "MTU of"},
	{capacity, "limits", "size of"},
	{"kernel.all.pid_max", "limits", "processes allowed"},
	{"vfs.files.max", "limits", "open files allowed"},
	{"vfs.aio.max", "limits", "asynchronous requests allowed"},
	{"mem.util.hugepagesTotal", "limits", "huge pages"},
	{"swap.length", "limits", "swap"},
	{"network.ip.forwarding", "limits", "IP forwarding"},
	{"selinux.enforce", "limits", "SELinux enforcing"},
}

// devicesOf are the domains whose instances are hardware that comes and goes, or is mounted.
var devicesOf = []struct {
	metrics []string
	name    string
	real    func(string) bool
}{
	{[]string{"disk.dev.total", "disk.dev.read"}, "disk", analysis.RealDisk},
	{[]string{"network.interface.in.bytes"}, "interface", analysis.RealNIC},
	{[]string{"filesys.used", "filesys.full", "filesys.free", capacity}, "filesystem", analysis.RealFilesystem},
}

// maxChanges is how many changes of one setting are listed: what changes more
// often is not a setting.
const maxChanges = 20

// zoneChanges lists where the labels of archives name another time zone, as when summer
// time ended and they name none but its offset: all times are in that of the first.
func (src *source) zoneChanges() (list []api.Event) {
	own := src.session.ownZone(src.about.Timezone, src.about.Zoneinfo)
	zone := own
	for _, p := range src.parts {
		a, ok := p.(recorded)
		if !ok {
			continue
		}
		l := a.Label()
		now := src.session.ownZone(text(l.Timezone), text(l.Zoneinfo))
		if now == "" {
			continue
		}
		if zone != "" && now != zone {
			list = append(list, api.Event{At: p.Start(), Kind: "clock", Text: "Time zone changed from " + zone + " to " + now + "; times of the host are in " + own + " throughout"})
		}
		zone = now
	}
	return list
}

// plugged lists when CPUs were added and removed of which hinv.ncpu, logged once, says nothing.
func plugged(h *analysis.Host) (list []api.Event) {
	add := func(at pcp.Time) {
		if n := len(list); n > 0 && at <= list[n-1].At+1 {
			return // one number follows the other
		}
		if from, to := h.CPUsAt(at-1), h.CPUsAt(at+1); from != to {
			list = append(list, api.Event{At: at, Kind: "hardware", Text: fmt.Sprintf("CPUs: %g, was %g, by their time; hinv.ncpu was not logged again", to, from), Metric: "kernel.all.cpu.idle"})
		}
	}
	for _, s := range h.Plugged {
		if add(s.Start); s.End < pcp.MaxTime {
			add(s.End)
		}
	}
	return list
}

// hostHistory lists events of the host in order of time: boots, outages of the
// recording, changes of its configuration.
func (src *source) hostHistory(h *analysis.Host, r api.Recording) []api.Event {
	list := []api.Event{}
	start, _ := src.span()
	logged := "kernel.all.uptime"
	if _, known := src.lookup(logged); !known {
		logged = "kernel.all.boottime"
	}
	for _, b := range h.Clock.Boots {
		if b > start {
			list = append(list, api.Event{At: b, Kind: "boot", Text: "Host rebooted", Metric: logged})
		}
	}
	for _, s := range h.Clock.Steps {
		way := "forward"
		if s.By < 0 {
			way = "back"
		}
		list = append(list, api.Event{At: s.At, Kind: "clock", Text: fmt.Sprintf("Clock set %s by %s", way, analysis.FormatDuration(math.Abs(s.By))), Metric: "kernel.all.uptime"})
	}
	src.hiddenBy(list, src.setBacks(h.CountsAt))
	list = append(list, plugged(h)...)
	list = append(list, src.zoneChanges()...)
	for _, o := range r.Outages {
		end := o.End
		list = append(list, api.Event{At: o.Start, Kind: "outage", Text: outageText(o), Until: &end})
	}
	_, megabytes := src.lookup("hinv.physmem")
	for _, s := range settings {
		if s.metric == "mem.physmem" && megabytes {
			continue
		}
		list = append(list, src.changes(h, s.metric, s.kind, s.name)...)
	}
	for _, d := range devicesOf {
		for _, metric := range d.metrics {
			if found, known := src.deviceChanges(metric, d.real, r.Outages); known {
				if d.name == "filesystem" {
					found = mountedOf(found, list)
				}
				for _, c := range found {
					list = append(list, api.Event{At: c.at, Kind: "hardware", Text: "The " + d.name + " " + c.title + " " + c.what, Metric: metric})
				}
				break
			}
		}
	}
	sorting.Stable(list, func(a, b api.Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// A settingChange is one of a setting, of all instances that changed alike at that time.
type settingChange struct {
	at          pcp.Time
	now, before string
	instances   []string
}

// changes lists when the value of a setting changed.
func (src *source) changes(h *analysis.Host, metric, kind, name string) []api.Event {
	found := src.settingChanges(h, metric)
	if len(found) > maxChanges && kind != "packages" {
		if found = withoutRestless(found); len(found) > maxChanges {
			return nil
		}
	}
	var list []api.Event
	for _, c := range found {
		what := strings.TrimSpace(name + " " + firstOf(c.instances))
		list = append(list, api.Event{At: c.at, Kind: kind, Text: fmt.Sprintf("%s: %s, was %s", what, c.now, c.before), Metric: metric})
	}
	return list
}

// withoutRestless leaves out the instances that changed most often, one after the other until
// few changes are left: the sizes of filesystems that share a pool hide those of no others.
func withoutRestless(list []*settingChange) []*settingChange {
	of := map[string][]*settingChange{}
	for _, c := range list {
		for _, name := range c.instances {
			of[name] = append(of[name], c)
		}
	}
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int { return cmp.Or(cmp.Compare(len(of[b]), len(of[a])), cmp.Compare(a, b)) })
	left, gone := len(list), map[string]bool{}
	alike := map[*settingChange]int{} // instances of a change that are gone
	for _, name := range names {
		if left <= maxChanges || len(of[name]) <= maxAbsences {
			break
		}
		gone[name] = true
		for _, c := range of[name] {
			if alike[c]++; alike[c] == len(c.instances) {
				left--
			}
		}
	}
	return slices.DeleteFunc(list, func(c *settingChange) bool {
		c.instances = slices.DeleteFunc(c.instances, func(name string) bool { return gone[name] })
		return len(c.instances) == 0
	})
}

// firstOf names up to three instances, and how many more there are.
func firstOf(instances []string) string {
	if n := len(instances); n > 3 {
		return fmt.Sprintf("%s and %d more", instances[0], n-1)
	}
	return strings.Join(instances, ", ")
}

// settingChanges lists when a setting changed. A host whose processor changes has another one
// in each of its CPUs: that is one change.
func (src *source) settingChanges(h *analysis.Host, metric string) (list []*settingChange) {
	ms, known := src.lookup(metric)
	if !known {
		return nil
	}
	type key struct {
		at          pcp.Time
		now, before string
	}
	alike := map[key]*settingChange{}
	names, titles := src.inDom(descOf(ms).InDom), titling{src: src}
	last := map[int32]settingValue{}
	for _, o := range src.judged(ms, src.extent()).obs {
		if o == nil {
			continue
		}
		for _, in := range o.Series {
			for _, run := range in.Runs {
				row := int(run.Row & series.RowNum)
				if run.Row&(series.Gone|series.Failed) != 0 || row >= len(o.Times) {
					continue
				}
				now := settingOfRun(metric, o, run.Val)
				before, seen := last[in.Inst]
				// A link that is down has no speed.
				if metric == lineSpeed && (now.number <= 0 || now.text == "unknown") || seen && now.same(metric, before) {
					continue
				}
				last[in.Inst] = now
				instance := names.nameOf(in.Inst)
				if metric == lineSpeed && h.Wireless(instance) { // its radio changes that all the time
					continue
				}
				if title := titles.of(metric, instance); title != "" {
					instance = title
				}
				if !seen || strings.HasPrefix(metric, "network.interface.") && !analysis.RealNIC(instance) {
					continue
				}
				k := key{o.Times[row], now.text, before.text}
				if alike[k] == nil {
					alike[k] = &settingChange{at: k.at, now: k.now, before: k.before}
					list = append(list, alike[k])
				}
				alike[k].instances = append(alike[k].instances, instance)
			}
		}
	}
	return list
}

// A settingValue is a value of a setting: as its field writes it, and, unless it is a text,
// the number.
type settingValue struct {
	number float64
	text   string
}

// same reports whether a value tells nothing new beside an earlier one. A kernel reserves
// some megabytes of the memory for itself, and a newer one others; the sizes of filesystems
// that share a pool, as of ZFS, change a little all the time.
func (v settingValue) same(metric string, before settingValue) bool {
	const reserved = 0.01
	switch metric {
	case "hinv.physmem", "mem.physmem", capacity:
		if math.Abs(v.number-before.number) < reserved*before.number {
			return true
		}
	}
	return v.text == before.text
}

// Both are the speed of an interface's line, in different units.
const lineSpeed, baudRate = "network.interface.speed", "network.interface.baudrate"

// capacity is the size of a filesystem.
const capacity = "filesys.capacity"

// settingOfRun is a value of a setting that was logged.
func settingOfRun(metric string, o *series.Observations, v uint64) settingValue {
	if o.Desc.Type == pcp.String {
		return settingValue{text: oneLine(string(o.Blobs.At(v)))}
	}
	number := series.Float(o.Desc.Type, v)
	return settingValue{number, settingText(metric, number, o.Desc.Units)}
}

// settingText formats a number as the field of the setting writes it.
func settingText(metric string, number float64, units pcp.Units) string {
	switch metric {
	case lineSpeed, baudRate:
		if rate, known := analysis.LineRate(number, units); known {
			return rate
		}
	case "network.interface.mtu": // 1500, not 1.46 KiB
		return analysis.Decimals(number, 0)
	}
	return analysis.Quantity(number, units.String())
}

// maxPhrase is how many characters of a text from an archive a sentence has.
const maxPhrase = 80

// oneLine makes a text fit into a sentence: its lines become one, characters that
// cannot be printed become U+FFFD, and of a long text the end is left out.
func oneLine(s string) string {
	words := strings.Fields(text(s[:min(len(s), 16*maxPhrase)]))
	return pcp.Clip(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, strings.Join(words, " ")), maxPhrase)
}

// maxAbsences is how many times a device may be gone so that each is listed.
const maxAbsences = 3

// A presence is a stretch of records that have a device, by their numbers, with the times of
// the first and the last, and of the first without it, if there is one.
type presence struct {
	row, until        int
	first, last, gone pcp.Time
}

// A deviceChange says that a device appeared or was gone.
type deviceChange struct {
	at          pcp.Time
	name, title string // "/dev/sdb1", "/data"
	what        string
}

// mountedOf leaves out of the changes of filesystems what nobody did to them: that the disk was
// plugged in or out, which is among what was told, or that it has another name since a reboot
// and is mounted where it was. Where very many come and go, as those of containers, all are.
func mountedOf(list []deviceChange, told []api.Event) []deviceChange {
	type moved struct {
		at          pcp.Time
		title, what string
	}
	had := map[moved]bool{}
	for _, e := range told {
		had[moved{at: e.At, what: e.Text}] = true
	}
	mount := func(c deviceChange) string { // without the device, which tells those of one place apart
		place, _, _ := strings.Cut(c.title, " (")
		return place
	}
	for _, c := range list {
		had[moved{c.at, mount(c), c.what}] = true
	}
	list = slices.DeleteFunc(list, func(c deviceChange) bool {
		disk := strings.TrimSuffix(strings.TrimRight(path.Base(c.name), "0123456789"), "p") // of sdb1, nvme0n1p2
		for _, d := range []string{path.Base(c.name), disk} {
			if had[moved{at: c.at, what: "The disk " + d + " " + c.what}] {
				return true
			}
		}
		return had[moved{c.at, mount(c), wasGone}] && had[moved{c.at, mount(c), appeared}]
	})
	if len(list) > maxChanges {
		return nil
	}
	return list
}

const appeared, wasGone = "appeared", "was gone"

// deviceChanges lists when devices appeared and were gone; false if the metric is not
// logged.
func (src *source) deviceChanges(metric string, real func(string) bool, outages []api.Outage) ([]deviceChange, bool) {
	ms, known := src.lookup(metric)
	if !known {
		return nil, false
	}
	found, rows := map[int32][]presence{}, 0
	for _, o := range src.judged(ms, src.extent()).obs {
		if o == nil || len(o.Times) == 0 {
			continue
		}
		for _, list := range found { // a device that is in these records too continues
			if end := &list[len(list)-1]; end.until == rows {
				end.gone = o.Times[0]
			}
		}
		for _, in := range o.Series {
			list := found[in.Inst]
			for k, run := range in.Runs {
				row, until := int(run.Row&series.RowNum), len(o.Times)
				if k+1 < len(in.Runs) {
					until = int(in.Runs[k+1].Row & series.RowNum)
				}
				if run.Row&series.Gone != 0 || row >= until {
					continue
				}
				if n := len(list); n > 0 && list[n-1].until == rows+row {
					list[n-1].until, list[n-1].last = rows+until, o.Times[until-1]
				} else {
					list = append(list, presence{row: rows + row, until: rows + until, first: o.Times[row], last: o.Times[until-1]})
				}
				if until < len(o.Times) {
					list[len(list)-1].gone = o.Times[until]
				}
			}
			if len(list) > 0 {
				found[in.Inst] = list
			}
		}
		rows += len(o.Times)
	}
	names, titles := src.inDom(descOf(ms).InDom), titling{src: src}
	var list []deviceChange
	for inst, here := range found {
		name := names.nameOf(inst)
		if !real(name) {
			continue
		}
		title := cmp.Or(titles.of(metric, name), name)
		tell := func(at pcp.Time, what string) { list = append(list, deviceChange{at, name, title, what}) }
		if here[0].row > 0 {
			tell(here[0].first, appeared)
		}
		if n := len(here) - 1; n > maxAbsences {
			gone, absent, of := 0.0, 0.0, ""
			for k := range n {
				absence := pcp.Span{Start: here[k].last, End: here[k+1].first}
				gone, absent = gone+recordedIn(absence, outages), absent+absence.End.Since(absence.Start)
			}
			if gone < absent {
				of = " of the recording"
			}
			tell(here[0].gone, fmt.Sprintf("was gone %d times, for %s%s in all", n, analysis.FormatDuration(gone), of))
		} else {
			for k := range n {
				tell(here[k].gone, wasGone)
				tell(here[k+1].first, appeared)
			}
		}
		if end := here[len(here)-1]; end.until < rows {
			tell(end.gone, wasGone)
		}
	}
	sorting.Stable(list, func(a, b deviceChange) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.title, b.title), cmp.Compare(a.what, b.what))
	})
	return list, true
}
