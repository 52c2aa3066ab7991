//go:build !js

package save

import "pcpscope/core/zstd"

// Zstd is the Compressor of programs that contain one. In browsers it is nil, and
// another program compresses: see core.Options.Zstd.
var Zstd Compressor = zstd.NewWriter
