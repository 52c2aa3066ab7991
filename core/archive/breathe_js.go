package archive

import "time"

// breathe lets the event loop of the browser run: goroutines alone do not.
func breathe() { time.Sleep(time.Microsecond) }
