package hostile

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"testing"
	"time"
)

// TestLawOfMemory opens inputs of every kind and asks all of them that is not
// for values. What that takes is at most twice the bytes of the input and 64 MB. The collector
// is called often meanwhile, so that what is in use and not what has been is
// counted.
func TestLawOfMemory(t *testing.T) {
	n := slices.Max(sizes(t))
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			raw := uint64(0)
			for _, f := range k.Make(n) {
				raw += uint64(f.Size)
			}
			if k.Unpacked != nil {
				raw = uint64(k.Unpacked(n))
			}
			runtime.GC()
			before := inUse()
			stop, most := make(chan bool), make(chan uint64)
			go func() {
				tick := time.NewTicker(2 * time.Millisecond)
				defer tick.Stop()
				peak := uint64(0)
				for {
					peak = max(peak, inUse())
					select {
					case <-tick.C:
					case <-stop:
						most <- peak
						return
					}
				}
			}()
			costs(t, k, n, "metrics", "fetch", "sparklines") // these take what is asked for; the page asks for parts of the list
			close(stop)
			took := max(<-most, before) - before
			// The input itself is in memory here as well, and the collector lets
			// a fifth gather before it comes.
			if limit := (2*raw+64<<20)*12/10 + raw; took > limit {
				t.Errorf("%d bytes of %s take %d MiB, which may be %d", raw, k.Name, took>>20, limit>>20)
			}
		})
	}
}

func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
