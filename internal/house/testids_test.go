package house

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// computed lists test IDs that are made in Go or by a script: "*" stands for
// the variable part.
var computed = map[string]string{
	"bottom.vugu c.TableID()":              "cursor-values problem-list *-table",
	"compare-controls.vugu w.RangeID":      "window-a window-b",
	"compare-controls.vugu w.MoveID":       "move-a move-b",
	"compare-controls.vugu w.FromID":       "a-from b-from",
	"compare-controls.vugu w.ToID":         "a-to b-to",
	"compare-controls.vugu o.ID":           "with-this with-*",
	"dashboards.vugu r.TestID":             "board board-fold board-heading board-missing",
	`palette.vugu "search-kind-" + k.Kind`: "search-kind-*",
	"palette.vugu c.LineTestID(l)":         "search-head search-more search-hit command-*",
	"panel-menu.vugu s.ID":                 "style-* scale-auto scale-log scale-share scale-bits lines-* order-*",
	"panel-view.vugu c.ChartID()":          "chart-*",
	"save-card.vugu o.ID":                  "save-same save-v2 save-v3 save-tar save-zip save-files",
	"time-menu.vugu z.ID":                  "zone-archive zone-utc zone-mine",
	"time-menu.vugu s.ID":                  "speed-*",
	"toolbar.vugu b.ID":                    "by-process by-command by-user by-cgroup top-7 top-15 groups-innermost groups-slice groups-all sort-effect sort-shift sort-family",
	`topbar.vugu "last-" + s.ID`:           "last-*",
	"tree-view.vugu c.RowID(r)":            "tree-more tree-fold tree-metric",
	"table.js this.rowid":                  "problem",
	"table.js testid":                      "*-rows compare-rows table-*",
}

var (
	anyControl   = regexp.MustCompile(`<(button|input|select|textarea|a)\b(?:[^>'"]|'[^']*'|"[^"]*")*>`)
	literalID    = regexp.MustCompile(`[^:]data-testid="([a-z0-9-]+)"`)
	computedID   = regexp.MustCompile(`:data-testid='([^']+)'`)
	scriptID     = regexp.MustCompile("testid = (?:\"([a-z0-9-]+)\"|`([^`]+)`|([a-z.]+);)")
	helperID     = regexp.MustCompile(`\b(?:element\("[a-z]+"|button\([a-z]+|button\("[^"]+"), "([a-z]+-[a-z-]+)"`) // of picker.js and ask.js
	madeByScript = regexp.MustCompile(`createElement\("(?:button|input|select|textarea)"\)|element\("(?:button|input)"`)
)

// testIDs are the test IDs defined by each file.
func testIDs(t *testing.T) map[string][]string {
	t.Helper()
	given := map[string][]string{}
	add := func(file, id string) {
		if !slices.Contains(given[file], id) {
			given[file] = append(given[file], id)
		}
	}
	worked := map[string]bool{}
	work := func(file, expression string) {
		key := path.Base(file) + " " + expression
		list, ok := computed[key]
		if !ok {
			t.Errorf("%s works out a test id by %s: say in computed what it can be", file, expression)
		}
		worked[key] = true
		for _, id := range strings.Fields(list) {
			add(file, id)
		}
	}
	var code strings.Builder
	walk(t, ".go", func(name string, text []byte) {
		if strings.HasPrefix(name, "web/") && !strings.HasSuffix(name, "_gen.go") && !strings.HasSuffix(name, "_test.go") {
			code.Write(text)
		}
	})
	for _, ext := range []string{".vugu", ".html"} {
		walk(t, ext, func(name string, text []byte) {
			if !strings.HasPrefix(name, "web/") {
				return
			}
			code.Write(text)
			for _, m := range anyControl.FindAll(text, -1) {
				if !strings.Contains(string(m), "data-testid") && !strings.Contains(string(m), " hidden aria-hidden") {
					t.Errorf("%s has a control without a data-testid: %s", name, m)
				}
			}
			for _, m := range literalID.FindAllSubmatch(text, -1) {
				add(name, string(m[1]))
			}
			for _, m := range computedID.FindAllSubmatch(text, -1) {
				work(name, string(m[1]))
			}
		})
	}
	walk(t, ".js", func(name string, text []byte) {
		if !strings.HasPrefix(name, "web/static/") || strings.HasPrefix(name, "web/static/vendor/") || strings.Contains(name, "pcp-scope") {
			return // the element's button is in a tree of its own: its part is read-all
		}
		code.Write(text)
		for _, m := range scriptID.FindAllSubmatch(text, -1) {
			switch {
			case len(m[1]) > 0:
				add(name, string(m[1]))
			case len(m[2]) > 0:
				add(name, regexp.MustCompile(`\$\{[^}]*\}`).ReplaceAllString(string(m[2]), "*"))
			case string(m[3]) != "testid" || !strings.Contains(name, "/embed/"):
				work(name, string(m[3]))
			}
		}
		if strings.HasSuffix(name, "/picker.js") || strings.HasSuffix(name, "/ask.js") {
			for _, m := range helperID.FindAllSubmatch(text, -1) {
				add(name, string(m[1]))
			}
		}
		if n := len(madeByScript.FindAll(text, -1)); n > 0 && n > len(given[name]) {
			t.Errorf("%s makes %d controls and gives %d test ids", name, n, len(given[name]))
		}
	})
	for key, list := range computed {
		if !worked[key] {
			t.Errorf("nothing works out a test id by %s any more", key)
		}
		for _, id := range strings.Fields(list) {
			if begin, _, _ := strings.Cut(id, "*"); begin != "" && !regexp.MustCompile("[\"`]"+regexp.QuoteMeta(begin)).MatchString(code.String()) {
				t.Errorf("%s: no code makes the test id %s", key, id)
			}
		}
	}
	return given
}

// Every control has a test ID, and docs/testids.md lists them all.
// PCPSCOPE_GOLDEN=update rewrites the list; removing an ID breaks users'
// tests.
func TestEveryControlIsPromised(t *testing.T) {
	given := testIDs(t)
	var out strings.Builder
	out.WriteString(`# All test ids

Every control of the page, and every part with text worth reading, has a ` + "`data-testid`" + `. These ids are stable: this list is generated from the
sources, and a test compares them. ` + "`*`" + ` is a variable part: a number, a name, the kind of a table. [testing.md](testing.md) explains the most useful ones.

| source file | ` + "`data-testid`" + ` |
|---|---|
`)
	var files []string
	total := 0
	for name, ids := range given {
		slices.Sort(ids)
		files = append(files, name)
		total += len(ids)
	}
	slices.Sort(files)
	for _, name := range files {
		fmt.Fprintf(&out, "| %s | `%s` |\n", path.Base(name), strings.Join(given[name], "`, `"))
	}
	if total < 250 {
		t.Errorf("only %d test ids were found", total)
	}
	file := filepath.Join(root, "docs", "testids.md")
	if os.Getenv("PCPSCOPE_GOLDEN") == "update" {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, _ := os.ReadFile(file); string(text) != out.String() {
		t.Errorf("docs/testids.md does not list the %d test ids that there are; PCPSCOPE_GOLDEN=update writes it", total)
	}
	t.Logf("%d test ids", total)
}
