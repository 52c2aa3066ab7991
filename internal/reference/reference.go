// Package reference gives tests the answers of PCP's own library and tools:
// recorded answers about archives (Sets), and the tools themselves if they are
// installed. Only the answers about testdata/ are in the repository; many more
// archives, with answers, are beside it on some machines. Tests do without what
// is missing, and say so.
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

// Path returns the path of a file or folder of the reference data beside the
// repository, as in Path("corpus", "bad"); "" if it does not exist.
func Path(elem ...string) string {
	root := moduleRoot()
	if root == "" {
		return ""
	}
	p := filepath.Join(append([]string{root, "..", "shared"}, elem...)...)
	if _, err := os.Stat(p); err != nil {
		return ""
	}
	return p
}

// moduleRoot returns the folder of go.mod, above the one where the test runs;
// "" if there is none.
func moduleRoot() string {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// A Set is a collection of archives and MMV files, with the answers of libpcp
// 7.2.1. testdata/oracle/README.md describes the documents.
type Set struct {
	Name           string // "committed" or "beside the repository"
	oracle, corpus string
}

// Oracle returns the path of a folder or file of answers, as in
// Oracle("live", "web01.json.gz").
func (s Set) Oracle(elem ...string) string {
	return filepath.Join(append([]string{s.oracle}, elem...)...)
}

// Corpus returns the path of what the answers are about: "live" and "mmv" are
// in every set.
func (s Set) Corpus(elem ...string) string {
	return filepath.Join(append([]string{s.corpus}, elem...)...)
}

// Documents lists the answers of one kind, as in Documents("live"). If a set
// has none of a kind, the list is empty.
func (s Set) Documents(kind string) []string {
	list, _ := filepath.Glob(s.Oracle(kind, "*.gz"))
	return list
}

// Sets returns the committed set, and the one beside the repository if it
// exists. A test that finds nothing to compare in a set has failed.
func Sets(t testing.TB) []Set {
	t.Helper()
	root := moduleRoot()
	if root == "" {
		t.Fatal("there is no go.mod above the test")
	}
	sets := []Set{{"committed", filepath.Join(root, "testdata", "oracle"), filepath.Join(root, "testdata")}}
	if Path("oracle") != "" {
		sets = append(sets, Set{"beside the repository", Path("oracle"), Path("corpus")})
	}
	return sets
}

// Need is Path for a test that has nothing else to do: without the data it is
// skipped.
func Need(t testing.TB, elem ...string) string {
	t.Helper()
	p := Path(elem...)
	if p == "" {
		t.Skip("0 compared: the reference data is not beside the repository")
	}
	return p
}

// Unpack returns the contents of a gzipped file.
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

// JSON reads a gzipped document. Numbers that no type fits stay text, so that
// none is rounded.
func JSON(t testing.TB, path string, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(Unpack(t, path)))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Latin1 returns the form of bytes in the documents: each is a rune.
func Latin1(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}
