package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
	"pcpscope/internal/catalog"
	"pcpscope/internal/site"
	"pcpscope/wasm/edge/worker"
)

// fleet is a catalogue of 500 hosts with 365 days each. Only the last day of
// web01 exists; all others are just names.
type fleet struct{ real *worker.FolderCatalog }

const fleetHosts, fleetDays = 500, 365

func (f fleet) Index(ctx context.Context) (*catalog.Index, error) {
	index := &catalog.Index{Version: catalog.Version, Hosts: []catalog.Line{}}
	for i := range fleetHosts {
		index.Set(catalog.Line{Host: fmt.Sprintf("app%03d.dc.example.com", i), Days: fleetDays, First: "2025-11-22", Last: "2026-11-21"})
	}
	index.Set(catalog.Line{Host: "web01", Days: fleetDays, First: "2025-11-22", Last: "2026-11-21"})
	return index, nil
}

func (f fleet) Host(ctx context.Context, host string) (*catalog.Host, error) {
	days := &catalog.Host{Version: catalog.Version, Host: host}
	last := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for i := range fleetDays - 1 {
		at := last.AddDate(0, 0, i-fleetDays+1)
		day := catalog.Day{Day: at.Format(time.DateOnly), Start: at.Add(10 * time.Minute).Format(time.RFC3339), End: at.Add(24 * time.Hour).Format(time.RFC3339), Bytes: 30 << 20, Fingerprint: "0123456789abcdef"}
		for _, suffix := range []string{"0.xz", "1.xz", "2.xz", "3.xz", "index", "meta.xz"} {
			day.Files = append(day.Files, catalog.File{Name: at.Format("20060102") + ".00.10." + suffix, Size: 5 << 20, V: "0123456789ab"})
		}
		days.Days = append(days.Days, day)
	}
	if host == "web01" {
		real, err := f.real.Host(ctx, host)
		if err != nil || len(real.Days) != 1 {
			return nil, fmt.Errorf("%+v: %w", real, err)
		}
		days.Days = append(days.Days, real.Days...)
	}
	return days, nil
}

// asked records the requests to a fleet server.
type asked struct {
	sync.Mutex
	list []worker.Visit
}

func (a *asked) take() (list []worker.Visit) {
	a.Lock()
	defer a.Unlock()
	list, a.list = a.list, nil
	return list
}

// fleetServer serves the site and the fleet.
func fleetServer(t *testing.T, tokens ...worker.Token) (string, *asked) {
	t.Helper()
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "web01"), 0o755)
	for _, name := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
		text, err := os.ReadFile(filepath.Join(root, "testdata", "live", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "web01", strings.Replace(name, "web01", "20261121.03.49", 1)), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	folder, err := worker.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := &asked{}
	archives := worker.NewArchives(worker.Config{
		Public: len(tokens) == 0, Tokens: tokens, Catalog: fleet{worker.NewFolderCatalog(folder)},
		Log: func(v worker.Visit) { a.Lock(); a.list = append(a.list, v); a.Unlock() },
	}, folder)
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.Handle("/catalog.json", archives)
	mux.Handle("/archives/", archives)
	return lend(t, mux), a
}

func paths(list []worker.Visit) (out []string) {
	for _, v := range list {
		out = append(out, strings.TrimPrefix(v.Path, "/archives/"))
	}
	return out
}

