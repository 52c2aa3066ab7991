package core

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/departures"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

const (
	fineSteps     = 1 << 16 // of a record, at most: recurring jobs are looked for on these
	coarseSteps   = 1 << 14 // levels are compared on these
	weeksTier     = 0.4     // series of records that are longer than that
	leastSteps    = 40      // a record without as many has no levels
	maxIncidents  = 60      // incidents
	maxRecurring  = 12      // recurring
	maxSubjects   = 8       // subjects of an incident that are listed
	storyTop      = 60      // commands
	nearSteps     = 4       // between changes of one incident
	farSteps      = 12      // between the first and the last
	mainShare     = 0.6     // of an incident that is the end of another one
	leastShift    = 0.1     // share of the higher level that a change must have
	recurringTier = 0.7     // series in which recurring jobs are looked for
	changedBytes  = 1 << 8
	stepBytes     = 64 // of a series while it is worked on
)

type storyKey struct {
	window
	zone  string
	least float64
}

// Story says what happened in a record: when subjects changed their levels, what
// comes again and again, and what became of the host. It waits until the source
// has been read.
func (s *Session) Story(ctx context.Context, q api.StoryQuery, progress func(api.Progress)) (api.Story, error) {
	out := api.Story{Incidents: []api.Incident{}, Recurring: []api.Recurrence{}, History: []api.Event{}, Text: []string{}}
	src, err := s.source(q.Source)
	if err != nil {
		return out, err
	}
	if !(q.Least >= 0) {
		return out, pcp.Faultf(pcp.BadArgument, "The least score, %g, is not a number above 0.", q.Least)
	}
	if q.Least == 0 {
		q.Least = departures.HeadlineScore
	}
	w, err := s.windowOnceRead(ctx, src, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return out, err
	}
	loc, err := s.locationOrUTC(src, q.Zone)
	if err != nil {
		return out, err
	}
	key := storyKey{w, q.Zone, q.Least}
	if kept, ok := src.kept.find(key).(api.Story); ok {
		return kept, nil
	}
	first, last, err := src.sampled(ctx)
	if err != nil {
		return out, err
	}
	if err := w.missed(first, last); err != nil {
		return out, err
	}
	w = window{max(w.from, first), min(w.to, last)}
	out.Start, out.End = w.from, w.to
	if src.about.Kind == "archive" {
		events, err := src.events(ctx)
		if err != nil {
			return out, err
		}
		for _, e := range events {
			if e.At >= w.from && e.At <= w.to {
				out.History = append(out.History, e)
			}
		}
	}
	host, err := src.floors(ctx, w.to)
	if err != nil {
		return out, err
	}
	t := storyBuilder{Session: s, ctx: ctx, src: src, window: w, out: &out, host: host, zone: loc, own: q.Zone == "", least: q.Least, pace: s.newPace(ctx), claim: s.memory.Claim(0)}
	defer t.claim.Release()
	if err := t.build(); err != nil {
		return out, err
	}
	src.kept.keep(s.memory, key, out, changedBytes*int64(8*len(out.Incidents)+4*len(out.Recurring)+len(out.History)))
	return out, nil
}

// A story in the making.
type storyBuilder struct {
	pace *pace
	*Session
	window
	ctx   context.Context
	src   *source
	host  departures.Host
	zone  *time.Location
	own   bool // zone is the host's
	out   *api.Story
	claim *budget.Claim

	boots  []pcp.Time
	pauses []pcp.Span // outages; nothing is known of a level within them

	grid   series.Grid // of the finest steps
	merged int         // of these that make a coarse one
	local  []int64     // seconds of the zone's clock at each step
	moved  []departures.LevelChange[*departed]
	bursts []departures.LevelChange[*departed]
	jobs   []repeatedPeaks
	used   []analysis.CommandUse
	// sampled is when processes were: what they used is spread over the time between.
	sampled []pcp.Time
	finder  departures.Finder
	least   float64                         // score of an incident
	fewer   *departures.Incident[*departed] // the largest below it; nil if there is none
}

// repeatedPeaks is a recurrence of one series.
type repeatedPeaks struct {
	departures.Recurrence
	departures.Kind
	series *departed
}

