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

// A siteServer serves the site, or a handler that a test lends it. Tests use it one after
// the other, with an open tab that has compiled the program. The page's headers ask for a
// browser process per origin, and only tabs in the same process share the compiled
// program, which saves a third of the time to open a page.
type siteServer struct {
	address string
	warm    *browser.Page
	stop    func()
	lent    atomic.Pointer[http.Handler] // to a test; otherwise it serves pages
}

func (s *siteServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler := pages
	if lent := s.lent.Load(); lent != nil {
		handler = *lent
	}
	handler.ServeHTTP(w, r)
}

// shared is the server in use, and users is how many tests use it now.
var (
	shared   *siteServer
	sharedMu sync.Mutex
	users    int
)

func startSite() (*siteServer, error) {
	s := &siteServer{}
	s.address, s.stop = browser.Serve(s)
	var err error
	if s.warm, err = chromium.NewTab(800, 600); err != nil {
		s.stop()
		return nil, err
	}
	err = s.warm.Do(chromedp.Navigate(s.address + "/bare"))
	if err == nil {
		_, err = browser.Eval[bool](s.warm, `WebAssembly.compileStreaming(fetch("/app.wasm")).then((program) => { globalThis.program = program; return true })`)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *siteServer) close() {
	s.warm.Close()
	s.stop()
}

// clearStorage deletes what pages have stored. It returns false if something remains,
// such as a database that a page still has open after some seconds.
const clearStorage = `Promise.race([new Promise((done) => setTimeout(done, 5000, false)), (async () => {
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
	sharedMu.Lock()
	defer sharedMu.Unlock()
	users++
	addresses.Store(t, shared.address)
	t.Cleanup(func() {
		addresses.Delete(t)
		sharedMu.Lock()
		defer sharedMu.Unlock()
		if users--; users > 0 {
			return
		}
		if err := cleanShared(t); err != nil {
			t.Error(err)
		}
	})
	return shared.address
}

// cleanShared deletes everything stored at the shared address, or starts a new server.
func cleanShared(t *testing.T) error {
	if clean, err := browser.EvalWithin[bool](shared.warm, 10*time.Second, clearStorage); err == nil && clean {
		return nil
	}
	t.Log("something remains: there is another address from here on")
	next, err := startSite()
	if err != nil {
		return err
	}
	shared.close()
	shared = next
	return nil
}

// lend has a handler answer at the shared address until the test ends or lends
// it another one: at an address of its own the program would be compiled again.
// Nothing is stored there, and nothing is in the browser's cache. For a frame in
// a page of another origin it saves nothing: that has a process of its own.
func lend(t *testing.T, handler http.Handler) string {
	t.Helper()
	address(t)
	sharedMu.Lock()
	defer sharedMu.Unlock()
	if users > 1 {
		t.Fatal("another test is using the shared address")
	}
	shared.lent.Store(nil) // cleaning needs the site
	err := cleanShared(t)
	if err == nil {
		err = shared.warm.Do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
			_, err := chromedp.Call(ctx, network.ClearBrowserCache, cdp.Empty{})
			return chromedp.Void{}, err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	s := shared
	addresses.Store(t, s.address)
	s.lent.Store(&handler)
	t.Cleanup(func() { s.lent.Store(nil) })
	return s.address
}

// alone gives a test an address of its own, if it depends on stored data,
// including the service worker. The shared address has none.
func alone(t *testing.T) {
	address, stop := browser.Serve(pages)
	addresses.Store(t, address)
	t.Cleanup(func() { addresses.Delete(t); stop() })
}

// leavesNothing keeps a page at the shared address from registering a service
// worker, which would outlive it: each one would fetch the whole site.
func leavesNothing(p *page) {
	before(p, fmt.Sprintf(`if (location.origin === %q) Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });`, shared.address))
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