// A day of one of 500 hosts is two requests and two clicks away.
func TestCatalogPicker(t *testing.T) {
	server, asked := fleetServer(t)
	p := openURL(t, server)
	p.until(`document.querySelectorAll("[data-testid=catalog-host]").length`)
	// The page's own share is measured by bench, on a quiet machine.
	t.Logf("the picker stands %.0f ms after the navigation began, of which the page took %.0f", eval[float64](p, `performance.now()`), eval[float64](p, `performance.getEntriesByName("pcpscope usable")[0]?.startTime ?? 0`))
	if n := eval[int](p, `document.querySelectorAll("[data-testid=catalog-host]").length`); n != fleetHosts+1 {
		t.Errorf("%d hosts are listed", n)
	}
	p.idle()
	if got := paths(asked.take()); !slices.Equal(got, []string{"/catalog.json"}) {
		t.Errorf("the picker requested %q", got)
	}
	p.shot("catalog-hosts")
	p.must(p.Do(chromedp.SendKeys(chromedp.CSS(id("catalog-filter")), "WEB")))
	if n := eval[int](p, `[...document.querySelectorAll("[data-testid=catalog-host]")].filter((e) => e.checkVisibility()).length`); n != 1 {
		t.Errorf("%d hosts have WEB in their names", n)
	}
	click(p, `li:not([hidden]) `+id("catalog-host"))
	if got := eval[string](p, `[...document.querySelectorAll("[data-testid=catalog-day]")].slice(0, 2).map((e) => e.closest(".tr").innerText.replaceAll("\n", "|") + "|" + e.getAttribute("href")).join(";")`); got != "2026-11-21|03:49 – 03:54|3|1.4 MiB|?host=web01&from=2026-11-21&to=2026-11-21;2026-11-20|00:10 – 11-21 00:00|6|30.0 MiB|?host=web01&from=2026-11-20&to=2026-11-20" {
		t.Errorf("the first days are %q", got)
	}
	p.shot("catalog-days")
	p.must(p.Do(chromedp.EmulateViewport(390, 844)))
	if got := eval[string](p, `[...document.querySelectorAll("[data-testid=catalog-chosen] .tr > *")].filter((e) => e.scrollWidth > e.clientWidth && e.clientWidth).map((e) => e.textContent).slice(0, 4).join(";")`); got != "" {
		t.Errorf("on a phone these are cut: %s", got)
	}
	p.shot("catalog-days-phone")
	p.must(p.Do(chromedp.EmulateViewport(1440, 900)))
	p.accessible("the picker")
	eval[bool](p, fmt.Sprintf(`(() => { const f = document.querySelector('%s'); f.value = "2026-11-12"; f.dispatchEvent(new Event("input")); return true })()`, id("catalog-from")))
	if got := text(p, "catalog-sum"); got != "10 days, 271.4 MiB" {
		t.Errorf("from the 12th on it is %q", got)
	}
	p.must(p.Do(chromedp.Click(chromedp.CSS(id("catalog-day")))))
	p.until(`document.querySelector("[data-testid=source-title]")?.textContent`)
	p.idle()
	checkFleet(p, asked, []string{"web01/catalog.json"})
	if got := eval[string](p, `location.search`); got != "?host=web01&from=2026-11-21&to=2026-11-21" {
		t.Errorf("the address is %q", got)
	}
	// The browser caches what the catalogue names: opening it again sends no requests.
	eval[any](p, `(async () => { await pcpscopePage.view.close(1); await pcpscope.idle(); return true })()`)
	asked.take()
	eval[any](p, `(async () => { document.querySelector("[data-testid=catalog-day]").click(); while (!document.querySelector("[data-testid=source-title]").textContent) await new Promise((d) => setTimeout(d, 25)); await pcpscope.idle(); return true })()`)
	if got := paths(asked.take()); len(got) > 0 {
		t.Errorf("reopening the day requested %q", got)
	}
}

// checkFleet fails unless web01's day is shown, after exactly these requests
// and those for its files.
func checkFleet(p *page, asked *asked, want []string) {
	p.t.Helper()
	if got := text(p, "source-title"); got != "pcp-testhost" {
		p.t.Errorf("what is shown is %q", got)
	}
	got := paths(asked.take())
	if len(got) < len(want)+3 || !slices.Equal(got[:len(want)], want) {
		p.t.Fatalf("requested %q, want %q and then the files", got, want)
	}
	for _, path := range got[len(want):] {
		if !strings.HasPrefix(path, "web01/20261121.03.49.") {
			p.t.Errorf("requested %s", path)
		}
	}
}

