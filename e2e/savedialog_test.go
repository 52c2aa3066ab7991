package e2e

import (
	"strings"
	"testing"
)

// The dialog saves what is on screen: found in the menu and among the
// commands; with what is replaced shown before; and it says what it did.
func TestSaveArchiveDialog(t *testing.T) {
	p := openPage(t)
	eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = ((real) => (b) => { kept.push(b); return real.call(URL, b) })(URL.createObjectURL), HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }, true)`)
	click(p, id("source-menu"))
	click(p, id("menu-save-archive"))
	p.idle()
	p.shot("save")
	click(p, id("save-whole"))
	click(p, id("save-zip"))
	click(p, id("save-save"))
	until(p, "the archive", func() bool { return eval[int](p, `kept.length`) == 2 })
	p.idle()
	if name := eval[string](p, `kept[1]`); name != "web01.zip" {
		t.Errorf("saved as %s", name)
	}
	said := eval[string](p, `document.querySelector('[data-testid="save-done"]').textContent`)
	if !strings.Contains(said, "Saved web01.zip: ") || !strings.Contains(said, " records of ") {
		t.Errorf("it says %q", said)
	}
	click(p, id("save-redact"))
	p.idle()
	until(p, "what is replaced", func() bool {
		return eval[int](p, `document.querySelectorAll('[data-testid="save-kind"]').length`) >= 14
	})
	p.shot("save-redact")
	table := eval[string](p, `document.querySelector('[data-testid="save-replaced"]').textContent`)
	if !strings.Contains(table, "pcp-testhost → host-") {
		t.Errorf("the table is %q", table)
	}
	click(p, id("save-save"))
	until(p, "the archive without names", func() bool { return eval[int](p, `kept.length`) == 4 })
	if name := eval[string](p, `kept[3]`); !strings.HasPrefix(name, "host-") {
		t.Errorf("saved as %s", name)
	}
	if leaked := eval[bool](p, `kept[2].text().then((text) => text.includes("pcp-testhost"))`); leaked {
		t.Error("the host's name is in what was saved")
	}
	p.accessible("the dialog that saves an archive")
	click(p, id("save-close"))
	p.idle()
	if eval[bool](p, `document.querySelector('[data-testid="save-card"]').checkVisibility()`) {
		t.Error("the dialog is still there")
	}
}
