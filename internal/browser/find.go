// Package browser finds the browsers that tests and benchmarks use, and drives them.
package browser

import (
	"errors"
	"os"
	"os/exec"
)

// Find returns the path of a Chromium or Chrome: the one named by the
// environment variable CHROME_PATH, or the first on PATH.
func Find() (string, error) {
	if path := os.Getenv("CHROME_PATH"); path != "" {
		return exec.LookPath(path)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium or Chrome on PATH")
}

// Shell is the name of Chromium without windows, and of its package. Not every
// distribution that has Chromium has it.
const Shell = "chromium-headless-shell"

// FindShell returns its path, or "". A browser named by the environment variable
// CHROME_PATH is used in its place.
func FindShell() string {
	if os.Getenv("CHROME_PATH") != "" {
		return ""
	}
	for _, name := range []string{Shell, "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