// A link names a host and a time range, in its own zone or in that of the
// archive.
func TestLinksToHosts(t *testing.T) {
	const from, to = 1795233000000000000, 1795233060000000000 // 2026-11-21T03:50:00Z and a minute later
	for link, window := range map[string]string{
		"/?host=web01&from=2026-11-21T03:50:00Z&to=2026-11-21T03:51:00Z":           fmt.Sprint(from, to),
		"/?host=web01&from=2026-11-21T04:50:00+01:00&to=2026-11-21T04:51:00+01:00": fmt.Sprint(from, to), // an unescaped plus is decoded as a space
		"/?host=web01&from=2026-11-21T03:50:00&to=2026-11-21T03:51:00":             fmt.Sprint(from, to), // web01 was logged in UTC
		"/?host=web01": "",
	} {
		server, asked := fleetServer(t)
		p := openURL(t, server+link)
		p.until(`document.querySelector("[data-testid=source-title]")?.textContent`)
		p.idle()
		checkFleet(p, asked, []string{"/catalog.json", "web01/catalog.json"})
		if got := eval[string](p, `pcpscopePage.view.state().then((s) => JSON.parse(s)).then((s) => s.start + " " + s.end)`); window != "" && got != window {
			t.Errorf("%s shows %s, want %s", link, got, window)
		}
		p.Close()
	}
	server, _ := fleetServer(t)
	p := openURL(t, server+"/?host=web01&from=2020-01-01&to=2020-01-02")
	p.idle()
	if got := text(p, "drop-status"); got != "This server has no archives of web01 from 2020-01-01 until 2020-01-02." {
		t.Errorf("the message about missing days is %q", got)
	}
}

