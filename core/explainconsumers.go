package core

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/departures"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// resourcesOf are those of processes that a family of subjects is about.
var resourcesOf = map[string][]string{"cpu": {"cpu"}, "processes": {"cpu"}, "cgroup": {"cpu"}, "memory": {"memory"}, "disk": {"read", "write", "uninterruptible"}, "filesystem": {"write"}}

// consumers says which commands used what the rows are about.
func (e *explanation) consumers() {
	p, _ := e.src.accounts(e.ctx)
	if p == nil {
		return
	}
	asked := map[string]bool{}
	for _, r := range e.out.Rows {
		for _, what := range resourcesOf[r.Family] {
			if asked[what] {
				continue
			}
			asked[what] = true
			if u, ok := e.resourceUse(p, what); ok {
				e.out.Who = append(e.out.Who, u)
			}
		}
	}
}

// leastGrowth is the fraction of physical memory by which processes must have grown.
const leastGrowth = 0.01

// resourceUse says who used one resource; false if nobody is known to have used
// it.
func (e *explanation) resourceUse(p *analysis.Processes, what string) (api.ResourceUse, bool) {
	const limit = 40
	span := pcp.Span{Start: e.from, End: e.to}
	if what == "memory" { // by how much it grew
		span.Start = e.out.From
	}
	used, err := p.Consumers(what, "command", limit, span, e.claim.Take)
	if err != nil {
		return api.ResourceUse{}, false
	}
	u := api.ResourceUse{Resource: what, Units: used.Units, Unreadable: used.Unreadable, Commands: []api.Share{}, Processes: []api.ProcessShare{}, Users: []api.GroupShare{}, Cgroups: []api.GroupShare{}}
	if u.Unreadable != "" {
		return u, true
	}
	total, named, listed := 0.0, 0.0, 0.0
	for _, c := range used.Series {
		mean := c.Mean
		if what == "memory" {
			mean = growth(c.Values, used.Times, e.from.Since(span.Start))
		}
		total += max(0, mean)
		if mean > 0 && (c.Kind == "named" || c.Kind == "estimated") {
			at := slices.IndexFunc(u.Commands, func(s api.Share) bool { return s.Command == c.Name })
			if at < 0 {
				at, u.Commands = len(u.Commands), append(u.Commands, api.Share{Command: c.Name})
			}
			named += mean
			one := &u.Commands[at]
			if one.Mean += mean; c.Kind == "estimated" {
				one.Estimated, one.Error = mean, c.Error
			}
		}
	}
	if v := e.total(what); v > total {
		total = v
	}
	if !(total > 0) || what == "memory" && total < leastGrowth*e.host.Memory {
		return u, false
	}
	if _, disks := totals[what]; disks && len(used.Times) > 0 && named == 0 && e.noIO(p, span) {
		u.Unreadable = "Who used the disks is not known: no process is logged with reads or writes of its own in the window, as where pmdaproc may not read /proc/PID/io."
		return u, true
	}
	sorting.Stable(u.Commands, func(a, b api.Share) int { return cmp.Compare(b.Mean, a.Mean) })
	for i := range u.Commands {
		c := &u.Commands[i]
		c.Share, c.Estimated, c.Error = math.Min(1, c.Mean/total), c.Estimated/total, c.Error/total
	}
	all := len(u.Commands)
	u.Commands = slices.DeleteFunc(u.Commands, func(c api.Share) bool {
		return c.Share < minShare || what == "uninterruptible" && c.Mean < minWaiting
	})
	u.Commands = u.Commands[:min(len(u.Commands), maxCommands)]
	for _, c := range u.Commands {
		listed += c.Share
	}
	u.More = all - len(u.Commands)
	u.Others = math.Max(0, math.Min(1, named/total)-listed)
	u.Rest = math.Max(0, 1-listed-u.Others)
	e.groups(p, &u, total)
	return u, len(u.Commands) > 0 || what != "uninterruptible"
}

// noIO reports whether no process is logged with I/O of its own.
func (e *explanation) noIO(p *analysis.Processes, span pcp.Span) bool {
	for what := range totals {
		list, err := p.ByProcess(what, span, e.claim.Take)
		if err != nil || slices.ContainsFunc(list, func(one analysis.ProcessUse) bool { return one.Mean > 0 }) {
			return false
		}
	}
	return true
}

