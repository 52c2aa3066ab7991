// Package serve is the project's own server: the built site, and a folder of
// archives, as the Worker serves them out of a bucket.
package serve

import (
	"context"
	"net/http"
	"os"
	"strings"

	"pcpscope/internal/catalog"
	"pcpscope/internal/site"
	"pcpscope/wasm/edge/worker"
)

// Options say what is served.
type Options struct {
	Dist     string // the folder of the site
	Prefix   string // the path that the site is below, "/pcpscope/"; "/" where empty
	Archives string // a folder of archives, below /archives/; none where empty
	// Origins are those whose pages may read the archives (CORS); "*" for all.
	Origins []string
	// Tokens are the only ones that open archives; everybody may read them
	// where there are none.
	Tokens []worker.Token
	Log    func(worker.Visit) // of archives; may be nil
}

// Handler makes the handler.
func Handler(o Options) (http.Handler, error) {
	prefix := "/" + strings.Trim(o.Prefix, "/")
	if prefix != "/" {
		prefix += "/"
	}
	mux := http.NewServeMux()
	below := strings.TrimSuffix(prefix, "/")
	mux.Handle(prefix, http.StripPrefix(below, site.Handler(os.DirFS(o.Dist))))
	if prefix != "/" {
		mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, prefix, http.StatusFound) })
	}
	if o.Archives == "" {
		return mux, nil
	}
	folder, err := worker.OpenFolder(o.Archives)
	if err != nil {
		return nil, err
	}
	known := worker.NewFolderCatalog(folder)
	go known.Index(context.Background()) // the first look at thousands of days takes seconds: not when somebody waits
	archives := worker.NewArchives(worker.Config{Public: len(o.Tokens) == 0, Tokens: o.Tokens, Origins: o.Origins, Log: o.Log, Catalog: known}, folder)
	mux.Handle(prefix+catalog.Name, http.StripPrefix(below, archives))
	mux.Handle("/archives/", archives)
	mux.Handle("/archives", archives)
	return mux, nil
}
