package e2e

import (
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/site"
)

// The server goes away while an archive is being read, and comes back: the page says so,
// and reads on when it is asked to.
func TestServerGoesAway(t *testing.T) {
	f, _ := farWeb01(t)
	var down atomic.Bool
	down.Store(true)
	mux := http.NewServeMux()
	mux.Handle("/", site.Handler(os.DirFS(dist)))
	mux.Handle("/archives/", http.StripPrefix("/archives", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() && r.URL.Path == "/web01.0" && r.Header.Get("Range") != "bytes=0-131071" {
			panic(http.ErrAbortHandler)
		}
		f.ServeHTTP(w, r)
	})))
	p := openURL(t, lend(t, mux)+"/?src=/archives/web01")
	p.expectComplaints("")
	p.idle()
	const preview = `[data-testid=preview]:not([hidden]) [data-testid=read-all]`
	if text := eval[string](p, `document.body.innerText`); !strings.Contains(text, "can no longer be reached") || !strings.Contains(text, "the rest was not read") {
		t.Errorf("the page says\n%s", text)
	}
	if n := eval[int](p, "document.querySelectorAll(`"+preview+"`).length"); n != 1 {
		t.Fatalf("%d buttons read the rest", n)
	}
	down.Store(false)
	p.must(p.Do(chromedp.Click(chromedp.CSS(preview))))
	p.idle()
	if got := eval[string](p, `pcpscope.sources().then(([s]) => s.loaded + " " + s.problems.length)`); got != "1 0" {
		t.Errorf("loaded and problems: %s, want 1 0", got)
	}
	if n := eval[int](p, "document.querySelectorAll(`"+preview+"`).length"); n != 0 {
		t.Error("it is still a preview")
	}
}
