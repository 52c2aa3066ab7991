package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// damageForAMinute damages inputs for a minute, and sessions for a tenth of that.
// The seed is the day, so that each day tries others. Where there is nice(1) it
// takes only the time that the browser's tests leave.
func damageForAMinute(to io.Writer, root string) (skipped int, err error) {
	env := []string{"PCPSCOPE_FUZZ=1m", "PCPSCOPE_FUZZ_SEED=" + time.Now().UTC().Format("20060102")}
	for _, t := range [][]string{{"TestDamagedInputs", "./internal/hostile"}, {"TestDamagedSessions", "./web/app"}} {
		cmd := goCmd(root)
		if has("nice") {
			cmd = exec.Command("nice", "-n", "10", "go")
			cmd.Dir, cmd.Stderr = root, os.Stderr
		}
		n, failed := testsBy(cmd, to, root, env, "-count=1", "-run", "^"+t[0]+"$", t[1])
		skipped, err = skipped+n, errors.Join(err, failed)
	}
	return skipped, err
}

// fuzz damages inputs at random, for as long or as many as you like.
func fuzz(root string, args []string) error {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	long := flags.Duration("for", time.Hour, "how long, on one core")
	inputs := flags.Int("inputs", 0, "how many inputs, however long that takes")
	seed := flags.Uint64("seed", 0, "where to begin; the day where it is 0")
	if flags.Parse(args) != nil {
		return flag.ErrHelp // Parse has said what is wrong
	}
	if flags.NArg() > 0 {
		return errors.New("fuzz takes no arguments but --for, --inputs and --seed")
	}
	env := []string{"PCPSCOPE_FUZZ=" + long.String()}
	limit := (*long + 10*time.Minute).String()
	if *seed != 0 {
		env = append(env, "PCPSCOPE_FUZZ_SEED="+strconv.FormatUint(*seed, 10))
	}
	var printed bytes.Buffer
	damage := func(inputs int, test, pkg string) error {
		if inputs > 0 {
			limit = "24h"
			env = append(env, "PCPSCOPE_FUZZ_INPUTS="+strconv.Itoa(inputs))
		}
		_, err := testsTo(io.MultiWriter(os.Stdout, &printed), root, env, "-count=1", "-timeout", limit, "-run", test, pkg)
		return err
	}
	onThePage := *inputs / 10 // or a tenth of the time
	err := errors.Join(damage(*inputs-onThePage, "TestDamagedInputs", "./internal/hostile"), damage(onThePage, "TestDamagedSessions", "./web/app"))
	total := 0
	for _, found := range damagedInputs.FindAllSubmatch(printed.Bytes(), -1) {
		n, _ := strconv.Atoi(string(found[1]))
		total += n
	}
	say("%d damaged inputs in all", total)
	return err
}

// damagedInputs matches the total that a test prints; see hostile.Tally.
var damagedInputs = regexp.MustCompile(`: (\d+) damaged inputs`)

// cost tests with every kind of input, at counts and lengths of 10^3, 10^4 and 10^5,
// that time and memory grow no faster than allowed, and prints what each takes. The garbage
// collector stops the world: otherwise what becomes garbage while it runs would
// count as in use.
func cost(root string, args []string) error {
	if err := noArguments("cost", args); err != nil {
		return err
	}
	_, err := tests(root, []string{"PCPSCOPE_COST=1000,10000,100000", "GODEBUG=gcstoptheworld=1"}, "-count=1", "-v", "-timeout", "6h", "-run", "TestLawOf", "./internal/hostile")
	return err
}
