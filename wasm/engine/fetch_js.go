package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"pcpscope/wasm/engine/remote"
	"pcpscope/wasm/rpc"
)

// fetcher is the browser's fetch. Requests carry cookies only to the page's
// own host, and never a referrer.
type fetcher struct{ refused *refusals }

// refusals records what the content security policy blocked; fetch itself
// does not distinguish that from a server that is down.
type refusals struct{ addresses map[string]bool }

func watchRefusals() *refusals {
	r := &refusals{map[string]bool{}}
	js.Global().Call("addEventListener", "securitypolicyviolation", js.FuncOf(func(_ js.Value, args []js.Value) any {
		r.addresses[args[0].Get("blockedURI").String()] = true
		return nil
	}))
	return r
}

// has reports whether a request was blocked. The browser may report only a
// part of the URL.
func (r *refusals) has(address string) bool {
	for refused := range r.addresses {
		if refused != "" && strings.HasPrefix(address, refused) {
			return true
		}
	}
	return false
}

func (f fetcher) Do(ctx context.Context, q remote.Request) (remote.Response, error) {
	headers := map[string]any{}
	for _, h := range q.Headers {
		headers[h.Name] = h.Value
	}
	switch {
	case q.Head:
		headers["Range"] = "bytes=0-"
	case q.Last > q.First:
		headers["Range"] = fmt.Sprintf("bytes=%d-%d", q.First, q.Last-1)
	}
	abort := js.Global().Get("AbortController").New()
	cache := "no-cache"
	switch {
	case q.Named:
		cache = "default"
	case q.First > 0: // browsers serialise range requests for one URL in case they can use their cache
		cache = "no-store"
	}
	options := map[string]any{
		"headers": headers, "credentials": "same-origin", "referrerPolicy": "no-referrer", "mode": "cors", "cache": cache, "signal": abort.Get("signal"),
	}
	if q.Head {
		options["method"] = "HEAD"
	}
	stop := context.AfterFunc(ctx, func() { abort.Call("abort") })
	v, err := callFetch(q.URL, options)
	if err != nil {
		stop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// The policy's event arrives after the failure.
		for range 20 {
			if f.refused.has(q.URL) {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if f.refused.has(q.URL) {
			return nil, &remote.Blocked{Sentence: "This page’s policy allows it to fetch only from its own host. Its operator can allow other hosts."}
		}
		return nil, err
	}
	return &reply{Value: v, abort: abort, stop: stop}, nil
}

// callFetch also turns exceptions of fetch, such as for an invalid header,
// into errors.
func callFetch(address string, options map[string]any) (v js.Value, err error) {
	defer func() {
		if e := recover(); e != nil {
			thrown, ok := e.(js.Error)
			if !ok {
				panic(e)
			}
			err = thrown
		}
	}()
	return rpc.Await(js.Global().Call("fetch", address, options))
}

// A reply is a Response of fetch.
type reply struct {
	js.Value
	abort js.Value
	stop  func() bool
	done  bool
}

func (a *reply) Status() int { return a.Get("status").Int() }
func (a *reply) URL() string { return a.Get("url").String() }

func (a *reply) Header(name string) string {
	v := a.Get("headers").Call("get", name)
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// Close cancels a body that has not been read to its end.
func (a *reply) Close() {
	a.stop()
	if !a.done {
		a.done = true
		a.abort.Call("abort")
	}
}

// Bytes reads up to limit bytes of the body.
func (a *reply) Bytes(limit int64) ([]byte, error) {
	var data []byte
	err := a.chunks(func(chunk js.Value) bool {
		n := min(int64(chunk.Length()), limit-int64(len(data)))
		at := len(data)
		data = append(data, make([]byte, n)...)
		js.CopyBytesToGo(data[at:], chunk)
		return int64(len(data)) < limit
	})
	return data, err
}

// chunks passes the pieces of the body to each as they arrive, until each
// returns false.
func (a *reply) chunks(each func(chunk js.Value) bool) error {
	body := a.Get("body")
	if !body.Truthy() {
		a.done = true
		return nil
	}
	reader := body.Call("getReader")
	for {
		result, err := rpc.Await(reader.Call("read"))
		if err != nil {
			return err
		}
		if result.Get("done").Bool() {
			a.done = true
			return nil
		}
		if !each(result.Get("value")) {
			return nil
		}
	}
}

// Keep stores the body in a Blob, which the browser may put on disk.
func (f fetcher) Keep(ctx context.Context, r remote.Response, progress func(done, total int64)) (io.ReaderAt, int64, error) {
	a, ok := r.(*reply)
	if !ok {
		return nil, 0, errors.New("not a reply of fetch")
	}
	total := int64(-1)
	if a.Header("Content-Encoding") == "" { // otherwise the length is of the compressed bytes
		if n, err := strconv.ParseInt(a.Header("Content-Length"), 10, 64); err == nil {
			total = n
		}
	}
	parts := js.Global().Get("Array").New()
	done := int64(0)
	err := a.chunks(func(chunk js.Value) bool {
		parts.Call("push", chunk)
		done += int64(chunk.Length())
		progress(done, total)
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, 0, err
	}
	return readBlob(blobClass.New(parts))
}
