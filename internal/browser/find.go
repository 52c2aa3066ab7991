// Package browser finds the browser that tests and benchmarks drive.
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

// findShell returns the path of a Chromium without windows, or "". The environment
// variable CHROME_PATH comes before it.
func findShell() string {
	if os.Getenv("CHROME_PATH") != "" {
		return ""
	}
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
