package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/pmie"
)

func (r *run) explain() *cobra.Command {
	c := &cobra.Command{
		Use:     "explain ARCHIVE...",
		Short:   "What was unusual in a window",
		Long:    "Compares a window with other periods of the archive, of the same length: what left its usual range, since when, and who used the resources.",
		Example: "  pcpscope explain -S 14:40 -T 14:50 web01",
	}
	var w window
	r.windowFlags(c, &w, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		return r.eachIn(c.Context(), &w, args, func(s *core.Session, src api.Source) error {
			x, err := s.Explain(c.Context(), api.ExplainQuery{Source: src.ID, Start: when(w.start), End: when(w.end), Zone: r.zoneName()}, r.progress)
			if err != nil {
				return err
			}
			if r.json {
				return r.reply(&src, x)
			}
			r.head(src)
			loc := r.location(src)
			fmt.Fprintf(r.Out, "window: %s to %s\n", stamp(x.Start, loc), stamp(x.End, loc))
			for i, text := range x.Text {
				if i < len(x.Rows) && x.Rows[i].Since != nil {
					text = strings.TrimSuffix(text, ".") + "; since " + stamp(*x.Rows[i].Since, loc) + "."
				}
				fmt.Fprintln(r.Out, text)
			}
			r.why(x.Why)
			return nil
		})
	}
	return c
}

func (r *run) story() *cobra.Command {
	c := &cobra.Command{
		Use:     "story ARCHIVE...",
		Short:   "What happened: incidents, recurring jobs, the host's history",
		Example: "  pcpscope story web01\n  pcpscope story -S 10:00 -T 18:00 web01",
	}
	var w window
	r.windowFlags(c, &w, false)
	least := c.Flags().Float64("least", 0, "score from which an incident is listed; default 8")
	c.RunE = func(c *cobra.Command, args []string) error {
		zeroCounts(c, "least", least)
		return r.eachIn(c.Context(), &w, args, func(s *core.Session, src api.Source) error {
			x, err := s.Story(c.Context(), api.StoryQuery{Source: src.ID, Start: when(w.start), End: when(w.end), Zone: r.zoneName(), Least: *least}, r.progress)
			if err != nil {
				return err
			}
			if r.json {
				return r.reply(&src, x)
			}
			r.head(src)
			for _, text := range x.Text {
				fmt.Fprintln(r.Out, text)
			}
			loc := r.location(src)
			for _, e := range x.History {
				fmt.Fprintf(r.Out, "%s: %s\n", stamp(e.At, loc), e.Text)
			}
			r.why(x.Why)
			return nil
		})
	}
	return c
}

// why prints why there is no answer.
func (r *run) why(text string) {
	if text != "" {
		fmt.Fprintln(r.Out, text)
	}
}

func (r *run) moves() *cobra.Command {
	c := &cobra.Command{
		Use:     "moves METRIC ARCHIVE...",
		Short:   "What moves with a series, and whether before or after it",
		Long:    "Ranks the other series of a host, and commands, by how closely they rise and fall with a metric or an expression: rho is Spearman's rank correlation.",
		Example: "  pcpscope moves disk.dev.aveq -i sdb web01\n  pcpscope moves 'kernel.all.cpu.user + kernel.all.cpu.sys' -S 14:00 -T 15:00 web01",
		Args:    cobra.MinimumNArgs(2),
	}
	var w window
	r.windowFlags(c, &w, false)
	instance := c.Flags().StringP("instance", "i", "", "the instance, if there are several")
	limit := c.Flags().Int("limit", 0, "how many rows, 1 to 100; default 12")
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("limit") && *limit == 0 {
			return wrong("moves: --limit is from 1 to 100")
		}
		return r.eachIn(c.Context(), &w, args[1:], func(s *core.Session, src api.Source) error {
			if *instance != "" {
				if err := s.HaveInstances(src.ID, args[:1], []string{*instance}); err != nil {
					return err
				}
			}
			x, err := s.Moves(c.Context(), api.MovesQuery{Source: src.ID, Metric: args[0], Instance: *instance, Start: when(w.start), End: when(w.end), Zone: r.zoneName(), Limit: *limit}, r.progress)
			if err != nil {
				return err
			}
			if r.json {
				return r.reply(&src, x)
			}
			r.head(src)
			if r.why(x.Why); len(x.Rows) == 0 {
				return nil
			}
			t := r.table()
			fmt.Fprintln(t, "rho\tlag\tseries or command\tsubject")
			for _, row := range x.Rows {
				name := series(row.Metric, row.Instance)
				if row.Command != "" {
					name = row.Command + ", " + row.Name
				}
				subject := row.Subject
				if row.Same {
					subject += " (the same)"
				}
				fmt.Fprintf(t, "%.2f\t%s\t%s\t%s\n", row.Rho, lag(row.Lag), escaped.Replace(name), escaped.Replace(subject))
			}
			return t.Flush()
		})
	}
	return c
}

