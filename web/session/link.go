package session

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"

	"pcpscope/core/pcp"
)

// linkPrefix begins a fragment that holds a session; the digit is the version
// of the packing: JSON, deflated, in base64url.
const linkPrefix = "s=1."

// Limits of a fragment from outside, compressed and decompressed, in bytes; the
// latter also applies to files.
const (
	maxLink  = 256 << 10
	MaxBytes = 4 << 20
)

// Link packs a session into a fragment for an address, without "#".
func (s *Session) Link() string {
	text, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, flate.BestCompression)
	z.Write(text)
	z.Close()
	return linkPrefix + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// ParseLink reads a fragment, with or without "#". It returns nil for one that
// is not meant for it. rest is as in Parse.
func ParseLink(fragment string, rest func()) (*Session, error) {
	text, ok := strings.CutPrefix(strings.TrimPrefix(fragment, "#"), linkPrefix)
	if !ok {
		if strings.HasPrefix(strings.TrimPrefix(fragment, "#"), "s=") {
			return nil, pcp.Faultf(pcp.Unsupported, "A newer pcpscope made this link; this one cannot read it.")
		}
		return nil, nil
	}
	damaged := pcp.Faultf(pcp.Corrupt, "This link is damaged; perhaps part of it was lost when it was copied.")
	if len(text) > maxLink {
		return nil, damaged
	}
	packed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, damaged
	}
	var plain bytes.Buffer
	for z := flate.NewReader(bytes.NewReader(packed)); err == nil; {
		if _, err = io.CopyN(&plain, z, chunk); plain.Len() >= MaxBytes {
			return nil, damaged
		}
		if rest != nil {
			rest()
		}
	}
	if err != io.EOF {
		return nil, damaged
	}
	return Parse(plain.Bytes(), rest)
}

// Text is a session as a file.
func (s *Session) Text() string {
	text, _ := json.MarshalIndent(s, "", "  ")
	return string(text) + "\n"
}