// build looks at all series.
func (t *storyBuilder) build() error {
	interval, err := t.src.loggingInterval(t.ctx)
	if err != nil {
		return err
	}
	length := int64(t.to - t.from)
	if interval <= 0 {
		t.out.Why = "Nothing was recorded at an interval, so changes cannot be detected."
		return nil
	}
	if length <= 0 || length/interval < leastSteps {
		t.out.Why = "The recording is too short to tell what changed: " + pcp.Grouped(leastSteps) + " times its usual interval, " + everyText(float64(interval)/1e9) + ", are needed."
		return nil
	}
	step := max(interval, (length+fineSteps-1)/fineSteps)
	t.grid = series.Grid{Start: t.from, Step: step, Count: int(length/step) + 1}
	t.merged = (t.grid.Count + coarseSteps - 1) / coarseSteps
	if err := t.claim.Take(stepBytes * int64(t.grid.Count)); err != nil {
		return err
	}
	var changes []ahead // of the host's own clock, which its jobs go by
	if t.own {
		changes = t.src.aheads(t.zone)
	}
	by := 0
	for i := range t.grid.Count {
		at := t.grid.At(i).Std().In(t.zone)
		_, offset := at.Zone()
		for len(changes) > 0 && changes[0].from < t.grid.At(i) {
			by, changes = changes[0].by, changes[1:]
		}
		t.local = append(t.local, at.Unix()+int64(offset+by))
	}
	t.out.Step = float64(step) * float64(t.merged) / 1e9
	t.findPauses()
	if err := t.metrics(); err != nil {
		return err
	}
	if err := t.commands(); err != nil {
		return err
	}
	if t.out.Series == 0 {
		t.out.Why = "No relevant metric changes."
		return nil
	}
	t.incidents()
	t.recurring()
	t.writeText()
	return t.pace.ended
}

// metrics looks at those of the host.
func (t *storyBuilder) metrics() error {
	least := 0.0
	if t.merged > 1 {
		least = weeksTier
	}
	h := hostSeries{t.Session, t.ctx, t.src, t.host, t.grid, t.pace, false, false, new(interp.Memory), make([]archive.Buffer, len(t.src.parts))}
	return h.each(least, func(d departed, kind departures.Kind, r *interp.Reduced) error {
		return t.series(&d, kind, r.Values)
	})
}

// commands looks at the CPU time of commands.
func (t *storyBuilder) commands() error {
	p, err := t.src.accounts(t.ctx)
	if p == nil || err != nil {
		return err
	}
	if err := t.claim.Take(16 * storyTop * int64(t.grid.Count)); err != nil {
		return err
	}
	t.used = p.TopCommandUse(t.grid, storyTop, t.pace.worked)
	t.sampled = p.Times(pcp.Span{Start: t.grid.Start, End: t.grid.At(t.grid.Count - 1)})
	cpus := max(1, t.host.CPUs)
	kind := departures.Kind{Subject: departures.Subject{Family: "processes", Name: "Commands"}, Tier: 1, Floor: cpus}
	for _, u := range t.used {
		if err := t.series(&departed{command: u.Command}, kind, u.Values); err != nil {
			return err
		}
	}
	return t.pace.ended
}

