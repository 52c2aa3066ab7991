package hostile

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLawOfMemory opens inputs of every kind and asks all of them that is not
// for values. What that has in use at any time is at most twice the bytes of the
// input and 64 MiB.
//
// What counts is what the collector finds in use, which is called again after
// each 6 MiB and a tenth of that. PCPSCOPE_COST_HEAPS names a folder that takes
// a heap profile of each kind when it had most in use.
func TestLawOfMemory(t *testing.T) {
	n := slices.Max(sizes(t))
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	ballast := make([]byte, 64<<20) // without it the collector would come after each 400 KiB
	defer runtime.KeepAlive(ballast)
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			files := k.Make(n)
			raw := uint64(0)
			for _, f := range files {
				raw += uint64(f.Size)
			}
			if k.Unpacked != nil {
				raw = uint64(k.Unpacked(n))
			}
			runtime.GC()
			before := inUse()
			peak := watchMemory(t, before, strings.ReplaceAll(k.Name, " ", "_"))
			costs(t, k, n, files, "fetch", "fetch rates", "fetch raw", "fetch partially", "sparklines") // these take what is asked for
			took, limit := peak()-before, 2*raw+64<<20
			if testing.Verbose() {
				t.Logf("%.1f MiB take %.1f of %.1f MiB", float64(raw)/(1<<20), float64(took)/(1<<20), float64(limit)/(1<<20))
			}
			if took > limit {
				t.Errorf("%d bytes of %s take %d MiB, want at most %d", raw, k.Name, took>>20, limit>>20)
			}
		})
	}
}

// watchMemory returns a function that ends watching, and returns how many bytes
// were in use at most.
func watchMemory(t *testing.T, before uint64, name string) (peak func() uint64) {
	ctx, cancel := context.WithCancel(t.Context())
	highest := make(chan uint64)
	dir := os.Getenv("PCPSCOPE_COST_HEAPS")
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		peak, written := before, before+10<<20
		for ctx.Err() == nil {
			if peak = max(peak, inUse()); dir != "" && peak > written+written/100 {
				written = peak
				if f, err := os.Create(filepath.Join(dir, name+".pprof")); err == nil {
					pprof.Lookup("heap").WriteTo(f, 0)
					f.Close()
				}
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
		highest <- peak
	}()
	return func() uint64 {
		cancel()
		return <-highest
	}
}

// inUse returns what the collector found in use when it was last called.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// allocated returns what is in use or waits for the collector.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
