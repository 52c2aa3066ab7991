package e2e

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// kept collects the files that the page saves, as name and text.
func kept(p *page) func() []string {
	p.t.Helper()
	eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = (b) => { kept.push(b); return "blob:none" }, HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }, true)`)
	return func() []string {
		p.t.Helper()
		return eval[[]string](p, `Promise.all(kept.map((k) => (k.text ? k.text() : k)))`)
	}
}

func fragment(p *page) string {
	p.t.Helper()
	return eval[string](p, `location.hash`)
}

// A link contains the whole view: its recipient is asked for the files, and sees
// the view once they are open.
func TestLink(t *testing.T) {
	p := openPage(t)
	editor(p, "kernel.all.load")
	write(p, "derive-text", "kernel.all.load * 100")
	write(p, "derive-name", "my.load")
	click(p, id("derive-save"))
	press(p, "a") // no effect: everything is visible
	shortcut(p, "w")
	shortcut(p, "n")
	write(p, "note-text", "<b>deploy</b> of version 2")
	shortcut(p, "Enter")
	p.shot("note")
	window := text(p, "window")
	click(p, id("share"))
	p.shot("share")
	link := value(p, "share-link")
	if !strings.Contains(link, "/#s=1.") {
		t.Fatalf("the link is %q", link)
	}
	for end := time.Now().Add(10 * time.Second); fragment(p) != link[strings.IndexByte(link, '#'):]; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the address does not become the link: %q", fragment(p))
		}
	}
	if got := text(p, "note"); !strings.Contains(got, "<b>deploy</b> of version 2") || eval[int](p, `document.querySelectorAll("[data-testid=note] b").length`) != 0 {
		t.Errorf("the note is listed as %q", got)
	}
	panels := titles(p)

	q := open(t, link[strings.LastIndex(link, "/#"):])
	q.idle()
	if got := text(q, "wanted"); !strings.Contains(got, "web01 of pcp-testhost") || !strings.Contains(got, "web01.meta") || !strings.Contains(got, "03:49:02") {
		t.Errorf("the link asks for %q", got)
	}
	q.shot("link-wants")
	q.drop("body", web01...)
	q.idle()
	if got := text(q, "window"); got != window {
		t.Errorf("the window is %q, was %q", got, window)
	}
	if got := titles(q); !slices.Equal(got, panels) {
		t.Errorf("the panels are %v, were %v", got, panels)
	}
	if got := text(q, "detail-expression"); got != "kernel.all.load * 100" {
		t.Errorf("the derived metric is %q", got)
	}
	if visible(q, "notes") {
		t.Errorf("with the same files the page says %q", text(q, "notes"))
	}
	click(q, id("share"))
	if got := text(q, "note"); !strings.Contains(got, "<b>deploy</b> of version 2") {
		t.Errorf("the note has become %q", got)
	}

	// With other files the differences are reported, and the rest is shown.
	r := open(t, link[strings.LastIndex(link, "/#"):])
	r.idle()
	r.drop("body", "testdata/live/web01-v2.0.gz", "testdata/live/web01-v2.index", "testdata/live/web01-v2.meta.gz")
	r.idle()
	if got := text(r, "notes"); !strings.Contains(got, "it was made with web01 of pcp-testhost, this is web01-v2 of pcp-testhost") {
		t.Errorf("with other files the page says %q", got)
	}
}

// A session file is equivalent to a link, and is opened like any file.
func TestSession(t *testing.T) {
	p := openPage(t)
	pick(p, "mem.util.dirty")
	click(p, id("add-new-panel"))
	panels := titles(p)
	files := kept(p)
	click(p, id("share"))
	click(p, id("save-session"))
	got := files()
	if len(got) != 2 || got[1] != "pcpscope-pcp-testhost.json" {
		t.Fatalf("saved as %q", got)
	}
	path := filepath.Join(t.TempDir(), got[1])
	if err := os.WriteFile(path, []byte(got[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	q := open(t, "/")
	q.idle()
	q.drop("body", path)
	q.idle()
	if got := text(q, "wanted"); !strings.Contains(got, "web01 of pcp-testhost") {
		t.Errorf("the session asks for %q", got)
	}
	q.drop("body", web01...)
	q.idle()
	if got := titles(q); !slices.Equal(got, panels) {
		t.Errorf("the panels are %v, were %v", got, panels)
	}
}

// Links and sessions are untrusted: their errors are reported, their contents
// are text, and they cannot open, save or fetch anything by themselves.
func TestHostileSessions(t *testing.T) {
	p := open(t, "/#s=1.AAAA")
	p.idle()
	if got := text(p, "drop-status"); !strings.Contains(got, "This link is damaged") {
		t.Errorf("a damaged link gives %q", got)
	}
	p = open(t, "/#s=9.AAAA")
	p.idle()
	if got := text(p, "drop-status"); !strings.Contains(got, "newer pcpscope") {
		t.Errorf("a link of a later version gives %q", got)
	}
	dir := t.TempDir()
	evil := `<img src=x onerror="alert(1)">`
	session, _ := json.Marshal(map[string]any{"pcpscope": "session", "version": 1, "derived": "evil.a = " + evil + "\n", "sources": []any{map[string]any{
		"fingerprint": evil, "kind": "archive", "name": evil, "host": evil, "files": []string{evil}, "start": "0", "end": "1000000000", "zone": evil, "from": "0", "to": "1",
		"panels": []any{map[string]any{"title": evil, "metrics": []string{evil, "kernel.all.load"}}}, "notes": []any{map[string]any{"at": "1795232943000000000", "text": evil}}}}})
	path := filepath.Join(dir, "evil.json")
	if err := os.WriteFile(path, session, 0o644); err != nil {
		t.Fatal(err)
	}
	p.Requests()
	p.drop("body", path)
	p.idle()
	if got := text(p, "wanted"); !strings.Contains(got, evil) {
		t.Errorf("a hostile name is shown as %q", got)
	}
	p.drop("body", web01...)
	p.idle()
	// The same for a session that matches the open source, so that its texts are
	// shown.
	prints := eval[string](p, `pcpscope.sources().then((s) => s[0].fingerprint)`)
	if err := os.WriteFile(path, []byte(strings.Replace(string(session), `"fingerprint":`+quoted(evil), `"fingerprint":`+quoted(prints), 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	p.drop("body", path)
	p.idle()
	if got := titles(p); !slices.Contains(got, evil) {
		t.Errorf("the page shows the session's panel as %q", got)
	}
	p.shot("hostile-session")
	click(p, id("share"))
	if got := eval[int](p, `document.querySelectorAll("img").length`); got != 0 {
		t.Errorf("there are %d images in the page", got)
	}
	p.shot("hostile")
	for _, sent := range p.Requests() {
		if sent.URL != p.address+"/sw.js" { // the service worker's script, which is fetched late
			t.Errorf("the page sent %v", sent)
		}
	}
}

// The page is not idle while a dropped session is being read, however long
// that takes.
func TestIdleWaitsForSessions(t *testing.T) {
	p := open(t, "/")
	p.idle()
	path := filepath.Join(t.TempDir(), "later.json")
	session := `{"pcpscope":"session","version":1,"sources":[{"fingerprint":"none","kind":"archive","name":"elsewhere","host":"h","files":["elsewhere.0"],"start":"0","end":"1000000000","zone":"UTC","from":"0","to":"1"}]}`
	p.must(os.WriteFile(path, []byte(session), 0o644))
	eval[bool](p, `(() => { const read = Blob.prototype.arrayBuffer; Blob.prototype.arrayBuffer = async function () { await new Promise((done) => setTimeout(done, 500)); return read.call(this) }; return true })()`)
	p.drop("body", path)
	p.idle()
	if got := text(p, "wanted"); !strings.Contains(got, "elsewhere") {
		t.Errorf("the idle page asks for %q", got)
	}
}

// Recent sources are remembered, and deleted on request.
func TestRecent(t *testing.T) {
	p := openPage(t)
	p.goTo("/")
	p.idle()
	rows := texts(p, id("recent-row"))
	if len(rows) != 1 || !strings.Contains(rows[0], "web01") || !strings.Contains(rows[0], "pcp-testhost") || !strings.Contains(rows[0], "5 min · 21 Nov 2026") || !strings.Contains(rows[0], "today") {
		t.Fatalf("remembered is %q", rows)
	}
	p.shot("recent")
	eval[bool](p, `(() => { const [one] = JSON.parse(localStorage.getItem("pcpscope.recent")); localStorage.setItem("pcpscope.recent", JSON.stringify(Array.from({ length: 12 }, (_, i) => ({ ...one, fingerprint: one.fingerprint + i })))); return true })()`)
	p.goTo("/?many")
	p.idle()
	if n := len(texts(p, id("recent-row"))); n != 10 {
		t.Errorf("of twelve sources %d are listed", n)
	}
	click(p, id("forget-recent"))
	if visible(p, "recent") {
		t.Error("it is not forgotten")
	}
	p.goTo("/?again")
	p.idle()
	if visible(p, "recent") {
		t.Error("it is back after a reload")
	}
}

// someLoad is what pmval -a web01 -t 1 -f 2 -r kernel.all.load prints (PCP
// 6.0.3) at times of our grid, which begins at the archive's start.
var someLoad = map[string]float64{"2026-11-21T03:49:07.315071973Z": 0.78, "2026-11-21T03:49:17.315071973Z": 0.81, "2026-11-21T03:50:23.315071973Z": 5.15}

// A CSV file has the values of the charts.
func TestExportValues(t *testing.T) {
	p := openPage(t)
	pick(p, "kernel.all.load")
	click(p, id("add-new-panel"))
	files := kept(p)
	click(p, id("share"))
	click(p, id("export-csv"))
	click(p, id("export-json"))
	got := files()
	if len(got) != 4 || got[1] != "pcpscope-pcp-testhost.csv" || got[3] != "pcpscope-pcp-testhost.json" {
		t.Fatalf("saved are %d, as %q and %q", len(got)/2, got[1], got[len(got)-1])
	}
	lines, err := csv.NewReader(strings.NewReader(got[0])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(lines[0], "kernel.all.load[1 minute] (tasks, average)")
	if at < 0 || lines[0][0] != "time" {
		t.Fatalf("the columns are %q", lines[0])
	}
	column := map[string]string{}
	for _, l := range lines[1:] {
		column[l[0]] = l[at]
	}
	for when, want := range someLoad {
		if v, err := strconv.ParseFloat(column[when], 64); err != nil || v < want-0.005 || v > want+0.005 {
			t.Errorf("at %s the load is %q, want %v", when, column[when], want)
		}
	}
	var data struct {
		Times  []string
		Series []struct {
			Metric, Instance string
			Values           []*float64
		}
	}
	if err := json.Unmarshal([]byte(got[2]), &data); err != nil || len(data.Times) != len(lines)-1 || len(data.Series) != len(lines[0])-1 {
		t.Errorf("as JSON there are %d moments of %d series (%v), as CSV %d of %d", len(data.Times), len(data.Series), err, len(lines)-1, len(lines[0])-1)
	}
}

// If the browser provides file handles, a click reopens what was dropped.
func TestOpenAgain(t *testing.T) {
	p := openWhole(t, "/")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	checkLoad(p)
	until(p, "the handles", func() bool {
		return eval[int](p, `new Promise((done) => { const o = indexedDB.open("pcpscope", 1); o.onsuccess = () => { const r = o.result.transaction("handles").objectStore("handles").getAll(); r.onsuccess = () => done(r.result.flat().length) } })`) == 3
	})
	p.goTo("/?again")
	p.idle()
	click(p, id("recent-open"))
	until(p, "the source", func() bool {
		return text(p, "source-title") != "" || strings.Contains(text(p, "drop-status"), "Choose them again")
	})
	p.idle()
	if got := text(p, "source-title"); got != "pcp-testhost" {
		t.Errorf("it opens as %q; the page says %q", got, text(p, "drop-status"))
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
