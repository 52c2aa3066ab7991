package e2e

import (
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/site"
)

// trap is a text that runs a script if it is interpreted as markup. It names
// its place, so that a test can find this one on the screen.
func trap(where string) string { return `<img src=x onerror=pwned="` + where + `">` }

// labels is a JSON object with two labels whose values are traps; the name of
// the second is a trap too, which PCP does not allow and the page does not
// show.
func labels(where string) string {
	text := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
	return "{" + text(strings.ReplaceAll(where, " ", "_")) + ":" + text(trap(where)) + "," + text(trap("name of "+where)) + ":" + text(trap(where)) + "}"
}

// hostile writes an archive in which every name and text is a trap: labels of
// all levels, instances, help, host, zones, values, and file names; and files
// that are not archives.
func hostile(t *testing.T) (files []string) {
	t.Helper()
	dir := t.TempDir()
	base := trap("base")
	label := archive.Label{Version: 3, PID: 1, Start: 1_700_000_000e9, Host: trap("host"), Timezone: trap("timezone"), Zoneinfo: ":" + trap("zoneinfo")}
	w, err := archive.NewWriter(label, func(suffix string) (io.WriteCloser, error) {
		file := filepath.Join(dir, base+"."+suffix)
		files = append(files, file)
		return os.Create(file)
	})
	if err != nil {
		t.Fatal(err)
	}
	indom := pcp.MakeInDom(60, 1)
	steps := []error{w.InDom(label.Start, indom, []pcp.Instance{{ID: 0, Name: trap("instance")}, {ID: 1, Name: "javascript:pwned=1 \x01\x1b"}})}
	text := pcp.Desc{PMID: pcp.MakePMID(60, 0, 3), Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}
	load := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), Type: pcp.Double, InDom: indom, Sem: pcp.Instant}
	many := pcp.Desc{PMID: pcp.MakePMID(60, 0, 2), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter}
	for _, m := range []struct {
		name string
		pcp.Desc
	}{{"load", load}, {"many", many}, {"text", text}} {
		steps = append(steps, w.Desc(m.Desc, "a."+m.name+trap(m.name)), w.MetricText(m.PMID, trap("oneline of "+m.name), trap("help of "+m.name)+"\n<script>pwned=1</script>"))
	}
	plain := pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	steps = append(steps, w.Desc(plain, "a.plain"))
	steps = append(steps, w.InDomText(indom, trap("oneline of domain"), trap("help of domain")))
	for _, l := range []struct {
		archive.LabelLevel
		id   uint32
		inst int32
		text string
	}{
		{archive.ContextLabels, 0, pcp.NoInstance, "context labels"}, {archive.DomainLabels, 60, pcp.NoInstance, "domain labels"},
		{archive.InDomLabels, uint32(indom), pcp.NoInstance, "indom labels"}, {archive.ClusterLabels, uint32(pcp.MakePMID(60, 0, 0)), pcp.NoInstance, "cluster labels"},
		{archive.ItemLabels, uint32(load.PMID), pcp.NoInstance, "item labels"}, {archive.InstanceLabels, uint32(indom), 0, "instance labels"},
	} {
		steps = append(steps, w.Labels(label.Start, l.LabelLevel, l.id, []archive.LabelSet{{Inst: l.inst, JSON: labels(l.text)}}))
	}
	for i := range 60 {
		steps = append(steps, w.Record(label.Start+pcp.Time(i)*1e9, []archive.ValueSet{
			{PMID: load.PMID, Type: load.Type, Values: []archive.Value{{Inst: 0, Val: 0x3ff0000000000000 + uint64(i)<<44}, {Inst: 1, Val: 0x4000000000000000}}},
			{PMID: many.PMID, Type: many.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(i)}}},
			{PMID: plain.PMID, Type: plain.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(i)}}},
			{PMID: text.PMID, Type: text.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: []byte(trap("value"))}}},
		}))
	}
	steps = append(steps, w.Close())
	for _, err := range steps {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		trap("view file") + ".view": "#kmchart\nversion 1\nchart title \"" + strings.ReplaceAll(trap("view"), `"`, "'") + "\" style plot\n\tplot legend \"" +
			strings.ReplaceAll(trap("legend"), `"`, "'") + "\" metric a.plain\n",
		trap("bad view file") + ".view": "#kmchart\nversion 1\nchart title bad style plot\n\tplot metric " + trap("word") + "\n",
		trap("conf file") + ".conf":     "[report]\nheader = yes\na.plain = " + trap("report label") + ",,,\n",
		trap("html file") + ".html":     "<!doctype html>" + trap("html"),
		trap("folio file") + ".folio":   "PCPFolio\nVersion: 1\nCreated: on " + trap("folio") + "\nCreator: pmchart " + trap("creator") + "\nArchive: " + trap("member") + " " + trap("member") + "\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// on fails if a trap is not readable on the screen.
func (p *page) on(where string, traps ...string) {
	p.t.Helper()
	p.idle()
	shown := eval[string](p, `document.body.innerText`)
	for _, name := range traps {
		if !strings.Contains(shown, trap(name)) {
			p.t.Errorf("%s: %s is not on the screen, so the test proves nothing", where, name)
		}
	}
	p.untouched(where)
}

// untouched fails if a trap has become markup or has run.
func (p *page) untouched(where string) {
	p.t.Helper()
	if n := eval[int](p, `document.querySelectorAll("img, [onerror], iframe, object, a[href^='javascript' i]").length + (globalThis.pwned ? 1000 : 0)`); n != 0 {
		p.t.Errorf("%s: a name became markup (%d elements)", where, n)
	}
}

// Names from files are text everywhere on the page.
func TestNamesAreText(t *testing.T) {
	p := open(t, "/")
	files := hostile(t)
	p.drop("body", files...)
	p.on("opened", "host", "html file", "bad view file", "view file", "conf file")
	p.shot("hostile-opened")
	eval[bool](p, `(document.querySelectorAll('[data-testid="dismiss-refused"], [data-testid="dismiss-notes"]').forEach((e) => e.click()), true)`)
	see := func(name, leaf string) {
		filter(p, "a."+leaf)
		eval[bool](p, `(document.querySelector('[data-testid="tree-metric"]').click(), true)`)
		p.idle()
		p.on("details of "+name, leaf, "oneline of "+leaf, "help of "+leaf)
		click(p, id("add-new-panel"))
	}
	see("a metric", "load")
	p.on("labels", "context labels", "domain labels", "indom labels", "cluster labels", "item labels", "instance")
	if got := eval[string](p, `document.querySelector('[data-testid="instance"] .strong').title`); got != trap("instance")+"\ninstance_labels: "+trap("instance labels") {
		t.Errorf("about an instance it says %q", got)
	}
	p.shot("hostile-labels")
	// Other programs can open its picture.
	eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = ((real) => (b) => { kept.push(b); return real.call(URL, b) })(URL.createObjectURL), HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }, true)`)
	eval[bool](p, `([...document.querySelectorAll('[data-testid="panel-menu"]')].at(-1).click(), true)`)
	p.idle()
	click(p, id("panel-svg"))
	until(p, "the picture", func() bool { return eval[bool](p, `kept.some((k) => typeof k === "string")`) })
	picture := eval[string](p, `kept[0].text()`)
	if !strings.Contains(picture, "javascript:pwned=1") {
		t.Error("the picture does not show the instance")
	}
	if err := xml.Unmarshal([]byte(picture), new(struct{})); err != nil {
		t.Errorf("the picture is not well-formed: %v", err)
	}
	see("a counter", "many")
	see("a text", "text")
	p.on("a panel of text", "value")
	for _, tab := range []string{"cursor", "summary", "records", "problems"} {
		click(p, id("tab-"+tab))
		p.on("drawer "+tab, map[string][]string{"cursor": {"load"}, "summary": {"load", "instance"}, "records": {}, "problems": {}}[tab]...)
		p.shot("hostile-" + tab)
	}
	click(p, id("close-drawer"))
	click(p, id("source-menu"))
	p.on("the menu of sources", "host")
	p.shot("hostile-sources")
	press(p, "\x1b")
	click(p, id("time-menu"))
	p.on("the menu of times")
	p.shot("hostile-times")
	press(p, "\x1b")
	eval[bool](p, `(() => { const s = document.querySelector("[data-testid=search]"); s.focus(); s.value = "img"; s.dispatchEvent(new Event("input", { bubbles: true })); return true })()`)
	p.on("search", "load", "instance")
	p.shot("hostile-search")
	press(p, "\x1b")
	click(p, id("tab-boards"))
	p.on("dashboards", "view file")
	eval[bool](p, `([...document.querySelectorAll('[data-testid="rail"] button')].find((e) => e.innerText.includes("view file")).click(), true)`)
	p.idle()
	shown := eval[string](p, `document.body.innerText`)
	for _, name := range []string{"view", "legend"} {
		if !strings.Contains(shown, strings.ReplaceAll(trap(name), `"`, "'")) {
			t.Errorf("the dashboard of the view does not show its %s", name)
		}
	}
	p.untouched("a dashboard")
	p.shot("hostile-boards")
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
	    if (e.shadowRoot.querySelector("img") || !e.shadowRoot.textContent.includes('<img src=x onerror=pwned="load">')) throw new Error("markup in " + view);
	  }
	  return true;
	})`)
	p.untouched("element")
}

// A name may contain bidirectional control characters; the rest of the line
// still reads from left to right.
func TestNamesDoNotTurnLines(t *testing.T) {
	dir := t.TempDir()
	var files []string
	label := archive.Label{Version: 3, PID: 1, Start: 1_700_000_000e9, Host: "\u202etsoh", Timezone: "UTC"}
	w, err := archive.NewWriter(label, func(suffix string) (io.WriteCloser, error) {
		files = append(files, filepath.Join(dir, "turned."+suffix))
		return os.Create(files[len(files)-1])
	})
	if err != nil {
		t.Fatal(err)
	}
	plain := pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Instant}
	steps := []error{w.Desc(plain, "a.plain")}
	for i := range 60 {
		steps = append(steps, w.Record(label.Start+pcp.Time(i)*1e9, []archive.ValueSet{{PMID: plain.PMID, Type: plain.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(i)}}}}))
	}
	for _, err := range append(steps, w.Close()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, "/")
	p.drop("body", files...)
	p.idle()
	order := eval[[]float64](p, `(() => {
	  const subtitle = document.querySelector("[data-testid=source-subtitle]").firstChild, range = document.createRange();
	  const left = (i) => (range.setStart(subtitle, i), range.setEnd(subtitle, i + 1), range.getBoundingClientRect().left);
	  return [document.querySelector("[data-testid=source-title]").getBoundingClientRect().left, left(0), left(1)];
	})()`)
	if !(order[0] < order[1] && order[1] < order[2]) {
		t.Errorf("title, first and second character after it begin at %v: not from left to right", order)
	}
}

// Links and messages cannot do anything by themselves.
func TestHostileLinks(t *testing.T) {
	for _, link := range []string{
		"/#" + strings.ReplaceAll(trap("link"), " ", "%20"),
		"/#src=https://evil.example/x&open=1&panels=" + trap("link"),
		"/?src=" + strings.ReplaceAll(trap("link"), " ", "%20"),
		"/?src=javascript:pwned=1&src=data:text/html,<script>pwned=1</script>",
		"/?src=https://evil.example/" + strings.ReplaceAll(trap("link"), " ", "%20"),
		"/?src=/nothing/%25ZZ.meta", // a URL with invalid escapes
		"/?embed=1&test=1#" + trap("link"),
	} {
		p := openAt(t, "", 1000, 700)
		p.expectComplaints("404")
		p.must(p.Do(chromedp.Navigate(p.address + strings.ReplaceAll(link, `"`, "%22"))))
		time.Sleep(700 * time.Millisecond)
		eval[any](p, `(postMessage({ pcpscope: 1, type: "hello" }, "*"), postMessage({ pcpscope: 1, type: "call", id: 1, command: "open", params: { urls: ["/testdata/live/web01"] } }, "*"), true)`)
		time.Sleep(300 * time.Millisecond)
		p.untouched(link)
		if strings.Contains(link, "?src=https") {
			if got := text(p, "ask"); !strings.Contains(got, "evil.example") || !strings.Contains(got, "img") {
				t.Errorf("%s: the page asks %q", link, got)
			}
		}
		if n := eval[int](p, `pcpscopeReady.then((p) => p.sources()).then((s) => s.length)`); n != 0 {
			t.Errorf("%s opened %d sources", link, n)
		}
		if at := eval[string](p, `location.origin`); at != p.address {
			t.Errorf("%s led to %s", link, at)
		}
		for _, r := range p.Requests() {
			if !strings.HasPrefix(r.URL, p.address) {
				t.Errorf("%s asks for %s", link, r.URL)
			}
		}
	}
}