// groups says which processes, users and cgroups it was, where that tells more than commands.
func (e *explanation) groups(p *analysis.Processes, u *api.ResourceUse, total float64) {
	span := pcp.Span{Start: e.from, End: e.to}
	if u.Resource == "memory" { // the sample at the start is still what it was before, as in growth
		span.Start++
	}
	list, err := p.ByProcess(u.Resource, span, e.claim.Take)
	if err == nil && u.Resource == "memory" { // by how much it grew
		var before []analysis.ProcessUse
		before, err = p.ByProcess(u.Resource, pcp.Span{Start: e.out.From, End: e.from}, e.claim.Take)
		had := map[analysis.ProcessUse]float64{}
		for _, one := range before {
			mean := one.Mean
			one.Mean = 0
			had[one] = mean
		}
		for i := range list {
			one := list[i]
			one.Mean = 0
			list[i].Mean -= had[one]
		}
	}
	if err != nil {
		return
	}
	sum := 0.0
	for _, one := range list {
		sum += max(0, one.Mean)
	}
	total = max(total, sum) // what shrank at the same time takes nothing off the shares
	users, cgroups, ofCommand := map[string]float64{}, map[string]float64{}, map[string]int{}
	for _, one := range list {
		if one.Mean <= 0 {
			continue
		}
		users[one.User] += one.Mean
		cgroups[one.Cgroup] += one.Mean
		if share := one.Mean / total; share >= minShare {
			u.Processes = append(u.Processes, api.ProcessShare{Command: one.Command, PID: one.PID, Mean: one.Mean, Share: share})
		}
		ofCommand[one.Command]++
	}
	sorting.Stable(u.Processes, func(a, b api.ProcessShare) int {
		return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.PID, b.PID))
	})
	u.Processes = u.Processes[:min(len(u.Processes), maxGroups)]
	u.Users, u.Cgroups = groupShares(u, users, list, total, func(p analysis.ProcessUse) string { return p.User }), groupShares(u, cgroups, list, total, func(p analysis.ProcessUse) string { return p.Cgroup })
}

// groupShares are the shares of users or cgroups by what their processes used, and by what is
// estimated for short-lived ones, whose commands are those of processes that were sampled. None
// is told where it is not known whose a considerable estimate is.
func groupShares(u *api.ResourceUse, measured map[string]float64, list []analysis.ProcessUse, total float64, group func(analysis.ProcessUse) string) []api.GroupShare {
	for _, c := range u.Commands {
		if c.Estimated < minShare {
			continue
		}
		owner := ""
		for _, one := range list {
			if one.Command != c.Command {
				continue
			}
			if name := group(one); owner == "" {
				owner = name
			} else if name != owner {
				return []api.GroupShare{}
			}
		}
		if owner == "" {
			return []api.GroupShare{}
		}
		measured[owner] += c.Estimated * total
	}
	return sharesOf(measured, total)
}

// sharesOf are the largest of some groups; none where only one is known, or no names.
func sharesOf(groups map[string]float64, total float64) []api.GroupShare {
	list := []api.GroupShare{}
	for name, mean := range groups {
		if share := mean / total; name != "" && share >= minShare {
			list = append(list, api.GroupShare{Name: name, Mean: mean, Share: share})
		}
	}
	sorting.Stable(list, func(a, b api.GroupShare) int { return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.Name, b.Name)) })
	return list[:min(len(list), maxGroups)]
}

// growth is how much a level was higher after a moment than before it, on
// average.
func growth(vals, times []float64, from float64) float64 {
	var sum, n [2]float64
	for i, v := range vals {
		side := 0
		if times[i] > from {
			side = 1
		}
		if v == v {
			sum[side], n[side] = sum[side]+v, n[side]+1
		}
	}
	if n[1] == 0 {
		return 0
	}
	if n[0] == 0 {
		return sum[1] / n[1]
	}
	return sum[1]/n[1] - sum[0]/n[0]
}

// totals are the metrics that say how much of a resource the host used.
var totals = map[string]string{"read": "disk.all.read_bytes", "write": "disk.all.write_bytes"}

