//go:build unix

package hostile

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time of this process, which other programs on the
// machine change little.
func CPUTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
