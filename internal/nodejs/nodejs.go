// Package nodejs runs the tests that need Node: the TypeScript compiler, unit
// tests of scripts, other browsers, Cloudflare's runtime. Their packages are
// pinned in e2e/js and installed below tmp/, where Go does not look for
// packages.
package nodejs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// source has the list of packages; place is where they are installed. The
// underscore excludes it from Go's wildcards.
const source = "e2e/js/"

func place(root string) string { return filepath.Join(root, "tmp", "_js") }

func there() error {
	if _, err := exec.LookPath("node"); err != nil {
		return errors.New("node is not installed")
	}
	return nil
}

// Ready returns why scripts cannot run; nil if they can.
func Ready(root string) error {
	if err := there(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(place(root), "node_modules", "typescript")); err != nil {
		return errors.New("the packages of e2e/js are not installed; ./build.sh test does that")
	}
	want, _ := os.ReadFile(filepath.Join(root, source, "package-lock.json"))
	if has, _ := os.ReadFile(filepath.Join(place(root), "package-lock.json")); !bytes.Equal(has, want) {
		return errors.New("other packages of e2e/js are installed than are asked for; ./build.sh test sees to it")
	}
	return nil
}

// Install installs the pinned packages, if they are not there.
func Install(root string) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("npm is not installed")
	}
	same, err := copyFiles(root, source+"package.json", source+"package-lock.json")
	if err != nil || same && Ready(root) == nil {
		return err
	}
	cmd := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	cmd.Dir = place(root)
	if out, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(filepath.Join(place(root), "node_modules"))
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return nil
}

// Script prepares to run a script, given by its path in the repository, with
// access to the packages.
func Script(root, name string, args ...string) (*exec.Cmd, error) {
	if err := Ready(root); err != nil {
		return nil, err
	}
	if _, err := copyFiles(root, name); err != nil {
		return nil, err
	}
	cmd := exec.Command("node", append([]string{filepath.Base(name)}, args...)...)
	cmd.Dir = place(root)
	return cmd, nil
}

// Tool prepares to run a program from a package.
func Tool(root, name string, args ...string) (*exec.Cmd, error) {
	if err := Ready(root); err != nil {
		return nil, err
	}
	return exec.Command(filepath.Join(place(root), "node_modules", ".bin", name), args...), nil
}

// Test prepares to run unit tests, which need no packages.
func Test(files ...string) (*exec.Cmd, error) {
	if err := there(); err != nil {
		return nil, err
	}
	return exec.Command("node", append([]string{"--test"}, files...)...), nil
}

// copyFiles copies files to where the packages are, and reports whether all
// were there already.
func copyFiles(root string, names ...string) (same bool, err error) {
	if err := os.MkdirAll(place(root), 0o755); err != nil {
		return false, err
	}
	same = true
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return false, err
		}
		to := filepath.Join(place(root), filepath.Base(name))
		if old, err := os.ReadFile(to); err == nil && string(old) == string(text) {
			continue
		}
		same = false
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return false, err
		}
	}
	return same, nil
}

// Module prepares to run a module given as text; it names its imports by path.
func Module(text string) (*exec.Cmd, error) {
	if err := there(); err != nil {
		return nil, err
	}
	return exec.Command("node", "--input-type=module", "--eval", text), nil
}
