package redact

import (
	"bytes"
	"encoding/binary"
	"io"
	"path"
	"strings"

	"pcpscope/core/pcp"
)

// Scan searches a written file of an archive, uncompressed, for every text that
// the table replaces: where texts are, for all of them; elsewhere for those
// that cannot occur by chance. It only knows the framing of the format; what it
// cannot parse is treated as text. It holds no more than a record in memory. An
// error of r is returned unchanged.
func (t *Table) Scan(name string, r io.Reader) error {
	s := scan{t: t, name: name, in: window{r: r}}
	head := s.in.label()
	version := 3
	if head == labelV2 {
		version = 2
	}
	label, at := s.in.take(head)
	s.text(label, at)
	switch {
	case strings.HasSuffix(name, ".index") && head > 0: // only numbers follow
	case strings.HasSuffix(name, ".meta"):
		s.records(version, s.meta)
	default:
		s.records(version, s.values)
	}
	if s.fault == nil && s.in.err != nil && s.in.err != io.EOF {
		return s.in.err
	}
	if s.fault == nil {
		s.inName = true
		s.text([]byte(name), 0)
	}
	if s.fault != nil {
		return s.fault
	}
	return nil
}

// ScanText is Scan for a text.
func (t *Table) ScanText(name, text string) error {
	s := scan{t: t, name: name}
	s.text([]byte(text), 0)
	if s.fault != nil {
		return s.fault
	}
	return nil
}

type scan struct {
	t      *Table
	name   string
	in     window
	inName bool // the file's name is being searched
	fault  *pcp.Fault
}

func (s *scan) found(e *entry, at int64) {
	switch {
	case s.fault != nil:
	case s.inName:
		s.fault = pcp.Faultf(pcp.BadArgument, "The name of the result, %s, contains a text that is to be replaced (%s), so nothing was saved. Choose another name.",
			path.Base(s.name), strings.ToLower(titleOf(e.kind)))
	default:
		s.fault = pcp.Faultf(pcp.Internal, "A text that should have been replaced (%s) is still in the result, at byte %s of %s: nothing was saved.",
			strings.ToLower(titleOf(e.kind)), pcp.Grouped(at), s.name)
	}
}

func titleOf(k Kind) string {
	for _, known := range Kinds {
		if known.Kind == k {
			return known.Title
		}
	}
	return string(k)
}

// text searches for everything, in all forms that a text can have.
func (s *scan) text(b []byte, at int64) {
	if s.fault != nil || len(b) < shortest {
		return
	}
	if i, p, hit := s.t.match.find(b, 0); hit {
		s.found(p.entry, at+int64(i))
		return
	}
	if !mayHide(b) {
		return
	}
	if view, hit := s.t.hidden(string(b)); hit {
		_, p, _ := s.t.match.find([]byte(view), 0)
		s.found(p.entry, at)
	}
}

// numbers searches for what is too long to occur by chance.
func (s *scan) numbers(b []byte, at int64) {
	if s.fault != nil {
		return
	}
	if i, p, hit := s.t.long.findLong(b); hit {
		s.found(p.entry, at+int64(i))
	}
}

func be32(b []byte) int { return int(int32(binary.BigEndian.Uint32(b))) }

// records splits what follows the label into records.
func (s *scan) records(version int, each func(rec []byte, at int64, version int)) {
	for s.fault == nil && s.in.need(8) {
		n := be32(s.in.buf())
		if n < 12 || !s.in.need(n) || be32(s.in.buf()[n-4:]) != n {
			break
		}
		rec, at := s.in.take(n)
		each(rec, at, version)
	}
	s.rest()
}

// rest searches the remainder as text, in overlapping pieces, so that no text
// is cut in two.
func (s *scan) rest() {
	overlap := min(6*s.t.match.longest, piece) // at most six bytes encode one: \u0041
	for s.fault == nil && s.in.need(1) {
		s.in.need(overlap + piece)
		s.text(s.in.buf(), s.in.at)
		if s.in.err != nil {
			return
		}
		s.in.take(len(s.in.buf()) - overlap)
	}
}

