package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

func (r *run) info() *cobra.Command {
	c := &cobra.Command{
		Use:     "info ARCHIVE...",
		Short:   "What is there: host, span, metrics, gaps, damage",
		Example: "  pcpscope info /var/log/pcp/pmlogger/web01\n  pcpscope info --json sosreport.tar.xz | jq .source.host",
	}
	r.zoneFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return r.each(c.Context(), args, func(s *core.Session, src api.Source) error {
			if r.json {
				return r.reply(&src, src)
			}
			loc := r.location(src)
			w := r.table()
			row := func(name, value string) { fmt.Fprintf(w, "%s\t%s\n", name, value) }
			row("source", r.called(src))
			row("host", orUnknown(src.Host))
			row("kind", fmt.Sprintf("%s, version %d", src.Kind, src.Version))
			row("start", stamp(src.Start, loc))
			row("end", stamp(src.End, loc))
			row("zone", src.Timezone+suffix(" ", src.Zoneinfo))
			row("metrics", pcp.Grouped(int64(src.Metrics)))
			row("files", fmt.Sprintf("%d, %s bytes", len(src.Members), pcp.Grouped(src.Bytes)))
			row("gaps", gaps(src))
			row("problems", fmt.Sprint(len(src.Problems)))
			fmt.Fprintln(w)
			return w.Flush()
		})
	}
	return c
}

// gaps counts the interruptions of each kind. A mark says that logging was interrupted, not for
// how long: often a logger was restarted, and nothing is missing.
func gaps(src api.Source) string {
	number := map[string]int{}
	for _, g := range src.Gaps {
		number[g.Why]++
	}
	if number["mark"] > 0 {
		number["mark"] += src.GapCount - len(src.Gaps) // the list has no room for all marks
	}
	var list []string
	for _, kind := range []struct{ why, one, more string }{
		{"missing volume", "missing volume", "missing volumes"}, {"between archives", "between archives", "between archives"}, {"mark", "mark", "marks"},
	} {
		if n := number[kind.why]; n > 0 {
			list = append(list, pcp.Counted(n, kind.one, kind.more))
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func suffix(between, text string) string {
	if text == "" {
		return ""
	}
	return between + text
}

func (r *run) metrics() *cobra.Command {
	c := &cobra.Command{
		Use:     "metrics ARCHIVE...",
		Short:   "Metrics with their types, semantics, units and help",
		Example: "  pcpscope metrics web01.tar\n  pcpscope metrics --prefix disk.dev web01.tar",
	}
	prefix := c.Flags().String("prefix", "", "only this metric, or those below this name")
	c.RunE = func(c *cobra.Command, args []string) error {
		return r.each(c.Context(), args, func(s *core.Session, src api.Source) error {
			list, err := s.Metrics(src.ID, *prefix)
			if err != nil {
				return err
			}
			if len(list) == 0 && *prefix != "" {
				return pcp.Faultf(pcp.UnknownMetric, "There is no metric %s here, and none below it.", *prefix)
			}
			if r.json {
				return r.reply(&src, list)
			}
			r.head(src)
			w := r.table()
			fmt.Fprintln(w, "metric\ttype\tsemantics\tunits\tinstances\tabout")
			for _, m := range list {
				domain := "-"
				if m.InDom != nil {
					domain = *m.InDom
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Type, m.Semantics, orDash(m.Units), domain, escaped.Replace(strings.TrimSpace(m.Oneline)))
			}
			return w.Flush()
		})
	}
	return c
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