// lag says which came first.
func lag(seconds float64) string {
	switch {
	case seconds < 0:
		return number(math.Abs(seconds)) + " s before it"
	case seconds > 0:
		return number(seconds) + " s after it"
	}
	return "-"
}

func (r *run) rules() *cobra.Command {
	c := &cobra.Command{
		Use:     "rules FILE ARCHIVE...",
		Short:   "When rules in the language of pmie(1) were true",
		Long:    "Evaluates the rules of a file for pmie or pmieconf (- is the standard input) over an archive. No action is carried out.",
		Example: "  pcpscope rules load.pmie web01\n  pcpscope rules --fail load.pmie web01   # exit status 1 where one was true",
		Args:    cobra.MinimumNArgs(2),
	}
	var w window
	r.windowFlags(c, &w, false)
	fail := c.Flags().Bool("fail", false, "exit with status 1 if a rule was true, 3 if one could not be evaluated")
	c.RunE = func(c *cobra.Command, args []string) error {
		text, err := r.textOf(args[0])
		if err != nil {
			return err
		}
		refused, evaluated := map[int]bool{}, map[int]bool{} // by the rule's place
		err = r.eachIn(c.Context(), &w, args[1:], func(s *core.Session, src api.Source) error {
			q := api.RulesQuery{Source: src.ID, Text: text, File: filepath.Base(args[0]), Start: when(w.start), End: when(w.end), Zone: r.zoneName()}
			x, err := s.RunRules(c.Context(), q, r.progress)
			if err != nil {
				return err
			}
			if len(x.Rules) == 0 { // such as the output of a program that failed: nothing was looked at
				return pcp.Faultf(pcp.BadArgument, "There are no rules in %s.", args[0])
			}
			for i, rule := range x.Rules {
				if *fail && rule.True > 0 {
					r.status = Broken
				}
				switch {
				case rule.Fault == nil:
					evaluated[i] = true
				case rule.Fault.Kind != pcp.UnknownMetric || !pmie.IsConf(text): // pmieconf's rules are for all systems
					refused[i] = true
				}
			}
			if r.json {
				return r.reply(&src, x)
			}
			r.head(src)
			return r.lanes(src, x)
		})
		if r.status != Broken {
			r.status = max(r.status, ofRefused(refused, evaluated, *fail))
		}
		return err
	}
	return c
}

// ofRefused is the exit status of rules that could not be evaluated: wrong if none could be. Where
// true rules fail, one that is not evaluated must not pass for one that was never true.
func ofRefused(refused, evaluated map[int]bool, fail bool) int {
	status := Done
	for i := range refused {
		switch {
		case len(evaluated) == 0 || fail && !evaluated[i]:
			return Wrong
		case fail:
			status = Unreadable
		}
	}
	return status
}

// textOf reads a file of text, or the standard input.
func (r *run) textOf(name string) (string, error) {
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(r.In)
	} else {
		text, err = os.ReadFile(name)
	}
	return string(text), err
}

// lanes prints when rules were true.
func (r *run) lanes(src api.Source, x api.RuleResults) error {
	loc := r.location(src)
	layout := clock(whenTrue(x), loc)
	t := r.table()
	fmt.Fprintln(t, "rule\tinstance\ttrue from\tto\tsays")
	for _, rule := range x.Rules {
		said, known := false, false
		for _, lane := range rule.Lanes {
			instance := "-"
			if lane.Instance != nil {
				instance = escaped.Replace(lane.Instance.Name)
			}
			for _, run := range lane.Runs {
				known = known || run.State != "unknown"
				if run.State == "true" {
					said = true
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", rule.Name, instance, run.Start.Std().In(loc).Format(layout), run.End.Std().In(loc).Format(layout), orDash(escaped.Replace(run.Says)))
				}
			}
		}
		switch {
		case rule.Fault != nil:
			r.note("%s: %s: %s", r.called(src), rule.Name, rule.Fault.Message)
		case said:
		case rule.Number:
			fmt.Fprintf(t, "%s\t-\ta number\t-\t-\n", rule.Name)
		case !known:
			fmt.Fprintf(t, "%s\t-\tunknown\t-\t-\n", rule.Name)
		default:
			fmt.Fprintf(t, "%s\t-\tnever\t-\t-\n", rule.Name)
		}
	}
	return t.Flush()
}

// whenTrue are the times at which rules began and ceased to be true.
func whenTrue(x api.RuleResults) []pcp.Time {
	var list []pcp.Time
	for _, rule := range x.Rules {
		for _, lane := range rule.Lanes {
			for _, run := range lane.Runs {
				if run.State == "true" {
					list = append(list, run.Start, run.End)
				}
			}
		}
	}
	return list
}