// After the page has loaded, it sends no requests, whatever is done with an
// archive.
func TestNothingIsRequestedAfterLoad(t *testing.T) {
	alone(t)
	// The browser reports the page's requests, the server those of workers, too. (The policy keeps all of them
	// from other servers: TestPolicyIsEnforced.)
	var counting sync.Mutex
	var served []string
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.Handle("/testdata/", http.StripPrefix("/testdata", site.Handler(os.DirFS("../testdata"))))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sw.js" { // the check for a new version
			counting.Lock()
			served = append(served, r.URL.Path)
			counting.Unlock()
		}
		mux.ServeHTTP(w, r)
	}))
	defer server.Close()
	take := func() (list []string) {
		counting.Lock()
		defer counting.Unlock()
		list, served = served, nil
		return list
	}
	p := openURL(t, server.URL+"/")
	eval[any](p, `navigator.serviceWorker.ready.then(async () => { while (!navigator.serviceWorker.controller) await new Promise((d) => setTimeout(d, 50)); return true })`)
	p.idle()
	if list := take(); len(list) < 8 {
		t.Fatalf("the server counted %d requests while the page loaded", len(list))
	}
	if loaded := p.Requests(); len(loaded) < 8 {
		t.Fatalf("only %d requests were recorded while the page loaded", len(loaded))
	}
	smoke(p)
	eval[any](p, `(async () => {
	  const [source] = await pcpscope.sources();
	  await pcpscope.search(source.id, "disk");
	  await pcpscope.summary({ source: source.id });
	  await pcpscope.derive(source.id, "mine", "kernel.all.load * 2");
	  document.querySelectorAll("[data-testid=panel-menu], [data-testid=source-menu], [data-testid=theme]").forEach((e) => e.click());
	  await pcpscopePage.view.window(String(source.start + 60000000000n), String(source.start + 120000000000n));
	  await pcpscope.idle();
	  return true;
	})()`)
	p.drop("body", "testdata/live/web01-v2.meta.gz", "testdata/live/web01-v2.index", "testdata/live/web01-v2.0.gz")
	p.idle()
	eval[any](p, `pcpscope.close(1).then(() => pcpscope.idle()).then(() => true)`)
	if asked := p.Requests(); len(asked) != 0 {
		t.Errorf("after loading, the page requested %v", asked)
	}
	if list := take(); len(list) != 0 {
		t.Errorf("after loading, the server was asked for %v", list)
	}
	p.expectComplaints("404") // of a listing
	if n := openedBy(p, `pcpscope.openURL(["/testdata/live/web01"])`); n != 1 || len(take()) == 0 {
		t.Error("a request of the engine is not seen, so the test proves nothing")
	}
	if stored := eval[string](p, `JSON.stringify([document.cookie, Object.keys(sessionStorage)])`); stored != `["",[]]` {
		t.Errorf("the page has stored %s", stored)
	}
}
