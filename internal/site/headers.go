// Package site defines how the built files are served: it is the one place with
// the HTTP headers. The development server, the _headers file for static hosts
// and the tests all use it, so that they cannot differ.
package site

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
)

// A Header is one HTTP response header.
type Header struct{ Name, Value string }

// A Policy is what an operator allows the page beyond the default, which is to
// talk only to its own host, and not to be framed without confirmation.
type Policy struct {
	// Archives are further origins ("https://logs.example.com") from which the
	// page may fetch archives.
	Archives []string
	// Embedders are the only origins whose pages may hold embed.html in a
	// frame. If there are none, every page may, and embed.html asks the user
	// about those that embed.json does not list.
	Embedders []string
}

// Check reports anything in a policy that is not an origin: in the header it
// would become another directive, or be ignored.
func (p Policy) Check() error {
	for _, origin := range slices.Concat(p.Archives, p.Embedders) {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || origin != u.Scheme+"://"+u.Host || strings.ContainsAny(origin, ";, '\"*") {
			return fmt.Errorf("%q is not an origin such as https://dash.example.com", origin)
		}
	}
	return nil
}

// content is the content security policy. 'wasm-unsafe-eval' allows WebAssembly
// to be compiled and nothing else; no inline script, no inline style, no eval.
// connect-src 'self' is what keeps archives in the browser.
func (p Policy) content(name string) string {
	ancestors := []string{"'self'"}
	if name == Confirm {
		ancestors = []string{"'none'"}
	}
	if name == Embed {
		ancestors = append(ancestors, p.Embedders...)
		if len(p.Embedders) == 0 {
			ancestors = []string{"*"}
		}
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self' 'wasm-unsafe-eval'",
		"connect-src " + strings.Join(append([]string{"'self'"}, p.Archives...), " "),
		"worker-src 'self'",
		"style-src 'self'",
		"img-src 'self' data: blob:",
		"manifest-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors " + strings.Join(ancestors, " "),
	}, "; ")
}

// Confirm is the page that shows a question of Embed in a window of its own. It
// talks to the frame that opened it, and so must keep its opener.
const Confirm = "confirm.html"

// Embed is the form of the page that other pages may hold in a frame.
const Embed = "embed.html"

// Fleet is the fleet page, shown for "/?fleet=".
const Fleet = "fleet.html"

// Page returns the file for a path and query: the page has other forms,
// "?embed=1" and "?fleet=".
func Page(name string, query url.Values) string {
	switch {
	case name != "index.html":
		return name
	case query.Get("embed") == "1":
		return Embed
	case query.Has("fleet"):
		return Fleet
	}
	return name
}

// Single is the page as one file, to be kept on disk.
const Single = "pcpscope.html"

// Names is what the names of the files end with that list a program's functions,
// one a line. They are loaded when a program has panicked.
const Names = ".names.txt"

// everywhere are the headers that do not depend on the file.
var everywhere = []Header{
	{"Cross-Origin-Embedder-Policy", "require-corp"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
	// Names have no hash: a browser must revalidate its copy.
	{"Cache-Control", "no-cache"},
}

// policies are the headers that depend on the file: the embedded page is read
// by other origins.
func (p Policy) policies(name string) []Header {
	resource := "same-origin"
	if name == Embed {
		resource = "cross-origin"
	}
	opener := "same-origin"
	if name == Confirm {
		opener = "unsafe-none"
	}
	list := []Header{{"Content-Security-Policy", p.content(name)}, {"Cross-Origin-Opener-Policy", opener}, {"Cross-Origin-Resource-Policy", resource}}
	if name == Single { // its scripts are inside it, which no policy of a server allows
		list = append(list, Header{"Content-Disposition", "attachment"})
	}
	return list
}

// types has the media type of each kind of file on the site; hosts guess
// differently.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".ts":   "text/plain; charset=utf-8", // hosts guess MPEG video
	".json": "application/json",
	".wasm": "application/wasm",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".txt":  "text/plain; charset=utf-8",
	// Makes the page installable.
	".webmanifest": "application/manifest+json",
}

// Headers returns the headers for a file of the site, Content-Type last. name
// is its slash-separated path; "" and names ending in "/" mean index.html.
func (p Policy) Headers(name string) []Header {
	if name == "" || strings.HasSuffix(name, "/") {
		name = "index.html"
	}
	kind, ok := types[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	return slices.Concat(p.policies(name), everywhere, []Header{{"Content-Type", kind}})
}

// File returns the text of the _headers file that static hosts read
// (Cloudflare Pages and Workers, Netlify).
func (p Policy) File() string {
	var b strings.Builder
	block := func(pattern string, drop []Header, headers ...Header) {
		b.WriteString(pattern + "\n")
		for _, h := range drop { // a second value would be added to the first
			b.WriteString("  ! " + h.Name + "\n")
		}
		for _, h := range headers {
			b.WriteString("  " + h.Name + ": " + h.Value + "\n")
		}
	}
	block("/*", nil, slices.Concat(p.policies("index.html"), everywhere)...)
	for _, name := range []string{Embed, Confirm} {
		for _, path := range []string{name, strings.TrimSuffix(name, ".html")} { // hosts drop .html
			block("/"+path, p.policies(name), p.policies(name)...)
		}
	}
	block("/"+Single, nil, Header{"Content-Disposition", "attachment"})
	for _, ext := range []string{".wasm", ".ts", ".webmanifest"} { // those that hosts get wrong
		block("/*"+ext, nil, Header{"Content-Type", types[ext]})
	}
	return b.String()
}

// HeadersFile returns the _headers file of the default policy.
func HeadersFile() string { return Policy{}.File() }
