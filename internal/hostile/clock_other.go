//go:build !unix

package hostile

import "time"

var began = time.Now()

// Spent returns the time since the program began, for want of that on the CPU.
func Spent() time.Duration { return time.Since(began) }
