package save

// Zstd is nil: see core.Options.Zstd.
var Zstd Compressor
