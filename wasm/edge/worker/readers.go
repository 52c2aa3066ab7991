package worker

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// A Token grants its bearer read access.
type Token struct {
	Name     string   // for the log
	Secret   string   // the value in "Authorization: Bearer"
	Prefixes []string // of keys, "web01/" or "prod-"; all where there are none
}

// ParseTokens reads an operator's list: on each line a name, a secret, and the
// permitted prefixes, separated by spaces. Empty lines and lines that begin
// with "#" are ignored.
func ParseTokens(text string) ([]Token, error) {
	var list []Token
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 2 || len(fields[1]) < 16 {
			return nil, fmt.Errorf("line %d of the tokens: a name, a secret of at least 16 characters, and prefixes are expected", i+1)
		}
		list = append(list, Token{fields[0], fields[1], fields[2:]})
	}
	if len(list) == 0 {
		return nil, errors.New("there is no token in the list")
	}
	return list, nil
}

// A reader is an authenticated client.
type reader struct {
	name     string
	prefixes []string // of keys that may be read; nil for all
}

// sees reports whether a key may be read, or a folder listed (ending in "/",
// or empty): one that is permitted, or leads to one that is.
func (p reader) sees(key string) bool {
	if len(p.prefixes) == 0 {
		return true
	}
	for _, prefix := range p.prefixes {
		if strings.HasPrefix(key, prefix) || (key == "" || strings.HasSuffix(key, "/")) && strings.HasPrefix(prefix, key) {
			return true
		}
	}
	return false
}

// mayRead checks whether the client may read a key. If not, it has sent the response.
func (a *archives) mayRead(w http.ResponseWriter, r *http.Request, key string) (reader, bool) {
	if a.Public {
		return reader{name: "anybody"}, true
	}
	who, known := a.known(r)
	switch {
	case known && who.sees(key):
		return who, true
	case known:
		fail(w, r, http.StatusForbidden, "This token does not give access to that host.")
		return who, false
	case len(a.Tokens) == 0 && a.Access == nil:
		fail(w, r, http.StatusForbidden, "Nobody may read archives here: the operator has set neither a token nor Cloudflare Access.")
		return who, false
	}
	if len(a.Tokens) > 0 {
		w.Header().Set("WWW-Authenticate", `Bearer realm="archives"`)
	}
	fail(w, r, http.StatusUnauthorized, "Reading archives here needs the operator's token or a login.")
	return who, false
}

// known authenticates the client of a request.
func (a *archives) known(r *http.Request) (reader, bool) {
	if given, ok := strings.CutPrefix(joined(r.Header, "Authorization"), "Bearer "); ok {
		// Hashes have equal length and all tokens are compared, so timing
		// reveals nothing.
		have, at := sha256.Sum256([]byte(given)), -1
		for i, token := range a.Tokens {
			want := sha256.Sum256([]byte(token.Secret))
			if subtle.ConstantTimeCompare(have[:], want[:]) == 1 && token.Secret != "" {
				at = i
			}
		}
		if at >= 0 {
			return reader{a.Tokens[at].Name, a.Tokens[at].Prefixes}, true
		}
	}
	if a.Access != nil {
		if assertion := r.Header.Get("Cf-Access-Jwt-Assertion"); assertion != "" {
			if who, err := a.Access.Check(r.Context(), assertion); err == nil {
				return reader{name: who}, true
			}
		}
	}
	return reader{}, false
}
