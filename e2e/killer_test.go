package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kills keeps hold of the engine's worker, and once it is armed has every
// engine end for real that is given what is called killer: a message that is
// none of the protocol's makes the program panic.
const kills = `{
  const Real = Worker;
  const names = (m) => JSON.stringify(m ?? null, (key, v) => (typeof v === "bigint" ? 0 : v));
  window.Worker = class extends Real {
    constructor(...a) { super(...a); window.engineWorker ??= this; }
    postMessage(m, ...rest) {
      super.postMessage(m, ...rest);
      if (window.armed && names(m).includes("killer.meta")) setTimeout(() => super.postMessage({}), 100);
    }
  };
}`

// If restoring sources crashes the engine, the source responsible is left out
// and named; the ones before and after it are restored.
func TestWhatKillsOnThePage(t *testing.T) {
	p := open(t, "/bare")
	p.expectComplaints("") // output of the dying program
	before(p, kills)
	p.goTo("/?test=1")
	p.idle()
	dir := t.TempDir()
	for _, host := range []string{"first", "killer", "last"} {
		var files []string
		for _, file := range web01 {
			data, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, strings.Replace(filepath.Base(file), "web01", host, 1))
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			files = append(files, name)
		}
		p.drop("body", files...)
		p.idle()
	}
	eval[bool](p, "(window.armed = true, engineWorker.postMessage({}), true)")
	pick(p, "kernel.all.nprocs")
	click(p, id("add-to-panel"))
	if !visible(p, "engine-lost") {
		t.Fatal("no message about the crash")
	}
	click(p, id("open-again"))
	p.idle()
	names := eval[[]string](p, `pcpscope.sources().then((list) => list.map((s) => s.name))`)
	if said := text(p, "refused"); !slices.Equal(names, []string{"first", "last"}) || !strings.Contains(said, "killer") || !strings.Contains(said, "Left out") {
		t.Errorf("reopened: %q; message about the others: %q", names, said)
	}
	if visible(p, "engine-lost") {
		t.Errorf("it still says %q", text(p, "engine-lost"))
	}
	p.shot("left-out")
}
