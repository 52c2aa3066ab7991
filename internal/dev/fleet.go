package main

import (
	"flag"
	"time"

	"pcpscope/internal/fleetgen"
)

// writeFleet writes archives of many made-up hosts, to try the index and the
// fleet page with.
func writeFleet(_ string, args []string) error {
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	hosts := flags.Int("hosts", 300, "how many")
	days := flags.Int("days", 30, "of each")
	dir := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' { // also before the options
		dir, args = args[0], args[1:]
	}
	if flags.Parse(args) != nil || dir == "" || flags.NArg() > 0 {
		return flag.ErrHelp
	}
	if err := fleetgen.Write(dir, *hosts, *days, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		return err
	}
	say("%s: hosts: %d, days: %d", dir, *hosts, *days)
	return nil
}
