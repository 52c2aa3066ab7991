package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// figures are counts over recordings.
type figures struct {
	Recordings   int
	Faults       int       // that were explained
	First        int       // where the first row is of the right family
	Third        int       // where one of the first three is
	Commands     int       // faults whose command is known
	Named        int       // where it is named
	Onsets       []float64 // how far Explain is off, in samples
	Incidents    int       // faults at whose onset the story has an incident
	Ends         int       // known ends that are not those of faults
	EndsFound    int       // where the story has an incident, or the end of one
	Headlines    int       // incidents beside all faults
	QuietDays    float64   // beside them
	Pairs        int       // of quiet windows
	PairRows     int       // in which they are said to differ
	WindowRows   int       // of an explanation of one of them
	Warnings     int
	TrueWarnings int // where something happened
	Errors       int
	TrueErrors   int
	Seconds      float64 // of one thread for explanations, story and findings
}

func (f *figures) add(o figures) {
	f.Recordings += o.Recordings
	f.Faults += o.Faults
	f.First += o.First
	f.Third += o.Third
	f.Commands += o.Commands
	f.Named += o.Named
	f.Onsets = append(f.Onsets, o.Onsets...)
	f.Incidents += o.Incidents
	f.Ends += o.Ends
	f.EndsFound += o.EndsFound
	f.Headlines += o.Headlines
	f.QuietDays += o.QuietDays
	f.Pairs += o.Pairs
	f.PairRows += o.PairRows
	f.WindowRows += o.WindowRows
	f.Warnings += o.Warnings
	f.TrueWarnings += o.TrueWarnings
	f.Errors += o.Errors
	f.TrueErrors += o.TrueErrors
	f.Seconds += o.Seconds
}

// rows are the printed figures, each with its goal.
func (f *figures) rows() [][3]string {
	share := func(n, of int) string {
		if of == 0 {
			return "none"
		}
		return fmt.Sprintf("%.0f %% (%d of %d)", 100*float64(n)/float64(of), n, of)
	}
	per := func(n int, of float64) string {
		if of == 0 {
			return "none"
		}
		return fmt.Sprintf("%.2f (%d in %.3g)", float64(n)/of, n, of)
	}
	onset := "none"
	if m := median(f.Onsets); !math.IsNaN(m) {
		onset = fmt.Sprintf("%.1f samples", m)
	}
	return [][3]string{
		{"explain: the right family is the first row", share(f.First, f.Faults), "70 %"},
		{"explain: among the first three", share(f.Third, f.Faults), "90 %"},
		{"explain: the program is named", share(f.Named, f.Commands), "80 %"},
		{"explain: error of the onset, median", onset, "2 samples"},
		{"story: an incident at the onset", share(f.Incidents, f.Faults), ""},
		{"story: known ends that it has", share(f.EndsFound, f.Ends), ""},
		{"story: incidents beside the faults, a day", per(f.Headlines, f.QuietDays), "0.2"},
		{"comparison: rows for a pair of quiet windows", per(f.PairRows, float64(f.Pairs)), "0.5"},
		{"explain: rows for a quiet window", per(f.WindowRows, float64(f.Pairs)), ""},
		{"findings: warnings where something happened", share(f.TrueWarnings, f.Warnings), "85 %"},
		{"findings: errors where something happened", share(f.TrueErrors, f.Errors), "99 %"},
		{"time for explanations, story and findings", fmt.Sprintf("%.2f s", f.Seconds), ""},
	}
}

// print writes a table, with the figures of another version beside where there
// is one.
func (f *figures) print(w io.Writer, before *figures) {
	fmt.Fprintf(w, "%d recordings, %d faults\n", f.Recordings, f.Faults)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, row := range f.rows() {
		fmt.Fprintf(t, "%s\t%s\t", row[0], row[1])
		if before != nil {
			fmt.Fprintf(t, "before: %s\t", before.rows()[i][1])
		}
		if row[2] != "" {
			fmt.Fprintf(t, "goal: %s", row[2])
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
