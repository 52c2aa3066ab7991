package core

import (
	"cmp"
	"fmt"
	"math"
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
	{"network.interface.mtu", "limits", "MTU of"},
	{"kernel.all.pid_max", "limits", "processes allowed"},
	{"vfs.files.max", "limits", "open files allowed"},
	{"vfs.aio.max", "limits", "asynchronous requests allowed"},
	{"mem.util.hugepagesTotal", "limits", "huge pages"},
	{"swap.length", "limits", "swap"},
	{"network.ip.forwarding", "limits", "IP forwarding"},
	{"selinux.enforce", "limits", "SELinux enforcing"},
}

// devicesOf are the domains whose instances are hardware that comes and goes.
var devicesOf = []struct {
	metrics []string
	name    string
	real    func(string) bool
}{
	{[]string{"disk.dev.total", "disk.dev.read"}, "disk", analysis.RealDisk},
	{[]string{"network.interface.in.bytes"}, "interface", analysis.RealNIC},
}

// maxChanges is how many changes of one setting are listed: what changes more
// often is not a setting.
const maxChanges = 20

// hostHistory lists events of the host in order of time: boots, outages of the
// recording, changes of its configuration.
func (src *source) hostHistory(h *analysis.Host, r api.Recording) []api.Event {
	list := []api.Event{}
	start, _ := src.span()
	for _, b := range h.Clock.Boots {
		if b > start {
			list = append(list, api.Event{At: b, Kind: "boot", Text: "Host rebooted", Metric: "kernel.all.uptime"})
		}
	}
	for _, s := range h.Clock.Steps {
		way := "forward"
		if s.By < 0 {
			way = "back"
		}
		list = append(list, api.Event{At: s.At, Kind: "clock", Text: fmt.Sprintf("Clock set %s by %s", way, analysis.FormatDuration(math.Abs(s.By))), Metric: "kernel.all.uptime"})
	}
	for _, o := range r.Outages {
		end := o.End
		list = append(list, api.Event{At: o.Start, Kind: "outage", Text: outageText(o), Until: &end})
	}
	for _, s := range settings {
		list = append(list, src.changes(s.metric, s.kind, s.name)...)
	}
	for _, d := range devicesOf {
		for _, metric := range d.metrics {
			if found, known := src.deviceChanges(metric, d.name, d.real); known {
				list = append(list, found...)
				break
			}
		}
	}
	sorting.Stable(list, func(a, b api.Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// changes lists when the value of a setting changed.
func (src *source) changes(metric, kind, name string) []api.Event {
	ms, known := src.lookup(metric)
	if !known {
		return nil
	}
	var list []api.Event
	line := src.timeline(ms, src.extent())
	names := src.inDom(descOf(ms).InDom)
	last := map[int32]string{}
	for _, o := range line.obs {
		if o == nil {
			continue
		}
		for _, in := range o.Series {
			for _, run := range in.Runs {
				row := int(run.Row & series.RowNum)
				if run.Row&(series.Gone|series.Failed) != 0 || row >= len(o.Times) {
					continue
				}
				now := settingText(o, run.Val)
				before, seen := last[in.Inst]
				last[in.Inst] = now
				instance := names.nameOf(in.Inst)
				if !seen || before == now || strings.HasPrefix(metric, "network.interface.") && !analysis.RealNIC(instance) {
					continue
				}
				what := strings.TrimSpace(name + " " + instance)
				list = append(list, api.Event{At: o.Times[row], Kind: kind, Text: fmt.Sprintf("%s: %s, was %s", what, now, before), Metric: metric})
			}
		}
	}
	if len(list) > maxChanges && kind != "packages" {
		return nil
	}
	return list
}

func settingText(o *series.Observations, v uint64) string {
	if o.Desc.Type == pcp.String {
		return oneLine(string(o.Blobs.At(v)))
	}
	return analysis.Quantity(series.Float(o.Desc.Type, v), o.Desc.Units.String())
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

// deviceChanges lists devices that appeared after the first record or were gone
// before the last; false if the metric is not logged.
func (src *source) deviceChanges(metric, kind string, real func(string) bool) ([]api.Event, bool) {
	ms, known := src.lookup(metric)
	if !known {
		return nil, false
	}
	type seen struct{ first, last pcp.Time }
	found := map[int32]*seen{}
	begin, end := pcp.MaxTime, pcp.MinTime
	for _, o := range src.timeline(ms, src.extent()).obs {
		if o == nil || len(o.Times) == 0 {
			continue
		}
		begin, end = min(begin, o.Times[0]), max(end, o.Times[len(o.Times)-1])
		for _, in := range o.Series {
			for k, run := range in.Runs {
				row, until := int(run.Row&series.RowNum), len(o.Times)
				if k+1 < len(in.Runs) {
					until = int(in.Runs[k+1].Row & series.RowNum)
				}
				if run.Row&series.Gone != 0 || row >= until {
					continue
				}
				s := found[in.Inst]
				if s == nil {
					s = &seen{first: o.Times[row]}
					found[in.Inst] = s
				}
				s.last = max(s.last, o.Times[until-1])
			}
		}
	}
	names := src.inDom(descOf(ms).InDom)
	var list []api.Event
	for inst, s := range found {
		name := names.nameOf(inst)
		if !real(name) {
			continue
		}
		if s.first > begin {
			list = append(list, api.Event{At: s.first, Kind: "hardware", Text: fmt.Sprintf("The %s %s appeared", kind, name), Metric: metric})
		}
		if s.last < end {
			list = append(list, api.Event{At: s.last, Kind: "hardware", Text: fmt.Sprintf("The %s %s was gone", kind, name), Metric: metric})
		}
	}
	sorting.Stable(list, func(a, b api.Event) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Text, b.Text)) })
	return list, true
}
