package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

func (r *run) compare() *cobra.Command {
	c := &cobra.Command{
		Use:   "compare ARCHIVE [OTHER]",
		Short: "What changed between two windows, or two archives",
		Long: `Compares window A with window B, of one source or of two: each subject (a disk, the CPUs, a command) by the series that says most about it, the largest differences first.
A window is START/FINISH, each in the forms of -S and -T; all of the source where it is absent.`,
		Example: "  pcpscope compare -A 10:00/10:30 -B 11:00/11:30 web01\n  pcpscope compare monday.tar tuesday.tar",
		Args:    cobra.RangeArgs(1, 2),
	}
	a := c.Flags().StringP("a", "A", "", "window A")
	b := c.Flags().StringP("b", "B", "", "window B")
	effect := c.Flags().Float64("effect", 0, "smallest effect that counts, 0 to 1 (usually 0.3)")
	shift := c.Flags().Float64("shift", 0, "smallest shift of the median or the mean that counts, as a share (usually 0.1)")
	processes := c.Flags().Bool("processes", false, "include the CPU time of commands")
	r.zoneFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 && (*a == "" || *b == "") {
			return wrong("compare: two windows of one archive are -A START/FINISH and -B START/FINISH")
		}
		zeroCounts(c, "effect", effect)
		q := api.CompareQuery{Zone: r.zoneName(), Effect: *effect, Shift: *shift, Processes: *processes}
		var err error
		if q.AStart, q.AEnd, err = span(*a); err != nil {
			return err
		}
		if q.BStart, q.BEnd, err = span(*b); err != nil {
			return err
		}
		s := core.NewSession(core.Options{Lanes: 2})
		var sources []api.Source
		for _, arg := range args {
			opened, closer, err := s.OpenPath(c.Context(), r.progress, slices.Concat(r.folders([]string{arg})...)...)
			if err != nil {
				return err
			}
			defer closer.Close()
			if r.rejected(opened); len(opened.Sources) == 0 && r.status != Done { // the problem has been noted
				return nil
			}
			if len(opened.Sources) == 0 {
				return pcp.Faultf(pcp.Unsupported, "There is no archive and no MMV file in %s.", arg)
			}
			if len(opened.Sources) > 1 {
				return pcp.Faultf(pcp.BadArgument, "%s holds %d sources; one is compared with one.", arg, len(opened.Sources))
			}
			src, err := s.Loaded(c.Context(), opened.Sources[0].ID, r.progress)
			if err != nil {
				return err
			}
			r.problems(src)
			sources = append(sources, src)
		}
		q.Source = sources[0].ID
		if len(sources) == 2 {
			r.apart = folderOf(sources[0]) != folderOf(sources[1])
			q.Other = sources[1].ID
		}
		answer, err := s.Compare(c.Context(), q, r.progress)
		if err != nil {
			return err
		}
		if r.json {
			return r.reply(&sources[0], answer)
		}
		return r.printComparison(answer, sources)
	}
	return c
}

// printComparison prints the windows, what changed most, what only one of them
// has, and the settings that differ.
func (r *run) printComparison(answer api.Comparison, sources []api.Source) error {
	for _, src := range sources {
		r.head(src)
	}
	loc, other := r.location(sources[0]), r.location(sources[len(sources)-1])
	fmt.Fprintf(r.Out, "A %s to %s\nB %s to %s\n%d of %d series differ\n", stamp(answer.A.Start, loc), stamp(answer.A.End, loc), stamp(answer.B.Start, other), stamp(answer.B.End, other), answer.Differ, answer.Compared)
	if answer.Why != "" {
		fmt.Fprintln(r.Out, answer.Why)
	}
	w := r.table()
	if len(answer.Changes) > 0 {
		fmt.Fprintln(w, "series\tmedian A\tmedian B\tmean A\tmean B\tshift\teffect\tunits")
	}
	for _, x := range answer.Changes {
		units := x.Units
		if of, share := strings.CutPrefix(x.Unit, "% of all"); share {
			units = "of all" + of // Values are fractions.
		} else if x.Command != "" {
			units = x.Unit
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%+.2f\t%s\t%s\n", escaped.Replace(x.Series()), number(x.MedianA), number(x.MedianB), number(x.MeanA), number(x.MeanB), number(x.Shift), x.Effect, units, others(len(x.With)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, o := range answer.Only {
		name := o.Command
		if name == "" {
			name = series(o.Metric, o.Instance)
		}
		if o.Instances > 0 {
			name = fmt.Sprintf("%d instances of %s", o.Instances, name)
		}
		fmt.Fprintf(r.Out, "%s only in %s\n", escaped.Replace(name), o.In)
	}
	for _, o := range answer.Settings {
		fmt.Fprintf(r.Out, "%s was %s in A, is %s in B\n", series(o.Metric, o.Instance), escaped.Replace(o.A), escaped.Replace(o.B))
	}
	return nil
}

// others says how many series of a subject changed beside the one that is shown.
func others(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("and %d more", n)
}

// span reads START/FINISH.
func span(text string) (start, end *api.When, err error) {
	if text == "" {
		return nil, nil, nil
	}
	from, to, ok := strings.Cut(text, "/")
	if !ok {
		return nil, nil, wrong("a window is START/FINISH, and %q is not", text)
	}
	return when(from), when(to), nil
}
