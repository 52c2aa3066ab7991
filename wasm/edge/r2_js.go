package main

import (
	"context"
	"net/http"
	"strings"
	"syscall/js"
	"time"

	"pcpscope/wasm/edge/worker"
)

// r2 is an R2 bucket. The library's own has neither ranges nor prefixes.
// https://developers.cloudflare.com/r2/api/workers/workers-api-reference/
type r2 struct{ js.Value }

// call calls a method of the bucket and waits for what it promises. Options
// are plain maps.
func (b r2) call(method string, args ...any) (js.Value, error) {
	type outcome struct {
		v   js.Value
		err error
	}
	done := make(chan outcome, 1)
	ok := js.FuncOf(func(_ js.Value, args []js.Value) any { done <- outcome{v: args[0]}; return nil })
	no := js.FuncOf(func(_ js.Value, args []js.Value) any { done <- outcome{err: js.Error{Value: args[0]}}; return nil })
	defer ok.Release()
	defer no.Release()
	b.Value.Call(method, args...).Call("then", ok, no)
	out := <-done
	return out.v, out.err
}

func object(v js.Value) worker.Object {
	return worker.Object{
		Key: v.Get("key").String(), Size: int64(v.Get("size").Float()), Tag: v.Get("httpEtag").String(),
		Modified: time.UnixMilli(int64(v.Get("uploaded").Call("getTime").Float())),
	}
}

func (b r2) Head(_ context.Context, key string) (*worker.Object, error) {
	v, err := b.call("head", key)
	if err != nil || !v.Truthy() {
		return nil, err
	}
	o := object(v)
	return &o, nil
}

func (b r2) Write(_ context.Context, w http.ResponseWriter, o *worker.Object, status int, offset, length int64) error {
	v, err := b.call("get", o.Key, map[string]any{
		"range":  map[string]any{"offset": float64(offset), "length": float64(length)},
		"onlyIf": map[string]any{"etagMatches": strings.Trim(o.Tag, `"`)},
	})
	if err != nil {
		return err
	}
	if !v.Truthy() || !v.Get("body").Truthy() { // the platform leaves out the body where onlyIf does not hold
		return worker.ErrChanged
	}
	w.WriteHeader(status)
	// The stream goes to the client without passing through this program.
	w.(interface{ WriteRawJSBody(js.Value) }).WriteRawJSBody(v.Get("body"))
	return nil
}

// pages walks the pages of a listing.
func (b r2) pages(options map[string]any, each func(js.Value) error) error {
	for {
		v, err := b.call("list", options)
		if err != nil {
			return err
		}
		if err := each(v); err != nil {
			return err
		}
		if !v.Get("truncated").Bool() {
			return nil
		}
		options["cursor"] = v.Get("cursor").String()
	}
}

func (b r2) List(_ context.Context, prefix string, each func(worker.Object) error) error {
	return b.pages(map[string]any{"prefix": prefix}, func(page js.Value) error {
		objects := page.Get("objects")
		for i := range objects.Length() {
			if err := each(object(objects.Index(i))); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b r2) Folders(_ context.Context, prefix string) ([]string, error) {
	var names []string
	err := b.pages(map[string]any{"prefix": prefix, "delimiter": "/"}, func(page js.Value) error {
		prefixes := page.Get("delimitedPrefixes")
		for i := range prefixes.Length() {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(prefixes.Index(i).String(), prefix), "/"))
		}
		return nil
	})
	return names, err
}
