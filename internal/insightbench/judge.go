package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A judge compares what is said of a source with what is known of it.
type judge struct {
	*core.Session
	ctx     context.Context
	source  api.Source
	truth   truth
	verbose bool
	seed    uint64
	figures figures
}

func (j *judge) all() (figures, error) {
	if j.figures.Recordings = 1; j.truth.FindingsOnly {
		return j.figures, j.findings()
	}
	begin := time.Now()
	for i := range j.truth.Faults {
		if err := j.explain(&j.truth.Faults[i]); err != nil {
			return j.figures, err
		}
	}
	if err := j.story(); err != nil {
		return j.figures, err
	}
	if err := j.findings(); err != nil {
		return j.figures, err
	}
	j.figures.Seconds = time.Since(begin).Seconds()
	return j.figures, j.quiet()
}

// explain asks for the window of a fault, and looks for its family and its
// command.
func (j *judge) explain(f *fault) error {
	x, err := j.Explain(j.ctx, api.ExplainQuery{Source: j.source.ID, Start: when(f.Start), End: when(f.End)}, nil)
	if err != nil {
		return err
	}
	j.figures.Faults++
	at := slices.IndexFunc(x.Rows, func(r api.ExplanationRow) bool { return r.Family == f.Family })
	if at == 0 {
		j.figures.First++
	}
	if at >= 0 && at < 3 {
		j.figures.Third++
	}
	named := f.Command != "" && names(&x, f.Command)
	if f.Command != "" {
		j.figures.Commands++
	}
	if named {
		j.figures.Named++
	}
	onset := math.NaN() // of the row that an expert would look at
	if len(x.Rows) > 0 {
		if r := x.Rows[max(at, 0)]; r.Since != nil {
			onset = math.Abs(float64(*r.Since)/1e9 - float64(f.Start))
		}
	}
	if !math.IsNaN(onset) && j.truth.Interval > 0 {
		j.figures.Onsets = append(j.figures.Onsets, onset/j.truth.Interval)
	}
	if j.verbose {
		var families []string
		for _, r := range x.Rows[:min(5, len(x.Rows))] {
			families = append(families, r.Family+" "+r.Subject)
		}
		fmt.Printf("  explain %s %-12s %-10s row %d, named %v, onset off by %.0f s: %s%s\n", clock(f.Start), f.Kind, f.Family, at+1, named, onset, strings.Join(families, "; "), x.Why)
	}
	return nil
}

// names reports whether an explanation names a command, of which PCP has the
// first 15 characters.
func names(x *api.Explanation, command string) bool {
	command = command[:min(len(command), 15)]
	for _, w := range x.Who {
		if slices.ContainsFunc(w.Commands, func(s api.Share) bool { return s.Command == command }) {
			return true
		}
	}
	return slices.ContainsFunc(x.Began, func(b api.StartedCommand) bool { return b.Command == command })
}

// story counts the faults that an incident begins with, and the incidents
// beside all faults.
func (j *judge) story() error {
	x, err := j.Story(j.ctx, api.StoryQuery{Source: j.source.ID}, nil)
	if err != nil {
		return err
	}
	slack := max(15, 3*j.truth.Interval)
	for i := range j.truth.Faults {
		f := &j.truth.Faults[i]
		near := func(in api.Incident) bool {
			return math.Abs(float64(in.At)/1e9-float64(f.Start)) <= slack
		}
		found := slices.ContainsFunc(x.Incidents, near)
		if found {
			j.figures.Incidents++
		}
		if j.verbose {
			fmt.Printf("  story   %s %-12s incident at its onset: %v\n", clock(f.Start), f.Kind, found)
		}
	}
	for _, end := range j.truth.Ends {
		j.figures.Ends++
		found := slices.ContainsFunc(x.Incidents, func(in api.Incident) bool {
			const least = 60 // seconds: what ends takes longer than what begins
			near := func(t pcp.Time) bool { return math.Abs(float64(t)/1e9-float64(end)) <= max(least, slack) }
			return near(in.At) || in.Until != nil && near(*in.Until)
		})
		if found {
			j.figures.EndsFound++
		}
		if j.verbose {
			fmt.Printf("  story   %s a known end: %v\n", clock(end), found)
		}
	}
	if j.truth.Partial {
		return nil
	}
	outside := j.truth.End - j.truth.settled()
	for _, f := range j.truth.Faults {
		outside -= f.End - f.Start
	}
	j.figures.QuietDays += float64(outside) / 86400
	for _, in := range x.Incidents {
		if at := moment(float64(in.At) / 1e9); at >= j.truth.settled() && j.truth.during(at, slack) == nil {
			j.figures.Headlines++
			if j.verbose {
				fmt.Printf("  story   %s beside the faults: %s\n", clock(at), in.Text)
			}
		}
	}
	return nil
}

