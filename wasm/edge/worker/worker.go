// Package worker is what the Cloudflare Worker answers: the site with its
// headers, and archives out of a bucket to those who may read them. It knows
// HTTP and nothing of JavaScript, so that it is tested where Go runs; package
// edge gives it the platform's assets and bucket. The development server
// answers with it, too, out of a folder.
package worker

import (
	"context"
	"io"
	"net/http"
	"path"
	"strings"

	"pcpscope/internal/catalog"
	"pcpscope/internal/site"
)

// Config says what an operator set.
type Config struct {
	Policy site.Policy
	// Origins are those whose pages may read archives here by CORS; "*" stands
	// for all.
	Origins []string
	// Public lets everybody read archives. Where it is false and there are
	// neither Tokens nor Access, nobody may.
	Public bool
	Tokens []Token
	// Access checks the assertion that Cloudflare Access puts into requests.
	Access *Access
	// Catalog lists what there is; nil where there is no list.
	Catalog Catalog
	// Log receives a line for each answer to a request for an archive; may be nil.
	Log func(Visit)
}

// A Bucket holds archives under keys such as "web01/20261121.00.10.0".
type Bucket interface {
	// Head describes an object; nil where there is none.
	Head(ctx context.Context, key string) (*Object, error)
	// Get describes an object, and offers its bytes, or those of a range (r may
	// be nil): of one version, however often it is written. The object is nil
	// where there is none, the content where the range lies outside of it.
	Get(ctx context.Context, key string, r *Range) (*Object, Content, error)
	// List lists what there is below the last "/" of prefix whose name begins
	// with the rest of it: names of folders, and objects in the order of keys.
	List(ctx context.Context, prefix string) (folders []string, objects []Object, err error)
	// Read reads an object, or a range of it, for this program itself; the
	// object is nil where there is none.
	Read(ctx context.Context, key string, r *Range) ([]byte, *Object, error)
}

// Content is to be sent or discarded.
type Content interface {
	// Send sends the bytes. Header and status have been written.
	Send(w http.ResponseWriter) error
	Discard()
}

// An Asset is the platform's answer for a file of the built site. Of its
// headers only those of the body count.
type Asset struct {
	Status int
	Header http.Header
	Body   Content
}

// Assets fetches a file of the built site; r carries what the client asked
// about it.
type Assets func(r *http.Request, name string) (Asset, error)

// prefix is where archives are on the site.
const prefix = "/archives/"

// Archives reports whether a path is one below which archives are.
func Archives(path string) bool { return strings.HasPrefix(path, prefix) || path+"/" == prefix }

// New returns the handler. bucket may be nil: the site alone is served then.
func New(c Config, assets Assets, bucket Bucket) http.Handler {
	files := NewArchives(c, bucket)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if Archives(r.URL.Path) {
			files.ServeHTTP(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			fail(w, r, http.StatusMethodNotAllowed, "Only GET and HEAD are answered here.")
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" || name != "" && strings.HasSuffix(r.URL.Path, "/") {
			name = path.Join(name, "index.html")
		}
		if name == catalog.Name && c.Catalog != nil {
			files.ServeHTTP(w, r)
			return
		}
		sendAsset(w, r, c.Policy, assets, site.Page(name, r.URL.Query()))
	})
}

// NewArchives returns the handler of the archives alone.
func NewArchives(c Config, bucket Bucket) http.Handler { return &archives{c, bucket} }

// ofBody are the headers of an asset that belong to its bytes; all others are
// the policy's.
var ofBody = []string{"ETag", "Last-Modified", "Content-Length"}

func sendAsset(w http.ResponseWriter, r *http.Request, policy site.Policy, assets Assets, name string) {
	for _, h := range policy.Headers(name) {
		w.Header().Set(h.Name, h.Value)
	}
	if path.Base(name) == "_headers" {
		fail(w, r, http.StatusNotFound, "There is no such file.")
		return
	}
	answer, err := assets(r, name)
	if err != nil {
		fail(w, r, http.StatusBadGateway, "The site's files cannot be reached.")
		return
	}
	switch answer.Status {
	case http.StatusOK, http.StatusNotModified:
	case http.StatusNotFound:
		answer.Body.Discard()
		fail(w, r, http.StatusNotFound, "There is no such file.")
		return
	default: // a redirect, say: the site has none
		answer.Body.Discard()
		fail(w, r, http.StatusBadGateway, "The site's files cannot be reached.")
		return
	}
	for _, h := range ofBody {
		if v := joined(answer.Header, h); v != "" {
			w.Header().Set(h, v)
		}
	}
	w.WriteHeader(answer.Status)
	if r.Method == http.MethodHead || answer.Status == http.StatusNotModified {
		answer.Body.Discard()
		return
	}
	answer.Body.Send(w)
}

// fail answers with one sentence as text.
func fail(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		io.WriteString(w, sentence+"\n")
	}
}
