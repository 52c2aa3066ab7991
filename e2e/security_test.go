package e2e

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// trap is markup that runs a script if anybody takes it for markup.
const trap = `<img src=x onerror="globalThis.pwned=1">`

// hostile writes an archive whose every name and text is the trap.
func hostile(t *testing.T) (files []string) {
	t.Helper()
	dir := t.TempDir()
	const base = `"><img src=x onerror=pwned=1>`
	label := archive.Label{Version: 3, PID: 1, Start: 1_700_000_000e9, Host: trap, Timezone: trap, Zoneinfo: ":" + trap}
	w, err := archive.NewWriter(label, func(suffix string) (io.WriteCloser, error) {
		file := filepath.Join(dir, base+"."+suffix)
		files = append(files, file)
		return os.Create(file)
	})
	if err != nil {
		t.Fatal(err)
	}
	indom := pcp.MakeInDom(60, 1)
	steps := []error{w.InDom(label.Start, indom, []pcp.Instance{{ID: 0, Name: trap}, {ID: 1, Name: "javascript:pwned=1"}})}
	text := pcp.Desc{PMID: pcp.MakePMID(60, 0, 3), Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}
	load := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), Type: pcp.Double, InDom: indom, Sem: pcp.Instant}
	many := pcp.Desc{PMID: pcp.MakePMID(60, 0, 2), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter}
	for i, d := range []pcp.Desc{load, many, text} {
		steps = append(steps, w.Desc(d, fmt.Sprintf("a%d.%s", i, trap)), w.MetricText(d.PMID, trap, trap+"\n<script>pwned=1</script>"))
	}
	steps = append(steps, w.InDomText(indom, trap, trap))
	for i := range 60 {
		steps = append(steps, w.Record(label.Start+pcp.Time(i)*1e9, []archive.ValueSet{
			{PMID: load.PMID, Type: load.Type, Values: []archive.Value{{Inst: 0, Val: 0x3ff0000000000000 + uint64(i)<<44}, {Inst: 1, Val: 0x4000000000000000}}},
			{PMID: many.PMID, Type: many.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(i)}}},
			{PMID: text.PMID, Type: text.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: []byte(trap)}}},
		}))
	}
	steps = append(steps, w.Close())
	for _, err := range steps {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		trap + ".view":  "#kmchart\nversion 1\nchart title \"" + trap + "\" style plot\n\tplot metric " + trap + "\n",
		trap + ".conf":  "[" + trap + "]\nheader = " + trap + "\n",
		trap + ".html":  "<!doctype html>" + trap,
		trap + ".folio": "PCPFolio\nVersion: 1\nCreated: on " + trap + "\nCreator: pmchart " + trap + "\nArchive: " + trap + " " + trap + "\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// untouched fails where a trap has become markup or has run.
func (p *page) untouched(where string) {
	p.t.Helper()
	if n := eval[int](p, `document.querySelectorAll("img, [onerror], iframe, object, a[href^='javascript' i]").length + (globalThis.pwned ? 1000 : 0)`); n != 0 {
		p.t.Errorf("%s: a name became markup (%d elements)", where, n)
	}
}

// Names from files are text, wherever the page shows them.
func TestNamesAreText(t *testing.T) {
	p := open(t, "/")
	p.drop("body", hostile(t)...)
	p.idle()
	if got := eval[string](p, `document.querySelector("[data-testid=source-title]").textContent`); !strings.Contains(got, "<img src=x") {
		t.Errorf("the host is shown as %q", got)
	}
	p.untouched("opened")
	// Into every corner: each button but those that leave, the tree, search.
	for _, script := range []string{
		`document.querySelectorAll("[data-testid=tree] [role=treeitem], [data-testid^=row-], [data-testid=tree] button").forEach((e) => e.click())`,
		`document.querySelectorAll("[data-testid=source-menu], [data-testid=time-menu], [data-testid=panel-menu], [data-testid^=drawer], [data-testid=series]").forEach((e) => e.click())`,
		`(() => { const s = document.querySelector("[data-testid=search]"); s.focus(); s.value = "img"; s.dispatchEvent(new Event("input", { bubbles: true })); })()`,
	} {
		eval[any](p, script+", true")
		p.idle()
		p.untouched(script)
	}
	shown := eval[int](p, `document.body.innerText.split("<img src=x").length - 1`)
	if shown < 5 {
		t.Errorf("the trap is shown %d times only; does the page show names at all?", shown)
	}
	p.shot("hostile")
	// The same archive in an element.
	eval[any](p, `import("/pcp-scope.js").then(async () => {
	  const [source] = await pcpscope.sources();
	  const names = (await pcpscope.metrics(source.id)).map((m) => m.name).filter((n) => n.startsWith("a"));
	  for (const view of ["chart", "table"]) {
	    const e = document.createElement("pcp-scope");
	    e.setAttribute("metrics", names.join(", "));
	    e.setAttribute("view", view);
	    document.body.append(e);
	    const frame = await pcpscope.fetch({ source: source.id, metrics: names, interval: "1sec" });
	    const { table } = await import("/scope/table.js");
	    e.shadowRoot.append(table(frame, "UTC"));
	    if (e.shadowRoot.querySelector("img") || !e.shadowRoot.textContent.includes("<img src=x")) throw new Error("markup in " + view);
	  }
	  return true;
	})`)
	p.untouched("element")
}

// Links and messages can do nothing by themselves.
func TestHostileLinks(t *testing.T) {
	for _, link := range []string{
		"/#" + strings.ReplaceAll(trap, " ", "%20"),
		"/#src=https://evil.example/x&open=1&panels=" + trap,
		"/?src=" + strings.ReplaceAll(trap, " ", "%20"),
		"/?src=javascript:pwned=1&src=data:text/html,<script>pwned=1</script>",
		"/?src=https://evil.example/" + strings.ReplaceAll(trap, " ", "%20"),
		"/?embed=1&test=1#" + trap,
	} {
		p := openAt(t, "", 1000, 700)
		p.expectComplaints("404")
		p.must(p.Do(chromedp.Navigate(address + strings.ReplaceAll(link, `"`, "%22"))))
		time.Sleep(700 * time.Millisecond)
		eval[any](p, `(postMessage({ pcpscope: 1, type: "hello" }, "*"), postMessage({ pcpscope: 1, type: "call", id: 1, command: "open", params: { urls: ["/testdata/live/web01"] } }, "*"), true)`)
		time.Sleep(300 * time.Millisecond)
		p.untouched(link)
		if n := eval[int](p, `pcpscopeReady.then((p) => p.sources()).then((s) => s.length)`); n != 0 {
			t.Errorf("%s opened %d sources", link, n)
		}
		if at := eval[string](p, `location.origin`); at != address {
			t.Errorf("%s led to %s", link, at)
		}
		for _, r := range p.Requests() {
			if !strings.HasPrefix(r.URL, address) {
				t.Errorf("%s asks for %s", link, r.URL)
			}
		}
	}
}

// After the page has loaded it asks for nothing, whatever is done with an
// archive.
func TestNothingIsRequestedAfterLoad(t *testing.T) {
	p := open(t, "/")
	eval[any](p, `navigator.serviceWorker.ready.then(async () => { while (!navigator.serviceWorker.controller) await new Promise((d) => setTimeout(d, 50)); return true })`)
	p.idle()
	if loaded := p.Requests(); len(loaded) < 8 {
		t.Fatalf("loading the page took %d requests only; are they seen?", len(loaded))
	}
	smoke(p)
	eval[any](p, `(async () => {
	  const [source] = await pcpscope.sources();
	  await pcpscope.search(source.id, "disk");
	  await pcpscope.summary({ source: source.id });
	  await pcpscope.derive(source.id, "mine", "kernel.all.load * 2");
	  document.querySelectorAll("[data-testid=panel-menu], [data-testid=source-menu], [data-testid=theme]").forEach((e) => e.click());
	  await pcpview.window(String(source.start + 60000000000n), String(source.start + 120000000000n));
	  await pcpscope.idle();
	  return true;
	})()`)
	p.drop("body", "testdata/live/web01-v2.meta.gz", "testdata/live/web01-v2.index", "testdata/live/web01-v2.0.gz")
	p.idle()
	eval[any](p, `pcpscope.close(1).then(() => pcpscope.idle()).then(() => true)`)
	if asked := p.Requests(); len(asked) != 0 {
		t.Errorf("after loading, the page asked for %v", asked)
	}
	if stored := eval[string](p, `JSON.stringify([document.cookie, Object.keys(sessionStorage)])`); stored != `["",[]]` {
		t.Errorf("the page leaves behind %s", stored)
	}
}
