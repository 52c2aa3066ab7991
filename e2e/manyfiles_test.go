package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A folder of thousands of files, such as an unpacked sosreport, opens; the page says how
// many it has found while it looks through it.
func TestFolderOfManyFiles(t *testing.T) {
	dir := t.TempDir()
	files := kind(t, dir, "files of no use", 2000)
	for _, name := range absolute(web01) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "d", filepath.Base(name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, "/?test=1")
	p.idle()
	eval[any](p, `(globalThis.said = [], new MutationObserver((list) => list.forEach((m) => said.push(m.target.textContent))).observe(document.querySelector(".dropveil"), { childList: true }), true)`)
	began := time.Now()
	p.drop("body", files...)
	p.until(`document.querySelector("[data-testid=reading]")`)
	t.Logf("the folder was looked through after %v", time.Since(began).Round(time.Millisecond))
	p.until(`document.querySelector("[data-testid=reading]") === null`)
	t.Logf("all was read after %v", time.Since(began).Round(time.Millisecond))
	p.idle()
	if n := len(plainSources(p)); n != 1 {
		t.Fatalf("%d sources are open", n)
	}
	said := eval[[]string](p, `said`)
	if len(said) < 2 || !strings.HasPrefix(said[0], "Looking through the folder: ") || !strings.HasSuffix(said[0], " files so far…") || said[len(said)-1] != "Drop to open" {
		t.Errorf("it said %q", said)
	}
}
