package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"

	"pcpscope/wasm/edge/worker"
)

// writeCatalog writes the catalogue of a folder of archives into it, replacing
// each file atomically.
func writeCatalog(_ string, args []string) error {
	flags := flag.NewFlagSet("catalog", flag.ContinueOnError)
	at := flags.String("at", "/archives/", "address at which the folder is served")
	dir := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' { // also before the options
		dir, args = args[0], args[1:]
	}
	if flags.Parse(args) != nil {
		return flag.ErrHelp // Parse has reported the error
	}
	if dir == "" {
		dir = flags.Arg(0)
	}
	if dir == "" || flags.NArg() > 1 {
		return errors.New("Which folder? ./build.sh catalog /var/log/pcp/pmlogger")
	}
	folder, err := worker.OpenFolder(dir)
	if err != nil {
		return err
	}
	hosts, days, err := worker.NewFolderCatalog(folder).Write(context.Background(), *at, func(name string, v any) error {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(file+".new", text, 0o644); err != nil {
			return err
		}
		return os.Rename(file+".new", file)
	})
	if err != nil {
		return err
	}
	say("%s: hosts: %d, days: %d", filepath.Join(dir, "catalog.json"), hosts, days)
	return nil
}
