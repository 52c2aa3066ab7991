package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// Handler serves the files of a built site with their headers. Where a
// compressed twin (name.br, name.gz) lies beside a file and the client takes
// it, the twin is sent.
func Handler(files fs.FS) http.Handler { return Policy{}.Handler(files) }

// Handler serves with the headers of this policy.
func (p Policy) Handler(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		if name == "index.html" && r.URL.Query().Get("embed") == "1" {
			name = Embed // the same page, with another policy
		}
		for _, h := range p.Headers(name) {
			w.Header().Set(h.Name, h.Value)
		}
		body, coding := pick(files, name, r.Header.Get("Accept-Encoding"))
		if body == nil || path.Base(name) == "_headers" {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			http.Error(w, "no such file", http.StatusNotFound)
			return
		}
		w.Header().Set("Vary", "Accept-Encoding")
		if coding != "" {
			w.Header().Set("Content-Encoding", coding)
		}
		sum := sha256.Sum256(body)
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+coding+`"`)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

// pick reads the best form of a file that the client accepts. body is nil
// where there is no such file.
func pick(files fs.FS, name, accept string) (body []byte, coding string) {
	for _, c := range []struct{ coding, ext string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if accepts(accept, c.coding) {
			if body, err := fs.ReadFile(files, name+c.ext); err == nil {
				return body, c.coding
			}
		}
	}
	body, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, ""
	}
	return body, ""
}

func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(name) == coding {
			return strings.TrimSpace(q) != "q=0"
		}
	}
	return false
}
