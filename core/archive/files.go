package archive

import (
	"cmp"
	"slices"
	"sort"

	"pcpscope/core/pcp"
)

// A FileRead says how far one file of an archive has been read.
type FileRead struct {
	Member
	Read        int64    // bytes of the file as given
	Unpacked    int64    // bytes after decompression; 0 if the file is not compressed
	Records     int      // of a volume, or entries of the index; 0 for metadata
	First, Last pcp.Time // times of a volume's first and last record; 0 before there is one
}

// A volumeRead is how far Load has got with a volume.
type volumeRead struct {
	raw  int64 // bytes of the file as given; final only at the end
	out  int64 // uncompressed bytes consumed
	pack bool  // raw and out differ
}

// progressed records how far a volume has been read. Blocks are read ahead, so
// the position in the file would be too far.
func (a *Archive) progressed(v *Volume, s *stream) {
	r := volumeRead{min(s.raw.Load(), v.Size-1), s.base, s.pack}
	if !r.pack {
		r.raw = min(s.base, v.Size-1)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	*a.readOf(v.Number) = r
}

// readOf returns how far a volume of the group has been read.
func (a *Archive) readOf(volume int) *volumeRead {
	at, _ := slices.BinarySearchFunc(a.group.Volumes, volume, func(v Volume, number int) int { return cmp.Compare(v.Number, number) })
	return &a.reads[at]
}

// completed records that a volume has been read completely.
func (a *Archive) completed(v *Volume) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.readOf(v.Number).raw = v.Size
}

// Files returns the files of the archive, metadata first, and how far each has
// been read.
func (a *Archive) Files() []FileRead {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []FileRead
	whole := func(m *Member, size, records int) { // files that Open reads completely
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
	for i, v := range a.group.Volumes {
		r := a.reads[i]
		f := FileRead{Member: v.Member, Read: r.raw}
		if r.pack {
			f.Unpacked = r.out
		}
		recs := a.store.recs // sorted by volume
		from := sort.Search(len(recs), func(i int) bool { return int(recs[i].Volume) >= v.Number })
		to := sort.Search(len(recs), func(i int) bool { return int(recs[i].Volume) > v.Number })
		if f.Records = to - from; f.Records > 0 {
			f.First, f.Last = recs[from].Time, recs[to-1].Time
		}
		list = append(list, f)
	}
	return list
}
