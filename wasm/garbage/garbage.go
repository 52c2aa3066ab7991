// Package garbage paces the garbage collector of the programs in the browser, the page
// and its engine.
package garbage

import (
	"runtime"
	"runtime/debug"
)

// share is how much garbage may accumulate before a collection, in percent of the live
// heap: WebAssembly never returns memory.
const share = 50

// Pace sets the garbage collector's target accordingly, but to at least so many bytes, and
// again after each collection: of a small heap, half becomes garbage every few milliseconds.
func Pace(least int) {
	debug.SetGCPercent(share)
	collected := make(chan struct{})
	go func() {
		for percent := share; ; {
			runtime.SetFinalizer(new([16]byte), func(*[16]byte) { collected <- struct{}{} })
			<-collected
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if next := target(m.NextGC, percent, least); next != percent {
				percent = next
				debug.SetGCPercent(percent)
			}
		}
	}()
}

// target is in percent of the live heap, given the heap size at which
// the next collection starts with the present percentage.
func target(next uint64, percent, least int) int {
	live := next * 100 / uint64(100+percent)
	return max(share, least*100/int(max(live, 1<<20)))
}
