package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// inNoSample is the row for what no logged process accounts for.
const inNoSample = "not sampled"

// spare are columns of processes that are hidden by default, for lack of room.
var spare = []string{"runnable", "waiting", "blocked", "virtual", "swapped", "voluntary", "forced", "parent"}

// Processes lists processes as they were at a moment, or over a time range.
func Processes(t api.ProcessTable, moment bool, window timeline.Window, clock format.Clock) Table {
	out := Table{Name: "processes", Title: "At " + clock.Within(t.End, window.Start, window.End), SortBy: 5, Empty: "No process was logged then."}
	if !moment {
		out.Title = clock.Range(t.Start, t.End)
	}
	out.Note = processNote(t, moment)
	rows := slices.Clone(t.Processes)
	if t.InNoSample != nil && *t.InNoSample > 0.05 {
		rows = append([]api.Process{{Instance: -1, Command: inNoSample, Path: "short-lived processes that started and exited between two samples", CPU: t.InNoSample}}, rows...)
	}
	n := len(rows)
	has := func(column string) bool { return slices.Contains(t.Columns, column) }
	text := func(head, width string, of func(p *api.Process) string) {
		c := textColumn(head, width, n)
		for i := range rows {
			c.Texts = append(c.Texts, of(&rows[i]))
		}
		c.Strong, c.Faint, c.Spare = head == "Command", head == "Path", head == "Cgroup"
		c.Wide = head != "Command" // hidden on a narrow page, where the resources come next
		out.Columns = append(out.Columns, c)
	}
	numeric := func(name, head, group, kind string, width, decimals int, factor float64, of func(p *api.Process) *float64) {
		if !has(name) {
			return
		}
		c := Column{Head: head, Group: group, Kind: kind, Width: fmt.Sprintf("%dpx", width), Decimals: decimals, Numbers: make([]float64, n), Spare: slices.Contains(spare, name)}
		for i := range rows {
			c.Numbers[i] = math.NaN()
			if v := of(&rows[i]); v != nil {
				c.Numbers[i] = *v * factor
			}
		}
		out.Columns = append(out.Columns, c)
	}
	pid := Column{Head: "PID", Kind: "id", Width: "56px", Faint: true, Numbers: make([]float64, n)}
	for i := range rows {
		pid.Numbers[i] = float64(rows[i].PID)
		if rows[i].Instance < 0 {
			pid.Numbers[i] = math.NaN()
		}
	}
	out.Columns = append(out.Columns, pid)
	text("Command", "132px", func(p *api.Process) string { return p.Command })
	text("Path", "minmax(80px, 1fr)", func(p *api.Process) string { return p.Path })
	text("User", "92px", func(p *api.Process) string { return p.User })
	text("State", "98px", func(p *api.Process) string { return p.State })
	numeric("cpu", "CPU", "% of one CPU", "bar", 70, 1, 1, func(p *api.Process) *float64 { return p.CPU })
	out.SortBy = len(out.Columns) - 1
	const mib, kib = 1.0 / (1 << 20), 1.0 / 1024
	numeric("userCPU", "user", "% of one CPU", "number", 46, 1, 1, func(p *api.Process) *float64 { return p.UserCPU })
	numeric("sysCPU", "sys", "% of one CPU", "number", 46, 1, 1, func(p *api.Process) *float64 { return p.SysCPU })
	numeric("uninterruptible", "state D", "% of samples", "number", 80, 0, 1, func(p *api.Process) *float64 { return p.Uninterruptible })
	numeric("runnable", "state R", "% of samples", "number", 80, 0, 1, func(p *api.Process) *float64 { return p.Runnable })
	numeric("waiting", "for a CPU", "% waiting", "number", 62, 1, 1, func(p *api.Process) *float64 { return p.Waiting })
	numeric("blocked", "for I/O", "% waiting", "number", 62, 1, 1, func(p *api.Process) *float64 { return p.Blocked })
	numeric("resident", "Resident", "MiB", "number", 62, 1, mib, func(p *api.Process) *float64 { return p.Resident })
	numeric("virtual", "Virtual", "MiB", "number", 66, 1, mib, func(p *api.Process) *float64 { return p.Virtual })
	numeric("swapped", "Swapped", "MiB", "number", 62, 1, mib, func(p *api.Process) *float64 { return p.Swapped })
	numeric("read", "Read", "KiB/s", "number", 56, 1, kib, func(p *api.Process) *float64 { return p.Read })
	numeric("write", "Write", "KiB/s", "number", 56, 1, kib, func(p *api.Process) *float64 { return p.Write })
	numeric("minor", "Minor", "faults/s", "number", 56, 0, 1, func(p *api.Process) *float64 { return p.Minor })
	numeric("major", "Major", "faults/s", "number", 56, 0, 1, func(p *api.Process) *float64 { return p.Major })
	numeric("voluntary", "Voluntary", "switches/s", "number", 62, 0, 1, func(p *api.Process) *float64 { return p.Voluntary })
	numeric("forced", "Forced", "switches/s", "number", 56, 0, 1, func(p *api.Process) *float64 { return p.Forced })
	numeric("threads", "Threads", "", "number", 50, 0, 1, func(p *api.Process) *float64 { return p.Threads })
	numeric("nice", "Nice", "", "number", 36, 0, 1, func(p *api.Process) *float64 { return p.Nice })
	numeric("processor", "CPU", "last on", "number", 42, 0, 1, func(p *api.Process) *float64 { return p.Processor })
	numeric("parent", "Parent", "PID", "id", 56, 0, 1, func(p *api.Process) *float64 { return p.Parent })
	if has("cgroup") {
		text("Cgroup", "minmax(80px, 0.5fr)", func(p *api.Process) string { return p.Cgroup })
	}
	out.Columns = append(out.Columns, startColumn(rows, t.End, clock))
	for i := range rows {
		mark := ""
		if rows[i].Instance < 0 {
			mark = "rest"
		}
		out.Marks = append(out.Marks, mark)
	}
	out.Rows = n
	return out
}

