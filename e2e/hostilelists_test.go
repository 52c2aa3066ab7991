package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/site"
)

// given serves the site, with some files in place of others.
func given(t *testing.T, files map[string][]byte) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	for path, data := range files {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		})
	}
	return lend(t, mux)
}

type object = map[string]any

// dataset is one of a day, with sections for its hosts, findings, and values of
// one measure.
func dataset(t *testing.T, manifest object, hosts, findings any, cells []byte) map[string][]byte {
	t.Helper()
	list, err := json.Marshal(object{"hosts": hosts})
	if err != nil {
		t.Fatal(err)
	}
	found, err := json.Marshal(findings)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	var lengths []int
	for _, section := range [][]byte{list, found, cells} {
		before := page.Len()
		w := gzip.NewWriter(&page)
		w.Write(section)
		w.Close()
		lengths = append(lengths, page.Len()-before)
	}
	manifest["version"] = 1
	manifest["sections"] = []string{"hosts", "findings", "mean/busy"}
	manifest["days"] = []any{object{"day": "2026-11-01", "page": object{"name": "page/1", "bytes": page.Len()}, "lengths": lengths}}
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"/set/manifest.json": text, "/set/page/1": page.Bytes()}
}

// A fleet dataset may lie among archives from anyone. What is not what it should
// be is left out, names are text, and what is good is shown.
func TestHostileFleet(t *testing.T) {
	long := strings.Repeat("long name ", 100_000)
	measure := object{"id": "busy", "name": trap("measure"), "unit": trap("unit")}
	names := []any{nil, 5, object{"host": 1}, object{"host": object{}}, object{"host": trap("host"), "name": trap("name"), "labels": object{trap("key"): trap("label"), "n": 7, "deep": []any{[]any{}}}}, object{"host": long, "labels": "x"}, object{"host": "good"}}
	hosts := []any{nil, 5, object{"host": 1, "recorded": "all"}, object{"host": object{}, "archives": object{}},
		object{"host": trap("host"), "recorded": []any{nil, "x", 3600}, "archives": []any{"javascript:pwned=1", 5, nil, trap("archive")}, "problem": trap("problem")},
		object{"host": long, "archives": "abc", "problem": long}, object{"host": "good", "recorded": []int{3600}, "archives": []string{"good/a"}}}
	findings := []any{nil, "x", object{"host": 99, "start": 0, "end": 0}, object{"host": -1}, object{"host": 4, "start": "now", "end": 1e300}, object{"host": "4", "start": 0, "end": 0},
		object{"host": 4, "level": trap("level"), "text": trap("finding"), "start": 0, "end": 1}, object{"host": 5, "level": "look", "text": long, "start": 0, "end": 1}}
	cells := make([]byte, 4*24*len(hosts))
	binary.LittleEndian.PutUint32(cells[4*24*6:], math.Float32bits(42))
	manifest := object{"archives": 5, "measures": []any{nil, 5, object{"id": object{}}, measure}, "hosts": names}
	p := openURL(t, given(t, dataset(t, manifest, hosts, findings, cells))+"/?fleet=set/")
	p.fleetReady()
	if got := text(p, "fleet-said"); !strings.HasPrefix(got, "3 hosts, 1 day") {
		t.Errorf("it says %q", got)
	}
	shown := eval[string](p, `document.body.innerText`)
	for _, name := range []string{"problem", "finding", "level"} {
		if !strings.Contains(shown, trap(name)) {
			t.Errorf("%s is not on the screen", trap(name))
		}
	}
	p.must(p.Do(chromedp.SetValue(chromedp.CSS(id("fleet-filter")), "good")))
	eval[any](p, `(document.querySelector("[data-testid=fleet-filter]").dispatchEvent(new Event("input")), true)`)
	pickFirst := func() string {
		t.Helper()
		eval[any](p, `(document.querySelector("[data-testid=fleet-matrix]").dispatchEvent(new KeyboardEvent("keydown", { key: "Home" })), true)`)
		p.until(`document.querySelector("[data-testid=fleet-open]").href`)
		return text(p, "fleet-cell-said")
	}
	if got := pickFirst(); !strings.HasPrefix(got, "good, 2026-11-01 00:00: "+trap("measure")+" 42") {
		t.Errorf("of the good host it says %q", got)
	}
	eval[any](p, `(() => { const e = document.querySelector("[data-testid=fleet-filter]"); e.value = "img"; e.dispatchEvent(new Event("input")); return true })()`)
	pickFirst()
	if got := eval[string](p, `document.querySelector("[data-testid=fleet-open]").href`); !strings.HasPrefix(got, p.address) && !strings.HasPrefix(got, "http://127.0.0.1") {
		t.Errorf("a cell leads to %s", got)
	}
	p.untouched("the fleet")

	for name, c := range map[string]struct {
		files map[string][]byte
		want  string
	}{
		"no measure": {dataset(t, object{"measures": []any{nil}, "hosts": []any{}}, nil, nil, nil), "manifest.json has no measures"},
		"a bomb":     {dataset(t, object{"measures": []any{measure}, "hosts": []any{object{"host": "a"}}}, []any{object{"host": "a"}}, []any{}, make([]byte, 256<<20)), "2026-11-01 could not be read: a section is larger than 32 MiB."},
	} {
		p.must(p.Do(chromedp.Navigate(given(t, c.files) + "/?fleet=set/")))
		p.fleetReady()
		if got := text(p, "fleet-problems"); !strings.Contains(got, c.want) {
			t.Errorf("%s: it says %q", name, got)
		}
	}

	var many, listed []any
	for i := range 12_000 {
		many = append(many, object{"host": fmt.Sprintf("h%05d", i), "labels": object{fmt.Sprint("key", i): i}})
		listed = append(listed, object{"host": fmt.Sprintf("h%05d", i), "problem": fmt.Sprint("problem ", i)})
	}
	p.must(p.Do(chromedp.Navigate(given(t, dataset(t, object{"measures": []any{measure}, "hosts": many}, listed, []any{}, make([]byte, 96*len(many)))) + "/?fleet=set/")))
	p.fleetReady()
	if got := text(p, "fleet-said"); !strings.HasPrefix(got, "10,000 hosts of 12,000 (filter for others), 1 day") {
		t.Errorf("with 12,000 hosts it says %q", got)
	}
	if got := text(p, "fleet-problems"); !strings.HasSuffix(got, "And 11995 more.") {
		t.Errorf("the problems end with %q", got[max(0, len(got)-40):])
	}
	if n := eval[int](p, `document.querySelector("[data-testid=fleet-group]").options.length`); n > 101 {
		t.Errorf("%d labels to group by", n)
	}
}

