package archive

import (
	"context"
	"io"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

// head returns up to n bytes from the start of the uncompressed file.
func (m *Member) head(ctx context.Context, u container.Unpacker, n int) (data []byte, broken *pcp.Fault, err error) {
	kind, err := m.compression(ctx)
	if err != nil {
		return nil, nil, err
	}
	if kind == container.None {
		head := make([]byte, min(int64(n), m.Size))
		if got, err := container.ReadAt(ctx, m.At, head, 0); got < len(head) {
			return nil, nil, readFault(m.Name, int64(got), err)
		}
		return head, nil, nil
	}
	// Decompress only the beginning of the file.
	r, err := u.NewReader(kind, io.NewSectionReader(m.At, 0, m.Size))
	if err != nil {
		return nil, pcp.AsFault(err), nil // damaged at its very start
	}
	defer r.Close()
	head := make([]byte, n)
	got, err := io.ReadFull(r, head)
	if ctx.Err() != nil {
		return nil, nil, cancelled()
	}
	if got < labelLenV2 && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, pcp.AsFault(err), nil
	}
	return head[:got], nil, nil
}

// guessEnd determines the end of the archive before its data are read: from the
// last record of the last volume, or from the index.
func (a *Archive) guessEnd(ctx context.Context) pcp.Time {
	end := a.start
	for _, e := range a.index {
		end = max(end, e.Time)
	}
	if n := len(a.group.Volumes); n > 0 {
		if t, ok := a.group.Volumes[n-1].lastStamp(ctx, a.label.Version); ok {
			end = t
		}
	}
	return end
}

// lastStamp reads the time of the last record of a plain volume, if the volume
// ends with a complete one.
func (v *Volume) lastStamp(ctx context.Context, version int) (pcp.Time, bool) {
	first := int64(labelLen(version))
	var b [16]byte
	if v.Size < first+recordHead(version)+4 {
		return 0, false
	}
	if kind, err := v.compression(ctx); err != nil || kind != container.None {
		return 0, false
	}
	if n, _ := container.ReadAt(ctx, v.At, b[:4], v.Size-4); n < 4 {
		return 0, false
	}
	n := int64(int32(be32(b[:])))
	if n < recordHead(version)+4 || n > v.Size-first {
		return 0, false
	}
	if got, _ := container.ReadAt(ctx, v.At, b[:], v.Size-n); got < 16 || int64(be32(b[:])) != n {
		return 0, false
	}
	if version == 2 {
		return timeV2(b[4:]), true
	}
	t := timeV3(b[4:])
	return t, possible(t)
}