// total is what the host used of a resource on average in the window; 0 where
// that is not known, or is the sum of what processes used.
func (e *explanation) total(what string) float64 {
	ms, known := e.src.lookup(totals[what])
	if !known {
		return 0
	}
	scale, ok := pcp.ScaleOf(descOf(ms).Units, pcp.Units{Space: 1})
	if !ok {
		return 0
	}
	grid := series.Grid{Start: e.from, Step: int64(e.to - e.from), Count: 2}
	for _, r := range e.on(grid).of(e.src.judged(ms, e.src.extent())) {
		if v := r.Values[1]; v == v {
			return scale.Float64(v)
		}
	}
	return 0
}

// sentences writes the sentences about the rows, and about who used what.
func (e *explanation) sentences() {
	for i := range e.out.Rows {
		r := &e.out.Rows[i]
		r.Text = e.sentence(r)
		text := r.Text
		if r.MovesText != "" {
			text += "; " + r.MovesText
		}
		e.out.Text = append(e.out.Text, text+".")
	}
	if text := orderText(e.out.Rows, float64(e.interval)/1e9); text != "" {
		e.out.Text = append(e.out.Text, text)
	}
	for _, u := range e.out.Who {
		if text := whoText(&u); text != "" && !slices.Contains(e.out.Text, text) {
			e.out.Text = append(e.out.Text, text)
		}
	}
	if len(e.out.Began) > 0 {
		var names []string
		for _, b := range e.out.Began {
			names = append(names, b.Command)
		}
		e.out.Text = append(e.out.Text, "Used CPU time in the window and not before it: "+strings.Join(names, ", ")+".")
	}
	e.restarted()
}

// orderText says in which order subjects left their usual range; "" if fewer than two did in
// the window. Which of two was first is not known within the interval of the records, in
// seconds: a rate is of the time before its record, a level of its moment.
func orderText(rows []api.ExplanationRow, interval float64) string {
	list := slices.Clone(rows)
	list = slices.DeleteFunc(list, func(r api.ExplanationRow) bool { return r.Since == nil })
	sorting.Stable(list, func(a, b api.ExplanationRow) int { return cmp.Compare(*a.Since, *b.Since) })
	if len(list) < 2 {
		return ""
	}
	text, since := "Order of onset: "+list[0].Subject, *list[0].Since
	for _, r := range list[1:] {
		if r.Since.Since(since) < 1.5*interval {
			text += ", " + r.Subject
			continue
		}
		since = *r.Since
		text += "; after " + analysis.FormatDuration(since.Since(*list[0].Since)) + " " + r.Subject
	}
	return text + "."
}

