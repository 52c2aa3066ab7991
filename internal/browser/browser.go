package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A Browser is a running headless browser. It can reach localhost and no
// other host.
type Browser struct {
	ctx   context.Context
	close func()
}

// addressBar are the features that suggest addresses in the address bar: two pages
// in a process of their own, useless here, which every navigation wakes.
const addressBar = "WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// Start runs Chromium's headless shell where it is installed, and otherwise the
// browser that Find finds. The shell shows pages as Chromium does, but has no
// windows: drawing those, which nobody sees, takes a fifth of all processor time.
func Start() (*Browser, error) {
	if path := FindShell(); path != "" {
		return start(path, chromedp.Flag("font-render-hinting", "slight")) // as in Chromium
	}
	return StartWhole()
}

// StartWhole runs the browser that Find finds. Tests of what the headless shell
// lacks, such as handles of dropped files, need it, and so does what is measured.
func StartWhole() (*Browser, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	return start(path)
}

func start(path string, more ...chromedp.ExecAllocatorOption) (*Browser, error) {
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path),
		chromedp.WindowSize(1440, 900),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("process-per-site", true), // see NewTab
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,"+addressBar),
	)
	options = append(options, more...)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	b := &Browser{ctx, func() { cancel(); stop() }}
	if err := chromedp.Do(ctx); err != nil {
		b.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() { b.close() }

// A Page is one tab. Its methods time out after Timeout.
type Page struct {
	ctx   context.Context
	close func()

	mu       sync.Mutex
	console  []chromedp.ConsoleMessage
	requests []Request
}

// A Request was sent by the page.
type Request struct{ Method, URL string }

// Timeout is how long anything on a page may take.
const Timeout = 60 * time.Second

// NewPage opens an empty tab, width by height CSS pixels, with storage and a
// process of its own, like a freshly started browser.
func (b *Browser) NewPage(width, height int64) (*Page, error) {
	return b.newPage(width, height, chromedp.WithNewBrowserContext())
}

// NewTab opens an empty tab that shares storage and, for pages of one origin, the
// process with all other tabs: a program that one of them has compiled need not
// be compiled again, which is half the work of opening a page.
func (b *Browser) NewTab(width, height int64) (*Page, error) {
	return b.newPage(width, height)
}

func (b *Browser) newPage(width, height int64, options ...chromedp.ContextOption) (*Page, error) {
	ctx, cancel := chromedp.NewContext(b.ctx, options...)
	p := &Page{ctx: ctx, close: cancel}
	// Chromium keeps what a page loaded for its developer tools, in Base64: 17 MiB of the program alone,
	// which users do not have. Nobody asks for it here.
	keep := new(int64(1))
	err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height))
	if err == nil {
		_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{MaxTotalBufferSize: keep, MaxResourceBufferSize: keep})
	}
	if err == nil {
		err = chromedp.Listen(ctx, p.network)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			p.mu.Lock()
			p.console = append(p.console, m)
			p.mu.Unlock()
		}
	}()
	return p, nil
}

func (p *Page) network(event any) {
	if sent, ok := event.(*network.EventRequestWillBeSent); ok && sent.Request != nil {
		p.mu.Lock()
		p.requests = append(p.requests, Request{sent.Request.Method, sent.Request.URL})
		p.mu.Unlock()
	}
}

// Close closes the tab.
func (p *Page) Close() { p.close() }

// Do runs chromedp's actions on the page.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(p.ctx, Timeout)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// Get runs one action that has a result.
func Get[T any](p *Page, action chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, Timeout)
	defer cancel()
	return chromedp.Run(ctx, action)
}

// Eval evaluates JavaScript, awaits the result if it is a promise, and returns
// its value, which must be representable as JSON.
func Eval[T any](p *Page, script string) (T, error) {
	return Get(p, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}

// EvalWithin is Eval with a patience of its own.
func EvalWithin[T any](p *Page, patience time.Duration, script string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}

// Idle waits until the program on the page reports that it is idle and
// everything is drawn.
func (p *Page) Idle() error {
	_, err := Eval[bool](p, `(async () => { await (await globalThis.pcpscopeReady).idle(); return true })()`)
	return err
}

// Drop drops files and folders from disk on the middle of an element, as a
// file manager does.
func (p *Page) Drop(selector string, files ...string) error {
	return p.Do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		box, err := chromedp.Dimensions(chromedp.CSS(selector))(ctx, t)
		if err != nil {
			return chromedp.Void{}, err
		}
		x := (box.Content[0] + box.Content[2]) / 2
		y := (box.Content[1] + box.Content[5]) / 2
		data := &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1}
		for _, step := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
			if _, err := chromedp.Call(ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: step, X: x, Y: y, Data: data}); err != nil {
				return chromedp.Void{}, err
			}
		}
		return chromedp.Void{}, nil
	})
}

// Choose puts files into a file input, as the browser's dialog does. For an
// input that takes folders, files is one folder, which the browser lists
// before it tells the page: Choose returns once the page has been told.
func (p *Page) Choose(selector string, files ...string) error {
	if _, err := Eval[bool](p, `(globalThis.filesChosen = new Promise((done) => addEventListener("change", () => setTimeout(done), { once: true, capture: true })), true)`); err != nil {
		return err
	}
	if err := p.Do(chromedp.SetUploadFiles(chromedp.CSS(selector), files)); err != nil {
		return err
	}
	_, err := Eval[bool](p, "globalThis.filesChosen.then(() => true)")
	return err
}

// Dark sets whether the system prefers dark colours.
func (p *Page) Dark(on bool) error {
	scheme := "light"
	if on {
		scheme = "dark"
	}
	ctx, cancel := context.WithTimeout(p.ctx, Timeout)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	return err
}

// Screenshot returns the visible part of the page as a PNG.
func (p *Page) Screenshot() ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, Timeout)
	defer cancel()
	shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	return shot.Data, err
}

// Print returns the page as printed by the browser: a PDF on A4 paper.
func (p *Page) Print() ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, Timeout)
	defer cancel()
	out, err := chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69})
	return out.Data, err
}

// Errors returns what the page wrote to the console as errors or warnings:
// exceptions, refused resources, violations of the policy.
func (p *Page) Errors() []string {
	p.settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []string
	for _, m := range p.console {
		switch m.Type {
		case chromedp.ConsoleError, chromedp.ConsoleWarning, chromedp.ConsoleException:
			list = append(list, fmt.Sprintf("%s: %s (%s:%d)", m.Type, m, m.URL, m.Line+1))
		}
	}
	return list
}

// Console returns everything that the page wrote to the console.
func (p *Page) Console() string {
	p.settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for _, m := range p.console {
		fmt.Fprintf(&b, "%s: %s\n", m.Type, m)
	}
	return b.String()
}

// Requests returns the requests that the page sent since the last call, except
// for data: and blob: addresses, which do not leave the browser.
func (p *Page) Requests() []Request {
	p.settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	list := slices.DeleteFunc(p.requests, func(r Request) bool {
		return strings.HasPrefix(r.URL, "data:") || strings.HasPrefix(r.URL, "blob:")
	})
	p.requests = nil
	return list
}

// settle makes a round trip to the browser, so that earlier events have
// arrived, and gives the console reader a moment.
func (p *Page) settle() {
	ctx, cancel := context.WithTimeout(p.ctx, Timeout)
	defer cancel()
	chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"})
	time.Sleep(20 * time.Millisecond)
}
