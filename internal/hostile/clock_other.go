//go:build !unix

package hostile

import "time"

var began = time.Now()

// CPUTime returns the time since the program began, as CPU time is not available on this platform.
func CPUTime() time.Duration { return time.Since(began) }
