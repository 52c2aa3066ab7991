package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The promises in SECURITY.md are tested: each line names tests, which exist
// in the packages it names.
func TestPromisesAreTested(t *testing.T) {
	named := regexp.MustCompile("`([A-Za-z0-9/]+)`")
	promises := 0
	for line := range strings.Lines(read(t, "SECURITY.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || strings.HasPrefix(cells[0], "---") || strings.TrimSpace(cells[0]) == "guarantee" {
			continue
		}
		promises++
		tests, where := 0, ""
		for _, m := range named.FindAllStringSubmatch(cells[2], -1) {
			name := m[1]
			if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") {
				where = name
				continue
			}
			tests++
			if !testIn(t, where, name) {
				t.Errorf("%q: there is no test %s in %s", strings.TrimSpace(cells[0]), name, where)
			}
		}
		if tests == 0 {
			t.Errorf("%q names no test", strings.TrimSpace(cells[0]))
		}
	}
	if promises < 15 {
		t.Errorf("SECURITY.md has %d promises; is its table still read?", promises)
	}
}

func testIn(t *testing.T, folder, name string) bool {
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "func "+name+"(") {
			return true
		}
	}
	return false
}
