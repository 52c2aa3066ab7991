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
	"time"
)

// Access checks the assertion of Cloudflare Access: a JSON Web Token signed
// by the team's keys. That the header is there proves nothing, since anybody
// can send it to a Worker that is reachable around Access.
// https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/validating-json/
type Access struct {
	Team     string // "https://example.cloudflareaccess.com"
	Audience string // the tag of the application
	// Keys fetches the team's keys, the JSON of Team + "/cdn-cgi/access/certs".
	Keys func(ctx context.Context) ([]byte, error)
	Now  func() time.Time // time.Now where nil
}

var errAssertion = errors.New("the assertion does not hold")

// Check returns nil for an assertion that holds now.
func (a *Access) Check(ctx context.Context, assertion string) error {
	signed, mark, ok := cutLast(assertion)
	head, body, ok2 := strings.Cut(signed, ".")
	if !ok || !ok2 {
		return errAssertion
	}
	var header struct{ Alg, Kid string }
	var claims struct {
		Aud      audience
		Iss      string
		Exp, Nbf float64
	}
	if decode(head, &header) != nil || decode(body, &claims) != nil || header.Alg != "RS256" {
		return errAssertion
	}
	now := time.Now
	if a.Now != nil {
		now = a.Now
	}
	at := float64(now().Unix())
	if claims.Iss != a.Team || a.Audience == "" || !slices.Contains(claims.Aud, a.Audience) || at >= claims.Exp || at < claims.Nbf {
		return errAssertion
	}
	signature, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil {
		return errAssertion
	}
	key, err := a.key(ctx, header.Kid)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(signed))
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature)
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

func (a *Access) key(ctx context.Context, id string) (*rsa.PublicKey, error) {
	text, err := a.Keys(ctx)
	if err != nil {
		return nil, err
	}
	var set struct {
		Keys []struct{ Kid, Kty, N, E string }
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, err
	}
	for _, k := range set.Keys {
		if k.Kid != id || k.Kty != "RSA" {
			continue
		}
		n, err1 := base64.RawURLEncoding.DecodeString(k.N)
		e, err2 := base64.RawURLEncoding.DecodeString(k.E)
		exponent := new(big.Int).SetBytes(e)
		if err1 != nil || err2 != nil || len(n) < 256 || !exponent.IsInt64() || exponent.Int64() > 1<<31-1 {
			return nil, errAssertion
		}
		return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(exponent.Int64())}, nil
	}
	return nil, errAssertion
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
