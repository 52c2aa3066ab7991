package e2e

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// A dwelling is where the site is served for one test after the other, with a
// tab that has compiled the program and stays. The browser gives each origin
// a process of its own, as the page's headers ask for: only tabs of the same
// one find the program compiled, which is a third of what opening a page takes.
type dwelling struct {
	address string
	warm    *browser.Page
	stop    func()
}

// home is the one in use. Guests are the tests in it.
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

// tidy removes what pages have stored. It is false where something stays, such
// as a database that a page still has open after some seconds.
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

// addresses has where the site is served for each test.
var addresses sync.Map // of *testing.T: string

// address is where the site is served for a test. What its pages store no other
// test finds: when the last one leaves home, all is removed, or the next one
// has another home.
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

// alone has a test use an address that no other has: it is about what stays
// there, the service worker among it. At home there is none.
func alone(t *testing.T) {
	address, stop := browser.Serve(pages)
	addresses.Store(t, address)
	t.Cleanup(func() { addresses.Delete(t); stop() })
}

// atHome leaves a page at home without a service worker, which would outlive
// it: each would have the whole site fetched.
func atHome(p *page) {
	before(p, fmt.Sprintf(`if (location.origin === %q) Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });`, home.address))
}

// What the pages of one test store no other test finds.
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
