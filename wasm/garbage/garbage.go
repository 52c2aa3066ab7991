// Package garbage paces the garbage collector of the programs in the browser, the page
// and its engine.
package garbage

import (
	"runtime"
	"runtime/debug"
)

// How much garbage may accumulate before a collection: a share of the live heap, because
// WebAssembly never returns memory, but at least minBytes. Reading needs that much
// anyway, and the heap of the page or of a day's archive is so small that half of it
// becomes garbage every few milliseconds.
const (
	share    = 50 // percent
	minBytes = 24 << 20
)

// Pace sets the garbage collector's target accordingly, and again after each collection.
func Pace() {
	debug.SetGCPercent(share)
	collected := make(chan struct{})
	go func() {
		for percent := share; ; {
			runtime.SetFinalizer(new([16]byte), func(*[16]byte) { collected <- struct{}{} })
			<-collected
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if next := target(m.NextGC, percent); next != percent {
				percent = next
				debug.SetGCPercent(percent)
			}
		}
	}()
}

// target is in percent of the live heap, given the heap size at which
// the next collection starts with the present percentage.
func target(next uint64, percent int) int {
	live := next * 100 / uint64(100+percent)
	return max(share, int(minBytes*100/max(live, 1<<20)))
}
