package engine

import (
	"runtime"
	"runtime/debug"
)

// How much garbage may accumulate before a collection: a share of the live heap, as
// WebAssembly never returns memory, but more than this in any case. Reading keeps as much
// in use anyway, and the store of a day is so small that half of it is garbage every few
// milliseconds.
const (
	garbage    = 50       // percent
	minGarbage = 24 << 20 // bytes
)

// paceGarbage has the heap collected like that from now on.
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

// garbageOf returns how much garbage may accumulate, in percent of the live heap, when so
// many bytes start the next collection with a percentage.
func garbageOf(next uint64, percent int) int {
	live := next * 100 / uint64(100+percent)
	return max(garbage, int(minGarbage*100/max(live, 1<<20)))
}
