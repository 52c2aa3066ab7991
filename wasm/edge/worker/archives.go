package worker

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Object is one file in the bucket.
type Object struct {
	Key      string
	Size     int64
	Tag      string // strong, as an ETag has it, with its quotes
	Modified time.Time
}

// ErrChanged is what Bucket.Write returns when the object is another now.
var ErrChanged = errors.New("the object has changed")

type archives struct {
	Config
	bucket Bucket
}

// exposed are the headers that a page from another origin may read.
const exposed = "Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified"

func (a *archives) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	// Whatever lies in the bucket is data: no browser may run or show it.
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" && origin != "null" && slices.Contains(a.Origins, origin) {
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
		fail(w, http.StatusMethodNotAllowed, "Only GET and HEAD are answered here.")
		return
	}
	if !a.mayRead(w, r) {
		return
	}
	if a.bucket == nil {
		fail(w, http.StatusNotFound, "No bucket of archives is bound to this Worker.")
		return
	}
	key, ok := strings.CutPrefix(r.URL.Path, prefix)
	if !ok {
		http.Redirect(w, r, prefix, http.StatusMovedPermanently)
		return
	}
	if key == "" || strings.HasSuffix(key, "/") {
		a.list(w, r, key)
		return
	}
	a.object(w, r, key)
}

// mayRead checks who asks. Where it says no it has answered.
func (a *archives) mayRead(w http.ResponseWriter, r *http.Request) bool {
	if a.Public {
		return true
	}
	if a.Token != "" {
		given, ok := strings.CutPrefix(joined(r.Header, "Authorization"), "Bearer ")
		// Hashes have one length, and tell nothing by how long they take.
		have, want := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(a.Token))
		if ok && subtle.ConstantTimeCompare(have[:], want[:]) == 1 {
			return true
		}
	}
	if a.Access != nil {
		if assertion := r.Header.Get("Cf-Access-Jwt-Assertion"); assertion != "" {
			if err := a.Access.Check(r.Context(), assertion); err == nil {
				return true
			}
		}
	}
	if a.Token == "" && a.Access == nil {
		fail(w, http.StatusForbidden, "Nobody may read archives here: the operator has set neither a token nor Cloudflare Access.")
		return false
	}
	if a.Token != "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="archives"`)
	}
	fail(w, http.StatusUnauthorized, "Reading archives here needs the operator's token or a login.")
	return false
}

// joined undoes what the platform does to header values with commas in them:
// it hands them over in pieces.
func joined(h http.Header, name string) string { return strings.Join(h.Values(name), ",") }

// object sends one file or a range of it.
func (a *archives) object(w http.ResponseWriter, r *http.Request, key string) {
	o, err := a.bucket.Head(r.Context(), key)
	if err != nil {
		fail(w, http.StatusBadGateway, "The bucket does not answer.")
		return
	}
	if o == nil {
		fail(w, http.StatusNotFound, "There is no such archive file.")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Accept-Ranges", "bytes")
	h.Set("ETag", o.Tag)
	h.Set("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
	if match := joined(r.Header, "If-Match"); match != "" && !matches(match, o.Tag, false) {
		fail(w, http.StatusPreconditionFailed, "The file has changed since it was opened.")
		return
	}
	if match := joined(r.Header, "If-None-Match"); match != "" && matches(match, o.Tag, true) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	status, offset, length := http.StatusOK, int64(0), o.Size
	asked := joined(r.Header, "Range")
	if condition := joined(r.Header, "If-Range"); condition != "" && condition != o.Tag {
		asked = "" // the whole new file, as RFC 9110 13.1.5 has it
	}
	switch from, n, kind := parseRange(asked, o.Size); kind {
	case oneRange:
		status, offset, length = http.StatusPartialContent, from, n
		h.Set("Content-Range", "bytes "+strconv.FormatInt(from, 10)+"-"+strconv.FormatInt(from+n-1, 10)+"/"+strconv.FormatInt(o.Size, 10))
	case outside:
		h.Set("Content-Range", "bytes */"+strconv.FormatInt(o.Size, 10))
		fail(w, http.StatusRequestedRangeNotSatisfiable, "The file ends before that range.")
		return
	}
	h.Set("Content-Length", strconv.FormatInt(length, 10))
	if r.Method == http.MethodHead || length == 0 {
		w.WriteHeader(status)
		return
	}
	if err := a.bucket.Write(r.Context(), w, o, status, offset, length); err != nil {
		for _, name := range []string{"Content-Length", "Content-Range", "ETag", "Last-Modified"} {
			h.Del(name)
		}
		if errors.Is(err, ErrChanged) {
			fail(w, http.StatusPreconditionFailed, "The file changed while it was being sent.")
			return
		}
		fail(w, http.StatusBadGateway, "The bucket does not answer.")
	}
}

// matches says whether a list of tags names this one. weak takes W/ tags too.
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

type rangeKind int

const (
	noRange rangeKind = iota // none was asked for, or one that may be ignored
	oneRange
	outside
)

// parseRange reads a Range header with one range of bytes. Several, and what
// cannot be understood, may be ignored: RFC 9110 14.2.
func parseRange(header string, size int64) (from, n int64, kind rangeKind) {
	spec, ok := strings.CutPrefix(header, "bytes=")
	if !ok || strings.Contains(spec, ",") {
		return 0, 0, noRange
	}
	first, last, ok := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok {
		return 0, 0, noRange
	}
	end := int64(-1)
	if last != "" {
		v, err := strconv.ParseUint(last, 10, 63)
		if err != nil {
			return 0, 0, noRange
		}
		end = int64(v)
	}
	if first == "" { // the last so many bytes
		if end < 0 {
			return 0, 0, noRange
		}
		if end == 0 || size == 0 {
			return 0, 0, outside
		}
		n = min(end, size)
		return size - n, n, oneRange
	}
	v, err := strconv.ParseUint(first, 10, 63)
	if err != nil || last != "" && end < int64(v) {
		return 0, 0, noRange
	}
	from = int64(v)
	if from >= size {
		return 0, 0, outside
	}
	if last == "" || end >= size {
		end = size - 1
	}
	return from, end - from + 1, oneRange
}
