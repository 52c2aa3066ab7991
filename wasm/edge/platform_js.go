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

// setting reads a variable or secret; "" where it is not set.
func setting(name string) string {
	v := cloudflare.GetBinding(name)
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// assets asks the platform's asset server. It is asked for plain bytes: the
// platform compresses on the way out.
func assets(r *http.Request, name string) (*http.Response, error) {
	binding := cloudflare.GetBinding("ASSETS")
	if !binding.Truthy() {
		return nil, errors.New("no ASSETS are bound to this Worker")
	}
	// The package would call fetch without its receiver, which the platform
	// refuses.
	bound := js.Global().Get("Object").New()
	bound.Set("fetch", binding.Get("fetch").Call("bind", binding))
	out, err := fetch.NewRequest(r.Context(), "GET", "https://assets/"+name, nil)
	if err != nil {
		return nil, err
	}
	if v := strings.Join(r.Header.Values("If-None-Match"), ","); v != "" {
		out.Header.Set("If-None-Match", v)
	}
	return fetch.NewClient(fetch.WithBinding(bound)).Do(out, &fetch.RequestInit{Redirect: fetch.RedirectModeManual})
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