// findings counts which of the findings lie where something happened.
func (j *judge) findings() error {
	list, err := j.Findings(j.ctx, j.source.ID, nil)
	if err != nil || j.truth.Partial {
		return err
	}
	for _, f := range list {
		spans := f.Spans
		if len(spans) == 0 {
			spans = []pcp.Span{{Start: f.Start, End: f.End}}
		}
		beside := ""
		if !slices.ContainsFunc(spans, func(s pcp.Span) bool { return j.touches(s) }) {
			beside = " (beside the faults)"
		}
		switch f.Level {
		case "broken":
			j.figures.Errors++
			if beside == "" {
				j.figures.TrueErrors++
			}
		case "look":
			j.figures.Warnings++
			if beside == "" {
				j.figures.TrueWarnings++
			}
		}
		if j.verbose {
			fmt.Printf("  %-7s %s%s\n", map[string]string{"broken": "error", "look": "warning", "know": "note"}[f.Level], f.Text, beside)
		}
	}
	return nil
}

// touches reports whether a fault was going on in a span.
func (j *judge) touches(s pcp.Span) bool {
	slack := max(15, 3*j.truth.Interval)
	return slices.ContainsFunc(j.truth.Faults, func(f fault) bool {
		return float64(s.Start)/1e9 <= float64(f.End)+slack && float64(s.End)/1e9 >= float64(f.Start)-slack
	})
}

// quiet compares pairs of windows in which nothing happened, and explains one
// of each.
func (j *judge) quiet() error {
	const pairs, length = 20, 300 // a recording; seconds
	rng := rand.New(rand.NewPCG(j.seed, 0))
	long := slices.DeleteFunc(slices.Clone(j.truth.Quiet), func(s span) bool { return s.seconds() < 2*length })
	if len(long) == 0 {
		return nil
	}
	for range pairs {
		s := long[rng.IntN(len(long))]
		free := s.seconds() - 2*length
		first := rng.Float64() * free
		a := s.Start + moment(first)
		b := a + length + moment(rng.Float64()*(free-first))
		c, err := j.Compare(j.ctx, api.CompareQuery{Source: j.source.ID, AStart: when(a), AEnd: when(a + length), BStart: when(b), BEnd: when(b + length)}, nil)
		if err != nil {
			return err
		}
		x, err := j.Explain(j.ctx, api.ExplainQuery{Source: j.source.ID, Start: when(b), End: when(b + length)}, nil)
		if err != nil {
			return err
		}
		j.figures.Pairs++
		j.figures.PairRows += len(c.Changes)
		j.figures.WindowRows += len(x.Rows)
		if j.verbose {
			for _, ch := range c.Changes {
				fmt.Printf("  quiet   %s and %s differ in %s: %g and %g\n", clock(a), clock(b), ch.Series(), ch.MedianA, ch.MedianB)
			}
			for _, r := range x.Rows {
				fmt.Printf("  quiet   %s explained: %s\n", clock(b), r.Text)
			}
		}
	}
	return nil
}

func when(m moment) *api.When {
	n := m.nanos()
	return &api.When{Nanos: &n}
}

func clock(m moment) string { return time.Unix(0, m.nanos()).UTC().Format("15:04:05") }
