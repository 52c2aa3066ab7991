package core

import "pcpscope/core/archive"

// LastVolume returns the highest volume number in a temporal index file, so
// that callers who look for an archive's files by name know where to stop. ok
// is false if the bytes are not a temporal index, or are compressed.
func LastVolume(index []byte) (last int, ok bool) { return archive.LastVolume(index) }
