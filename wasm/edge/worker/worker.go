// Package worker is what the Cloudflare Worker answers: the site with its
// headers, and archives out of a bucket to those who may read them. It knows
// HTTP and nothing of JavaScript, so that it is tested where Go runs; package
// edge gives it the platform's assets and bucket.
package worker

import (
	"context"
	"io"
	"net/http"
	"path"
	"strings"

	"pcpscope/internal/site"
)

// Config says what an operator set.
type Config struct {
	Policy site.Policy
	// Origins are those whose pages may read archives here by CORS.
	Origins []string
	// Public lets everybody read archives. Where it is false and neither Token
	// nor Access is set, nobody may.
	Public bool
	// Token is what "Authorization: Bearer" must carry.
	Token string
	// Access checks the assertion that Cloudflare Access puts into requests.
	Access *Access
}

// A Bucket holds archives under keys such as "web01/20261121.00.10.0".
type Bucket interface {
	// Head describes an object; nil where there is none.
	Head(ctx context.Context, key string) (*Object, error)
	// Write sends length bytes from offset on, and the headers with them.
	// The object may have changed since Head: only the one with this tag is
	// sent, and ErrChanged returned otherwise.
	Write(ctx context.Context, w http.ResponseWriter, o *Object, status int, offset, length int64) error
	// List walks the objects whose keys begin with prefix, in their order.
	List(ctx context.Context, prefix string, each func(Object) error) error
	// Folders lists what lies between prefix and the next "/" of keys.
	Folders(ctx context.Context, prefix string) ([]string, error)
}

// Assets fetches a file of the built site. Of the answer's headers only those
// of the body count; r carries what the client asked about it.
type Assets func(r *http.Request, name string) (*http.Response, error)

// prefix is where archives are on the site.
const prefix = "/archives/"

// New returns the handler. bucket may be nil: the site alone is served then.
func New(c Config, assets Assets, bucket Bucket) http.Handler {
	a := &archives{Config: c, bucket: bucket}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix) || r.URL.Path+"/" == prefix {
			a.serve(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			fail(w, http.StatusMethodNotAllowed, "Only GET and HEAD are answered here.")
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		if name == "index.html" && r.URL.Query().Get("embed") == "1" {
			name = site.Embed
		}
		sendAsset(w, r, c.Policy, assets, name)
	})
}

// ofBody are the headers of an asset that belong to its bytes; all others are
// the policy's.
var ofBody = []string{"ETag", "Last-Modified", "Content-Length"}

func sendAsset(w http.ResponseWriter, r *http.Request, policy site.Policy, assets Assets, name string) {
	for _, h := range policy.Headers(name) {
		w.Header().Set(h.Name, h.Value)
	}
	if path.Base(name) == "_headers" {
		fail(w, http.StatusNotFound, "There is no such file.")
		return
	}
	answer, err := assets(r, name)
	if err != nil {
		fail(w, http.StatusBadGateway, "The site's files cannot be reached.")
		return
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK, http.StatusNotModified:
	case http.StatusNotFound:
		fail(w, http.StatusNotFound, "There is no such file.")
		return
	default: // a redirect, say: the site has none
		fail(w, http.StatusBadGateway, "The site's files cannot be reached.")
		return
	}
	for _, h := range ofBody {
		if v := joined(answer.Header, h); v != "" {
			w.Header().Set(h, v)
		}
	}
	w.WriteHeader(answer.StatusCode)
	if r.Method != http.MethodHead {
		io.Copy(w, answer.Body)
	}
}

// fail answers with one sentence as text.
func fail(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	io.WriteString(w, sentence+"\n")
}
