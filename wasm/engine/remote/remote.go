// Package remote opens files by URL: a file, an archive's base name, or a
// folder's JSON listing. It reads them by range requests, so that only what is
// needed is fetched. It accesses HTTP through an interface and does not depend
// on JavaScript.
package remote

import (
	"context"
	"io"
	"net/url"
	"path"
	"strings"

	"pcpscope/core/pcp"
)

// A Client sends GET and HEAD requests; in the browser it is fetch.
type Client interface {
	// Do returns once the response headers have arrived. An error means that
	// there is no response, or none that this program may see.
	Do(ctx context.Context, r Request) (Response, error)
	// Keep stores the whole body of a response, in memory or wherever the
	// platform has space. progress receives byte counts; total is -1 if
	// unknown.
	Keep(ctx context.Context, r Response, progress func(done, total int64)) (io.ReaderAt, int64, error)
}

// A Request is for a file, or if Last > First for the range of bytes from
// First up to Last, exclusive.
type Request struct {
	URL         string
	Head        bool
	First, Last int64
	Headers     []Header // the user's
	// Named says that the URL identifies the exact bytes, so that a cached
	// response is always valid.
	Named bool
}

// A Header is one that the user wants sent, such as Authorization.
type Header struct{ Name, Value string }

// A Response is one whose body has not been read yet.
type Response interface {
	Status() int
	Header(name string) string // "" where there is none, or where it may not be seen
	URL() string               // after redirects
	Bytes(limit int64) ([]byte, error)
	Close()
}

// Blocked is the error of a Client that knows why there is no response.
type Blocked struct{ Sentence string }

func (b *Blocked) Error() string { return b.Sentence }

// A Finder finds files.
type Finder struct {
	Client  Client
	Origin  string   // of the page: "https://pcp.example.com"
	Headers []Header // sent with each request
	// LastVolume returns the number of the last volume in a temporal index;
	// may be nil.
	LastVolume func(index []byte) (int, bool)
}

// nameOf returns the path of a file as shown to the user: without the host if
// it is the page's own.
func (f *Finder) nameOf(u *url.URL) string {
	name := strings.TrimPrefix(u.Path, "/")
	if u.Scheme+"://"+u.Host != f.Origin {
		name = u.Host + "/" + name
	}
	return name
}

// named reports whether a URL identifies its exact bytes, as those in a
// server's catalogue do (docs/operators.md): v is the catalogue's parameter.
func named(u *url.URL) bool {
	v := u.Query().Get("v")
	return len(v) == 12 && strings.Trim(v, "0123456789abcdef") == ""
}

// parse accepts only URLs that may be fetched.
func parse(address string) (*url.URL, *pcp.Fault) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, pcp.Faultf(pcp.BadArgument, "%s is not a URL of the form https://host/path.", address)
	}
	u.Fragment = ""
	return u, nil
}

// faultOf says why a URL could not be fetched.
func (f *Finder) faultOf(u *url.URL, err error) *pcp.Fault {
	name := f.nameOf(u)
	host := u.Scheme + "://" + u.Host
	if blocked, ok := err.(*Blocked); ok {
		return pcp.Faultf(pcp.Unsupported, "%s", blocked.Sentence).In(name)
	}
	if host == f.Origin {
		return pcp.Faultf(pcp.Internal, "The server %s cannot be reached.", host).In(name)
	}
	return pcp.Faultf(pcp.Unsupported, "%s cannot be reached, or does not let pages of %s read its files: that needs the Access-Control-Allow-Origin header (CORS).", host, f.Origin).In(name)
}

// faultOfStatus explains an unsuccessful response.
func (f *Finder) faultOfStatus(u *url.URL, status int) *pcp.Fault {
	fault := f.sentence(u, status).In(f.nameOf(u))
	fault.Passing = status == 401 || status == 403 || status == 429 || status >= 500 // the user may log in again, for example
	return fault
}

func (f *Finder) sentence(u *url.URL, status int) *pcp.Fault {
	switch {
	case status == 404 || status == 410:
		return pcp.Faultf(pcp.BadArgument, "There is no such file on %s (status %d).", u.Host, status)
	case status == 401:
		return pcp.Faultf(pcp.Unsupported, "%s requires a login or a token for this file (status 401).", u.Host)
	case status == 403:
		return pcp.Faultf(pcp.Unsupported, "%s denies access to this file (status 403).", u.Host)
	case status == 429:
		return pcp.Faultf(pcp.Internal, "%s refuses so many requests (status 429).", u.Host)
	case status >= 500:
		return pcp.Faultf(pcp.Internal, "%s failed to serve this file (status %d).", u.Host, status)
	}
	return pcp.Faultf(pcp.Unsupported, "%s does not serve this file (status %d).", u.Host, status)
}

// suffixes of compressed files, most likely first, and of containers.
var (
	packed     = []string{"", ".xz", ".zst", ".gz", ".bz2", ".lzma", ".Z"}
	containers = []string{".tar", ".tgz", ".txz", ".tbz2", ".zip", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst"}
)

// component reports whether a file is named like a part of an archive, and
// whether that part is a volume, named by a number.
func component(name string) (part, number bool) {
	for _, s := range packed {
		stem, ok := strings.CutSuffix(path.Base(name), s)
		if !ok {
			continue
		}
		switch ext := strings.TrimPrefix(path.Ext(stem), "."); {
		case ext == "meta" || ext == "index":
			return true, false
		case ext != "" && strings.Trim(ext, "0123456789") == "" && stem != "."+ext && (ext == "0" || ext[0] != '0'):
			return true, true
		}
	}
	return false, false
}

func container(name string) bool {
	for _, s := range containers {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}
