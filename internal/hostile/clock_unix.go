//go:build unix

package hostile

import (
	"syscall"
	"time"
)

// spent returns the CPU time of this process, which is unaffected by other
// programs on the machine.
func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
