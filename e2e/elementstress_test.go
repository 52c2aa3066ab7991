package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// However often its attributes change meanwhile, an element shows the last ones, once;
// a removed element keeps nothing.
func TestElementUnderStress(t *testing.T) {
	asked, answer := make(chan bool, 10), make(chan bool)
	p := elements(t, nil, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "scope/uplot.js") {
				asked <- true
				<-answer
			}
			h.ServeHTTP(w, r)
		})
	})
	const live = "/testdata/live/web01"
	eval[any](p, `(() => {
	  globalThis.broken = [];
	  addEventListener("unhandledrejection", (e) => broken.push(String(e.reason)));
	  addEventListener("error", (e) => broken.push(e.message));
	  globalThis.turn = () => new Promise((done) => setTimeout(done, 1));
	  globalThis.shown = (e) => ["[part=chart]", "canvas", "[part=legend]"].map((s) => e.shadowRoot.querySelectorAll(s).length).join() + said(e);
	  globalThis.pair = [0, 1].map(() => make({ src: "`+live+`", metrics: "kernel.all.load" }));
	  return true;
	})()`)
	// Changed, and removed, while the library of charts is loading.
	<-asked
	eval[any](p, `(async () => {
	  pair[0].setAttribute("metrics", "kernel.all.nprocs");
	  pair[1].remove();
	  await (await customElements.get("pcp-scope").engine()).idle();
	  return true;
	})()`)
	close(answer)
	eval[any](p, `settled(pair[0]).then(() => turn()).then(() => true)`)
	if got := eval[string](p, `pair.map(shown).join(" ")`); got != "1,1,1 0,0,0" {
		t.Errorf("of an element that changed while charts were loading, and one that was removed, there are charts, canvases and legends %s", got)
	}
	// Changed all the time.
	eval[any](p, `(async () => {
	  const [e] = pair;
	  for (let i = 0; i < 1000; i++) {
	    e.setAttribute("start", "-" + (1 + i % 5) + "min");
	    e.setAttribute("metrics", i % 2 ? "kernel.all.load" : "kernel.all.nprocs");
	    e.setAttribute("view", i % 7 ? "chart" : i % 2 ? "table" : "dashboard:cpu");
	    e.setAttribute("src", i % 100 === 7 ? "/nowhere" : "`+live+`");
	    if (i % 50 === 3) {
	      e.remove();
	      if (i % 100 === 3) await turn();
	      document.body.append(e);
	    }
	    if (i % 10 === 0) await turn();
	    else await null;
	  }
	  await settled(e);
	  return true;
	})()`)
	if got := eval[string](p, `shown(pair[0]) + " " + pair[0].frame.columns.map((c) => c.metric)`); got != "1,1,1 kernel.all.load,kernel.all.load,kernel.all.load" {
		t.Errorf("after a thousand changes it shows %s", got)
	}
	// Attributes that cannot be shown lead to a short message.
	for attributes, want := range map[string]string{
		`{ metrics: "kernel.all.load", view: "x".repeat(1e6) }`:     "There is no view",
		`{ metrics: "kernel.all.load", interval: "x".repeat(1e6) }`: "xxx",
		`{ metrics: "(".repeat(1e6) }`:                              "The expression is longer than",
		`{ metrics: "kernel.all.load", src: "http://[" }`:           "URL",
	} {
		got := eval[string](p, `(async () => { const e = make({ src: "`+live+`", ...`+attributes+` }); await settled(e); const text = said(e); e.remove(); return text })()`)
		if !strings.Contains(got, want) || len(got) > 1010 {
			t.Errorf("%s: it says %.300q", attributes, got)
		}
	}
	// Removed at once, one of them with ten thousand addresses.
	eval[any](p, `(async () => {
	  const all = Array.from({ length: 20 }, (_, i) => make({ src: i ? "`+live+`" : Array.from({ length: 1e4 }, (_, k) => "/nowhere/" + k).join(" "), metrics: "kernel.all.load" }));
	  await turn();
	  for (const e of [...all, ...pair]) { e.remove(); await turn(); }
	  return true;
	})()`)
	p.until(`customElements.get("pcp-scope").engine().then((p) => p.idle().then(() => p.sources())).then((s) => s.length === 0)`)
	if got := eval[string](p, `broken.join() + pair.map(shown).join(" ")`); got != "0,0,0 0,0,0" {
		t.Errorf("errors of the page, and what removed elements have: %.300s", got)
	}
}
