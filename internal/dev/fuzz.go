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

// fuzz damages inputs at random for as long as you like.
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
	limit := (*long + 10*time.Minute).String()
	_, inputs := tests(root, env, "-count=1", "-timeout", limit, "-run", "TestDamagedInputs", "./internal/hostile")
	_, sessions := tests(root, env, "-count=1", "-timeout", limit, "-run", "TestDamagedSessions", "./web/app") // a tenth of the time
	return errors.Join(inputs, sessions)
}

// cost holds every kind of input, at counts and lengths of 10^3, 10^4 and 10^5,
// against the laws of cost.
func cost(root string, args []string) error {
	if err := noArguments("cost", args); err != nil {
		return err
	}
	_, err := tests(root, []string{"PCPSCOPE_COST=1000,10000,100000"}, "-count=1", "-timeout", "6h", "-run", "TestLawOf", "./internal/hostile")
	return err
}
