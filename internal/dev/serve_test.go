package main

import (
	"flag"
	"net"
	"testing"
)

func TestServesThisMachineAlone(t *testing.T) {
	for args, alone := range map[string]bool{"": true, "0.0.0.0": false} {
		flags := flag.NewFlagSet("serve", flag.ContinueOnError)
		listen := listenFlags(flags)
		list := []string{"--port", "0"}
		if args != "" {
			list = append(list, "--listen", args)
		}
		if err := flags.Parse(list); err != nil {
			t.Fatal(err)
		}
		l, err := listen()
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		if at := l.Addr().(*net.TCPAddr); at.IP.IsLoopback() != alone {
			t.Errorf("--listen %q listens on %s", args, at)
		}
	}
}
