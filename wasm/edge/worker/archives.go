package worker

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"pcpscope/internal/catalog"
)

// An Object is one file in the bucket.
type Object struct {
	Key      string
	Size     int64
	Tag      string // strong, as an ETag has it, with its quotes
	Modified time.Time
}

type archives struct {
	Config
	bucket Bucket
}

// exposed are the headers that a page from another origin may read.
const exposed = "Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified"

// ServeHTTP answers a request below the prefix, and logs it.
func (a *archives) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	visit := Visit{Method: r.Method, Path: r.URL.Path, Range: joined(r.Header, "Range")}
	seen := &counted{ResponseWriter: w, status: http.StatusOK}
	a.serve(seen, r, &visit)
	if a.Log != nil {
		visit.Status = seen.status
		visit.Bytes, _ = strconv.ParseInt(w.Header().Get("Content-Length"), 10, 64)
		a.Log(visit)
	}
}

func (a *archives) serve(w http.ResponseWriter, r *http.Request, visit *Visit) {
	h := w.Header()
	// Everything in the bucket is untrusted data that no browser may run or
	// display.
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Origin")
	if !a.Public { // cached responses are only for holders of the same token
		h.Set("Vary", "Origin, Authorization")
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "null" && (slices.Contains(a.Origins, origin) || slices.Contains(a.Origins, "*")) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", exposed)
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD")
			h.Set("Access-Control-Allow-Headers", "Authorization, Range, If-Range, If-None-Match, If-Match")
			h.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		fail(w, r, http.StatusMethodNotAllowed, "Only GET and HEAD are answered here.")
		return
	}
	key, below := strings.CutPrefix(r.URL.Path, prefix)
	if !Archives(r.URL.Path) { // the catalogue next to the page
		a.front(w, r, visit)
		return
	}
	host, listed := a.catalogOf(key)
	asked := key
	if listed { // a client with access to any part of a folder has access to its catalogue
		asked = strings.TrimSuffix(key, catalog.Name)
	}
	who, ok := a.mayRead(w, r, asked)
	visit.Who = who.name
	if !ok {
		return
	}
	if listed {
		a.catalog(w, r, host, who)
		return
	}
	if a.bucket == nil {
		fail(w, r, http.StatusNotFound, "No archives are served here: the operator has bound no bucket.")
		return
	}
	if !below {
		h.Set("Location", prefix)
		fail(w, r, http.StatusMovedPermanently, "Archives are at "+prefix+".")
		return
	}
	if key == "" || strings.HasSuffix(key, "/") {
		a.list(w, r, key, who)
		return
	}
	a.object(w, r, key)
}

// joined undoes the platform's splitting of header values at commas.
func joined(h http.Header, name string) string { return strings.Join(h.Values(name), ",") }

// object sends one file or a range of it.
func (a *archives) object(w http.ResponseWriter, r *http.Request, key string) {
	asked := parseRange(joined(r.Header, "Range"))
	o, content, err := a.get(r, key, asked)
	if condition := joined(r.Header, "If-Range"); err == nil && o != nil && asked != nil && condition != "" && condition != o.Tag {
		if content != nil {
			content.Discard()
		}
		asked = nil // the whole new file, as RFC 9110 13.1.5 has it
		o, content, err = a.get(r, key, nil)
	}
	if err != nil {
		fail(w, r, http.StatusBadGateway, "The bucket does not answer.")
		return
	}
	if o == nil {
		fail(w, r, http.StatusNotFound, "There is no such archive file.")
		return
	}
	discard := func() {
		if content != nil {
			content.Discard()
		}
	}
	h := w.Header()
	h.Set("ETag", o.Tag)
	h.Set("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
	if match := joined(r.Header, "If-Match"); match != "" && !matches(match, o.Tag, false) {
		discard()
		h.Del("ETag")
		h.Del("Last-Modified")
		fail(w, r, http.StatusPreconditionFailed, "The file has changed since it was opened.")
		return
	}
	h.Set("Cache-Control", keep(r, o.Tag))
	if match := joined(r.Header, "If-None-Match"); match != "" && matches(match, o.Tag, true) {
		discard()
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Accept-Ranges", "bytes")
	status := http.StatusOK
	offset, length, ok := asked.Within(o.Size)
	if !ok {
		discard()
		h.Set("Content-Range", "bytes */"+strconv.FormatInt(o.Size, 10))
		fail(w, r, http.StatusRequestedRangeNotSatisfiable, "The file ends before that range.")
		return
	}
	h.Set("Content-Type", "application/octet-stream")
	if asked != nil {
		status = http.StatusPartialContent
		h.Set("Content-Range", "bytes "+strconv.FormatInt(offset, 10)+"-"+strconv.FormatInt(offset+length-1, 10)+"/"+strconv.FormatInt(o.Size, 10))
	}
	h.Set("Content-Length", strconv.FormatInt(length, 10))
	w.WriteHeader(status)
	if r.Method == http.MethodHead || length == 0 || content == nil {
		discard()
		return
	}
	content.Send(w)
}

// get fetches an object from the bucket, for HEAD without its bytes.
func (a *archives) get(r *http.Request, key string, asked *Range) (*Object, Content, error) {
	if r.Method == http.MethodHead {
		o, err := a.bucket.Head(r.Context(), key)
		return o, nil, err
	}
	return a.bucket.Get(r.Context(), key, asked)
}

// keep says how long a browser may cache a response. Authorisation is checked
// again each time, except for URLs from the catalogue that identify the exact
// bytes: a client that has read these may keep them.
func keep(r *http.Request, tag string) string {
	if v := r.URL.Query().Get("v"); v != "" && v == catalog.V(tag) || ofFleet(r.URL.Path) {
		return "private, max-age=31536000, immutable"
	}
	return "private, no-cache"
}

// ofFleet reports whether a path is that of a fleet index file that is named
// after its content: all but the manifest.
func ofFleet(name string) bool {
	rest, ok := strings.CutPrefix(name, prefix+catalog.Fleet+"/")
	return ok && strings.Contains(rest, "/")
}

// matches reports whether a list of tags contains this one. weak accepts W/
// tags too.
func matches(list, tag string, weak bool) bool {
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if weak {
			item = strings.TrimPrefix(item, "W/")
		}
		if item == "*" || item == tag {
			return true
		}
	}
	return false
}
