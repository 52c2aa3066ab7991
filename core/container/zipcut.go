package container

import (
	"bufio"
	"encoding/binary"
	"io"

	"pcpscope/core/pcp"
)

// Signatures and sizes in zip files. Spec: APPNOTE.TXT 4.3.7, 4.3.9.
const (
	zipLocal      = 0x04034b50 // begins a file
	zipDescriptor = 0x08074b50 // may precede the sizes after a file whose size was not known in advance
	zipLocalSize  = 30
	zipUnsized    = 8 // flag bit: sizes follow the file
	zipDeflated   = 8 // method
)

// zipCut examines the files of a zip whose directory is missing, from the
// front, as far as possible. It returns how many there were.
func (x *expander) zipCut(it item, depth int) (files int) {
	r := bufio.NewReaderSize(it.r, 64<<10)
	for {
		h, err := r.Peek(zipLocalSize)
		if err != nil || binary.LittleEndian.Uint32(h) != zipLocal {
			return files
		}
		if err := x.enter(); err != nil {
			x.problem(it.known, err, "")
			return files
		}
		flags, method := binary.LittleEndian.Uint16(h[6:]), binary.LittleEndian.Uint16(h[8:])
		packed, plain := int64(binary.LittleEndian.Uint32(h[18:])), int64(binary.LittleEndian.Uint32(h[22:]))
		names := make([]byte, int(binary.LittleEndian.Uint16(h[26:]))+int(binary.LittleEndian.Uint16(h[28:])))
		name := names[:binary.LittleEndian.Uint16(h[26:])]
		r.Discard(zipLocalSize)
		if _, err := io.ReadFull(r, names); err != nil {
			return files
		}
		zip64Sizes(names[len(name):], &plain, &packed)
		unsized := flags&zipUnsized != 0
		if unsized && method != zipDeflated || flags&zipEncrypted != 0 && unsized || packed < 0 {
			return files // the position of the next file is unknown
		}
		files++
		sub := item{name: string(name), known: inside(it.known, string(name)), size: plain}
		var body io.Reader = r // deflated data mark their own end
		taken := x.readSoFar
		if !unsized {
			limited := &io.LimitedReader{R: r, N: packed}
			body, taken = limited, func() int64 { return packed - limited.N }
		} else {
			sub.size = -1
		}
		if d := zipMethod(method); d != nil && !x.tooLong(string(name), plain) && flags&zipEncrypted == 0 && (len(name) == 0 || name[len(name)-1] != '/') {
			z, err := d(body)
			if err != nil {
				x.problem(sub.known, zipFault(err), "It was left out.")
			} else {
				sub.r = x.meter(zipCompression[method], zipReader{z}, taken)
				if words := x.look(sub, depth+1); words != "" {
					x.skip(max(sub.size, 0))
				}
				if unsized {
					_, err = io.Copy(io.Discard, onlyReader{x.meter(zipCompression[method], z, taken)})
				}
				z.Close()
			}
			if unsized && err != nil {
				return files
			}
		}
		if unsized {
			skipDescriptor(r)
		} else if _, err := io.Copy(io.Discard, body); err != nil || x.ctx.Err() != nil {
			return files
		}
	}
}

// zip64Sizes reads sizes beyond 32 bits from the extra fields (4.5.3).
func zip64Sizes(extra []byte, plain, packed *int64) {
	const beyond = 1<<32 - 1
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return
		}
		if field := extra[:n]; id == 1 {
			for _, size := range []*int64{plain, packed} {
				if *size == beyond && len(field) >= 8 {
					*size = int64(binary.LittleEndian.Uint64(field))
					field = field[8:]
				}
			}
		}
		extra = extra[n:]
	}
}

// skipDescriptor skips the sizes that follow a file. There are four forms: with
// a signature or not, with sizes of 4 or of 8 bytes. The next signature shows
// which one it is.
func skipDescriptor(r *bufio.Reader) {
	for _, n := range []int{16, 12, 24, 20} {
		b, _ := r.Peek(n + 2)
		if len(b) == n+2 && string(b[n:]) == "PK" && (binary.LittleEndian.Uint32(b) == zipDescriptor) == (n == 16 || n == 24) {
			r.Discard(n)
			return
		}
	}
}

// cutZip is the fault of a zip without its directory.
func cutZip(files int) (*pcp.Fault, string) {
	f := pcp.Faultf(pcp.Truncated, "The zip file is damaged or cut short: the directory at its end cannot be read.")
	switch files {
	case 0:
		return f, ""
	case 1:
		return f, "The first file in it was examined."
	}
	return f, "The files in it were examined one after the other, as far as possible."
}
