package worker

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"
)

// Access checks the assertion of Cloudflare Access: a JSON Web Token signed
// by the team's keys. The presence of the header proves nothing, since anyone
// can send it to a Worker that is reachable around Access.
// https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/validating-json/
type Access struct {
	Team     string // "https://example.cloudflareaccess.com"
	Audience string // the tag of the application
	// Keys fetches the team's keys, the JSON of Team + "/cdn-cgi/access/certs".
	Keys func(ctx context.Context) ([]byte, error)
	Now  func() time.Time // time.Now where nil

	mu     sync.Mutex
	known  map[string]*rsa.PublicKey
	asked  time.Time // when the keys were last asked for
	asking int       // number of concurrent requests for the keys
}

const (
	keysLast   = time.Hour   // older keys are fetched again
	keysRest   = time.Minute // no unknown key makes this ask more often
	keysAtOnce = 4
)

var errAssertion = errors.New("the assertion does not hold")

// Check returns the identity in an assertion, if it is valid now.
func (a *Access) Check(ctx context.Context, assertion string) (who string, err error) {
	signed, mark, ok := cutLast(assertion)
	head, body, ok2 := strings.Cut(signed, ".")
	if !ok || !ok2 {
		return "", errAssertion
	}
	var header struct{ Alg, Kid string }
	var claims struct {
		Aud      audience
		Iss      string
		Sub      string
		Email    string
		Exp, Nbf float64
	}
	if decode(head, &header) != nil || decode(body, &claims) != nil || header.Alg != "RS256" {
		return "", errAssertion
	}
	now := time.Now
	if a.Now != nil {
		now = a.Now
	}
	at := float64(now().Unix())
	if claims.Iss != a.Team || a.Audience == "" || !slices.Contains(claims.Aud, a.Audience) || at >= claims.Exp || at < claims.Nbf {
		return "", errAssertion
	}
	signature, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil {
		return "", errAssertion
	}
	key, err := a.key(ctx, header.Kid, now())
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(signed))
	if rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) != nil {
		return "", errAssertion
	}
	if claims.Email != "" {
		return claims.Email, nil
	}
	return claims.Sub, nil
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// key finds one of the team's keys. They are cached, so forged assertions, each
// with a new key ID, cause no fetches. Requests do not wait for each other,
// which the platform forbids; the first few may fetch concurrently.
func (a *Access) key(ctx context.Context, id string, now time.Time) (*rsa.PublicKey, error) {
	a.mu.Lock()
	key, age := a.known[id], now.Sub(a.asked)
	fresh := !a.asked.IsZero() && age < keysLast
	if key != nil && fresh {
		a.mu.Unlock()
		return key, nil
	}
	if !a.asked.IsZero() && age < keysRest || a.asking >= keysAtOnce {
		a.mu.Unlock()
		return nil, errAssertion
	}
	a.asking++
	a.mu.Unlock()
	text, err := a.Keys(ctx)
	var keys map[string]*rsa.PublicKey
	if err == nil {
		keys, err = parseKeys(text)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asking--
	a.asked = now
	if err != nil {
		return nil, err
	}
	a.known = keys
	if key = keys[id]; key == nil {
		return nil, errAssertion
	}
	return key, nil
}

// parseKeys reads a set of keys (RFC 7517). Keys that are not RSA or too
// short are skipped.
func parseKeys(text []byte) (map[string]*rsa.PublicKey, error) {
	var set struct {
		Keys []struct{ Kid, Kty, N, E string }
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, err
	}
	keys := map[string]*rsa.PublicKey{}
	for _, k := range set.Keys {
		n, err1 := base64.RawURLEncoding.DecodeString(k.N)
		e, err2 := base64.RawURLEncoding.DecodeString(k.E)
		exponent := new(big.Int).SetBytes(e)
		if k.Kty == "RSA" && err1 == nil && err2 == nil && len(n) >= 256 && exponent.IsInt64() && exponent.Int64() <= 1<<31-1 {
			keys[k.Kid] = &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(exponent.Int64())}
		}
	}
	return keys, nil
}

func decode(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// An audience is one text or a list of them.
type audience []string

func (a *audience) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(a))
}
