// Package cli is the command-line program: it answers the same questions as the
// page, through package core, as tables for people and as the JSON of the API
// for programs.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"pcpscope/core/pcp"
)

// Exit statuses; docs/cli.md lists them.
const (
	Done       = 0
	Broken     = 1 // a rule was broken
	Unreadable = 2 // something could not be read or written
	Wrong      = 3 // the command line is invalid
)

// Streams are the program's inputs and outputs.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal bool // Err is a terminal: show progress
}

// A run is one invocation of the program.
type run struct {
	Streams
	exact  io.Writer // Out, for what is not text for people: JSON and HTML
	json   bool
	zone   string
	force  bool
	status int
	notes  []string  // printed at the end
	named  []string  // the arguments that name files
	apart  bool      // the archives being read are in several folders: see called
	drawn  time.Time // when progress was last drawn
	wide   int       // width of the progress text
}

// errWrong marks errors of the command line.
type errWrong struct{ error }

func wrong(format string, args ...any) error { return errWrong{fmt.Errorf(format, args...)} }

// Run runs the program and returns its exit status.
func Run(ctx context.Context, s Streams, args []string) int {
	out := bufio.NewWriterSize(s.Out, 64<<10)
	s.Out, s.Err = plainWriter{out}, plainWriter{s.Err}
	r := &run{Streams: s, exact: out}
	root := r.root()
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(out)
	root.SetErr(s.Err)
	refuseUnknownTopics(root) // after SetOut: completion keeps where it writes
	err := root.ExecuteContext(ctx)
	r.clearProgress()
	if flushed := out.Flush(); flushed != nil && err == nil {
		err = flushed
	}
	for _, n := range r.notes {
		fmt.Fprintln(s.Err, "pcpscope:", n)
	}
	var usage errWrong
	switch {
	case err == nil:
	case errors.Is(err, syscall.EPIPE): // the reader of the output has seen enough
	case errors.As(err, &usage):
		fmt.Fprintln(s.Err, "pcpscope:", err)
		return Wrong
	default:
		fmt.Fprintln(s.Err, "pcpscope:", err)
		if isWrong(pcp.AsFault(err).Kind) || strings.HasPrefix(err.Error(), "unknown command") { // cobra's
			return Wrong
		}
		return Unreadable
	}
	return r.status
}

// isWrong reports whether what was asked is wrong, of one source at least.
func isWrong(kind pcp.FaultKind) bool {
	return slices.Contains([]pcp.FaultKind{pcp.BadArgument, pcp.BadExpression, pcp.UnknownMetric, pcp.UnknownInstance}, kind)
}

func (r *run) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "pcpscope",
		Short: "Read Performance Co-Pilot archives and MMV files",
		Long: `pcpscope reads archives of Performance Co-Pilot (PCP) and MMV files: files, folders,
archives by their base name, containers (tar, zip, sosreports) and globs.

Exit status: 0 all was done; 1 a rule was broken (check, rules --fail, findings --fail-on);
2 something could not be read or written, the rest was done; 3 the command line makes no sense.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return r.knownZone(c) }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // which function of Go could not read it
		return wrong("%s", text)
	})
	root.PersistentFlags().BoolVar(&r.json, "json", false, "print JSON: a line for each source, with the answer as the API gives it")
	root.AddCommand(r.info(), r.metrics(), r.values(), r.summary(), r.findings(), r.explain(), r.story(), r.moves(), r.rules(), r.compare(), r.report(), r.check(), r.save(), r.convert(), r.index(), r.serve())
	for _, c := range root.Commands() {
		if c.Args == nil {
			c.Args = cobra.MinimumNArgs(1)
		}
		args := c.Args
		c.Args = func(c *cobra.Command, list []string) error {
			if err := args(c, list); err != nil {
				return wrong("%s: %v; see pcpscope help %s", c.Name(), err, c.Name())
			}
			return nil
		}
	}
	return root
}

// refuseUnknownTopics makes help and completion fail for what they do not know: a help text in
// a completion file, with the status 0, is no success.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, topic []string) error {
				if _, rest, err := root.Find(topic); err != nil || len(rest) > 0 {
					return wrong("help: there is no command %s", strings.Join(topic, " "))
				}
				return nil
			}
		case "completion":
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() } // which takes no arguments
		}
	}
}

// oneOf completes an option that has a few values.
func oneOf(values []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

// note adds a sentence to be printed at the end, once.
func (r *run) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, n := range r.notes {
		if n == text {
			return
		}
	}
	r.notes = append(r.notes, text)
}

// unreadable adds a sentence about something that could not be read. The status
// of a broken rule takes precedence.
func (r *run) unreadable(format string, args ...any) {
	r.note(format, args...)
	if r.status == Done {
		r.status = Unreadable
	}
}
