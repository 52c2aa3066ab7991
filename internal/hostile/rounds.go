package hostile

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Rounds damages inputs for as long as PCPSCOPE_FUZZ says (two seconds by
// default), or a part of that: it calls one repeatedly with a Mutator whose
// choices follow only from a seed and the number of the round. one says with
// Count what it damages. The seed is PCPSCOPE_FUZZ_SEED, or the day. Where
// PCPSCOPE_FUZZ_INPUTS is set, rounds go on until so many inputs were damaged,
// however long it takes. It stops at the first failure, and says how to repeat
// that round: PCPSCOPE_FUZZ_AT runs a single one. A round that takes more than
// three seconds of CPU fails; one that hangs panics.
func Rounds(t testing.TB, part int, one func(m *Mutator, i int)) Tally {
	t.Helper()
	day := time.Now().UTC()
	tally := Tally{Seed: uint64(day.Year()*10000 + int(day.Month())*100 + day.Day()), counts: map[string]int{}}
	if n, err := strconv.ParseUint(os.Getenv("PCPSCOPE_FUZZ_SEED"), 10, 64); err == nil {
		tally.Seed = n
	}
	long := 2 * time.Second
	if d, err := time.ParseDuration(os.Getenv("PCPSCOPE_FUZZ")); err == nil {
		long = d
	}
	round := func(i int) {
		watch := time.AfterFunc(hangs, func() {
			panic(fmt.Sprintf("round %d of seed %d takes more than %v", i, tally.Seed, hangs))
		})
		defer watch.Stop()
		before := CPUTime()
		one(&Mutator{Rand: rand.New(rand.NewPCG(tally.Seed, uint64(i))), counts: tally.counts}, i)
		if took := CPUTime() - before; took > maxRound() {
			t.Errorf("the round took %v of CPU time", took)
		}
		if t.Failed() {
			t.Logf("this was round %d; to repeat it: PCPSCOPE_FUZZ_SEED=%d PCPSCOPE_FUZZ_AT=%d go test -run %s", i, tally.Seed, i, t.Name())
		}
	}
	if at, err := strconv.Atoi(os.Getenv("PCPSCOPE_FUZZ_AT")); err == nil {
		round(at)
		return tally
	}
	end := time.Now().Add(long / time.Duration(part))
	more := func() bool { return time.Now().Before(end) }
	if inputs, err := strconv.Atoi(os.Getenv("PCPSCOPE_FUZZ_INPUTS")); err == nil {
		more = func() bool { return tally.Inputs() < inputs }
	}
	for i, said := 0, time.Now(); more() && !t.Failed(); i++ {
		round(i)
		if time.Since(said) > time.Minute {
			said = time.Now()
			fmt.Fprintf(os.Stderr, "%s: %d rounds of seed %d\n", said.UTC().Format("15:04"), i+1, tally.Seed) // an hour is long without a sign of life
		}
	}
	return tally
}

// A Tally is how many inputs of each kind were damaged.
type Tally struct {
	Seed   uint64
	counts map[string]int
}

// Inputs is how many there were.
func (t Tally) Inputs() (n int) {
	for _, count := range t.counts {
		n += count
	}
	return n
}

// String lists the kinds, the most frequent first.
func (t Tally) String() string {
	kinds := slices.SortedFunc(maps.Keys(t.counts), func(a, b string) int {
		return cmp.Or(t.counts[b]-t.counts[a], cmp.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", t.counts[kind], kind)
	}
	return fmt.Sprintf("seed %d: %d damaged inputs: %s", t.Seed, t.Inputs(), strings.Join(kinds, ", "))
}

// maxRound is how much CPU time a round may take.
func maxRound() time.Duration {
	if testing.Short() { // as under the race detector
		return 15 * time.Second
	}
	return 3 * time.Second
}

// hangs is how long one round may take by the clock, on a slow and busy machine
// that gives it little.
const hangs = 10 * time.Minute
