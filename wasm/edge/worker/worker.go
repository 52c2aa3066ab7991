// Package worker is the Cloudflare Worker's handler: it serves the site with
// its headers, and archives from a bucket to those who may read them. It
// knows HTTP but not JavaScript, so that it can be tested natively; package
// edge provides the platform's assets and bucket. The development server uses
// it too, with a folder.
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

// Config is the operator's configuration.
type Config struct {
	Policy site.Policy
	// Origins may read archives here by CORS; "*" stands for all.
	Origins []string
	// Public lets anyone read archives. If it is false and there are neither
	// Tokens nor Access, nobody may.
	Public bool
	Tokens []Token
	// Access checks the assertion that Cloudflare Access adds to requests.
	Access *Access
	// Catalog lists the archives; nil for no catalogue.
	Catalog Catalog
	// Log receives a line for each response about archives; may be nil.
	Log func(Visit)
}

// A Bucket holds archives under keys such as "web01/20261121.00.10.0".
type Bucket interface {
	// Head describes an object; nil if there is none.
	Head(ctx context.Context, key string) (*Object, error)
	// Get describes an object and opens its bytes, or a range of them (r may be
	// nil), always of the same version. The object is nil if there is none, the
	// content if the range lies outside it.
	Get(ctx context.Context, key string, r *Range) (*Object, Content, error)
	// List lists the folder up to the last "/" of prefix: folder names and
	// objects that begin with the rest of it, the objects in the order of
	// keys.
	List(ctx context.Context, prefix string) (folders []string, objects []Object, err error)
	// Read reads an object, or a range of it, into memory; the object is nil
	// if there is none.
	Read(ctx context.Context, key string, r *Range) ([]byte, *Object, error)
}

// Content must be sent or discarded.
type Content interface {
	// Send sends the bytes. Header and status have been written.
	Send(w http.ResponseWriter) error
	Discard()
}

// An Asset is the platform's response for a file of the built site. Only the
// headers of its body are used.
type Asset struct {
	Status int
	Header http.Header
	Body   Content
}

// Assets fetches a file of the built site; r has the client's conditional
// headers.
type Assets func(r *http.Request, name string) (Asset, error)

// prefix is where archives are on the site.
const prefix = "/archives/"

// Archives reports whether a path is below the archives' prefix.
func Archives(path string) bool { return strings.HasPrefix(path, prefix) || path+"/" == prefix }

// New returns the handler. With a nil bucket it serves the site only.
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

// ofBody are the headers of an asset that describe its body; all others are
// set by policy.
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

// fail responds with one sentence as text.
func fail(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		io.WriteString(w, sentence+"\n")
	}
}
