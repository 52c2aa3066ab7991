package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A truth says what happened on a host while it was recorded. It is what
// fault-lab writes, or was written by hand.
type truth struct {
	// Archive is where the archive is, as seen from the folder of the file;
	// absent where it lies beside it.
	Archive  string  `json:"archive"`
	Start    moment  `json:"start"`
	End      moment  `json:"end"`
	Interval float64 `json:"interval"` // between records, in seconds; 0 for what the archive says
	Faults   []fault `json:"faults"`
	Quiet    []span  `json:"quiet"` // in which nothing happened; without faults all of it
	// Ends are moments at which something ended whose end is known, apart from the faults.
	Ends []moment `json:"ends"`
	// Partial is set where more happened than is listed: what is found beside the
	// faults is not counted as wrong.
	Partial bool `json:"partial"`
	// FindingsOnly is set where faults are short and change a state, which findings report,
	// and the rest is done too: explanations, the story and quiet windows are not judged.
	FindingsOnly bool `json:"findingsOnly"`
}

// A fault is one thing that happened.
type fault struct {
	span
	Kind    string `json:"kind"`
	Family  string `json:"family"`  // what an expert would name first, as api.ExplanationRow.Family
	Command string `json:"command"` // the program behind it; "" where nobody knows
}

// A span of time.
type span struct {
	Start moment `json:"start"`
	End   moment `json:"end"`
}

// A moment is in seconds since 1970; in JSON such a number, or a time as in
// RFC 3339.
type moment float64

func (m *moment) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		at, err := time.Parse(time.RFC3339Nano, text)
		*m = moment(float64(at.UnixNano()) / 1e9)
		return err
	}
	return json.Unmarshal(data, (*float64)(m))
}

func (m moment) nanos() int64 { return int64(math.Round(float64(m) * 1e9)) }

func (s span) seconds() float64 { return float64(s.End - s.Start) }

// truthName is the file of a recording that says what is known of it.
const truthName = "truth.json"

func readTruth(folder string) (truth, error) {
	name := filepath.Join(folder, truthName)
	data, err := os.ReadFile(name)
	if err != nil {
		return truth{}, err
	}
	var t truth
	if err := json.Unmarshal(data, &t); err != nil {
		return t, fmt.Errorf("%s: %w", name, err)
	}
	if t.Archive != "" {
		t.Archive = filepath.Join(folder, t.Archive)
	}
	if !(t.End > t.Start) {
		return t, fmt.Errorf("%s: it ends before it starts", name)
	}
	for _, f := range t.Faults {
		if !(f.End > f.Start) || f.Start < t.Start || f.Family == "" {
			return t, fmt.Errorf("%s: the fault %q has no family, or no span within the recording", name, f.Kind)
		}
	}
	slices.SortFunc(t.Faults, func(a, b fault) int { return int(math.Copysign(1, float64(a.Start-b.Start))) })
	if len(t.Faults) == 0 && len(t.Quiet) == 0 {
		t.Quiet = []span{{t.Start, t.End}}
	}
	return t, nil
}

// settled returns when the recording is of a machine on which nothing happens but its
// faults: from the first one on, because before it fault-lab writes the file of 1.5 GB
// that its programs read.
func (t *truth) settled() moment {
	if len(t.Faults) == 0 {
		return t.Start
	}
	return t.Faults[0].Start
}

// during returns the fault that was going on within slack seconds of a moment.
func (t *truth) during(at moment, slack float64) *fault {
	for i := range t.Faults {
		if f := &t.Faults[i]; at >= f.Start-moment(slack) && at <= f.End+moment(slack) {
			return f
		}
	}
	return nil
}
