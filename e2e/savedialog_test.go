package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// The dialog saves what is on screen. It is found in the menu and among the
// commands, previews replacements, and reports the result.
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
	click(p, id("save-redacted-report"))
	until(p, "the report", func() bool { return eval[int](p, `kept.length`) == 6 })
	click(p, id("save-redacted-page"))
	until(p, "the report with charts", func() bool { return eval[int](p, `kept.length`) == 8 })
	click(p, id("save-redacted-session"))
	until(p, "report and session", func() bool { return eval[int](p, `kept.length`) == 10 })
	for i, ending := range map[int]string{4: "-report.md", 6: "-report.html", 8: ".json"} {
		name := eval[string](p, fmt.Sprintf(`kept[%d]`, i+1))
		leaked := eval[bool](p, fmt.Sprintf(`kept[%d].text().then((text) => text.includes("pcp-testhost") || !text.includes("host-"))`, i))
		if !strings.HasPrefix(name, "pcpscope-host-") || !strings.HasSuffix(name, ending) || leaked {
			t.Errorf("%s names the host, or not its pseudonym: %v", name, leaked)
		}
	}
	p.accessible("the dialog that saves an archive")
	click(p, id("save-close"))
	p.idle()
	if eval[bool](p, `document.querySelector('[data-testid="save-card"]').checkVisibility()`) {
		t.Error("the dialog is still there")
	}
}

// Saving to a folder: the files of an archive, the metadata last, never over
// an existing file. If the folder vanishes or the disk is full, the dialog
// says so, and nothing that looks like an archive remains.
func TestSaveIntoFolder(t *testing.T) {
	p := openPage(t)
	// The origin private file system replaces the folder picker: its folders
	// are the same kind of object.
	eval[any](p, `(async () => {
  const root = await navigator.storage.getDirectory();
  globalThis.folder = await root.getDirectoryHandle("saved", { create: true });
  globalThis.gone = await root.getDirectoryHandle("gone", { create: true });
  await root.removeEntry("gone");
  globalThis.made = [];
  const full = (write) => ({ name: "full", removeEntry: async (name) => { made.splice(made.indexOf(name), 1); },
    getFileHandle: async (name, o) => { if (!o) throw new DOMException("none", "NotFoundError"); made.push(name);
      return { createWritable: async () => ({ write, abort: async () => {}, close: async () => {} }) }; } });
  let n = 0;
  globalThis.full = full(async () => { if (n++ > 0) throw new DOMException("The disk is full.", "QuotaExceededError"); });
  globalThis.picked = folder;
  globalThis.showDirectoryPicker = async () => picked;
  globalThis.listed = async () => { const names = []; for await (const name of folder.keys()) names.push(name); return names.sort().join(" "); };
  return true;
})()`)
	click(p, id("source-menu"))
	click(p, id("menu-save-archive"))
	fault := func() string {
		return eval[string](p, `document.querySelector('[data-testid="save-fault"]').textContent`)
	}
	done := func() string {
		return eval[string](p, `document.querySelector('[data-testid="save-done"]').textContent`)
	}
	click(p, id("save-folder"))
	until(p, "the files", func() bool { return strings.HasPrefix(done(), "Saved web01.") })
	if names := eval[string](p, `listed()`); names != "web01.0 web01.index web01.meta" {
		t.Errorf("the folder has %q", names)
	}
	opened := eval[string](p, `(async () => {
  const files = [];
  for await (const h of folder.values()) files.push(await h.getFile());
  const pcp = await pcpscopeReady, { sources: [s] } = await pcp.open(files);
  const out = s.host + " " + s.problems.length;
  await pcp.close(s.id);
  return out;
})()`)
	if opened != "pcp-testhost 0" {
		t.Errorf("what is in the folder opens as %q", opened)
	}
	p.idle()
	click(p, id("save-folder"))
	until(p, "a sentence", func() bool { return strings.Contains(fault(), "already has a file web01.index") })
	for folder, want := range map[string]string{"gone": "could not be written into the folder gone, and nothing was saved", "full": "could not be written into the folder full, and nothing was saved: QuotaExceededError: The disk is full."} {
		eval[any](p, `(picked = `+folder+`, true)`)
		click(p, id("save-folder"))
		until(p, "a sentence", func() bool { return strings.Contains(fault(), want) })
	}
	if left := eval[int](p, `made.length`); left > 0 {
		t.Errorf("%d files were left", left)
	}
}
