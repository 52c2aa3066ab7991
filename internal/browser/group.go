//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a program and its children into a process group that ends
// together.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	done := make(chan bool)
	go func() { cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-after():
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // children that the program left behind
}
