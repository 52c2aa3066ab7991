package e2e

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// A dwelling is a server of the site used by one test after the other, with an
// open tab that has compiled the program. The page's headers ask for a browser
// process per origin, and only tabs in the same process share the compiled
// program, which saves a third of the time to open a page.
type dwelling struct {
	address string
	warm    *browser.Page
	stop    func()
}

// home is the current one; guests are the tests that use it.
var (
	home   *dwelling
	homeMu sync.Mutex
	guests int
)

func settle() (*dwelling, error) {
	d := &dwelling{}
	d.address, d.stop = browser.Serve(pages)
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
		if clean, err := browser.EvalWithin[bool](home.warm, 10*time.Second, tidy); err == nil && clean {
			return
		}
		t.Log("something stays: the next test has another address")
		next, err := settle()
		if err != nil {
			t.Error(err)
			return
		}
		home.leave()
		home = next
	})
	return home.address
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
