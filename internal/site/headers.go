// Package site says how the built files are served: the one place where the
// HTTP headers are written down. The development server, the _headers file
// for static hosts and the tests all read it, so that they cannot differ.
package site

import (
	"path"
	"strings"
)

// A Header is one HTTP response header.
type Header struct{ Name, Value string }

// policy is what the page may do. 'wasm-unsafe-eval' allows WebAssembly to be
// compiled and nothing else; no inline script, no inline style, no eval.
// connect-src 'self' is what keeps archives in the browser.
var policy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self' 'wasm-unsafe-eval'",
	"connect-src 'self'",
	"worker-src 'self'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'self'",
}, "; ")

// everywhere are the headers of each response.
var everywhere = []Header{
	{"Content-Security-Policy", policy},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Embedder-Policy", "require-corp"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
	// Names carry no hash: a browser asks whether its copy is still right.
	{"Cache-Control", "no-cache"},
}

// types names the media type of each kind of file on the site; hosts differ
// in what they guess.
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
}

// Headers returns the headers for a file of the site, Content-Type last. name
// is its slash-separated path; "" and names ending in "/" mean index.html.
func Headers(name string) []Header {
	if name == "" || strings.HasSuffix(name, "/") {
		name = "index.html"
	}
	kind, ok := types[path.Ext(name)]
	if !ok {
		kind = "application/octet-stream"
	}
	return append(everywhere[:len(everywhere):len(everywhere)], Header{"Content-Type", kind})
}

// HeadersFile returns the text of the _headers file that static hosts read
// (Cloudflare Pages and Workers, Netlify).
func HeadersFile() string {
	var b strings.Builder
	block := func(pattern string, headers ...Header) {
		b.WriteString(pattern + "\n")
		for _, h := range headers {
			b.WriteString("  " + h.Name + ": " + h.Value + "\n")
		}
	}
	block("/*", everywhere...)
	for _, ext := range []string{".wasm", ".ts"} { // the two that hosts get wrong
		block("/*"+ext, Header{"Content-Type", types[ext]})
	}
	return b.String()
}
