package mmv

import (
	"fmt"

	"pcpscope/core/pcp"
)

// A tally is a problem that may occur many times: it is reported once, at its
// first offset, with the count.
type tally struct {
	fault *pcp.Fault
	count int
}

// note counts a problem. what is its sentence, without the full stop.
func (r *reader) note(at uint64, field string, kind pcp.FaultKind, what string) {
	if t := r.tallied[what]; t != nil {
		t.count++
	} else if len(r.tallies) < 100 {
		t = &tally{pcp.Faultf(kind, "%s", what).At(int64(at), field), 1}
		r.tallies = append(r.tallies, t)
		if r.tallied == nil {
			r.tallied = map[string]*tally{}
		}
		r.tallied[what] = t
	}
}

// problem reports something that can happen only once.
func (r *reader) problem(f *pcp.Fault, done string) {
	f.File, f.Done = r.file.Name, done
	r.file.Problems = append(r.file.Problems, *f)
}

// notes adds the counted problems to the file's problems.
func (r *reader) notes() {
	for _, t := range r.tallies {
		if t.count > 1 {
			t.fault.Message += fmt.Sprintf(" (%d times)", t.count)
		}
		t.fault.Message += "."
		r.problem(t.fault, "")
	}
	hidden, running := 0, 0
	for i := range r.file.Metrics {
		m := &r.file.Metrics[i]
		if m.Hidden != nil {
			hidden++
		}
		for _, v := range m.Values {
			if v.Since != 0 {
				running++
			}
		}
	}
	if hidden > 0 {
		r.problem(pcp.Faultf(pcp.Unsupported, "PCP's agent would not export %s of the %s metrics.", pcp.Grouped(hidden), pcp.Grouped(len(r.file.Metrics))),
			"They are shown; each says why.")
	}
	if running > 0 {
		r.problem(pcp.Faultf(pcp.Unsupported, "%d timed intervals were still running when the file was saved.", running),
			"Their values count the time until they began.")
	}
}
