package e2e

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// A dwelling is a server of the site, or of a handler that a test lends it. Tests use it
// one after the other, with an open tab that has compiled the program. The page's headers ask for a browser
// process per origin, and only tabs in the same process share the compiled
// program, which saves a third of the time to open a page.
type dwelling struct {
	address string
	warm    *browser.Page
	stop    func()
	lent    atomic.Pointer[http.Handler] // to a test; otherwise it serves pages
}

func (d *dwelling) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler := pages
	if lent := d.lent.Load(); lent != nil {
		handler = *lent
	}
	handler.ServeHTTP(w, r)
}

// home is the current one; guests are the tests that use it.
var (
	home   *dwelling
	homeMu sync.Mutex
	guests int
)

func settle() (*dwelling, error) {
	d := &dwelling{}
	d.address, d.stop = browser.Serve(d)
	var err error
	if d.warm, err = chromium.NewTab(800, 600); err != nil {
		d.stop()
		return nil, err
	}
	err = d.warm.Do(chromedp.Navigate(d.address + "/bare"))
	if err == nil {
		_, err = browser.Eval[bool](d.warm, `WebAssembly.compileStreaming(fetch("/app.wasm")).then((program) => { globalThis.program = program; return true })`)
	}
	if err != nil {
		d.leave()
		return nil, err
	}
	return d, nil
}

func (d *dwelling) leave() {
	d.warm.Close()
	d.stop()
}

// tidy deletes what pages have stored. It returns false if something remains,
// such as a database that a page still has open after some seconds.
const tidy = `Promise.race([new Promise((done) => setTimeout(done, 5000, false)), (async () => {
  if ((await navigator.serviceWorker.getRegistrations()).length > 0) return false;
  localStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
  const files = await navigator.storage.getDirectory();
  for await (const name of files.keys()) await files.removeEntry(name, { recursive: true });
  for (const { name } of await indexedDB.databases()) {
    await new Promise((done, failed) => {
      const gone = indexedDB.deleteDatabase(name);
      gone.onsuccess = done;
      gone.onerror = failed;
    });
  }
  return true;
})()])`

// addresses has the URL of the site for each test.
var addresses sync.Map // of *testing.T: string

// address is the URL of the site for a test. No test finds data stored by
// another: when the last one has finished, everything is deleted, or the next
// one gets a new server.
func address(t *testing.T) string {
	if known, ok := addresses.Load(t); ok {
		return known.(string)
	}
	homeMu.Lock()
	defer homeMu.Unlock()
	guests++
	addresses.Store(t, home.address)
	t.Cleanup(func() {
		addresses.Delete(t)
		homeMu.Lock()
		defer homeMu.Unlock()
		if guests--; guests > 0 {
			return
		}
		if err := cleanHome(t); err != nil {
			t.Error(err)
		}
	})
	return home.address
}

// cleanHome deletes everything stored at home, or makes a new home.
func cleanHome(t *testing.T) error {
	if clean, err := browser.EvalWithin[bool](home.warm, 10*time.Second, tidy); err == nil && clean {
		return nil
	}
	t.Log("something stays: there is another address from here on")
	next, err := settle()
	if err != nil {
		return err
	}
	home.leave()
	home = next
	return nil
}

// lend has a handler answer at the shared address until the test ends or lends
// it another one: at an address of its own the program would be compiled again.
// Nothing is stored there, and nothing is in the browser's cache. For a frame in
// a page of another origin it saves nothing: that has a process of its own.
func lend(t *testing.T, handler http.Handler) string {
	t.Helper()
	address(t)
	homeMu.Lock()
	defer homeMu.Unlock()
	if guests > 1 {
		t.Fatal("another test is using the shared address")
	}
	home.lent.Store(nil) // a new home is made with the site
	err := cleanHome(t)
	if err == nil {
		err = home.warm.Do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
			_, err := chromedp.Call(ctx, network.ClearBrowserCache, cdp.Empty{})
			return chromedp.Void{}, err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	d := home
	addresses.Store(t, d.address)
	d.lent.Store(&handler)
	t.Cleanup(func() { d.lent.Store(nil) })
	return d.address
}

// alone gives a test an address of its own, if it depends on stored data,
// including the service worker. The shared address has none.
func alone(t *testing.T) {
	address, stop := browser.Serve(pages)
	addresses.Store(t, address)
	t.Cleanup(func() { addresses.Delete(t); stop() })
}

// atHome keeps a page at the shared address from registering a service
// worker, which would outlive it: each one would fetch the whole site.
func atHome(p *page) {
	before(p, fmt.Sprintf(`if (location.origin === %q) Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });`, home.address))
}

// No test finds what the pages of another have stored.
func TestNothingStaysBetweenTests(t *testing.T) {
	const found = `(async () => [...Object.keys(localStorage), ...await caches.keys(), ...(await indexedDB.databases()).map((d) => d.name),
	  ...await Array.fromAsync((await navigator.storage.getDirectory()).keys())].join())()`
	t.Run("stored", func(t *testing.T) {
		p := open(t, "/bare")
		eval[bool](p, `(async () => {
		  localStorage.setItem("text", "1");
		  await caches.open("cache");
		  await new Promise((done, failed) => { const opened = indexedDB.open("base", 1); opened.onsuccess = done; opened.onerror = failed; });
		  await (await navigator.storage.getDirectory()).getFileHandle("file", { create: true });
		  return true;
		})()`)
		if got := eval[string](p, found); got != "text,cache,base,file" {
			t.Errorf("stored is %q", got)
		}
	})
	t.Run("found", func(t *testing.T) {
		if got := eval[string](open(t, "/bare"), found); got != "" {
			t.Errorf("another test finds %q", got)
		}
	})
}