// startColumn has the times at which processes started, without the date if it is that of
// the table, and whether they are new or have ended.
func startColumn(rows []api.Process, end pcp.Time, clock format.Clock) Column {
	n := len(rows)
	c := Column{Head: "Started", Kind: "time", Width: "148px", Texts: make([]string, n), Numbers: make([]float64, n), Tags: make([]string, n)}
	for i := range rows {
		p := &rows[i]
		c.Numbers[i] = math.NaN()
		if p.Started != nil {
			c.Numbers[i] = p.Started.Since(0)
			c.Texts[i] = clock.ShortDateTime(*p.Started)
			if clock.Date(*p.Started) == clock.Date(end) {
				c.Texts[i] = clock.Time(*p.Started)
			}
		}
		var tags []string
		if p.New {
			tags = append(tags, "new")
		}
		if p.Ended {
			tags = append(tags, "ended")
		}
		c.Tags[i] = strings.Join(tags, " ")
	}
	return c
}

func processNote(t api.ProcessTable, moment bool) string {
	length, known := t.End-t.Start, pcp.Time(math.Round(t.Seconds*1e9))
	span := format.Span(timeline.Round(float64(known)))
	note := "averages over " + span + "; "
	switch {
	case known == 0:
		note = "one sample, and rates need two; "
	case moment:
		note = "rates over the " + span + " before it; "
	case length-known > length/100:
		note = "averages over " + span + " of these " + format.Span(timeline.Round(float64(length))) + "; "
	}
	if t.Machine != nil && t.Listed != nil { // first, because the table cannot show it
		note += fmt.Sprintf("%s CPUs used of %d, %s by listed processes", format.Number(*t.Machine/100, 2), t.CPUs, format.Number(*t.Listed/100, 2))
		if t.InNoSample != nil {
			note += ", " + format.Number(*t.InNoSample/100, 2) + " by short-lived processes, not sampled"
			for _, e := range t.Estimates[:min(len(t.Estimates), 1)] {
				note += fmt.Sprintf(" (estimate: %s %s ± %s)", e.Command, format.Number(e.CPU/100, 2), format.Number(e.Error/100, 2))
			}
		}
		note += "; "
	}
	note += format.Plural(len(t.Processes), "process") + fmt.Sprintf(", %d new", t.Started)
	if t.Hot {
		return note + "; only active ones are logged"
	}
	return note + fmt.Sprintf(", %d ended", t.Ended)
}
