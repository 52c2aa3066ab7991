// Command pcpscope answers on the command line what the page answers in a
// browser: it reads PCP archives and MMV files, and prints tables or JSON.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "time/tzdata" // for systems without a zone database

	"pcpscope/internal/cli"
)

func main() {
	// Also timeout(1) and service managers end programs so that they can remove unfinished files.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	status := cli.Run(ctx, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Terminal: terminal(os.Stderr)}, os.Args[1:])
	stop()
	os.Exit(status)
}

// terminal reports whether a file is a terminal.
func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
