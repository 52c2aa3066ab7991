package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/departures"
	"pcpscope/core/pcp"
	"pcpscope/internal/cli"
)

// looked are prefixes of metrics that insight uses besides those whose changes it
// reports: facts about the host, and what its processes use.
var looked = []string{
	"hinv.", "kernel.all.uptime", "kernel.all.boottime", "kernel.uname.", "mem.physmem", "network.interface.baudrate", "network.interface.speed", "pmcd.version",
	"proc.nprocs", "proc.psinfo.cmd", "proc.psinfo.sname", "proc.psinfo.utime", "proc.psinfo.stime", "proc.psinfo.start_time", "proc.psinfo.threads", "proc.psinfo.delayacct_blkio_time",
	"proc.memory.rss", "proc.memory.vmrss", "proc.io.read_bytes", "proc.io.write_bytes", "proc.io.cancelled_write_bytes", "proc.fd.count",
}

// looksAt reports whether insight looks at a metric.
func looksAt(metric string) bool {
	_, relevant := departures.KindOf(metric, pcp.Units{}, departures.Host{})
	return relevant || slices.ContainsFunc(looked, func(prefix string) bool { return strings.HasPrefix(metric, prefix) })
}

// recordingName is the base name of the archive in a folder that prepare wrote.
const recordingName = "recording"

// prepare writes a recording and its truth.json to a folder in a form to be
// committed: only what insight looks at, compressed, and without the names of the
// machine that it was made on. The truth gets the pseudonyms of commands.
func prepare(ctx context.Context, from, to string, out io.Writer) error {
	known, err := readTruth(from)
	if err != nil {
		return err
	}
	archive := from
	if known.Archive != "" {
		archive = known.Archive
	}
	s := core.NewSession(core.Options{Lanes: 2})
	opened, closer, err := s.OpenPath(ctx, nil, archive)
	if err != nil {
		return err
	}
	defer closer.Close()
	if len(opened.Sources) != 1 {
		return fmt.Errorf("%s: %d sources where one is needed", archive, len(opened.Sources))
	}
	metrics, err := s.Metrics(opened.Sources[0].ID, "")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	key := make([]byte, 16)
	rand.Read(key)
	q := api.SaveQuery{Source: opened.Sources[0].ID, Redact: &api.Redact{Key: hex.EncodeToString(key)}}
	args := []string{"save", "--redact", "--key", q.Redact.Key, "--zstd", "--force", "-o", filepath.Join(to, recordingName)}
	for _, m := range metrics {
		if m.Expression == "" && looksAt(m.Name) { // not derived from others
			q.Metrics = append(q.Metrics, m.Name)
			args = append(args, "-m", m.Name)
		}
	}
	if status := cli.Run(ctx, cli.Streams{In: strings.NewReader(""), Out: out, Err: out}, append(args, archive)); status != cli.Done {
		return fmt.Errorf("%s was not saved", archive)
	}
	return writeTruth(from, to, func(command string) (string, error) {
		got, err := s.RedactText(ctx, q, []string{command}, nil)
		if err != nil {
			return "", err
		}
		return got[0], nil
	})
}

// writeTruth copies what is known of a recording, as it was written, to where its
// archive lies beside it.
func writeTruth(from, to string, rename func(command string) (string, error)) error {
	data, err := os.ReadFile(filepath.Join(from, truthName))
	if err != nil {
		return err
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	delete(all, "archive")
	faults, _ := all["faults"].([]any)
	for _, f := range faults {
		one, _ := f.(map[string]any)
		if command, _ := one["command"].(string); command != "" {
			if one["command"], err = rename(command); err != nil {
				return err
			}
		}
	}
	if data, err = json.MarshalIndent(all, "", "\t"); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, truthName), append(data, '\n'), 0o644)
}
