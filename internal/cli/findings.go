package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// levels are the names of api.Levels for people. Scripts may use either.
var levels = []string{"error", "warning", "note"}

// levelOf is the index of a level in api.Levels, -1 if there is none of that name.
func levelOf(name string) int {
	return max(slices.Index(levels, name), slices.Index(api.Levels, name))
}

func (r *run) findings() *cobra.Command {
	c := &cobra.Command{
		Use:     "findings ARCHIVE...",
		Short:   "Errors, warnings and notes, with the reasons",
		Example: "  pcpscope findings web01\n  pcpscope findings --fail-on warning web01   # exit status 1 where there is one",
	}
	level := c.Flags().String("level", "note", "list findings of this level and worse: "+strings.Join(levels, ", "))
	failOn := c.Flags().String("fail-on", "", "exit with status 1 if there is a finding of this level or worse")
	for _, flag := range []string{"level", "fail-on"} {
		c.RegisterFlagCompletionFunc(flag, oneOf(levels))
	}
	r.zoneFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		limit, fails := levelOf(*level), levelOf(*failOn)
		if limit < 0 || fails < 0 && c.Flags().Changed("fail-on") {
			return wrong("levels of findings are %s", strings.Join(levels, ", "))
		}
		return r.each(c.Context(), args, func(s *core.Session, src api.Source) error {
			list, err := s.Findings(c.Context(), src.ID, r.progress)
			if err != nil {
				return err
			}
			for _, f := range list {
				if slices.Index(api.Levels, f.Level) <= fails {
					r.status = Broken
				}
			}
			list = slices.DeleteFunc(slices.Clone(list), func(f api.Finding) bool { return slices.Index(api.Levels, f.Level) > limit })
			if r.json {
				return r.reply(&src, list)
			}
			r.head(src)
			r.listFindings(src, list)
			return nil
		})
	}
	return c
}

// endOf is the end of a stretch of time, with its date and its distance from UTC where
// they are not those of the start.
func endOf(start, end pcp.Time, loc *time.Location) string {
	from, to := start.Std().In(loc), end.Std().In(loc)
	layout := time.DateTime
	if to.Format(time.DateOnly) == from.Format(time.DateOnly) {
		layout = time.TimeOnly
	}
	if to.Format("-07:00") != from.Format("-07:00") {
		layout += " -07:00"
	}
	return to.Format(layout)
}

func (r *run) listFindings(src api.Source, list []api.Finding) {
	loc := r.location(src)
	for _, f := range list {
		fmt.Fprintf(r.Out, "%-7s  %s to %s  %s\n", levels[max(0, slices.Index(api.Levels, f.Level))], stamp(f.Start, loc), endOf(f.Start, f.End, loc), f.Text)
		if f.Rule != "" {
			fmt.Fprintf(r.Out, "         rule: %s\n", f.Rule)
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(r.Out, "no findings")
	}
}

func (r *run) check() *cobra.Command {
	c := &cobra.Command{
		Use:     "check EXPRESSION ARCHIVE...",
		Short:   "Fail where an expression leaves a limit",
		Long:    "Looks at every observation of a metric or expression, counters as rates. Exit status 1 where it is bad for --for and longer, or has no values.",
		Example: "  pcpscope check kernel.all.load -i '1 minute' --above 10 --for 1min web01\n  pcpscope check 'mem.util.free > 100000' --always web01",
		Args:    cobra.MinimumNArgs(2),
	}
	var w window
	r.windowFlags(c, &w, false)
	above := c.Flags().Float64("above", 0, "bad is what is above this")
	below := c.Flags().Float64("below", 0, "bad is what is below this")
	always := c.Flags().Bool("always", false, "the expression is a condition that must always hold")
	length := c.Flags().String("for", "", "ignore shorter violations")
	instances := instancesFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return r.eachIn(c.Context(), &w, args[1:], func(s *core.Session, src api.Source) error {
			q := api.CheckQuery{Source: src.ID, Expression: args[0], Instances: *instances, Always: *always, For: when(*length), Start: when(w.start), End: when(w.end), Zone: r.zoneName()}
			if c.Flags().Changed("above") {
				q.Above = above
			}
			if c.Flags().Changed("below") {
				q.Below = below
			}
			if err := s.HaveInstances(src.ID, []string{q.Expression}, q.Instances); err != nil {
				return err
			}
			answer, err := s.CheckRule(c.Context(), q, r.progress)
			if err != nil {
				return err
			}
			if !answer.OK {
				r.status = Broken
			}
			if r.json {
				return r.reply(&src, answer)
			}
			state := "ok"
			if !answer.OK {
				state = "BROKEN"
			}
			fmt.Fprintf(r.Out, "%-6s  %s: %s\n", state, r.called(src), answer.Sentence)
			return nil
		})
	}
	return c
}
