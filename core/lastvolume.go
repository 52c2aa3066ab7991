package core

import "pcpscope/core/archive"

// LastVolume is the highest volume that a temporal index, as it lies in its
// file, names: where archives are looked for by their names, that is as far as
// to look. It is not ok for what is no such file, or is compressed.
func LastVolume(index []byte) (last int, ok bool) { return archive.LastVolume(index) }
