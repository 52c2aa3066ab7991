package archive

// LastVolume returns the highest volume number in a temporal index; ok is false
// if the bytes are not an index, or are compressed. See spec/archive.md section
// 10.
func LastVolume(index []byte) (last int, ok bool) {
	if len(index) < labelLen(2) {
		return 0, false
	}
	version := int(be32(index[4:]) & 0xff)
	if be32(index[4:])>>8 != 0x500526 || version != 2 && version != 3 || len(index) < labelLen(version)+indexEntryLen(version) {
		return 0, false
	}
	size := indexEntryLen(version)
	for at := labelLen(version); at+size <= len(index); at += size {
		last = max(last, indexEntry(index[at:at+size], version).Volume)
	}
	return last, last < 1<<16
}
