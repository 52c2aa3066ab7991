package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// program times the program for the command line as a user waits for it: cold,
// over the unpacked archive, beside the tool of PCP's that prints the same.
func program(root, archive, scratch string, repeat int) error {
	binary := filepath.Join(scratch, "pcpscope")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./cmd/pcpscope")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	tables := filepath.Join(scratch, "tables")
	fmt.Printf("\nthe program, cold, medians of %d:\n", repeat)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "command\tpcpscope\tPCP\ttimes\tmust\tcommand of PCP's")
	for _, r := range []struct{ ours, theirs, must string }{
		{"summary ARCHIVE", "pmlogsummary -z ARCHIVE", "1"},
		{"values " + manyMetric + " -t 60 ARCHIVE", "pmval -z -t 60sec -a ARCHIVE " + manyMetric, "20"},
		{"convert --force -o TABLES ARCHIVE", "", "5 s"},
	} {
		fill := func(line string) []string {
			return strings.Fields(strings.NewReplacer("ARCHIVE", archive, "TABLES", tables).Replace(line))
		}
		ours, err := commandTime(repeat, binary, fill(r.ours)...)
		if err != nil {
			return fmt.Errorf("%s: %w", r.ours, err)
		}
		var theirs time.Duration
		if args := fill(r.theirs); len(args) > 0 {
			theirs, _ = commandTime(repeat, args[0], args[1:]...) // 0 where it is not installed
		}
		times := ""
		if theirs > 0 {
			times = fmt.Sprintf("%.1f", theirs.Seconds()/ours.Seconds())
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", r.ours, show(ours), show(theirs), times, r.must, r.theirs)
	}
	w.Flush()
	packed, err := sizes(filepath.Join(tables, "*.parquet"))
	if err != nil {
		return err
	}
	raw, err := sizes(archive + ".*")
	if err != nil {
		return err
	}
	fmt.Printf("tables of the archive as Parquet: %d bytes, 1/%d of the archive; at most 1/10\n", packed, raw/max(1, packed))
	return nil
}

// sizes is how many bytes the files of a pattern have together.
func sizes(pattern string) (bytes int64, err error) {
	files, err := filepath.Glob(pattern)
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return 0, err
		}
		bytes += info.Size()
	}
	return bytes, err
}

// commandTime is the median of how long a command takes; after one that takes
// longer than 5 s there is no other.
func commandTime(repeat int, name string, args ...string) (time.Duration, error) {
	var took []time.Duration
	for range repeat {
		start := time.Now()
		if err := exec.Command(name, args...).Run(); err != nil {
			return 0, err
		}
		if took = append(took, time.Since(start)); took[0] > 5*time.Second {
			break
		}
	}
	return median(took), nil
}
