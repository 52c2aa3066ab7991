// Command dev is what build.sh runs: it builds the site, serves it, and runs
// the tests and benchmarks.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pcpscope/internal/build"
)

const usage = `Usage: ./build.sh COMMAND

  build [--no-shrink]     make dist/: the site, ready for any static host
  generate                regenerate the Go files of the components; build does so for outdated ones
  serve                   build, and serve on this machine
     [--port N]             default 8080
     [--prefix /pcpscope/]  serve the page below a path
     [--archives DIR]       serve a folder of archives below /archives/
     [--cors ORIGIN,...]    origins whose pages may read these; * for all
     [--listen 0.0.0.0]     accept connections from other machines
     [--log]                log requests for archives
  catalog DIR [--at /archives/]
                          write catalog.json into a folder of archives, and into each host's,
                          for static file servers that have the folder at that URL
  fleet DIR [--hosts 300] [--days 30]
                          write archives of generated hosts, to try "pcpscope index" with
  npm                     make dist-npm/: the package for npm, and its .tgz
  test                    run all tests, including those in a real browser
  e2e [--screenshots DIR] run only the browser tests; with DIR, save screenshots
  fuzz [--for 1h | --inputs 1000000] [--seed N]
                          damage inputs at random, and compare the result with a plain reader
  cost                    hold inputs of every kind, up to 100,000 of all that can be counted,
                          against the laws of cost; takes an hour
  edge                    make dist-edge/: a Cloudflare Worker that serves the site and archives
  cli                     make dist-cli/: the program pcpscope, including the page, for Linux, macOS and Windows
  bench                   time the engine in the browser and natively, compared with PCP's tools
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	commands := map[string]func(root string, args []string) error{
		"build": buildAll, "generate": generate, "serve": serve, "test": test, "e2e": e2e, "bench": bench, "fuzz": fuzz, "cost": cost, "edge": edge, "cli": cli, "catalog": writeCatalog, "npm": packNPM, "fleet": writeFleet,
	}
	run, ok := commands[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "There is no command %q.\n\n%s", os.Args[1], usage)
		os.Exit(2)
	}
	root, err := moduleRoot()
	if err == nil {
		err = run(root, os.Args[2:])
	}
	var failed *exec.ExitError
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case errors.As(err, &failed): // the command has said why
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(root string, _ []string) error {
	return build.Generate(filepath.Join(root, "web", "ui"))
}

// moduleRoot finds the folder of go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func buildAll(root string, args []string) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	noShrink := flags.Bool("no-shrink", false, "leave the program as Go made it")
	if flags.Parse(args) != nil {
		return flag.ErrHelp // Parse has said what is wrong
	}
	if err := noArguments("build", flags.Args()); err != nil {
		return err
	}
	dist := filepath.Join(root, "dist")
	if err := build.Site(build.Options{Root: root, Dist: dist, Compress: true, NoShrink: *noShrink, Log: say}); err != nil {
		return err
	}
	return report(dist)
}

// report prints what a visitor downloads.
func report(dist string) error {
	var raw, wire int64
	for _, name := range []string{"index.html", "page.css", "early.js", "app.wasm", "wasm_exec.js", "pcpscope.js", "start.js", "worker.js", "main.js"} {
		info, err := os.Stat(filepath.Join(dist, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		sent := info.Size()
		if copied, err := os.Stat(filepath.Join(dist, name+".br")); err == nil {
			sent = copied.Size()
		}
		raw, wire = raw+info.Size(), wire+sent
		say("%9d  %9d br  %s", info.Size(), sent, name)
	}
	say("%9d  %9d br  in all, in %s", raw, wire, dist)
	return nil
}

func noArguments(command string, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, but was given %q", command, args)
	}
	return nil
}

// goCmd prepares a go command in the module's root with its output shown.
func goCmd(root string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, os.Stdout, os.Stderr
	return cmd
}
