package browser

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"

	"pcpscope/internal/site"
)

// Site serves a built site with its headers, and in addition /bare, a page with
// only a file input, and each of the folders under its name.
func Site(policy site.Policy, dist string, folders map[string]fs.FS) http.Handler {
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
	return mux
}

// Serve serves pages on a free port of this machine until stop is called. The
// address has no trailing slash.
func Serve(pages http.Handler) (address string, stop func()) {
	server := httptest.NewServer(pages)
	return server.URL, func() {
		server.CloseClientConnections() // browsers keep some open
		server.Close()
	}
}
