package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pcpscope/internal/build"
	handler "pcpscope/internal/serve"
	"pcpscope/wasm/edge/worker"
)

// serve builds the site without the slow compression and serves it, with a
// folder of archives if one is given: only to this machine, unless flags say otherwise.
func serve(root string, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	listen := listenFlags(flags)
	prefix := flags.String("prefix", "/", "path that the page is below")
	archives := flags.String("archives", "", "folder of archives, served below /archives/")
	cors := flags.String("cors", "", "origins whose pages may read the archives, with commas between; * for all")
	noShrink := flags.Bool("no-shrink", false, "leave the program as Go made it")
	visits := flags.Bool("log", false, "write a line for each request for an archive")
	if flags.Parse(args) != nil {
		return flag.ErrHelp // Parse has said what is wrong
	}
	if err := noArguments("serve", flags.Args()); err != nil {
		return err
	}
	// The port first: nobody should wait for a build only to learn that it is taken.
	listener, err := listen()
	if err != nil {
		return err
	}
	o := handler.Options{Dist: filepath.Join(root, "dist"), Prefix: *prefix, Archives: *archives, Origins: strings.FieldsFunc(*cors, func(r rune) bool { return r == ',' || r == ' ' })}
	if o.Tokens, err = tokens(); err != nil {
		return err
	}
	if *visits {
		o.Log = func(v worker.Visit) {
			text, _ := json.Marshal(v)
			fmt.Println(time.Now().Format(time.RFC3339), string(text))
		}
	}
	h, err := handler.Handler(o)
	if err != nil {
		return err
	}
	if err := build.Site(build.Options{Root: root, Dist: o.Dist, NoShrink: *noShrink, Log: say}); err != nil {
		return err
	}
	at := listener.Addr().(*net.TCPAddr)
	fmt.Printf("pcpscope is at http://%s%s (ctrl-C ends it)\n", net.JoinHostPort(at.IP.String(), strconv.Itoa(at.Port)), "/"+strings.TrimPrefix(strings.Trim(*prefix, "/")+"/", "/"))
	server := http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// listenFlags defines where the server listens: by default, on the loopback
// interface.
func listenFlags(flags *flag.FlagSet) func() (net.Listener, error) {
	port := flags.Int("port", 8080, "port to listen on; 0 selects a free one")
	address := flags.String("listen", "127.0.0.1", "address to listen on; 0.0.0.0 lets other machines in")
	return func() (net.Listener, error) {
		listener, err := net.Listen("tcp", net.JoinHostPort(*address, strconv.Itoa(*port)))
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, fmt.Errorf("Port %d is taken by another program. Choose one with --port, or --port 0 for any free one.", *port)
		}
		return listener, err
	}
}

// tokens returns the access tokens in the environment, where the Worker has them, too.
func tokens() (list []worker.Token, err error) {
	if text := os.Getenv("READ_TOKENS"); text != "" {
		list, err = worker.ParseTokens(text)
	}
	if secret := os.Getenv("READ_TOKEN"); secret != "" {
		list = append(list, worker.Token{Name: "token", Secret: secret})
	}
	return list, err
}
