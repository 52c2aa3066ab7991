package container

import "pcpscope/core/pcp"

// filesAhead is how many files are begun to be read before they are looked at, and
// fewFiles how many must follow: reads of one file may depend on those of another where
// they are on a server, of which no more than a few are opened at once.
const (
	filesAhead = 24
	fewFiles   = 64
)

// A readAhead reads the first bytes of files before they are looked at, several at the
// same time: in a browser each read takes a millisecond or more, however short it is, and
// an unpacked sosreport has ten thousand files.
type readAhead struct {
	files []File
	heads map[int]chan []byte
	next  int
}

func newReadAhead(files []File) *readAhead {
	if len(files) < fewFiles {
		files = nil
	}
	return &readAhead{files: files, heads: map[int]chan []byte{}}
}

// head returns the first SniffLen bytes of file i; nil if they could not be read, or were
// not. Files are asked for in order.
func (a *readAhead) head(i int) []byte {
	for ; a.next < len(a.files) && a.next <= i+filesAhead; a.next++ {
		a.heads[a.next] = make(chan []byte, 1)
		go beginning(a.files[a.next], a.heads[a.next])
	}
	c := a.heads[i]
	if c == nil {
		return nil
	}
	delete(a.heads, i)
	return <-c
}

// beginning sends the first bytes of a file. Errors are not reported here: the next read of
// the file fails in the same way.
func beginning(f File, to chan<- []byte) {
	var head []byte
	var err error
	defer func() { to <- head }()
	defer pcp.Recover("reading "+f.Name, &err)
	head, _ = readHead(f.At, f.Size)
	if Sniff(head) != None { // it is unpacked next: who reads files keeps what was read for a moment
		f.At.ReadAt(make([]byte, min(f.Size, bufferSize(f.Size))), 0)
	}
}
