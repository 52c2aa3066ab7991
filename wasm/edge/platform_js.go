package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall/js"

	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/fetch"

	"pcpscope/wasm/edge/worker"
)

// setting reads a variable or secret, "" if it is not set.
func setting(name string) string {
	v := cloudflare.GetBinding(name)
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// assets fetches from the platform's asset server, uncompressed: the platform
// compresses the response itself.
func assets(r *http.Request, name string) (worker.Asset, error) {
	binding := cloudflare.GetBinding("ASSETS")
	if !binding.Truthy() {
		return worker.Asset{}, errors.New("no ASSETS are bound to this Worker")
	}
	headers := map[string]any{}
	if v := strings.Join(r.Header.Values("If-None-Match"), ","); v != "" {
		headers["If-None-Match"] = v
	}
	v, err := await(binding.Call("fetch", "https://assets/"+name, map[string]any{"headers": headers, "redirect": "manual"}))
	if err != nil {
		return worker.Asset{}, err
	}
	a := worker.Asset{Status: v.Get("status").Int(), Header: http.Header{}, Body: body{v.Get("body")}}
	for _, h := range []string{"ETag", "Last-Modified", "Content-Length"} {
		if t := v.Get("headers").Call("get", h); t.Type() == js.TypeString {
			a.Header.Set(h, t.String())
		}
	}
	return a, nil
}

func teamKeys(team string) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		r, err := fetch.NewRequest(ctx, "GET", team+"/cdn-cgi/access/certs", nil)
		if err != nil {
			return nil, err
		}
		answer, err := fetch.NewClient().Do(r, nil)
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s answers %d", team, answer.StatusCode)
		}
		return io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	}
}

// bucket is the R2 bucket bound as ARCHIVES.
func bucket() worker.Bucket {
	if v := cloudflare.GetBinding("ARCHIVES"); v.Truthy() {
		return r2{v}
	}
	return nil
}
