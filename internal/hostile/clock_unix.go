//go:build unix

package hostile

import (
	"syscall"
	"time"
)

// spent returns the CPU time of this process, which other programs on the
// machine do not add to.
func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