// movesText says what moves with a row, and whether before or after it; step is the distance
// of what was compared, in seconds.
func movesText(list []api.Correlation, step float64) string {
	var parts []string
	for _, m := range list {
		text := m.Series + m.Command
		switch {
		case math.Abs(m.Lag) <= step: // practically at the same time
		case m.Lag < 0:
			text += " " + analysis.FormatDuration(-m.Lag) + " before it"
		case m.Lag > 0:
			text += " " + analysis.FormatDuration(m.Lag) + " after it"
		}
		if m.Rho < 0 {
			text += " (inversely)"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return "moves with " + strings.Join(parts, "; ")
}

func (e *explanation) sentence(r *api.ExplanationRow) string {
	name := cmp.Or(r.Name, r.Metric)
	if r.Command != "" {
		name += " of " + r.Command
	}
	if r.Instance != nil {
		name += " of " + cmp.Or(r.Title, r.Instance.Name)
	}
	usually := e.amount(r, r.Low)
	if high := e.amount(r, r.High); high != usually {
		usually += " to " + high
	}
	if r.Changed != nil {
		how := "grew"
		if r.Was < 0 {
			how = "fell"
		}
		return fmt.Sprintf("%s: %s from %s to %s, usually changes by %s", name, how, e.amount(r, r.Changed.From), e.amount(r, r.Changed.To), usually)
	}
	of := ""
	if r.Command != "" {
		of = " of a CPU"
	}
	return fmt.Sprintf("%s: %s%s on average, usually %s", name, e.amount(r, r.Was), of, usually)
}

// amount writes a value of a row.
func (e *explanation) amount(r *api.ExplanationRow, v float64) string {
	return amountOf(r.Metric, unitBeside(r.Name, r.Unit), r.Units, e.host.CPUs, v)
}

// amountOf writes a value of a metric, counters as rates; unit is what its values
// are called where units say nothing.
func amountOf(metric, unit, units string, cpus, v float64) string {
	switch {
	case strings.HasPrefix(metric, "kernel.all.cpu.") && cpus > 0:
		return analysis.Number(100*v/cpus) + " %"
	case strings.HasPrefix(metric, "kernel.percpu.cpu."):
		return analysis.Number(100*v) + " %"
	case strings.HasPrefix(units, "count /") && departures.CountsBytes(metric, pcp.Units{Count: 1}):
		units = "byte" + strings.TrimPrefix(units, "count")
	case strings.HasPrefix(metric, "kernel.all.pressure.") && strings.HasSuffix(metric, ".avg"): // in percent already
		return analysis.Number(v) + " %"
	case strings.HasSuffix(metric, "avactive") && metric != "disk.all.avactive", strings.HasPrefix(metric, "kernel.all.pressure."):
		return analysis.Number(100*v) + " %"
	}
	text := analysis.Quantity(v, units)
	if strings.Contains(metric, ".blk") && strings.HasPrefix(units, "count /") {
		return strings.Replace(text, "/", " blocks/", 1)
	}
	if unit != "" && (units == "" || units == "none") {
		text += " " + unit
	}
	return text
}

// unitBeside is a unit where a value stands beside a name: none where the name says it, as
// "Number of processes" does.
func unitBeside(name, unit string) string {
	if strings.Contains(strings.ToLower(name), unit) {
		return ""
	}
	return unit
}

var resourceNames = map[string]string{"cpu": "CPU time", "read": "Data read from disks", "write": "Data written to disks", "memory": "Memory grew", "uninterruptible": "Time in state D"}

// whoText says who used a resource, or why that is not known.
func whoText(u *api.ResourceUse) string {
	name := resourceNames[u.Resource]
	if u.Unreadable != "" {
		return u.Unreadable
	}
	var parts []string
	for _, c := range u.Commands {
		text := fmt.Sprintf("%s %.0f %%", c.Command, 100*c.Share)
		if c.Estimated >= 0.01 {
			text += fmt.Sprintf(" (estimate, ± %.0f %%)", math.Max(1, 100*c.Error))
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("no command used %.0f %% or more", 100*minShare))
	}
	if u.Resource == "uninterruptible" {
		return name + ": " + strings.Join(parts, ", ") + "."
	}
	if u.Others >= 0.005 && u.More > 0 {
		noun := "commands"
		if u.More == 1 {
			noun = "command"
		}
		parts = append(parts, fmt.Sprintf("%d more %s %.0f %%", u.More, noun, 100*u.Others))
	}
	if u.Rest >= 0.005 {
		parts = append(parts, fmt.Sprintf("not explained %.0f %%", 100*u.Rest))
	}
	text := name + ": " + strings.Join(parts, ", ") + "."
	if len(u.Users) > 0 {
		text += " By user: " + namesOf(u.Users) + "."
	}
	if len(u.Cgroups) > 0 {
		text += " By cgroup: " + namesOf(u.Cgroups) + "."
	}
	if alone := func(one api.ProcessShare) bool { // it is all of its command
		return slices.ContainsFunc(u.Commands, func(c api.Share) bool { return c.Command == one.Command && c.Share-one.Share < 0.005 })
	}; slices.ContainsFunc(u.Processes, func(one api.ProcessShare) bool { return !alone(one) }) {
		var list []string
		for _, one := range u.Processes {
			list = append(list, fmt.Sprintf("%s (PID %d) %.0f %%", one.Command, one.PID, 100*one.Share))
		}
		text += " Largest processes: " + strings.Join(list, ", ") + "."
	}
	return text
}

func namesOf(list []api.GroupShare) string {
	var parts []string
	for _, one := range list {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", one.Name, 100*one.Share))
	}
	return strings.Join(parts, ", ")
}
