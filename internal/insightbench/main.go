// Command insightbench judges findings, explanations, incidents and comparisons
// by recordings of which it is known what happened when:
//
//	go run ./internal/insightbench [-json FILE] [-against FILE] [-v] FOLDER...
//
// A folder holds archives and a truth.json (see truth). The figures of all
// recordings together are printed; thresholds are to be tuned on some and
// measured on others, so which recordings a figure is of must be said with it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"pcpscope/core"
)

func main() {
	keep := flag.String("json", "", "write the figures to this `file`, for -against")
	old := flag.String("against", "", "print beside the figures of this `file`, which -json of another version wrote")
	verbose := flag.Bool("v", false, "print what was found for every fault, and what was found beside them")
	seed := flag.Uint64("seed", 1, "draws the quiet windows")
	flag.Parse()
	if err := run(flag.Args(), *keep, *old, *verbose, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "insightbench:", err)
		os.Exit(1)
	}
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
