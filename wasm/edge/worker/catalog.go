package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"path"
	"strconv"
	"strings"

	"pcpscope/internal/catalog"
)

// A Catalog lists the contents of a bucket.
type Catalog interface {
	Index(ctx context.Context) (*catalog.Index, error)
	// Host returns nil if there is no such host.
	Host(ctx context.Context, host string) (*catalog.Host, error)
}

// catalogOf reports whether a key is that of a part of the catalogue: the index
// (host is empty), or the days of a host.
func (a *archives) catalogOf(key string) (host string, ok bool) {
	folder, name := path.Split(key)
	host = strings.TrimSuffix(folder, "/")
	return host, a.Catalog != nil && name == catalog.Name && !strings.Contains(host, "/")
}

// catalog sends the part of the catalogue that the client may see.
func (a *archives) catalog(w http.ResponseWriter, r *http.Request, host string, who reader) {
	if host == "" {
		index, err := a.Catalog.Index(r.Context())
		if err != nil {
			fail(w, r, http.StatusBadGateway, "The bucket does not answer.")
			return
		}
		sendJSON(w, r, index.Only(who.sees))
		return
	}
	days, err := a.Catalog.Host(r.Context(), host)
	switch {
	case err != nil:
		fail(w, r, http.StatusBadGateway, "The bucket does not answer.")
	case days == nil:
		fail(w, r, http.StatusNotFound, "There is no such host.")
	default:
		sendJSON(w, r, days.Only(who.sees))
	}
}

// front sends the index to the page, which requests it at the start. It says
// where the archives are, or for a client without access to any, why not: with
// status 200, because the page has not failed.
func (a *archives) front(w http.ResponseWriter, r *http.Request, visit *Visit) {
	out := &catalog.Index{Version: catalog.Version, Hosts: []catalog.Line{}}
	who, known := reader{name: "anybody"}, a.Public
	if !known {
		who, known = a.known(r)
	}
	visit.Who = who.name
	switch {
	case known:
		index, err := a.Catalog.Index(r.Context())
		if err != nil {
			fail(w, r, http.StatusBadGateway, "The bucket does not answer.")
			return
		}
		out = index.Only(who.sees)
	case len(a.Tokens) > 0:
		out.Needs = "token"
	}
	out.Archives = prefix
	sendJSON(w, r, out)
}

// sendJSON sends JSON that browsers revalidate by its ETag.
func sendJSON(w http.ResponseWriter, r *http.Request, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		fail(w, r, http.StatusInternalServerError, "The catalogue cannot be written.")
		return
	}
	sum := sha256.Sum256(text)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	h := w.Header()
	h.Set("ETag", tag)
	if match := joined(r.Header, "If-None-Match"); match != "" && matches(match, tag, true) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(text)
	}
}

// described lists the files of a host for the catalogue.
func described(ctx context.Context, bucket Bucket, host string) (files []catalog.Object, found bool, err error) {
	folders, objects, err := bucket.List(ctx, host+"/")
	for _, o := range objects {
		if name := path.Base(o.Key); name != catalog.Name {
			files = append(files, catalog.Object{Name: name, Size: o.Size, Tag: o.Tag, Modified: o.Modified})
		}
	}
	return files, len(folders)+len(objects) > 0, err
}

// partsOf reads ranges of a host's files.
func partsOf(bucket Bucket, host string) catalog.Reader {
	return func(ctx context.Context, name string, offset, length int64) ([]byte, error) {
		data, _, err := bucket.Read(ctx, host+"/"+name, &Range{Offset: offset, Length: length})
		return data, err
	}
}
