//go:build unix

package worker

import "syscall"

func makePipe(name string) error { return syscall.Mkfifo(name, 0o644) }
