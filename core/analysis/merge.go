package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// maxObjects is how many objects, such as CPUs, a kind of finding is reported
// for individually.
const maxObjects = 4

// Merge combines repeated findings about one object, and findings of one kind
// about many objects: it keeps the worst, with how often and how long it
// happened in total.
func Merge(list []api.Finding) []api.Finding {
	one := gather(list, func(f *api.Finding) string {
		return f.Level + "\n" + f.Resource + "\n" + f.Rule + "\n" + strings.Join(f.Metrics, "\n")
	}, func(f *api.Finding, all []api.Finding, worst int) {
		if same := func(g api.Finding) bool { return g.Text == all[0].Text }; f.Lasted == 0 && !slices.ContainsFunc(all, func(g api.Finding) bool { return !same(g) }) {
			f.Text += " " + Times(f.Times)
			return
		}
		which := "worst"
		if f.Lasted > 0 && longestOf(all) == worst { // another one may have been worse in its numbers
			which = "longest"
		}
		f.Text += "; " + which + " of " + Times(f.Times)
		if f.Lasted > 0 {
			f.Text += ", " + FormatDuration(f.Lasted) + " in all"
		}
	})
	kind := func(f *api.Finding) string { return f.Level + "\n" + f.Resource + "\n" + f.Rule }
	objects := map[string]int{}
	for i := range one {
		objects[kind(&one[i])]++
	}
	return gather(one, func(f *api.Finding) string {
		if k := kind(f); objects[k] > maxObjects {
			return k
		}
		return kind(f) + "\n" + strings.Join(f.Metrics, "\n")
	}, func(f *api.Finding, all []api.Finding, _ int) {
		f.Text += fmt.Sprintf("; likewise %d others", len(all)-1)
	})
}

// longestOf returns which finding lasted longer than all others; -1 if none did.
func longestOf(all []api.Finding) int {
	longest, most := -1, 0.0
	for i := range all {
		switch lasted := all[i].Lasted; {
		case lasted > most:
			longest, most = i, lasted
		case lasted == most:
			longest = -1
		}
	}
	return longest
}

// gather merges findings with equal keys into the one with the highest cost, which
// is all[worst], at the position of the first; several adds to its text.
func gather(list []api.Finding, key func(*api.Finding) string, several func(f *api.Finding, all []api.Finding, worst int)) []api.Finding {
	groups := map[string][]api.Finding{}
	var order []string
	for i := range list {
		k := key(&list[i])
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], list[i])
	}
	out := make([]api.Finding, 0, len(order))
	for _, k := range order {
		all := groups[k]
		if len(all) == 1 {
			out = append(out, all[0])
			continue
		}
		worst := 0
		for i := range all {
			if all[i].Cost > all[worst].Cost {
				worst = i
			}
		}
		f := all[worst]
		if f.Worst == nil {
			f.Worst = &pcp.Span{Start: f.Start, End: f.End}
		}
		f.Times, f.Lasted, f.Cost, f.Spans = 0, 0, 0, nil
		for i := range all {
			g := &all[i]
			f.Start, f.End = min(f.Start, g.Start), max(f.End, g.End)
			f.Times, f.Lasted, f.Cost = f.Times+g.Times, f.Lasted+g.Lasted, f.Cost+g.Cost
			if g.Spans == nil {
				f.Spans = append(f.Spans, pcp.Span{Start: g.Start, End: g.End})
			}
			f.Spans = append(f.Spans, g.Spans...)
		}
		sorting.Stable(f.Spans, func(a, b pcp.Span) int { return cmp.Compare(a.Start, b.Start) })
		several(&f, all, worst)
		out = append(out, f)
	}
	return out
}

// SortFindings sorts by level: first what is broken, then warnings,
// then notes; within a level by cost.
func SortFindings(list []api.Finding) {
	rank := map[string]int{isBroken: 0, look: 1, know: 2}
	sorting.Stable(list, func(a, b api.Finding) int {
		return cmp.Or(cmp.Compare(rank[a.Level], rank[b.Level]), cmp.Compare(b.Cost, a.Cost), cmp.Compare(a.Start, b.Start))
	})
}
