package browser

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"

	"pcpscope/internal/site"
)

// Serve serves a built site on a free port of this machine, with its headers,
// and beside it /bare, a page with nothing but a file input, and each of the
// folders under its name. It returns the address without a slash at the end.
func Serve(dist string, folders map[string]fs.FS) (address string, stop func()) {
	return ServeWith(site.Policy{}, dist, folders)
}

// ServeWith does the same under a policy that an operator has widened.
func ServeWith(policy site.Policy, dist string, folders map[string]fs.FS) (address string, stop func()) {
	mux := http.NewServeMux()
	mux.Handle("/", policy.Handler(os.DirFS(dist)))
	mux.HandleFunc("/bare", func(w http.ResponseWriter, r *http.Request) {
		for _, h := range policy.Headers("index.html") {
			w.Header().Set(h.Name, h.Value)
		}
		fmt.Fprint(w, `<!doctype html><title>bare</title><link rel="icon" href="icon.svg"><input type="file" multiple>`)
	})
	for name, files := range folders {
		mux.Handle("/"+name+"/", http.StripPrefix("/"+name, site.Handler(files)))
	}
	server := httptest.NewServer(mux)
	return server.URL, server.Close
}
