//go:build !js

package redact

import "golang.org/x/text/unicode/norm"

// compose returns a text in Unicode normalization form C.
func compose(s string) string { return norm.NFC.String(s) }
