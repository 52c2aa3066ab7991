package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/catalog"
	"pcpscope/internal/fleet"
)

func (r *run) index() *cobra.Command {
	c := &cobra.Command{
		Use:   "index FOLDER|ADDRESS",
		Short: "Index archives of many hosts for the fleet page and for engines",
		Long: `Writes figures of every hour, findings and coverage of all hosts as a dataset that engines read
(Parquet), and that the page shows as /?fleet=. FOLDER has a folder for each host, as pmlogger's; ADDRESS is where a
server lists archives (catalog.json). What has not changed since the last time is not read again. docs/fleet.md`,
		Example: "  pcpscope index /var/log/pcp/pmlogger\n  pcpscope index https://pcp.example.com/archives/ --output fleet --token-file token",
		Args:    cobra.ExactArgs(1),
	}
	output := c.Flags().StringP("output", "o", "", "folder of the dataset; "+fleet.Folder+" in FOLDER by default")
	archives := c.Flags().String("archives", "", "URL of the folder with the hosts, relative to the dataset; default: the parent folder, or ADDRESS")
	metrics := c.Flags().StringSliceP("metric", "m", nil, "keep every series of these metrics instead of the default ones")
	lanes := c.Flags().Int("lanes", 0, "number of hosts to read in parallel; default: the number of CPUs")
	token := c.Flags().String("token-file", "", "file with the token that ADDRESS requires")
	c.RunE = func(c *cobra.Command, args []string) error {
		remote := strings.Contains(args[0], "://")
		if *output == "" {
			if remote {
				return wrong("index: --output names the folder of the dataset where archives are read from a server")
			}
			*output = filepath.Join(args[0], fleet.Folder)
		}
		if c.Flags().Changed("lanes") && *lanes < 1 {
			return wrong("index: --lanes is a number from 1 on; it is %d", *lanes)
		}
		if *token != "" && !remote {
			return wrong("index: --token-file goes with the address of a server")
		}
		secret := ""
		if *token != "" {
			text, err := os.ReadFile(*token)
			if err != nil {
				return pcp.Faultf(pcp.Internal, "%v.", err)
			}
			secret = strings.TrimSpace(string(text))
		}
		if *archives == "" && remote {
			*archives = strings.TrimSuffix(strings.TrimSuffix(args[0], catalog.Name), "/") + "/"
		}
		src, err := fleet.Open(args[0], secret)
		if err != nil {
			return pcp.Faultf(pcp.Internal, "%v.", err)
		}
		if err := haveFolder(filepath.Dir(filepath.Clean(*output))); err != nil {
			return err
		}
		report, err := fleet.Index(c.Context(), src, fleet.Options{Dir: *output, Archives: *archives, Metrics: *metrics, Lanes: *lanes,
			Progress: func(done, of int) {
				r.progress(api.Progress{Phase: fmt.Sprintf("day %d of %d", done, of), Done: float64(done), Total: float64(of)})
			}})
		for _, p := range report.Problems {
			r.unreadable("%s", p)
		}
		for i, n := range report.Notes {
			const limit = 10
			if i == limit {
				r.note("and %s of hosts with something to note; coverage has them in the column problem", pcp.Counted(len(report.Notes)-limit, "more day", "more days"))
				break
			}
			r.note("%s", n)
		}
		switch {
		case c.Context().Err() != nil:
			return pcp.Faultf(pcp.Cancelled, "Stopped; what was written counts, and the next run goes on from there.")
		case errors.Is(err, fleet.ErrBusy):
			return pcp.Faultf(pcp.Unsupported, "%v.", err)
		case err != nil:
			return err
		}
		if report.Days == 0 && len(report.Problems) == 0 {
			return pcp.Faultf(pcp.Unsupported, "There is no archive in a folder of a host in %s.", args[0])
		}
		if len(report.Without) > 0 {
			r.note("None of these archives has numbers of %s; --metric takes the full names of metrics.", strings.Join(report.Without, ", "))
			r.status = Wrong
		}
		if r.json {
			return r.reply(nil, report)
		}
		_, err = fmt.Fprintf(r.Out, "%s: hosts: %d, days: %d, days of hosts read: %d, unchanged: %d, files: %d, bytes: %d\n", *output, report.Hosts, report.Days, report.Read, report.Same, report.Files, report.Bytes)
		return err
	}
	return c
}
