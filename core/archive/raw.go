package archive

import (
	"context"
	"sort"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

// A RawRecord is one sound record of a data volume as it is in the file. Only
// its last word, which repeats its length, may be wrong.
type RawRecord struct {
	Time    pcp.Time
	Version int    // of the archive: 2 or 3
	Bytes   []byte // the complete record, lengths included
}

// Mark reports whether the record is a mark: it has no value sets.
func (r *RawRecord) Mark() bool { return be32(r.Bytes[recordHead(r.Version)-4:]) == 0 }

// A RawSet is one value set of a RawRecord. See spec/archive.md section 5.2.
type RawSet struct {
	PMID   pcp.PMID
	N      int32  // number of values; 0 or an error code if there are none
	Format uint32 // valfmt: 0 if values are in the pairs; 0 without values
	Whole  []byte // the bytes of the set

	pairs []byte
	rec   []byte
}

// Sets calls f for each value set, in order, until f returns false.
func (r *RawRecord) Sets(f func(s *RawSet) bool) {
	at := int(recordHead(r.Version))
	limit := len(r.Bytes) - 4
	s := RawSet{rec: r.Bytes[:limit]}
	for range be32(r.Bytes[at-4:]) {
		if at+8 > limit {
			return
		}
		begin := at
		s.PMID, s.N = pcp.PMID(be32(r.Bytes[at:])&^(1<<31)), int32(be32(r.Bytes[at+4:]))
		s.Format, s.pairs = 0, nil
		at += 8
		if s.N > 0 {
			end := at + 4 + 8*int(s.N)
			if end > limit || end < at {
				return
			}
			s.Format, s.pairs = be32(r.Bytes[at:]), r.Bytes[at+4:end]
			at = end
		}
		s.Whole = r.Bytes[begin:at]
		if !f(&s) {
			return
		}
	}
}

// Inst returns the instance of the i-th value.
func (s *RawSet) Inst(i int) int32 { return int32(be32(s.pairs[8*i:])) }

// Word returns the i-th value of a set in format 0, or the offset of its block
// in the other formats.
func (s *RawSet) Word(i int) uint32 { return be32(s.pairs[8*i+4:]) }

// Block returns the block of the i-th value, header and payload without
// padding; nil in format 0, or if it is not inside the record.
func (s *RawSet) Block(i int) []byte {
	if s.Format == 0 {
		return nil
	}
	at := blockAt(s.pairs[8*i:])
	if at < 0 || at+4 > len(s.rec) {
		return nil
	}
	n := int(be32(s.rec[at:]) & 0xffffff)
	if n < 4 || at+n > len(s.rec) {
		return nil
	}
	return s.rec[at : at+n]
}

// Scan reads the records of a loaded archive again and calls f with those whose
// times are between from and to, both included, in order. It skips the records
// that Load skipped as damaged or out of order. The record is valid until f
// returns; an error from f ends the scan and is returned. progress, which may
// be nil, is called with the number of bytes passed.
func (a *Archive) Scan(ctx context.Context, from, to pcp.Time, progress func(bytes int64), f func(RawRecord) error) error {
	first, end := a.Between(from, to)
	return a.scan(ctx, a.Records()[first:end], progress, f)
}

// ScanRecords is Scan for the records at the given indexes in Records, which must
// ascend.
func (a *Archive) ScanRecords(ctx context.Context, places []int, f func(RawRecord) error) error {
	all := a.Records()
	recs := make([]Record, len(places))
	for i, p := range places {
		recs[i] = all[p]
	}
	return a.scan(ctx, recs, nil, f)
}

// Between returns the indexes in Records of the first record at or after from,
// and of the first one after to.
func (a *Archive) Between(from, to pcp.Time) (first, end int) {
	recs := a.Records()
	first = sort.Search(len(recs), func(i int) bool { return recs[i].Time >= from })
	return first, max(first, sort.Search(len(recs), func(i int) bool { return recs[i].Time > to }))
}

func (a *Archive) scan(ctx context.Context, recs []Record, progress func(bytes int64), f func(RawRecord) error) error {
	var passed int64
	for len(recs) > 0 {
		// Records of one volume; in an uncompressed one, only those near each
		// other.
		v := a.volume(recs[0].Volume)
		if v == nil {
			return pcp.Faultf(pcp.Internal, "Volume %d is no longer there.", recs[0].Volume).In(a.group.Name)
		}
		kind, _ := v.compression(ctx)
		n := 1
		for n < len(recs) && recs[n].Volume == recs[0].Volume && (kind != container.None || recs[n].Offset-recs[n-1].Offset < blockSize/4+int64(recs[n-1].Size)) {
			n++
		}
		report := func(at int64) {
			if progress != nil {
				progress(passed + at)
			}
		}
		if err := a.scanVolume(ctx, v, recs[:n], report, f); err != nil {
			return err
		}
		passed += recs[n-1].Offset - recs[0].Offset + int64(recs[n-1].Size)
		recs = recs[n:]
	}
	return nil
}

func (a *Archive) volume(number int32) *Volume {
	for i := range a.group.Volumes {
		if a.group.Volumes[i].Number == int(number) {
			return &a.group.Volumes[i]
		}
	}
	return nil
}

// scanVolume reads records of one volume.
func (a *Archive) scanVolume(ctx context.Context, v *Volume, recs []Record, progress func(bytes int64), f func(RawRecord) error) error {
	first, last := recs[0], recs[len(recs)-1]
	s := v.between(ctx, a.opt.Unpacker, first.Offset, last.Offset+int64(last.Size))
	s.begin()
	defer s.close()
	for i, r := range recs {
		for s.base < r.Offset && s.need(ctx, 1) {
			s.skip(int(min(int64(len(s.win)), r.Offset-s.base)))
		}
		if s.base != r.Offset || !s.need(ctx, int(r.Size)) {
			if err := stopped(ctx, s); err != nil {
				return err
			}
			return pcp.Faultf(pcp.BadArgument, "The file has changed since it was opened.").In(v.Name).At(r.Offset, "record")
		}
		if err := f(RawRecord{r.Time, a.label.Version, s.win[:r.Size]}); err != nil {
			return err
		}
		s.skip(int(r.Size))
		if i%16 == 0 || r.Size > 1<<16 {
			if !a.proceed(ctx) {
				return cancelled()
			}
			progress(s.base - first.Offset)
		}
	}
	return nil
}

// between returns a stream for the bytes between two offsets. A compressed file
// is unpacked from its start.
func (m *Member) between(ctx context.Context, u container.Unpacker, from, to int64) *stream {
	kind, err := m.compression(ctx)
	if err != nil || kind != container.None {
		return m.stream(ctx, u, nil)
	}
	part := *m
	part.Size = min(part.Size, to)
	s := part.stream(ctx, u, nil)
	sec := s.section()
	sec.at = min(from, part.Size)
	s.base, s.src, s.size = sec.at, noClose{sec}, blockSize
	if left := part.Size - sec.at; left < mediumSize {
		s.size = int(max(left, 1)) + 1
	}
	return s
}

type noClose struct{ *section }

func (noClose) Close() error { return nil }