// A token is typed once, sent only to this server, and never stored.
func TestCatalogWithToken(t *testing.T) {
	const secret = "a-token-of-the-operators"
	token := worker.Token{Name: "web", Secret: secret, Prefixes: []string{"web01/"}}
	for _, link := range []string{"/", "/?host=web01&from=2026-11-21", "/?src=/archives/web01/20261121.03.49"} {
		server, asked := fleetServer(t, token)
		p := openURL(t, server+link)
		if strings.Contains(link, "src=") {
			p.expectComplaints("401")
		}
		p.until(`document.querySelector("[data-testid=catalog-token]").checkVisibility()`)
		p.idle()
		p.shot("catalog-token")
		enter := func(token string) {
			p.must(p.Do(chromedp.SendKeys(chromedp.CSS(id("catalog-token")), token+"\r")))
		}
		enter("wrong")
		p.until(`document.querySelector("[data-testid=catalog-said]").textContent`)
		if got := text(p, "catalog-said"); got != "The server rejects this token." {
			t.Errorf("the message after a wrong token is %q", got)
		}
		eval[bool](p, `(document.querySelector("[data-testid=catalog-token]").value = "", true)`)
		enter(secret)
		if link == "/" {
			p.until(`document.querySelector("[data-testid=catalog-host]")?.checkVisibility()`)
			if got := eval[string](p, `[...document.querySelectorAll("[data-testid=catalog-host] b")].map((e) => e.textContent).join()`); got != "web01" {
				t.Errorf("the token opens %q", got)
			}
			click(p, id("catalog-host"))
			p.must(p.Do(chromedp.Click(chromedp.CSS(id("catalog-day")))))
		}
		p.idle() // also waits for what the token opens
		if got := text(p, "source-title"); got != "pcp-testhost" {
			t.Errorf("%s: what is shown is %q", link, got)
		}
		if got := eval[string](p, `JSON.stringify([location.href, document.cookie, Object.entries(localStorage), Object.entries(sessionStorage), document.documentElement.outerHTML])`); strings.Contains(got, secret) {
			t.Errorf("%s: the token is in the page's URL, storage or markup", link)
		}
		opened := 0
		for _, v := range asked.take() {
			if v.Who == "web" && v.Status < 300 && strings.Contains(v.Path, "20261121.03.49") {
				opened++
			}
		}
		if opened < 3 {
			t.Errorf("%s: the access log has %d of the day's files", link, opened)
		}
		p.Close()
	}
	// The element sends the token in settings.headers.
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><script type="module">
		  import { PcpScope } from "/pcp-scope.js";
		  PcpScope.settings.headers = { Authorization: "Bearer `+secret+`" };
		  document.body.innerHTML = '<pcp-scope src="/archives/web01/20261121/" metrics="kernel.all.load"></pcp-scope>';
		</script><body>`)
	})
	server, asked := fleetServer(t, token)
	at, _ := url.Parse(server)
	mux := http.NewServeMux()
	mux.Handle("/", httputil.NewSingleHostReverseProxy(at))
	mux.Handle("/page", page)
	behind := httptest.NewServer(mux)
	defer behind.Close()
	p := openURL(t, behind.URL+"/page")
	p.until(`document.querySelector("pcp-scope")?.shadowRoot.querySelector("canvas")`)
	if !slices.ContainsFunc(asked.take(), func(v worker.Visit) bool { return v.Who == "web" }) {
		t.Error("the element did not send its token")
	}
}

// A catalogue may say that its archives are on another server: that one gets no token.
func TestTokenStaysWithItsServer(t *testing.T) {
	const secret = "a-token-of-the-operators"
	var mu sync.Mutex
	var heard []string // by the other server
	other, stop := browser.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		heard = append(heard, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+r.Header.Get("Access-Control-Request-Headers"))
		mu.Unlock()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "Authorization, Range")
		io.WriteString(w, `{"version":1,"days":[{"day":"2026-11-21","files":[{"name":"a.meta","size":5},{"name":"a.0","size":5}]}]}`)
	}))
	t.Cleanup(stop)
	mux := http.NewServeMux()
	mux.Handle("/", site.Policy{Archives: []string{other}}.Handler(os.DirFS(dist)))
	mux.HandleFunc("/catalog.json", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+secret {
			io.WriteString(w, `{"version":1,"hosts":[],"needs":"token"}`)
			return
		}
		io.WriteString(w, `{"version":1,"archives":"`+other+`/","hosts":[{"host":"web01","days":1}]}`)
	})
	p := openURL(t, lend(t, mux)+"/?test=1")
	p.expectComplaints("")
	p.until(`document.querySelector("[data-testid=catalog-token]").checkVisibility()`)
	p.must(p.Do(chromedp.SendKeys(chromedp.CSS(id("catalog-token")), secret+"\r")))
	p.until(`document.querySelector("[data-testid=catalog-host]")?.checkVisibility()`)
	click(p, id("catalog-host"))
	p.must(p.Do(chromedp.Click(chromedp.CSS(id("catalog-day")))))
	p.idle()
	mu.Lock()
	defer mu.Unlock()
	all := strings.Join(heard, "\n")
	if !strings.Contains(all, "/web01/catalog.json") || !strings.Contains(all, "/web01/a.meta") {
		t.Errorf("the other server was asked for\n%s", all)
	}
	if strings.Contains(all, secret) || strings.Contains(strings.ToLower(all), "authorization") {
		t.Errorf("the other server got the token, or was asked whether it takes one:\n%s", all)
	}
}

// A page of another origin can neither list nor open what the server has.
func TestCatalogInAFrame(t *testing.T) {
	server, asked := fleetServer(t)
	p := around(t, `src="`+server+`/?embed=1&host=web01&from=2026-11-21"`)
	eval[any](p, `until("available").then(() => true)`)
	time.Sleep(1500 * time.Millisecond)
	if got := paths(asked.take()); len(got) > 0 {
		t.Errorf("without consent, the frame requested %q", got)
	}
	p.shot("catalog-frame")
	p.press(20, 20, "\t\t\r") // Open
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		asked.Lock()
		n := len(asked.list)
		asked.Unlock()
		if n >= 5 {
			break
		}
	}
	if got := paths(asked.take()); len(got) < 5 || got[1] != "web01/catalog.json" {
		t.Errorf("after consent, the frame requested %q", got)
	}
	// Access is still denied.
	eval[any](p, `(post({ type: "hello" }), new Promise((d) => setTimeout(d, 500, true)))`)
	if got := eval[string](p, `plain(heard.map((m) => m.type))`); strings.Contains(got, "ready") {
		t.Errorf("to open a host let the stranger in: %s", got)
	}
}
