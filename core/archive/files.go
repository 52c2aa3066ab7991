package archive

import (
	"sort"

	"pcpscope/core/pcp"
)

// A FileRead is one file of an archive and how far it has been read.
type FileRead struct {
	Member
	Read        int64    // bytes of the file as given
	Unpacked    int64    // bytes that came out of them; 0 where the file is not compressed
	Records     int      // of a volume, or entries of the index; 0 for metadata
	First, Last pcp.Time // stamps of the first and last of a volume's records; 0 before there is one
}

// A volumeRead is how far Load has come with a volume.
type volumeRead struct {
	raw  int64 // bytes of the file as given; all of them only at the end
	out  int64 // bytes passed over, uncompressed
	pack bool  // these differ
}

// come notes how far a volume has been read. Blocks are read ahead, so what
// was asked of a file says too much.
func (a *Archive) come(v *Volume, s *stream) {
	r := volumeRead{min(s.raw.Load(), v.Size-1), s.base, s.pack}
	if !r.pack {
		r.raw = min(s.base, v.Size-1)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reads[v.Number] = r
}

// came notes that a volume has been read.
func (a *Archive) came(v *Volume) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.reads[v.Number]
	r.raw = v.Size
	a.reads[v.Number] = r
}

// Files returns the files of the archive, metadata first, and how far each
// has been read.
func (a *Archive) Files() []FileRead {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []FileRead
	whole := func(m *Member, size, records int) { // as Open reads them
		f := FileRead{Member: *m, Read: m.Size, Records: records}
		if int64(size) != m.Size {
			f.Unpacked = int64(size)
		}
		list = append(list, f)
	}
	if m := a.group.Meta; m != nil {
		whole(m, len(a.meta.data), 0)
	}
	if m := a.group.Index; m != nil {
		whole(m, len(a.rawIndex), len(a.index))
	}
	for _, v := range a.group.Volumes {
		r := a.reads[v.Number]
		f := FileRead{Member: v.Member, Read: r.raw}
		if r.pack {
			f.Unpacked = r.out
		}
		recs := a.store.recs // those of a volume follow one another
		from := sort.Search(len(recs), func(i int) bool { return int(recs[i].Volume) >= v.Number })
		to := sort.Search(len(recs), func(i int) bool { return int(recs[i].Volume) > v.Number })
		if f.Records = to - from; f.Records > 0 {
			f.First, f.Last = recs[from].Time, recs[to-1].Time
		}
		list = append(list, f)
	}
	return list
}
