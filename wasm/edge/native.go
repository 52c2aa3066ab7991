//go:build !js

package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"pcpscope/wasm/edge/worker"
)

func setting(name string) string { return os.Getenv(name) }

// assets serves the folder DIST, dist where it is not set.
func assets(r *http.Request, name string) (*http.Response, error) {
	dist := os.Getenv("DIST")
	if dist == "" {
		dist = "dist"
	}
	w := httptest.NewRecorder()
	http.ServeFileFS(w, r, os.DirFS(dist), name)
	return w.Result(), nil
}

// bucket is the folder ARCHIVES.
func bucket() worker.Bucket {
	if dir := os.Getenv("ARCHIVES"); dir != "" {
		return worker.Folder(dir)
	}
	return nil
}

func teamKeys(team string) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		r, err := http.NewRequestWithContext(ctx, "GET", team+"/cdn-cgi/access/certs", nil)
		if err != nil {
			return nil, err
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		return io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	}
}
