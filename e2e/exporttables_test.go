package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/cli"
)

const sum = `async (blob) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer())), (b) => b.toString(16).padStart(2, "0")).join("")`

// Tables exported by the page and by the command line are identical; the page
// loads the writer only when it is needed.
func TestExportTables(t *testing.T) {
	p := bare(t)
	eval[any](p, `(async () => {
  const live = await Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map((n) => file("/testdata/live/" + n)));
  globalThis.src = (await pcp.open(live)).sources[0];
  return true;
})()`)
	loaded := func() bool {
		return eval[bool](p, `performance.getEntriesByType("resource").some((e) => e.name.includes("tables.wasm"))`)
	}
	if loaded() {
		t.Error("tables.wasm was loaded before anything was exported")
	}
	for _, format := range []string{"parquet", "arrow", "csv", "jsonl"} {
		dir := t.TempDir()
		var said bytes.Buffer
		if status := cli.Run(t.Context(), cli.Streams{Out: &said, Err: &said}, []string{"convert", "--to", format, "-o", dir, "../testdata/live/web01"}); status != cli.Done {
			t.Fatal(said.String())
		}
		got := eval[map[string]string](p, `(async () => {
  const sum = `+sum+`;
  const { files, report } = await pcp.exportTables({ source: src.id, format: "`+format+`", container: "files" });
  const out = { said: report.series + " " + (report.samples + report.strings + report.events) };
  for (const f of files) out[f.name] = await sum(f.data);
  return out;
})()`)
		if f := strings.Fields(got["said"]); len(f) != 2 || !strings.HasPrefix(strings.ReplaceAll(said.String(), ",", ""), f[0]+" series "+f[1]+" values") {
			t.Errorf("%s: the page says %s, the program %s", format, got["said"], said.String())
		}
		for _, table := range []string{"series", "samples", "strings", "events"} {
			data, err := os.ReadFile(filepath.Join(dir, table+"."+format))
			if err != nil {
				t.Fatal(err)
			}
			if want := sha256.Sum256(data); got[table+"."+format] != hex.EncodeToString(want[:]) {
				t.Errorf("%s.%s differs from the command line's", table, format)
			}
		}
	}
	if !loaded() {
		t.Error("nothing has loaded tables.wasm")
	}
	if fault := eval[string](p, `pcp.exportTables({ source: src.id, format: "xls" }).then(() => "", (e) => e.fault.kind)`); fault != "argument" {
		t.Errorf("a format that there is not: %q", fault)
	}
	if stopped := eval[string](p, `(async () => {
  const stop = new AbortController();
  return pcp.exportTables({ source: src.id }, { signal: stop.signal, onProgress: () => stop.abort() }).then(() => "", (e) => e.fault.kind);
})()`); stopped != "cancelled" {
		t.Errorf("an export that was stopped: %q", stopped)
	}
}

// The dialog exports everything, or the metrics of a panel.
func TestExportDialog(t *testing.T) {
	p := openPage(t)
	eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = ((real) => (b) => { kept.push(b); return real.call(URL, b) })(URL.createObjectURL), HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }, true)`)
	click(p, id("source-menu"))
	click(p, id("menu-export"))
	p.idle()
	p.shot("export")
	click(p, id("save-save"))
	until(p, "the tables", func() bool { return eval[int](p, `kept.length`) == 2 })
	p.idle()
	if name := eval[string](p, `kept[1]`); name != "web01-parquet.tar" {
		t.Errorf("saved as %s", name)
	}
	said := eval[string](p, `document.querySelector('[data-testid="save-done"]').textContent`)
	if !strings.Contains(said, "Saved web01-parquet.tar: ") || !strings.Contains(said, " series.") {
		t.Errorf("it says %q", said)
	}
	p.accessible("the dialog that exports tables")
	click(p, id("save-close"))
	click(p, id("panel-menu"))
	click(p, id("panel-export"))
	click(p, id("save-format-csv"))
	click(p, id("save-zip"))
	p.shot("export-panel")
	click(p, id("save-save"))
	until(p, "the panel's tables", func() bool { return eval[int](p, `kept.length`) == 4 })
	p.idle()
	said = eval[string](p, `document.querySelector('[data-testid="save-done"]').textContent`)
	if name := eval[string](p, `kept[3]`); name != "web01-csv.zip" || !strings.Contains(said, "Saved web01-csv.zip: ") {
		t.Errorf("saved as %s: %s", name, said)
	}
}
