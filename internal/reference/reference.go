// Package reference gives tests what PCP's own library and tools said of many
// archives, and these archives. Both lie beside the repository on some
// machines; tests do without them where they do not, and say so.
package reference

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder of the reference data, as in
// Path("corpus", "bad"); "" where it is not there.
func Path(elem ...string) string {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
	p := filepath.Join(append([]string{dir, "..", "shared"}, elem...)...)
	if _, err := os.Stat(p); err != nil {
		return ""
	}
	return p
}

// Need is Path for a test that has nothing else to do: without the data it is
// skipped.
func Need(t testing.TB, elem ...string) string {
	t.Helper()
	p := Path(elem...)
	if p == "" {
		t.Skip("0 compared: the reference data are not beside the repository")
	}
	return p
}

// Unpack returns what a gzipped file holds.
func Unpack(t testing.TB, path string) []byte {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// JSON reads a gzipped document. Numbers for which there is no type stay
// texts, so that none is rounded.
func JSON(t testing.TB, path string, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(Unpack(t, path)))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Latin1 returns the text that the documents have for bytes: each is a rune.
func Latin1(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}
