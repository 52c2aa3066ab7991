package main

import (
	"fmt"
	"net/http"
	"syscall/js"
)

// answer runs the handler and returns its response, as one buffer or as a
// stream of the platform. The library's bridge between Go and such streams
// fails on responses to HEAD, which have a length but no body, and ends the
// program after the first response; here one program serves all requests.
func answer(w http.ResponseWriter, r *http.Request, h http.Handler) {
	out := &response{ResponseWriter: w}
	defer func() {
		if e := recover(); e != nil {
			fmt.Println("a request failed:", r.Method, r.URL.Path, e)
			out.text, out.stream = nil, js.Undefined()
			w.Header().Del("Content-Length")
			w.WriteHeader(http.StatusInternalServerError)
		}
		body := js.Null()
		switch {
		case r.Method == http.MethodHead:
		case !out.stream.IsUndefined():
			body = out.stream
		case len(out.text) > 0:
			body = js.Global().Get("Uint8Array").New(len(out.text))
			js.CopyBytesToJS(body, out.text)
		}
		w.(interface{ WriteRawJSBody(js.Value) }).WriteRawJSBody(body)
	}()
	h.ServeHTTP(out, r)
}

// response collects what a handler writes.
type response struct {
	http.ResponseWriter
	text   []byte
	stream js.Value
}

func (r *response) Write(p []byte) (int, error) {
	r.text = append(r.text, p...)
	return len(p), nil
}

// stream makes a platform stream the body of a response.
func stream(w http.ResponseWriter, body js.Value) {
	for {
		if r, ok := w.(*response); ok {
			r.stream = body
			return
		}
		w = w.(interface{ Unwrap() http.ResponseWriter }).Unwrap()
	}
}

// body is the body of a platform response. Its bytes never pass through this
// program.
type body struct{ js.Value }

// Send implements worker.Content.
func (b body) Send(w http.ResponseWriter) error {
	if b.Truthy() {
		stream(w, b.Value)
	}
	return nil
}

// Discard implements worker.Content.
func (b body) Discard() {
	if b.Truthy() {
		b.Call("cancel")
	}
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		v   js.Value
		err error
	}
	done := make(chan outcome, 1)
	ok := js.FuncOf(func(_ js.Value, args []js.Value) any { done <- outcome{v: args[0]}; return nil })
	no := js.FuncOf(func(_ js.Value, args []js.Value) any { done <- outcome{err: js.Error{Value: args[0]}}; return nil })
	defer ok.Release()
	defer no.Release()
	promise.Call("then", ok, no)
	out := <-done
	return out.v, out.err
}
