package hostile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// Rounds damages inputs for as long as PCPSCOPE_FUZZ says (two seconds by
// default), or a part of that: it calls one repeatedly with a Mutator whose
// choices follow only from a seed and the number of the round. The seed is
// PCPSCOPE_FUZZ_SEED, or the day. It stops at the first failure, and says how
// to repeat that round: PCPSCOPE_FUZZ_AT runs a single one. A round that takes
// more than three seconds of CPU fails; one that hangs panics.
func Rounds(t testing.TB, part int, one func(m *Mutator, i int)) (seed uint64) {
	t.Helper()
	day := time.Now().UTC()
	seed = uint64(day.Year()*10000 + int(day.Month())*100 + day.Day())
	if n, err := strconv.ParseUint(os.Getenv("PCPSCOPE_FUZZ_SEED"), 10, 64); err == nil {
		seed = n
	}
	long := 2 * time.Second
	if d, err := time.ParseDuration(os.Getenv("PCPSCOPE_FUZZ")); err == nil {
		long = d
	}
	round := func(i int) {
		watch := time.AfterFunc(hangs, func() {
			panic(fmt.Sprintf("round %d of seed %d takes more than %v", i, seed, hangs))
		})
		defer watch.Stop()
		before := Spent()
		one(&Mutator{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}, i)
		if took := Spent() - before; took > mostOfRound() {
			t.Errorf("it took %v", took)
		}
		if t.Failed() {
			t.Logf("this was round %d; again: PCPSCOPE_FUZZ_SEED=%d PCPSCOPE_FUZZ_AT=%d go test -run %s", i, seed, i, t.Name())
		}
	}
	if at, err := strconv.Atoi(os.Getenv("PCPSCOPE_FUZZ_AT")); err == nil {
		round(at)
		return seed
	}
	end := time.Now().Add(long / time.Duration(part))
	for i, said := 0, time.Now(); time.Now().Before(end) && !t.Failed(); i++ {
		round(i)
		if time.Since(said) > time.Minute {
			said = time.Now()
			fmt.Fprintf(os.Stderr, "%s: %d rounds of seed %d\n", said.UTC().Format("15:04"), i+1, seed) // an hour is long without a sign of life
		}
	}
	return seed
}

// mostOfRound is how much CPU time a round may take.
func mostOfRound() time.Duration {
	if testing.Short() { // as under the race detector
		return 15 * time.Second
	}
	return 3 * time.Second
}

// hangs is how long one round may take by the clock, on a busy machine.
const hangs = 2 * time.Minute
