package engine

import (
	"runtime"
	"runtime/debug"
)

// How much garbage may accumulate before a collection: a share of the live heap, because
// WebAssembly never returns memory, but at least minGarbage. Reading needs that much
// anyway, and the heap of a day's archive is so small that half of it becomes garbage
// every few milliseconds.
const (
	garbage    = 50       // percent
	minGarbage = 24 << 20 // bytes
)

// paceGarbage sets the garbage collector's target accordingly, and again after each
// collection.
func paceGarbage() {
	debug.SetGCPercent(garbage)
	collected := make(chan struct{})
	go func() {
		for percent := garbage; ; {
			runtime.SetFinalizer(new([16]byte), func(*[16]byte) { collected <- struct{}{} })
			<-collected
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if next := garbageOf(m.NextGC, percent); next != percent {
				percent = next
				debug.SetGCPercent(percent)
			}
		}
	}()
}

// garbageOf returns the target in percent of the live heap, given the heap size at which
// the next collection starts with the present percentage.
func garbageOf(next uint64, percent int) int {
	live := next * 100 / uint64(100+percent)
	return max(garbage, int(minGarbage*100/max(live, 1<<20)))
}
