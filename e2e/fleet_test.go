package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	internalfleet "pcpscope/internal/fleet"
	"pcpscope/internal/fleetgen"
	"pcpscope/internal/serve"
	"pcpscope/wasm/edge/worker"
)

const fleetAddress = "/?fleet=archives/pcpscope-fleet/"

// indexed serves the site, and archives of generated hosts with their index.
func indexed(t *testing.T, hosts, days int, tokens ...worker.Token) (server, dir string, asked *asked) {
	t.Helper()
	dir = t.TempDir()
	if err := fleetgen.Write(dir, hosts, days, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	src, err := internalfleet.Open(dir, "")
	if err == nil {
		_, err = internalfleet.Index(t.Context(), src, internalfleet.Options{Dir: filepath.Join(dir, internalfleet.Folder)})
	}
	if err != nil {
		t.Fatal(err)
	}
	asked = servedFrom(t, dir, tokens, &server)
	return server, dir, asked
}

func servedFrom(t *testing.T, dir string, tokens []worker.Token, server *string) *asked {
	t.Helper()
	a := &asked{}
	handler, err := serve.Handler(serve.Options{Dist: dist, Archives: dir, Tokens: tokens, Log: func(v worker.Visit) {
		a.Lock()
		a.list = append(a.list, v)
		a.Unlock()
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	*server = s.URL
	return a
}

func (p *page) fleetReady() {
	p.t.Helper()
	p.until(`["ready", "failed"].includes(document.documentElement.dataset.fleet)`)
}

// Days that a server does not send have no findings that are known, and are read with the
// next measure.
func TestFleetServerComesBack(t *testing.T) {
	server, _, _ := indexed(t, 9, 4)
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	behind := httputil.NewSingleHostReverseProxy(to)
	var down atomic.Bool
	down.Store(true)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() && strings.Contains(r.URL.Path, "/page/") {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		behind.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	p := openURL(t, s.URL+fleetAddress)
	p.expectComplaints("503")
	p.fleetReady()
	if got := text(p, "fleet-findings-said"); got != "" {
		t.Errorf("of days that could not be read it says %q", got)
	}
	if got := text(p, "fleet-problems"); !strings.Contains(got, "2026-11-04 could not be read") {
		t.Errorf("the problems are %q", got)
	}
	down.Store(false)
	eval[any](p, `(() => { const e = document.querySelector("[data-testid=fleet-measure]"); e.value = "filesystem.full"; e.dispatchEvent(new Event("change")); return true })()`)
	p.until(`document.documentElement.dataset.fleet === "ready" && document.querySelector("[data-testid=fleet-findings-said]").textContent`)
	if got := text(p, "fleet-findings-said"); !strings.Contains(got, " of 3 hosts") {
		t.Errorf("afterwards it says %q", got)
	}
	if got := eval[bool](p, `document.querySelector("[data-testid=fleet-problems]").checkVisibility()`); got {
		t.Error("there are still problems")
	}
}

// The page draws a measure of all hosts with one request per day, sorts and
// groups them, and links to the archive of an hour.
func TestFleetPage(t *testing.T) {
	server, _, asked := indexed(t, 9, 4)
	p := openURL(t, server+"/")
	p.idle()
	p.until(`document.querySelector("[data-testid=catalog-fleet]").checkVisibility()`)
	p.shot("catalog-fleet")
	if got := eval[string](p, `document.querySelector("[data-testid=catalog-fleet]").getAttribute("href")`); got != "?fleet=archives%2Fpcpscope-fleet%2F" {
		t.Errorf("the empty page leads to %q", got)
	}
	asked.take()
	p.must(p.Do(chromedp.Navigate(server + fleetAddress)))
	p.fleetReady()
	ranges := 0
	for _, v := range asked.take() {
		if strings.Contains(v.Path, "/page/") && v.Range != "" && v.Status == 206 {
			ranges++
		} else if !strings.HasSuffix(v.Path, "/manifest.json") {
			t.Errorf("the page asked for %+v", v)
		}
	}
	if ranges != 4 {
		t.Errorf("%d ranges for 4 days", ranges)
	}
	if n := eval[int](p, `performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".wasm")).length`); n != 0 {
		t.Error("the page has loaded the program")
	}
	if got := text(p, "fleet-said"); !strings.HasPrefix(got, "9 hosts, 4 days, UTC.") {
		t.Errorf("it says %q", got)
	}
	p.accessible("the fleet")
	p.shot("fleet")
	// Host 3 (db...) was busy from 14:00 to 16:00 on the second-to-last day: it is the worst, and that hour the
	// highest.
	key := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			p.must(p.Do(chromedp.SendKeys(chromedp.CSS(id("fleet-matrix")), k)))
		}
	}
	key(kb.Home)
	if got := text(p, "fleet-cell-said"); !strings.HasPrefix(got, fleetgen.Name(fleetgen.Saturated)+", 2026-11-01 00:00: CPU busy ") {
		t.Errorf("the first cell is %q", got)
	}
	eval[any](p, `(() => { const c = document.querySelector("[data-testid=fleet-canvas]"), b = c.getBoundingClientRect(), w = b.width - 132 - 12; c.dispatchEvent(new PointerEvent("click", { bubbles: true, clientX: b.left + 132 + w * (2 * 24 + 14.5) / 96, clientY: b.top + 22 + 8 })); return true })()`)
	if got := text(p, "fleet-cell-said"); got != fleetgen.Name(fleetgen.Saturated)+", 2026-11-03 14:00: CPU busy 98.5 % (mean of the hour)" {
		t.Errorf("the busy hour is %q", got)
	}
	p.until(`document.querySelector("[data-testid=fleet-open]").href && document.querySelector("[data-testid=fleet-outliers] li")`)
	if got := eval[string](p, `document.querySelector("[data-testid=fleet-outliers]").innerText.replaceAll("\n", " ")`); !strings.Contains(got, fleetgen.Name(fleetgen.Saturated)) {
		t.Errorf("the outliers are %q", got)
	}
	if got := eval[string](p, `document.querySelector("[data-testid=fleet-open]").getAttribute("href")`); got != "?host="+fleetgen.Name(fleetgen.Saturated)+"&from=2026-11-03T14%3A00%3A00.000Z&to=2026-11-03T15%3A00%3A00.000Z" {
		t.Errorf("the link is %q", got)
	}
	p.shot("fleet-cell")
	// Findings of all hosts, in one list.
	if got := eval[string](p, `document.querySelector("[data-testid=fleet-findings]").innerText`); !strings.Contains(got, fleetgen.Name(fleetgen.Saturated)) {
		t.Errorf("the findings are %q", got)
	}
	// The URL sets another order and grouping.
	set := func(test, value string) {
		t.Helper()
		eval[any](p, `(() => { const e = document.querySelector("[data-testid=`+test+`]"); e.value = "`+value+`"; e.dispatchEvent(new Event(e.tagName === "INPUT" ? "input" : "change")); return true })()`)
	}
	set("fleet-sort", "name")
	set("fleet-group", "role")
	key(kb.Home)
	// Until the other measure has loaded, no values are described, in particular not the
	// previous ones.
	if got := eval[string](p, `(() => { const e = document.querySelector("[data-testid=fleet-measure]"), c = document.querySelector("[data-testid=fleet-canvas]"), b = c.getBoundingClientRect(), w = b.width - 132 - 12; e.value = "filesystem.full"; e.dispatchEvent(new Event("change")); c.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: b.left + 132 + w * 36.5 / 96, clientY: b.top + 22 + 16 + 8 })); return document.querySelector("[data-testid=fleet-said]").textContent })()`); !strings.HasSuffix(got, ", 2026-11-02 12:00: not read yet") {
		t.Errorf("before the other measure has loaded it says %q", got)
	}
	p.until(`document.documentElement.dataset.fleet === "ready" && document.querySelector("[data-testid=fleet-high]").textContent.endsWith("%")`)
	if got := eval[string](p, `location.search`); got != "?fleet=archives%2Fpcpscope-fleet%2F&measure=filesystem.full&sort=name&group=role" {
		t.Errorf("the address is %q", got)
	}
	p.shot("fleet-groups")
	set("fleet-filter", "web")
	if got := text(p, "fleet-said"); !strings.HasPrefix(got, "3 hosts,") {
		t.Errorf("with a filter it says %q", got)
	}
	p.must(p.Do(chromedp.Click(chromedp.CSS(id("fleet-sql")))))
	if got := text(p, "fleet-sql-text"); !strings.Contains(got, "WHERE metric = 'filesystem.full'") || !strings.Contains(got, server+"/archives/pcpscope-fleet/hourly/day=2026-11-04/") || !strings.Contains(got, "contains(lower(host), 'web')") {
		t.Errorf("the SQL is %s", got)
	}
	// The link opens the archive of that host at that hour.
	set("fleet-filter", "")
	set("fleet-sort", "worst")
	key(kb.Home, kb.Enter)
	p.until(`document.querySelector("[data-testid=source-title]")?.textContent`)
	p.idle()
	if got := text(p, "source-title"); !strings.HasSuffix(got, ".example.com") {
		t.Errorf("what is shown is %q", got)
	}
}

// Missing and truncated parts of a dataset are reported, and the rest is
// shown.
func TestFleetPageOfDamage(t *testing.T) {
	server, dir, _ := indexed(t, 5, 3)
	at := filepath.Join(dir, internalfleet.Folder)
	list, err := os.ReadFile(filepath.Join(at, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m internalfleet.Manifest
	if err := json.Unmarshal(list, &m); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(at, filepath.FromSlash(m.Days[1].Page.Name))
	data, err := os.ReadFile(half)
	if err == nil {
		err = os.WriteFile(half, data[:100], 0o644)
	}
	if err == nil {
		err = os.Remove(filepath.Join(at, filepath.FromSlash(m.Days[2].Page.Name)))
	}
	if err != nil {
		t.Fatal(err)
	}
	p := openURL(t, server+fleetAddress)
	p.expectComplaints("404")
	p.fleetReady()
	if got := text(p, "fleet-problems"); !strings.Contains(got, "2026-11-02 could not be read: its file has 100 of ") || !strings.Contains(got, "2026-11-03 could not be read: the server answers 404.") {
		t.Errorf("it says %q", got)
	}
	if got := text(p, "fleet-findings-said"); got == "" {
		t.Error("no findings for the day that exists")
	}
	p.shot("fleet-damage")
	for text, want := range map[string]string{"{": "manifest.json is no JSON", `{"version":9}`: "version 9"} {
		if err := os.WriteFile(filepath.Join(at, "manifest.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p.must(p.Do(chromedp.Navigate(server + fleetAddress)))
		p.fleetReady()
		if got := eval[string](p, `document.querySelector("[data-testid=fleet-problems]").textContent`); !strings.Contains(got, want) {
			t.Errorf("with %s it says %q", text, got)
		}
	}
}

// The fleet page requires access to all hosts; a token for some of them is
// not enough.
func TestFleetPageWithToken(t *testing.T) {
	server, _, _ := indexed(t, 5, 1, worker.Token{Name: "all", Secret: "sixteen characters at least"}, worker.Token{Name: "some", Secret: "another sixteen characters", Prefixes: []string{"web"}})
	p := openURL(t, server+fleetAddress)
	p.expectComplaints("401")
	p.expectComplaints("403")
	p.until(`document.querySelector("[data-testid=fleet-access]")?.checkVisibility()`)
	give := func(token string) {
		p.must(p.Do(chromedp.SetValue(chromedp.CSS(id("fleet-token")), token)))
		p.must(p.Do(chromedp.Click(chromedp.CSS(id("fleet-unlock")))))
	}
	give("sixteen characters at least")
	p.fleetReady()
	if got := text(p, "fleet-said"); !strings.HasPrefix(got, "5 hosts, 1 day") {
		t.Errorf("it says %q", got)
	}
	p.must(p.Do(chromedp.Navigate(server + fleetAddress)))
	p.until(`document.querySelector("[data-testid=fleet-access]")?.checkVisibility()`)
	give("another sixteen characters")
	p.fleetReady()
	if got := text(p, "fleet-problems"); !strings.Contains(got, "denies access") {
		t.Errorf("it says %q", got)
	}
}
