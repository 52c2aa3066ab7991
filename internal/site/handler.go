package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// Handler serves the files of a built site with their headers. If a
// precompressed copy (name.br, name.gz) exists beside a file and the client
// accepts its encoding, the copy is sent.
func Handler(files fs.FS) http.Handler { return Policy{}.Handler(files) }

// Handler serves with the headers of this policy.
func (p Policy) Handler(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" || strings.HasSuffix(r.URL.Path, "/") {
			name = path.Join(name, "index.html")
		}
		name = Page(name, r.URL.Query())
		for _, h := range p.Headers(name) {
			w.Header().Set(h.Name, h.Value)
		}
		body, coding := pick(files, name, r.Header.Get("Accept-Encoding"))
		if body == nil || path.Base(name) == "_headers" {
			if body != nil {
				body.Close()
			}
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			http.Error(w, "no such file", http.StatusNotFound)
			return
		}
		w.Header().Set("Vary", "Accept-Encoding")
		if coding != "" {
			w.Header().Set("Content-Encoding", coding)
		}
		defer body.Close()
		tag, err := tagOf(body)
		if err != nil {
			http.Error(w, "the file cannot be read", http.StatusInternalServerError)
			return
		}
		w.Header().Set("ETag", `"`+tag+coding+`"`)
		http.ServeContent(w, r, name, time.Time{}, body)
	})
}

// A file that can be read from anywhere.
type file interface {
	fs.File
	io.ReadSeeker
}

// pick opens the best form of a file that the client accepts. body is nil if
// there is no such file.
func pick(files fs.FS, name, accept string) (body file, coding string) {
	for _, c := range []struct{ coding, ext string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if accepts(accept, c.coding) {
			if body := open(files, name+c.ext); body != nil {
				return body, c.coding
			}
		}
	}
	return open(files, name), ""
}

func open(files fs.FS, name string) file {
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	info, err := f.Stat()
	body, ok := f.(file)
	if err != nil || !ok || !info.Mode().IsRegular() {
		f.Close()
		return nil
	}
	return body
}

// tagOf identifies the version of a file: by its modification time, or by its
// bytes if there is none, as with files inside a program.
func tagOf(f file) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if t := info.ModTime(); !t.IsZero() {
		return fmt.Sprintf("%x-%x", t.UnixNano(), info.Size()), nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	_, err = f.Seek(0, io.SeekStart)
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
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