// The catalogue of a server may have been written by anyone, too.
func TestHostileCatalog(t *testing.T) {
	bytes := func(v any) []byte {
		t.Helper()
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	hosts := []any{nil, 5, object{"host": 5}, object{"host": strings.Repeat("x", 1<<20)}, object{"host": trap("host"), "days": trap("days"), "last": object{}}}
	days := []any{nil, "x", object{"day": trap("day"), "files": []any{}}, object{"day": "2026-11-01", "files": "x"},
		object{"day": "2026-11-02", "start": 5, "end": object{}, "bytes": trap("bytes"), "files": []any{nil, 5, object{"name": object{}}, object{"name": trap("file"), "size": trap("size"), "v": []any{}}}}}
	for i := range 5000 {
		hosts = append(hosts, object{"host": fmt.Sprintf("h%05d", i), "days": 1, "last": trap("last")})
		days = append(days, object{"day": time.Unix(int64(i)*86400, 0).UTC().Format(time.DateOnly), "bytes": 1, "files": []any{}})
	}
	p := openURL(t, given(t, map[string][]byte{
		"/catalog.json": bytes(object{"archives": "archives/", "fleet": "javascript:pwned=1", "hosts": hosts}), "/archives/": bytes(object{"days": days}),
	})+"/")
	p.idle()
	p.on("the catalogue", "host", "last")
	if n := eval[int](p, `document.querySelectorAll("[data-testid=catalog-host]").length`); n != 1000 || !strings.Contains(eval[string](p, `document.body.innerText`), "4,001 more hosts: find them by name.") {
		t.Errorf("%d hosts are listed", n)
	}
	eval[any](p, `(() => { const e = document.querySelector("[data-testid=catalog-filter]"); e.value = "h04999"; e.dispatchEvent(new Event("input")); document.querySelector("[data-testid=catalog-host]").click(); return true })()`)
	p.idle()
	p.until(`document.querySelector("[data-testid=catalog-day]")`)
	if n := eval[int](p, `document.querySelectorAll("[data-testid=catalog-day]").length`); n != 4000 {
		t.Errorf("%d days are listed", n)
	}
	p.untouched("the catalogue")
	if got := eval[string](p, `document.querySelector("[data-testid=catalog-fleet]").href`); strings.HasPrefix(got, "javascript") {
		t.Errorf("the fleet page is at %s", got)
	}
	for _, index := range []any{nil, 5, []any{}, object{"archives": "javascript:pwned=1", "hosts": []any{object{"host": "a"}}}, object{"archives": 5, "fleet": 5, "hosts": object{}}} {
		p.must(p.Do(chromedp.Navigate(given(t, map[string][]byte{"/catalog.json": bytes(index), "/archives/": bytes(nil)}) + "/")))
		p.idle()
		eval[any](p, `(document.querySelector("[data-testid=catalog-host]")?.click(), true)`)
		p.idle()
		p.untouched("a catalogue of another kind")
	}
}

// A fleet dataset of more hosts and days than fit: the page keeps the last days, says what
// it left out, and requests no more of it.
func TestFleetPageKeepsSoMuch(t *testing.T) {
	const n, days = 150_000, 60
	hosts := make([]any, n)
	for i := range hosts {
		hosts[i] = object{"host": fmt.Sprintf("host%06d", i), "archives": []string{strings.Repeat("x", 60)}}
	}
	manifest := object{"measures": []any{object{"id": "busy", "name": "Busy"}}, "hosts": hosts[:100]}
	files := dataset(t, manifest, hosts, []any{}, make([]byte, 96*n))
	var m object
	if err := json.Unmarshal(files["/set/manifest.json"], &m); err != nil {
		t.Fatal(err)
	}
	day := m["days"].([]any)[0].(object)
	var list []any
	for i := range days {
		list = append(list, object{"day": time.Date(2026, 9, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), "page": day["page"], "lengths": day["lengths"]})
	}
	m["days"] = list
	files["/set/manifest.json"], _ = json.Marshal(m)
	p := openURL(t, given(t, files)+"/?fleet=set/&from=2026-09-01&to=2026-10-30")
	p.fleetReady()
	// A day's hosts take twice the bytes of their list and 64 for each, their values 96 for each.
	text0, _ := json.Marshal(object{"hosts": hosts})
	want := (512 << 20) / (2*len(text0) + 4 + (64+96)*n)
	said := text(p, "fleet-problems")
	left := strings.Count(said, "the days after it fill what this page may keep")
	if left != 5 || !strings.HasSuffix(said, fmt.Sprintf("And %d more.", days-want-5)) {
		t.Errorf("of %d days %d should be shown; it says %q", days, want, said)
	}
	requests := eval[int](p, `performance.getEntriesByType("resource").filter((e) => e.name.includes("/page/")).length`)
	if requests < want || requests > want+6 { // six at a time
		t.Errorf("%d requests for %d days", requests, want)
	}
	// Fewer days are shown again, each in full.
	eval[any](p, `(() => { const e = document.querySelector("[data-testid=fleet-from]"); e.value = "2026-10-29"; e.dispatchEvent(new Event("change")); return true })()`)
	p.until(`document.querySelector("[data-testid=fleet-said]").textContent.startsWith("100 hosts, 2 days, UTC.")`)
	p.fleetReady()
}
