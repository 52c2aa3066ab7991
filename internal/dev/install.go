package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"pcpscope/internal/browser"
)

// installAll installs what the tests need and this machine lacks, in a single
// call of apt-get, since most of the time goes into what each call does first.
// If it fails, the functions below report what is missing.
func installAll(root string) {
	var packages []string
	if _, err := browser.Find(); err != nil {
		packages = append(packages, chromium...)
	} else if browser.FindShell() == "" && os.Getenv("CHROME_PATH") == "" && canInstall() && isPackage(browser.Shell) {
		packages = append(packages, browser.Shell)
	}
	for _, e := range browser.Engines {
		if e.Missing() {
			packages = append(packages, e.Packages...)
		}
	}
	if !has("node") {
		packages = append(packages, node...)
	}
	if cc, err := compiler(root); err == nil && !has(cc) && isGCC(cc) {
		packages = append(packages, gcc...)
	}
	if len(packages) > 0 && canInstall() {
		install(packages...)
	}
}

// Packages of Debian.
var (
	chromium = []string{"chromium", browser.Shell}
	node     = []string{"nodejs"} // without npm, which brings hundreds of packages: only a few tests need it
	gcc      = []string{"gcc", "libc6-dev"}
)

// needBrowser finds Chromium, or installs the distribution's if possible.
func needBrowser() error {
	if _, err := browser.Find(); err == nil {
		return nil
	}
	if !canInstall() {
		return errors.New("The browser tests need Chromium or Chrome. Install one, or name one in CHROME_PATH.")
	}
	if err := install(chromium...); err != nil {
		return err
	}
	_, err := browser.Find()
	return err
}

// needNode finds Node, or installs the distribution's if possible.
func needNode() error {
	if has("node") {
		return nil
	}
	if !canInstall() {
		return errors.New("there is no Node on PATH")
	}
	return install(node...)
}

// wantEngines installs the other browsers if possible, and returns the names of
// all that are there. Tests in the others are skipped.
func wantEngines() (used []string) {
	used = []string{"Chromium"}
	for _, e := range browser.Engines {
		if e.Missing() {
			if !canInstall() {
				say("%s is not there: tests in it are skipped", e.Name)
				continue
			}
			if err := install(e.Packages...); err != nil {
				say("%s cannot be installed, tests in it are skipped: %v", e.Name, err)
				continue
			}
		}
		used = append(used, e.Name)
	}
	return used
}

// needCompiler finds the C compiler that Go would call, or installs one if
// possible.
func needCompiler(root string) error {
	cc, err := compiler(root)
	if err != nil || has(cc) {
		return err
	}
	if !canInstall() || !isGCC(cc) {
		return errors.New(cc + " is not there")
	}
	return install(gcc...)
}

// compiler is the C compiler that Go calls.
func compiler(root string) (string, error) {
	env := exec.Command("go", "env", "CC")
	env.Dir = root
	out, err := env.Output()
	if err != nil {
		return "", err
	}
	words := strings.Fields(string(out))
	if len(words) == 0 {
		return "", errors.New("Go knows no C compiler")
	}
	return words[0], nil
}

func isGCC(cc string) bool { return slices.Contains([]string{"gcc", "cc"}, cc) }

func has(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// isPackage is whether apt knows a package.
func isPackage(name string) bool { return exec.Command("apt-cache", "show", name).Run() == nil }

func canInstall() bool { return has("apt-get") && os.Geteuid() == 0 }

// install installs packages of the distribution, and leaves out a shell that it lacks.
func install(packages ...string) error {
	say("installing %s", strings.Join(packages, ", "))
	if err := aptGet("update", "-q"); err != nil {
		return err
	}
	packages = slices.DeleteFunc(slices.Clone(packages), func(p string) bool { return p == browser.Shell && !isPackage(p) })
	return aptGet(append([]string{"install", "-y", "-q", "--no-install-recommends"}, packages...)...)
}

func aptGet(args ...string) error {
	cmd := exec.Command("apt-get", args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, out[max(0, len(out)-2000):])
	}
	return nil
}
