//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This is the program of a Cloudflare Worker. ./build.sh serve --archives DIR is a server of the same handler.")
	os.Exit(2)
}
