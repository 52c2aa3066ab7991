package departures

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/sorting"
)

// A LevelChange is a series that changed its level, as part of an incident.
type LevelChange[S any] struct {
	Kind
	Change
	Series S
	Until  int // the step at which the previous level was back; -1 for never
	Late   int // by how many steps it may have begun later: what shows it is spread over these
}

// Weight is the weight of the change: its size in floors on a log scale, times the
// tier of the kind.
func (m *LevelChange[S]) Weight() float64 { return m.Tier * Weigh(m.Times) }

// strongWeight is the weight from which a change adds more than that to the score of an
// incident: a strong one is worth reporting with few others, weak ones have to be many.
const strongWeight = 3

// score is what a change adds to the score of an incident.
func (m *LevelChange[S]) score() float64 {
	w := m.Weight()
	return w * max(1, w/strongWeight)
}

// Weigh returns the weight of a difference of that many floors.
func Weigh(floors float64) float64 { return math.Log2(1 + math.Abs(floors)) }

// An Incident is a set of level changes at about the same time.
type Incident[S comparable] struct {
	At, Last int              // steps of its first and its last change
	Late     int              // by how many steps it may have begun later
	Until    int              // the step at which most of it was over; -1 for never
	Score    float64          // sum over subjects of what their largest changes add
	Changes  []LevelChange[S] // one for each subject, the largest weight first
	Series   int              // how many series changed
	First    LevelChange[S]   // what changed first, of the changes with at least MinWeight
	all      []LevelChange[S]
}

// MinWeight is the lowest weight of a change that is reported by itself.
const MinWeight = 1

// HeadlineScore is the lowest score of an incident that is worth reporting.
const HeadlineScore = 8

// Ends returns for each change of a series when it was undone: at the first later
// change that leaves the series nearer to the level before it than to the level
// after it, and at the latest when an earlier change in the same direction was: a surge
// within office hours ends with them.
func Ends(list []Change) []int {
	ends := make([]int, len(list))
	for i, c := range list {
		ends[i] = -1
		for _, later := range list[i+1:] {
			if math.Abs(later.After-c.Before) < math.Abs(c.After-c.Before)/2 {
				ends[i] = later.At
				break
			}
		}
		for k, outer := range list[:i] {
			within := ends[k] > c.At && (outer.After > outer.Before) == (c.After > c.Before)
			if within && (ends[i] < 0 || ends[k] < ends[i]) {
				ends[i] = ends[k]
			}
		}
	}
	return ends
}

// Incidents groups changes that lie within near steps of each other and at most far
// steps after the first one.
func Incidents[S comparable](list []LevelChange[S], near, far int) []Incident[S] {
	sorting.Stable(list, func(a, b LevelChange[S]) int { return cmp.Compare(a.At, b.At) })
	var all []Incident[S]
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j].At-list[j-1].At <= near && list[j].At-list[i].At <= far {
			j++
		}
		all = append(all, incidentOf(list[i:j]))
		i = j
	}
	return all
}

// Join puts bursts into the incidents that they come with, up to before steps
// earlier and near later, and returns incidents of the others among them. Incidents
// are in order of time.
func Join[S comparable](all []Incident[S], bursts []LevelChange[S], before, near, far int) []Incident[S] {
	sorting.Stable(bursts, func(a, b LevelChange[S]) int { return cmp.Compare(a.At, b.At) })
	with := make([][]LevelChange[S], len(all))
	var alone []LevelChange[S]
	i := 0
	for _, b := range bursts {
		for i < len(all) && all[i].Last+near < b.At {
			i++
		}
		if i == len(all) || b.At < all[i].At-before {
			alone = append(alone, b)
			continue
		}
		with[i] = append(with[i], b)
	}
	for i, list := range with {
		if len(list) == 0 {
			continue
		}
		levels := all[i]
		list = slices.Concat(levels.all, list)
		sorting.Stable(list, func(a, b LevelChange[S]) int { return cmp.Compare(a.At, b.At) })
		all[i] = incidentOf(list)
		if all[i].Until = all[i].Changes[0].Until; all[i].Changes[0].Change == levels.Changes[0].Change {
			all[i].Until = levels.Until
		}
	}
	for _, in := range Incidents(alone, near, far) {
		in.Until = in.Changes[0].Until
		all = append(all, in)
	}
	sorting.Stable(all, func(a, b Incident[S]) int { return cmp.Compare(a.At, b.At) })
	return all
}

// largerEnd is how many times the score of an incident its end may have. What undoes many
// small steps at once, as memory that leaks and is freed, is not the end of the first of these.
const largerEnd = 2

// WithoutEndings removes incidents that are the end of an earlier one: those of
// whose score at least the share most comes from changes that undo its changes.
// Steps may differ by near.
func WithoutEndings[S comparable](all []Incident[S], near int, most float64) []Incident[S] {
	var out []Incident[S]
	for _, in := range all {
		in.Until = in.Changes[0].Until
		of, weight := -1, most*in.Score
		for k := range out {
			if w := undone(&out[k], &in, near); w >= weight && in.Score <= largerEnd*out[k].Score {
				of, weight = k, w
			}
		}
		if of < 0 {
			out = append(out, in)
			continue
		}
		earlier := &out[of]
		if earlier.Score = max(earlier.Score, in.Score); earlier.Until < in.At-near || earlier.Until > in.Last+near {
			earlier.Until = in.At
		}
	}
	return out
}

// undone is the score of the changes of an incident that undo an earlier one.
func undone[S comparable](earlier, in *Incident[S], near int) (weight float64) {
	for i := range in.Changes {
		m := &in.Changes[i]
		for k := range earlier.Changes {
			e := &earlier.Changes[k]
			if e.Subject == m.Subject && e.Until >= in.At-near && e.Until <= in.Last+near {
				weight += m.score()
			}
		}
	}
	return weight
}

func incidentOf[S comparable](list []LevelChange[S]) Incident[S] {
	in := Incident[S]{At: list[0].At, Last: list[len(list)-1].At, Until: -1, Series: seriesIn(list), all: list}
	for i, m := range list {
		if late := m.At + m.Late - in.At; i == 0 || late < in.Late {
			in.Late = late
		}
	}
	first := slices.IndexFunc(list, func(m LevelChange[S]) bool { return m.Weight() >= MinWeight })
	in.First = list[max(0, first)]
	best := map[Subject]int{}
	for _, m := range list {
		at, known := best[m.Subject]
		switch {
		case !known:
			best[m.Subject] = len(in.Changes)
			in.Changes = append(in.Changes, m)
		case better(&m, &in.Changes[at]):
			in.Changes[at] = m
		}
		if m.At == in.First.At && m.Weight() > in.First.Weight() {
			in.First = m
		}
	}
	for i := range in.Changes {
		in.Score += in.Changes[i].score()
	}
	sorting.Stable(in.Changes, func(a, b LevelChange[S]) int { return cmp.Compare(b.Weight(), a.Weight()) })
	return in
}

// seriesIn is how many series there are among changes: one may have a burst and a new level, or
// two levels.
func seriesIn[S comparable](list []LevelChange[S]) int {
	seen := make(map[S]bool, len(list))
	for i := range list {
		seen[list[i].Series] = true
	}
	return len(seen)
}

// better reports whether one series represents its subject better than another: the
// heavier one, or, where they are much alike, the one that is read first.
func better[S any](a, b *LevelChange[S]) bool {
	x, y := a.Weight(), b.Weight()
	switch {
	case a.Rank < b.Rank:
		return x >= y/2
	case a.Rank > b.Rank:
		return x/2 > y
	}
	return x > y
}