// meta searches a metadata record: its numbers, and the texts after them.
func (s *scan) meta(rec []byte, at int64, version int) {
	body := rec[:len(rec)-4]
	if be32(rec[4:]) == 1 {
		s.descriptor(body, at)
		return
	}
	s.numbers(rec, at)
	stamp := 12
	if version == 2 {
		stamp = 8
	}
	from := 8
	switch be32(rec[4:]) {
	case 2, 5, 6: // instance domain
		if count := 8 + stamp + 4; count+4 <= len(body) {
			from = count + 4 + 8*max(0, be32(body[count:]))
		}
	case 3, 7: // labels
		from = 8 + stamp + 12
		s.labels(body, min(from, len(body)), at)
		return
	case 4: // help
		from = 16
	}
	if from > len(body) {
		from = 8
	}
	for _, part := range bytes.Split(body[from:], []byte{0}) {
		s.text(part, at+int64(from))
		from += len(part) + 1
	}
}

// descriptor searches the record of a metric: its numbers, and its names.
func (s *scan) descriptor(body []byte, at int64) {
	from := min(len(body), 32) // behind the number of names
	s.numbers(body[:from], at)
	for from+4 < len(body) {
		n := be32(body[from:])
		if n <= 0 || n > len(body)-from-4 {
			break
		}
		from += 4
		s.metricName(body[from:from+n], at+int64(from))
		from += n
	}
	s.text(body[from:], at+int64(from))
}

// metricName searches the name of a metric. That a word in a name of PCP's own contains
// the name of an instance or an argument is no leak: nfsclient.ops.create_session does not
// reveal an instance create_ses. The name of a host or a user is a leak even there.
func (s *scan) metricName(name []byte, at int64) {
	if !PublicMetric(string(name)) {
		s.text(name, at)
		return
	}
	for from := 0; ; {
		i, p, hit := s.t.match.find(name, from)
		if !hit {
			return
		}
		end := i + len(p.text)
		within := i > 0 && letter(name[i-1]) || end < len(name) && letter(name[end])
		if !within || spoken[p.entry.kind] || p.entry.kind == Addresses {
			s.found(p.entry, at+int64(i))
		}
		from = i + 1
	}
}

// labels searches the texts of label sets, but not their indexes.
func (s *scan) labels(body []byte, from int, at int64) {
	for from+8 <= len(body) {
		n := be32(body[from+4:])
		if n < 0 || from+12+n > len(body) {
			s.text(body[from:], at+int64(from))
			return
		}
		s.text(body[from+8:from+8+n], at+int64(from+8))
		from += 12 + n + 8*max(0, be32(body[from+8+n:]))
	}
}

// values searches a record of a data volume, treating string blocks as texts.
func (s *scan) values(rec []byte, at int64, version int) {
	s.numbers(rec, at)
	body := rec[:len(rec)-4]
	from := 20
	if version == 2 {
		from = 16
	}
	if len(body) < from {
		return
	}
	sets := be32(body[from-4:])
	for range max(0, sets) {
		if from+8 > len(body) {
			return
		}
		n := be32(body[from+4:])
		from += 8
		if n <= 0 {
			continue
		}
		if from+4+8*n > len(body) {
			s.text(body, at)
			return
		}
		blocks := be32(body[from:]) != 0
		from += 4
		for i := range n {
			if !blocks {
				break
			}
			block := 4*be32(body[from+8*i+4:]) - 8
			if block < 0 || block+4 > len(body) {
				continue
			}
			size := be32(body[block:]) & 0xffffff
			if size < 4 || block+size > len(body) {
				continue
			}
			if kind := body[block]; kind < 2 || kind > 5 { // not a number
				s.text(body[block+4:block+size], at+int64(block+4))
			} else {
				break // the other values of the set are numbers too
			}
		}
		from += 8 * n
	}
}
