package main

import (
	"errors"
	"flag"
	"strconv"
	"time"
)

// aMinute has a run of the tests damage inputs for that long, with the day as
// its seed: each day tries others.
func aMinute() []string {
	return []string{"PCPSCOPE_FUZZ=1m", "PCPSCOPE_FUZZ_SEED=" + time.Now().UTC().Format("20060102")}
}

// fuzz damages inputs at random for as long as one likes.
func fuzz(root string, args []string) error {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	long := flags.Duration("for", time.Hour, "how long, on one core")
	seed := flags.Uint64("seed", 0, "where to begin; the day where it is 0")
	if flags.Parse(args) != nil {
		return flag.ErrHelp // Parse has said what is wrong
	}
	if flags.NArg() > 0 {
		return errors.New("fuzz takes no arguments but --for and --seed")
	}
	env := []string{"PCPSCOPE_FUZZ=" + long.String()}
	if *seed != 0 {
		env = append(env, "PCPSCOPE_FUZZ_SEED="+strconv.FormatUint(*seed, 10))
	}
	_, err := tests(root, env, "-count=1", "-timeout", (*long + 10*time.Minute).String(), "-run", "TestDamagedInputs", "./internal/hostile")
	return err
}
