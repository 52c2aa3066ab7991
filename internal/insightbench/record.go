package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A recording is a line of recordings.txt: a folder beside it with a truth.json, and
// what it is used for. For those made by fault-lab there is the seed, the seconds
// between records, and the duration in minutes.
type recording struct {
	folder, use             string
	seed, interval, minutes int
	quiet                   bool
}

// listName is the file that says which recordings thresholds are tuned on, and which
// figures are measured on.
const listName = "recordings.txt"

func readRecordings(file string) ([]recording, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []recording
	for i, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		wrong := func(what string) error { return fmt.Errorf("%s:%d: %s", file, i+1, what) }
		if len(fields) != 2 && len(fields) != 5 && len(fields) != 6 {
			return nil, wrong("a folder and its use are expected, and for one to be made seed, interval, minutes and perhaps \"quiet\"")
		}
		r := recording{folder: filepath.Join(filepath.Dir(file), fields[0]), use: fields[1]}
		if r.use != "tune" && r.use != "measure" {
			return nil, wrong(fmt.Sprintf("the use %q is neither \"tune\" nor \"measure\"", r.use))
		}
		if len(fields) > 2 {
			for k, to := range []*int{&r.seed, &r.interval, &r.minutes} {
				if *to, err = strconv.Atoi(fields[2+k]); err != nil || *to < 1 {
					return nil, wrong(fmt.Sprintf("%q is no number above 0", fields[2+k]))
				}
			}
		}
		if len(fields) == 6 {
			if r.quiet = fields[5] == "quiet"; !r.quiet {
				return nil, wrong(fmt.Sprintf("%q is not \"quiet\"", fields[5]))
			}
		}
		list = append(list, r)
	}
	return list, nil
}

// made reports whether a recording exists.
func (r recording) made() bool {
	_, err := os.Stat(filepath.Join(r.folder, truthName))
	return !errors.Is(err, fs.ErrNotExist)
}

// record lets fault-lab record this machine, which should do nothing else meanwhile,
// and prepares the result.
func (r recording) record(ctx context.Context, lab string, out io.Writer) error {
	scratch, err := os.MkdirTemp("", "insightbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	args := []string{lab, scratch, "--minutes", strconv.Itoa(r.minutes), "--seed", strconv.Itoa(r.seed), "--interval", strconv.Itoa(r.interval)}
	if r.quiet {
		args = append(args, "--quiet")
	}
	fmt.Fprintf(out, "%s: seed %d, every %d s, for %d minutes\n", r.folder, r.seed, r.interval, r.minutes)
	c := exec.CommandContext(ctx, "python3", args...)
	c.Stdout, c.Stderr = out, out
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", lab, err)
	}
	return prepare(ctx, scratch, r.folder, out)
}
