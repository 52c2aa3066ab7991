package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"pcpscope/internal/build"
	"pcpscope/internal/site"
)

// serve builds the site without the slow compression and serves it to this
// machine alone.
func serve(root string, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	port := flags.Int("port", 8080, "port on localhost; 0 takes a free one")
	if flags.Parse(args) != nil {
		return flag.ErrHelp // Parse has said what is wrong
	}
	if err := noArguments("serve", flags.Args()); err != nil {
		return err
	}
	// The port first: whoever has to choose another should not wait for a build.
	listener, err := net.Listen("tcp", net.JoinHostPort("localhost", strconv.Itoa(*port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("Port %d is taken by another program. Choose one with --port, or --port 0 for any free one.", *port)
	} else if err != nil {
		return err
	}
	dist := filepath.Join(root, "dist")
	if err := build.Site(build.Options{Root: root, Dist: dist, Log: say}); err != nil {
		return err
	}
	taken := listener.Addr().(*net.TCPAddr).Port
	fmt.Printf("pcpscope is at http://localhost:%d/ (ctrl-C ends it)\n", taken)
	server := http.Server{Handler: site.Handler(os.DirFS(dist)), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}
