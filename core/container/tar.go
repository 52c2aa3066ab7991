package container

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"pcpscope/core/pcp"
)

const tarBlock = 512

// isTar recognises the header of a tar's first file by its checksum, as old
// tars have no magic.
func isTar(head []byte) bool {
	if len(head) < tarBlock || head[0] == 0 {
		return false
	}
	field := strings.Trim(string(head[148:156]), " \x00")
	want, err := strconv.ParseInt(field, 8, 64)
	if err != nil {
		return false
	}
	var unsigned, signed int64 // some old programs summed signed bytes
	for i, b := range head[:tarBlock] {
		if i >= 148 && i < 156 {
			b = ' '
		}
		unsigned += int64(b)
		signed += int64(int8(b))
	}
	return want == unsigned || want == signed
}

// tar examines every file in a tar. If the tar has random access, its files are
// used in place; otherwise they are spooled one by one as the stream passes.
func (x *expander) tar(it item, depth int) {
	src := it.r
	if it.fixed != nil {
		src = x.again(it)
	}
	t, reported := tar.NewReader(src), false // that the source ends here
	for files := 0; ; files++ {
		h, err := t.Next()
		if err == nil {
			err = x.enter()
		}
		switch {
		case err == nil:
			n := len(x.out.Problems)
			x.tarEntry(h, t, src, it, depth)
			reported = len(x.out.Problems) > n
		case err == io.EOF:
			return
		case errors.Is(err, tar.ErrHeader):
			x.problem(it.known, pcp.Faultf(pcp.Corrupt, "The tar file is damaged after %d files.", files), "Reading continued with the next file in it.")
			if t = nextTar(src); t == nil {
				return
			}
		default:
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = pcp.Faultf(pcp.Truncated, "The tar file ends early.")
			}
			if !reported {
				x.problem(it.known, err, fmt.Sprintf("The %d files before were looked at.", files))
			}
			return
		}
	}
}

// tarEntry examines the file that t is positioned at.
func (x *expander) tarEntry(h *tar.Header, t io.Reader, src io.Reader, it item, depth int) {
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
	default:
		return // a folder, a link, a device
	}
	if x.tooLong(h.Name, h.Size) {
		return
	}
	sub := item{name: h.Name, known: inside(it.known, h.Name), size: h.Size, r: t}
	s, seekable := src.(io.Seeker)
	if seekable && it.fixed != nil && h.Typeflag == tar.TypeReg && !sparse(h) {
		at, err := s.Seek(0, io.SeekCurrent)
		if rest := it.size - at; err == nil && rest >= 0 {
			if h.Size > rest {
				x.problem(sub.known, pcp.Faultf(pcp.Truncated, "The tar file ends inside this file."), fmt.Sprintf("The %s bytes that are there were used.", pcp.Grouped(rest)))
				sub.size = rest
			}
			sub.fixed = io.NewSectionReader(it.fixed, at, sub.size)
		}
	}
	if words := x.look(sub, depth+1); words != "" {
		x.skip(h.Size)
	}
}

// sparse reports whether the tar omits the file's holes.
func sparse(h *tar.Header) bool {
	for k := range h.PAXRecords {
		if strings.HasPrefix(k, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// nextTar continues after damage, at the next block that is a header. It
// returns nil if there is none.
func nextTar(src io.Reader) *tar.Reader {
	block := make([]byte, tarBlock)
	for {
		if _, err := io.ReadFull(src, block); err != nil {
			return nil
		}
		if !isTar(block) {
			continue
		}
		if s, ok := src.(io.Seeker); ok {
			if _, err := s.Seek(-tarBlock, io.SeekCurrent); err != nil {
				return nil
			}
			return tar.NewReader(src)
		}
		return tar.NewReader(io.MultiReader(bytes.NewReader(block), src))
	}
}

// inside returns the name of a file in a container, as users know it.
func inside(container, name string) string {
	name = strings.ToValidUTF8(name, "\ufffd")
	return container + path.Clean("/"+name)
}
