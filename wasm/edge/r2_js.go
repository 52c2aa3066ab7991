package main

import (
	"context"
	"strings"
	"syscall/js"
	"time"

	"pcpscope/wasm/edge/worker"
)

// r2 is an R2 bucket. The library's own type supports neither ranges nor
// prefixes.
// https://developers.cloudflare.com/r2/api/workers/workers-api-reference/
type r2 struct{ js.Value }

// call calls a method of the bucket and awaits its promise. Options are plain
// maps.
func (b r2) call(method string, args ...any) (js.Value, error) {
	return await(b.Value.Call(method, args...))
}

func object(v js.Value) worker.Object {
	return worker.Object{
		Key: v.Get("key").String(), Size: int64(v.Get("size").Float()), Tag: v.Get("httpEtag").String(),
		Modified: time.UnixMilli(int64(v.Get("uploaded").Call("getTime").Float())),
	}
}

// Head implements worker.Bucket.
func (b r2) Head(_ context.Context, key string) (*worker.Object, error) {
	v, err := b.call("head", key)
	if err != nil || !v.Truthy() {
		return nil, err
	}
	o := object(v)
	return &o, nil
}

// Get implements worker.Bucket with a single request, unless the range lies
// outside the object, which R2 reports as an error.
func (b r2) Get(ctx context.Context, key string, r *worker.Range) (*worker.Object, worker.Content, error) {
	options := map[string]any{}
	switch {
	case r == nil:
	case r.Suffix > 0:
		options["range"] = map[string]any{"suffix": float64(r.Suffix)}
	case r.Length < 0:
		options["range"] = map[string]any{"offset": float64(r.Offset)}
	default:
		options["range"] = map[string]any{"offset": float64(r.Offset), "length": float64(r.Length)}
	}
	v, err := b.call("get", key, options)
	if err != nil && r != nil {
		if o, err := b.Head(ctx, key); err != nil || o == nil {
			return o, nil, err
		} else if _, _, ok := r.Within(o.Size); !ok {
			return o, nil, nil
		}
	}
	if err != nil || !v.Truthy() {
		return nil, nil, err
	}
	o := object(v)
	if _, _, ok := r.Within(o.Size); !ok {
		body{v.Get("body")}.Discard()
		return &o, nil, nil
	}
	return &o, body{v.Get("body")}, nil
}

// Read implements worker.Bucket.
func (b r2) Read(ctx context.Context, key string, r *worker.Range) ([]byte, *worker.Object, error) {
	o, content, err := b.Get(ctx, key, r)
	if err != nil || o == nil || content == nil {
		return nil, o, err
	}
	buffer, err := await(js.Global().Get("Response").New(content.(body).Value).Call("arrayBuffer"))
	if err != nil {
		return nil, o, err
	}
	data := make([]byte, buffer.Get("byteLength").Int())
	js.CopyBytesToGo(data, js.Global().Get("Uint8Array").New(buffer))
	return data, o, nil
}

// Put implements worker.Writer: R2 compares the tag itself.
func (b r2) Put(_ context.Context, key string, data []byte, tag string) (bool, error) {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	condition := map[string]any{"etagMatches": strings.Trim(tag, `"`)}
	if tag == "" {
		condition = map[string]any{"etagDoesNotMatch": "*"}
	}
	v, err := b.call("put", key, bytes, map[string]any{"onlyIf": condition, "httpMetadata": map[string]any{"contentType": "application/json"}})
	return err == nil && v.Truthy(), err
}

// List implements worker.Bucket.
func (b r2) List(_ context.Context, prefix string) (folders []string, objects []worker.Object, err error) {
	at := prefix[:strings.LastIndexByte(prefix, '/')+1]
	options := map[string]any{"prefix": prefix, "delimiter": "/"}
	for {
		page, err := b.call("list", options)
		if err != nil {
			return nil, nil, err
		}
		prefixes, list := page.Get("delimitedPrefixes"), page.Get("objects")
		for i := range prefixes.Length() {
			folders = append(folders, strings.TrimSuffix(strings.TrimPrefix(prefixes.Index(i).String(), at), "/"))
		}
		for i := range list.Length() {
			objects = append(objects, object(list.Index(i)))
		}
		if !page.Get("truncated").Bool() {
			return folders, objects, nil
		}
		options["cursor"] = page.Get("cursor").String()
	}
}
