//go:build page

package cli

import _ "embed"

// ./build.sh cli writes the file, and builds with the tag page.
//
//go:embed page.zip
var embedded []byte

func init() { page = embedded }
