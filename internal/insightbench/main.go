// Command insightbench judges findings, explanations, incidents and comparisons
// by recordings of which it is known what happened when:
//
//	go run ./internal/insightbench [-json FILE] [-against FILE] [-v] FOLDER...
//	go run ./internal/insightbench -use measure
//
// A folder holds archives and a truth.json (see truth). The figures of all
// recordings together are printed. Thresholds are to be tuned on some and measured
// on others: testdata/recordings.txt says on which, and how to make them. This makes
// those that are not there, or the one that is named, which takes as long as it
// lasts, on a machine that does nothing else:
//
//	go run ./internal/insightbench record [-lab FAULT-LAB] [FOLDER]
//	go run ./internal/insightbench record -seed 11 -every 2 -minutes 40 [-quiet] FOLDER
//
// A recording made by other means, with a truth.json beside it, is made into a folder
// that can be committed (small, and without the machine's names) by:
//
//	go run ./internal/insightbench prepare FROM TO
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"pcpscope/core"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "insightbench:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "prepare" {
		if len(args) != 3 {
			return fmt.Errorf("prepare: the folder of a recording and the one to write are expected")
		}
		return prepare(ctx, args[1], args[2], os.Stdout)
	}
	if len(args) > 0 && args[0] == "record" {
		return recordCommand(ctx, args[1:])
	}
	f := flag.NewFlagSet("insightbench", flag.ExitOnError)
	keep := f.String("json", "", "write the figures to this `file`, for -against")
	old := f.String("against", "", "print beside the figures of this `file`, which -json of another version wrote")
	verbose := f.Bool("v", false, "print what was found for every fault, and what was found beside them")
	seed := f.Uint64("seed", 1, "draws the quiet windows")
	use := f.String("use", "", "judge by the recordings of -list for this `use`, \"tune\" or \"measure\"")
	list := f.String("list", listFile, "the `file` that lists recordings")
	f.Parse(args)
	folders := f.Args()
	if *use != "" {
		all, err := readRecordings(*list)
		if err != nil {
			return err
		}
		for _, r := range all {
			switch {
			case r.use != *use:
			case r.made():
				folders = append(folders, r.folder)
			default:
				fmt.Fprintf(os.Stderr, "%s is left out: \"insightbench record\" makes it.\n", r.folder)
			}
		}
	}
	return run(folders, *keep, *old, *verbose, *seed)
}

const listFile = "internal/insightbench/testdata/" + listName

// recordCommand makes recordings: one as described by flags, or those of the list
// that are named or not there.
func recordCommand(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("record", flag.ExitOnError)
	lab := f.String("lab", "../shared/tools/fault-lab", "the `program` that records this machine")
	list := f.String("list", listFile, "the `file` that lists recordings")
	var one recording
	f.IntVar(&one.seed, "seed", 0, "draws the faults")
	f.IntVar(&one.interval, "every", 2, "seconds between records")
	f.IntVar(&one.minutes, "minutes", 40, "how long it lasts")
	f.BoolVar(&one.quiet, "quiet", false, "without faults")
	f.Parse(args)
	if f.NArg() > 1 {
		return fmt.Errorf("record: one folder is expected")
	}
	one.folder = f.Arg(0)
	if one.seed > 0 {
		if one.folder == "" {
			return fmt.Errorf("record: with -seed the folder to write is expected")
		}
		return one.record(ctx, *lab, os.Stdout)
	}
	all, err := readRecordings(*list)
	if err != nil {
		return err
	}
	found := false
	for _, r := range all {
		named := one.folder != "" && filepath.Base(r.folder) == filepath.Base(one.folder)
		if r.minutes == 0 || one.folder != "" && !named || !named && r.made() {
			continue
		}
		found = true
		if err := r.record(ctx, *lab, os.Stdout); err != nil {
			return err
		}
	}
	if !found && one.folder != "" {
		return fmt.Errorf("%s lists no recording %s that can be made", *list, one.folder)
	}
	return nil
}

func run(folders []string, keep, old string, verbose bool, seed uint64) error {
	if len(folders) == 0 {
		return fmt.Errorf("no folder with a recording and its truth.json was named")
	}
	var sum figures
	for _, folder := range folders {
		one, err := judgeFolder(context.Background(), folder, verbose, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		sum.add(one)
	}
	var before *figures
	if old != "" {
		data, err := os.ReadFile(old)
		if err != nil {
			return err
		}
		before = new(figures)
		if err := json.Unmarshal(data, before); err != nil {
			return fmt.Errorf("%s: %w", old, err)
		}
	}
	sum.print(os.Stdout, before)
	if keep == "" {
		return nil
	}
	data, err := json.MarshalIndent(&sum, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(keep, append(data, '\n'), 0o644)
}

// judgeFolder opens the archives of a folder as one source and judges what is
// said of it.
func judgeFolder(ctx context.Context, folder string, verbose bool, seed uint64) (figures, error) {
	known, err := readTruth(folder)
	if err != nil {
		return figures{}, err
	}
	archive := folder
	if known.Archive != "" {
		archive = known.Archive
	}
	s := core.NewSession(core.Options{Lanes: 2})
	opened, closer, err := s.OpenPath(ctx, nil, archive)
	if err != nil {
		return figures{}, err
	}
	defer closer.Close()
	if len(opened.Sources) != 1 {
		return figures{}, fmt.Errorf("%d sources where one is needed", len(opened.Sources))
	}
	src, err := s.Loaded(ctx, opened.Sources[0].ID, nil)
	if err != nil {
		return figures{}, err
	}
	if known.Interval == 0 { // fault-lab does not say
		const often = "kernel.all.cpu.user"
		if list, err := s.Cadences(ctx, src.ID, []string{often}, false); err == nil && len(list) == 1 {
			known.Interval = float64(list[0].Usual) / 1e9
		}
	}
	j := judge{Session: s, ctx: ctx, source: src, truth: known, verbose: verbose, seed: seed}
	if verbose {
		fmt.Printf("%s\n", folder)
	}
	return j.all()
}
