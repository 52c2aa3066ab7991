// Package inputs tells "go test" which files a test depends on.
package inputs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Watch makes the result of a test depend on every file below folders, apart
// from what the build makes. "go test" prints an old result again unless a file
// changed that the test itself opened or asked about ("go help test"); files
// that a compiler or Node reads, when a test runs one, do not count.
func Watch(t testing.TB, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if name := d.Name(); d.IsDir() && path != folder && (name == "tmp" || name == ".git" || strings.HasPrefix(name, "dist")) {
				return fs.SkipDir
			}
			_, err = os.Stat(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
