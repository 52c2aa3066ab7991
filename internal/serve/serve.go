// Package serve is the project's own server: it serves the built site and a
// folder of archives, as the Worker serves them from a bucket.
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

// Options say what to serve.
type Options struct {
	Dist     string // the folder of the site
	Prefix   string // the path of the site, "/pcpscope/"; default "/"
	Archives string // a folder of archives, below /archives/; "" for none
	// Origins are the origins whose pages may read the archives (CORS); "*" for
	// all.
	Origins []string
	// Tokens are required to open archives; without any, everybody may read
	// them.
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
	go known.Index(context.Background()) // the first look at thousands of days takes seconds: do it before somebody waits
	archives := worker.NewArchives(worker.Config{Public: len(o.Tokens) == 0, Tokens: o.Tokens, Origins: o.Origins, Log: o.Log, Catalog: known}, folder)
	mux.Handle(prefix+catalog.Name, http.StripPrefix(below, archives))
	mux.Handle("/archives/", archives)
	mux.Handle("/archives", archives)
	return mux, nil
}
