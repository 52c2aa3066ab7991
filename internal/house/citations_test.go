package house

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// A citation names a file in docs/spec and perhaps sections of it, on this
	// line of a comment or the next: spec/archive.md section 5.2.
	citation = regexp.MustCompile(`\bspec/(\w+)\.md(?:,?\s+(?://\s*|\*\s*)?sections?\s+(?://\s*)?(\d+(?:\.\d+)*(?:(?:, | and | to )\d+(?:\.\d+)*)*))?`)
	// References in other words could not be checked.
	uncheckable = regexp.MustCompile(`(?i)\bspec(?:ification)?:? (?:(?:archive|mmv|interp|derived) )?\d+(?:\.\d+)*`)
	number      = regexp.MustCompile(`\d+(?:\.\d+)*`)
	numbered    = regexp.MustCompile(`(?m)^#+ (\d+(?:\.\d+)*)\.? `)
)

// Everything cited in comments exists.
func TestCitationsResolve(t *testing.T) {
	sections := map[string][]string{}
	walk(t, ".md", func(name string, text []byte) {
		if path.Dir(name) != "docs/spec" {
			return
		}
		list := []string{}
		for _, m := range numbered.FindAllSubmatch(text, -1) {
			list = append(list, string(m[1]))
		}
		sections[strings.TrimSuffix(path.Base(name), ".md")] = list
	})
	found := 0
	for _, ext := range []string{".go", ".js", ".ts", ".vugu", ".md"} {
		walk(t, ext, func(name string, text []byte) {
			if name == "internal/house/citations_test.go" {
				return
			}
			line := func(at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }
			for _, at := range citation.FindAllSubmatchIndex(text, -1) {
				found++
				doc := string(text[at[2]:at[3]])
				known, ok := sections[doc]
				if !ok {
					t.Errorf("%s:%d: there is no docs/spec/%s.md", name, line(at[0]), doc)
				} else if at[4] >= 0 {
					for _, n := range number.FindAllString(string(text[at[4]:at[5]]), -1) {
						if !slices.Contains(known, n) {
							t.Errorf("%s:%d: docs/spec/%s.md has no section %s", name, line(at[0]), doc, n)
						}
					}
				}
			}
			if filepath.Ext(name) != ".md" {
				for _, at := range uncheckable.FindAllIndex(text, -1) {
					if s := text[max(0, at[0]-30):at[0]]; bytes.HasSuffix(s, []byte("core ")) {
						continue // WebAssembly's
					}
					t.Errorf("%s:%d: %q: say spec/NAME.md section N", name, line(at[0]), text[at[0]:at[1]])
				}
			}
		})
	}
	if found < 150 {
		t.Errorf("only %d citations are found", found)
	}
}
