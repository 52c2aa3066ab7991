package archive

import "pcpscope/core/pcp"

// An IndexEntry says that in a volume every record before Offset has a
// timestamp of at most Time. It is a hint: most offsets are those of the record
// with exactly that timestamp. See spec/archive.md section 10.
type IndexEntry struct {
	Time   pcp.Time
	Volume int
	Meta   int64 // offset in the .meta file; not used
	Offset int64 // in the uncompressed volume
}

// readIndex decodes the temporal index without its impossible entries.
func readIndex(data []byte, version int, f fileFaults) []IndexEntry {
	size := indexEntryLen(version)
	var list []IndexEntry
	var lies int
	var firstLie int64
	first := int64(labelLen(version))
	at := labelLen(version)
	for ; at+size <= len(data); at += size {
		e := indexEntry(data[at:at+size], version)
		if !possible(e.Time) || e.Volume < 0 || e.Offset < first || len(list) > 0 && (e.Time < list[len(list)-1].Time || e.Volume < list[len(list)-1].Volume) {
			if len(list) > 0 && e.Time < list[len(list)-1].Time && list[len(list)-1].Time-e.Time < 1e9 {
				continue // the clock was set back a little: not worth reporting
			}
			if lies == 0 {
				firstLie = int64(at)
			}
			lies++
			continue
		}
		list = append(list, e)
	}
	if lies > 0 {
		f.add(pcp.Faultf(pcp.Corrupt, "%s of the temporal index cannot be true.", pcp.Counted(lies, "entry", "entries")).At(firstLie, "index entry"),
			"%s", choose(lies, "It is ignored; the data are read without it.", "They are ignored; the data are read without them."))
	}
	if left := len(data) - at; left > 0 {
		f.add(pcp.Faultf(pcp.Truncated, "The temporal index ends inside an entry.").At(int64(at), "index entry"), "The entries before it are used.")
	}
	return list
}

func indexEntry(b []byte, version int) IndexEntry {
	if version == 2 {
		return IndexEntry{timeV2(b), int(int32(be32(b[8:]))), int64(be32(b[12:])), int64(be32(b[16:]))}
	}
	return IndexEntry{timeV3(b), int(int32(be32(b[12:]))), int64(be64(b[16:])), int64(be64(b[24:]))}
}

func indexEntryLen(version int) int {
	if version == 2 {
		return 20
	}
	return 32
}