// series looks at one.
func (t *storyBuilder) series(who *departed, kind departures.Kind, fine []float64) error {
	if t.pace.worked(oneSeries + 2*len(fine)) {
		return t.pace.ended
	}
	t.out.Series++
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range fine {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	floor := kind.FloorAt(low, high)
	if !(high-low >= floor) {
		return nil
	}
	if err := t.claim.Take(changedBytes); err != nil {
		return err
	}
	vals := coarse(fine, t.merged)
	share := leastShift
	if kind.Drift {
		share = 0
	}
	list := t.finder.Changes(vals, floor, share, t.pace.worked)
	ends := departures.Ends(list)
	for i, c := range list {
		if math.Abs(c.Times) < 1 { // without a few steps; it may end another one
			continue
		}
		until := -1
		if ends[i] >= 0 {
			until = t.refined(fine, list[slices.IndexFunc(list, func(o departures.Change) bool { return o.At == ends[i] })])
		}
		c.At = t.refined(fine, c)
		t.moved = append(t.moved, departures.LevelChange[*departed]{Kind: kind, Change: c, Series: who, Until: until, Late: t.late(who, c.At, until)})
	}
	if err := t.claim.Take(changedBytes * int64(len(list))); err != nil {
		return err
	}
	if kind.Tier < recurringTier {
		return t.pace.ended
	}
	if t.pace.worked(32 * len(fine)) {
		return t.pace.ended
	}
	around, clock := departures.AroundOf(fine, floor/2), departures.Clock{Step: max(1, t.grid.Step/1e9), Local: t.local}
	jobs := departures.Recurring(fine, around, clock, floor/4)
	if means, merged, ok := departures.Merged(fine, clock); ok && len(jobs) == 0 {
		jobs = departures.Recurring(means, departures.AroundOf(means, floor/2), merged, floor/4)
	}
	for _, r := range jobs {
		t.jobs = append(t.jobs, repeatedPeaks{r, kind, who})
	}
	t.withoutJobs(who, jobs, clock)
	days := float64(t.to-t.from) / 86400e9
	for _, b := range departures.Bursts(fine, around, floor, days) {
		if t.changedLevel(who, b) || slices.ContainsFunc(jobs, func(r departures.Recurrence) bool { return r.Explains(b, clock) }) {
			continue
		}
		if err := t.claim.Take(changedBytes); err != nil {
			return err
		}
		t.bursts = append(t.bursts, departures.LevelChange[*departed]{Kind: kind, Change: b.Change, Series: who, Until: b.End, Late: t.late(who, b.At, b.End)})
	}
	return t.pace.ended
}

// late is by how many steps a change of a series may have begun later, which ends before
// until, -1 for never: the CPU time of commands is known by samples that may be several steps
// apart. Who changed first is not said by what is spread over the time before.
func (t *storyBuilder) late(who *departed, step, until int) int {
	if who.command == "" {
		return 0
	}
	k, _ := slices.BinarySearch(t.sampled, t.start(step)+1)
	if k == len(t.sampled) {
		return 0
	}
	last := t.grid.Count - 1
	if until >= 0 {
		last = until - 1
	}
	return max(0, min(last, int((int64(t.sampled[k]-t.grid.Start)+t.grid.Step-1)/t.grid.Step))-step)
}

// withoutJobs leaves out the changes of the series looked at last that are a recurring job,
// whose own sentence tells when it runs, and those that end one.
func (t *storyBuilder) withoutJobs(who *departed, jobs []departures.Recurrence, clock departures.Clock) {
	from := len(t.moved)
	for from > 0 && t.moved[from-1].Series == who {
		from--
	}
	ended := map[int]bool{}
	own := slices.DeleteFunc(t.moved[from:], func(m departures.LevelChange[*departed]) bool {
		explained := ended[m.At] || m.Until >= 0 && slices.ContainsFunc(jobs, func(r departures.Recurrence) bool {
			return r.Explains(departures.Burst{Change: m.Change, End: m.Until}, clock)
		})
		if explained && m.Until >= 0 {
			ended[m.Until] = true
		}
		return explained
	})
	t.moved = t.moved[:from+len(own)]
}

// muchLarger is how many times the change of a level a burst must be to be told beside it: a
// level that an hour of something small makes does not tell of the minute of something large
// with which it began.
const muchLarger = 4

// changedLevel reports whether the series, which was looked at last, changed its level
// when a burst came, which is not much larger.
func (t *storyBuilder) changedLevel(who *departed, b departures.Burst) bool {
	for i := len(t.moved) - 1; i >= 0 && t.moved[i].Series == who; i-- {
		if at := t.moved[i].At; at >= b.At-nearSteps*t.merged && at <= b.End && math.Abs(b.Times) <= muchLarger*math.Abs(t.moved[i].Times) {
			return true
		}
	}
	return false
}

// coarse makes means of merged steps each; the first step of a grid stays alone.
func coarse(fine []float64, merged int) []float64 {
	if merged == 1 {
		return fine
	}
	out := []float64{fine[0]}
	for part := range slices.Chunk(fine[1:], merged) {
		sum, n := 0.0, 0
		for _, v := range part {
			if v == v {
				sum, n = sum+v, n+1
			}
		}
		out = append(out, sum/float64(n))
	}
	return out
}

// refined is the fine step at which a change came.
func (t *storyBuilder) refined(fine []float64, c departures.Change) int {
	if t.merged == 1 {
		return c.At
	}
	end := min(len(fine)-1, c.At*t.merged)
	for i := max(1, end-2*t.merged); i < end; i++ {
		if turned := func(v float64) bool { return math.Abs(v-c.After) < math.Abs(v-c.Before) }; turned(fine[i]) && (turned(fine[i+1]) || i+2 < len(fine) && turned(fine[i+2])) {
			return i
		}
	}
	return end
}

// incidents puts changes together.
func (t *storyBuilder) incidents() {
	near, far := nearSteps+t.merged-1, farSteps+2*(t.merged-1)
	all := departures.WithoutEndings(departures.Incidents(t.moved, near, far), near, mainShare)
	// Levels of merged steps begin where they are nearer to the next one; a burst
	// says better when that was.
	all = departures.Join(all, t.bursts, 1+2*(t.merged-1), near, far)
	all = slices.DeleteFunc(all, func(in departures.Incident[*departed]) bool {
		fewer := in.Score < t.least
		if fewer && (t.fewer == nil || in.Score > t.fewer.Score) {
			t.fewer = &in
		}
		return fewer
	})
	if len(all) > maxIncidents {
		sorting.Stable(all, func(a, b departures.Incident[*departed]) int { return cmp.Compare(b.Score, a.Score) })
		all = all[:maxIncidents]
		sorting.Stable(all, func(a, b departures.Incident[*departed]) int { return cmp.Compare(a.At, b.At) })
	}
	for i := range all {
		t.out.Incidents = append(t.out.Incidents, t.incident(&all[i]))
	}
}

func (t *storyBuilder) incident(in *departures.Incident[*departed]) api.Incident {
	x := api.Incident{At: t.began(in.At + in.Late), Until: t.over(in.Until), Score: in.Score, Series: in.Series, Began: t.newCommands(in)}
	for i := range in.Changes[:min(len(in.Changes), maxSubjects)] {
		if i > 0 && in.Changes[i].Weight() < departures.MinWeight {
			break // it counts, but says little
		}
		change := t.shifted(&in.Changes[i])
		change.Text += t.ownTime(in, &in.Changes[i])
		x.Changes = append(x.Changes, change)
	}
	if f := in.First; f.At+f.Late < in.Changes[0].At+in.Changes[0].Late && f.Subject != in.Changes[0].Subject {
		first := t.shifted(&f)
		x.First = &first
	}
	if x.After = t.event(t.grid.At(in.At-nearSteps*t.merged), x.At); x.After == "" {
		x.During = t.event(x.At+1, t.grid.At(in.Last))
	}
	return x
}

// start is when a step starts: it has what was between the one before it and itself.
func (t *storyBuilder) start(step int) pcp.Time { return t.grid.At(max(0, step-1)) }

// began is when a level began of which a step is the first. Of a step in which the recording
// resumed, or the host booted, only what came after that can have begun it.
func (t *storyBuilder) began(step int) pcp.Time {
	at, end := t.start(step), t.grid.At(step)
	if p := t.pause(at); p != nil {
		at = p.End
	}
	for _, boot := range t.boots {
		if boot > at && boot <= end {
			at = boot
		}
	}
	return at
}

// over is when a level ended of which a step is the first without it; nil for never. Nothing
// is known of a pause of the recording, so it is not said to last through one.
func (t *storyBuilder) over(step int) *pcp.Time {
	if step < 0 {
		return nil
	}
	at := t.start(step)
	if p := t.pause(at); p != nil {
		at = p.Start
	}
	return &at
}

// pause is the outage that a time is in; nil if there is none.
func (t *storyBuilder) pause(at pcp.Time) *pcp.Span {
	for i := range t.pauses {
		if p := &t.pauses[i]; at >= p.Start && at < p.End {
			return p
		}
	}
	return nil
}

// findPauses finds boots, and outages across which no value is known.
func (t *storyBuilder) findPauses() {
	breaks := t.src.breaks()
	for _, e := range t.out.History {
		if e.Kind == "boot" {
			t.boots = append(t.boots, e.At)
		}
		if e.Until == nil {
			continue
		}
		if i, _ := slices.BinarySearch(breaks, e.At); i < len(breaks) && breaks[i] <= *e.Until {
			t.pauses = append(t.pauses, pcp.Span{Start: e.At, End: *e.Until})
		}
	}
}

// event is what happened to the host between two times, a boot if there was one.
func (t *storyBuilder) event(from, to pcp.Time) string {
	said := ""
	for _, e := range t.out.History {
		at := e.At
		if e.Until != nil {
			at = *e.Until
		}
		if at >= from && at <= to && (said == "" || e.Kind == "boot") {
			said = e.Text
		}
	}
	return said
}

// newCommands names the commands that used CPU time from an incident on and none before.
func (t *storyBuilder) newCommands(in *departures.Incident[*departed]) []string {
	const before, behind = 20, 6
	names := []string{}
	for _, u := range t.used {
		earlier, seen := 0, false
		for _, v := range u.Values[max(0, in.At-before):in.At] {
			if v == v {
				earlier++
				seen = seen || v > 0
			}
		}
		sum, n := 0.0, 0
		for _, v := range u.Values[in.At:min(len(u.Values), in.Last+behind)] {
			if v == v {
				sum, n = sum+v, n+1
			}
		}
		if !seen && earlier >= 3 && n > 0 && sum >= float64(n) && len(names) < maxCommands {
			names = append(names, u.Command)
		}
	}
	return names
}
