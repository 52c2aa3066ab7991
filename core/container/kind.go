package container

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"pcpscope/core/pattern"
)

// A Kind says how a file can be used.
type Kind uint8

const (
	Other       Kind = iota // not at all: the words say what it is
	Empty                   // a file of no bytes
	Member                  // a file of a PCP archive
	MMV                     // Memory Mapped Values
	FolioFile               // names archives
	Tar                     // a container of other files
	Zip                     // a container of other files
	Packed                  // compressed: its contents decide
	Retired                 // a file of an archive of version 1
	Derived                 // definitions of derived metrics
	View                    // a view of pmchart
	PmrepConfig             // a configuration of pmrep
	PmieRules               // rules of pmie or pmieconf
)

// magics are the first bytes of files that people keep beside archives, or drop
// by mistake.
var magics = []struct{ magic, words string }{
	{"%PDF-", "a PDF document"}, {"\x89PNG\r\n\x1a\n", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"}, {"GIF8", "a GIF image"},
	{"\x7fELF", "a program or core dump"}, {"MZ", "a Windows program"}, {"\x00asm", "a WebAssembly module"},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip file; unpack it first"}, {"Rar!", "a RAR file; unpack it first"},
	{"\x04\x22\x4d\x18", "an lz4 file; unpack it first"}, {"\x89LZO\x00", "an lzop file; unpack it first"},
	{"\xed\xab\xee\xdb", "an RPM package"}, {"!<arch>\ndebian", "a Debian package"}, {"!<arch>\n", "a library of object files"},
	{"070701", "a cpio file; unpack it first"}, {"070707", "a cpio file; unpack it first"}, {"hsqs", "a squashfs image"},
	{"SQLite format 3\x00", "an SQLite database"}, {"LPKSHHRH", "a systemd journal"}, {"REDIS", "a Redis or Valkey dump"},
	{"\x96\xd5", "a sysstat (sar) data file; sadf -l from sysstat turns it into a PCP archive"},
	{"PERFILE2", "a perf recording"}, {"\xd4\xc3\xb2\xa1", "a packet capture"}, {"\x0a\x0d\x0d\x0a", "a packet capture"},
	{"\xef\xbe\xed\xfe", "an atop log; atop2pcp turns it into a PCP archive"}, {"\xd0\xcf\x11\xe0", "a Microsoft Office document"},
}

// texts are patterns of the beginning of text files; the first match decides.
var texts = []struct {
	pattern func() *regexp.Regexp
	kind    Kind
	words   string
}{
	{pattern.New(`^#(km|pm)chart`), View, "a pmchart view"},
	{pattern.New(`^#pmieconf-rules|^// pmieconf-pmie|(?m)^\s*delta\s*=\s*[\d.]+\s*[a-z]+\s*;|(?m)^[^#\n]*->\s*(print|syslog|alarm|shell|stomp)\b`), PmieRules, "a file of rules for pmie"},
	{pattern.New(`^Log for pmlogger on `), Other, "pmlogger's own log"},
	{pattern.New(`^Log for pm(\w+) on `), Other, "the log of a PCP program"},
	{pattern.New(`(?m)^\s*log\s+(mandatory|advisory)\s+(on|off|maybe)`), Other, "a pmlogger configuration"},
	{pattern.New(`^#pmlog(conf|ger)`), Other, "a pmlogger configuration"},
	{pattern.New(`^#pmlogrewrite`), Other, "a pmlogrewrite configuration"},
	{pattern.New(`(?m)^\[(global|options)\]\s*$(?s:.*)^\s*[\w.]+\s*=`), PmrepConfig, "a pmrep configuration"},
	{pattern.New(`(?m)^\[[\w-]+\]\s*$(?s:.*)^\s*([a-z]\w*\.[\w.]+|\w+\.(label|formula|instances|unit|type|width)|header|unitinfo|timefmt|colxrow|precision)\s*=`),
		PmrepConfig, "a pmrep configuration"},
	{pattern.New(`(?m)\A(^\s*(#.*)?$\n?)*^\s*[A-Za-z][\w]*(\.[A-Za-z][\w]*)*(\((oneline|helptext)\))?\s*=\s*\S`), Derived, "derived metric definitions"},
	{pattern.New(`(?i)^\s*(<!doctype html|<html)`), Other, "an HTML page"},
	{pattern.New(`^\s*<\?xml`), Other, "an XML file"},
	{pattern.New(`^\s*[{\[]`), Other, "a JSON file"},
	{pattern.New(`^"?Time"?,`), Other, "a table in CSV form"},
	{pattern.New(`^[^\n,]+,[^\n,]+,[^\n]*\n[^\n,]+,`), Other, "a table in CSV form"},
	{pattern.New(`^#!`), Other, "a script"},
}

// Describe says what a file is, from its name and its first bytes (SniffLen of
// them, or all), in words that complete "this is ...".
func Describe(name string, head []byte) (Kind, string) {
	if c := Sniff(head); c != None {
		return Packed, article(c.String()) + "-compressed file"
	}
	base, part, _, named := SplitMember(name)
	label, version := looksLabel(head)
	switch {
	case len(head) == 0:
		return Empty, "an empty file"
	case label > noLabel && version == 1:
		return Retired, "a file of a PCP archive of version 1, a format retired in 1998"
	case label == fullLabel && version > 3:
		return Member, fmt.Sprintf("a file of a PCP archive of version %d, which is not known yet", version)
	case label == fullLabel || label == halfLabel && named:
		return Member, partWords(part, named, base)
	case bytes.HasPrefix(head, []byte("MMV\x00")):
		return MMV, "a file of memory mapped values (MMV)"
	case bytes.HasPrefix(head, []byte(folioMagic)):
		return FolioFile, "a folio: it names PCP archives, which were not given"
	case isTar(head):
		return Tar, "a tar file"
	case isZip(head):
		return Zip, "a zip file"
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return Other, m.words
		}
	}
	if !isText(head) {
		if named {
			return Other, "named like " + partWords(part, true, base) + ", but is something else inside"
		}
		return Other, "of an unknown kind"
	}
	if strings.HasSuffix(name, ".pmie") {
		return PmieRules, "a file of rules for pmie"
	}
	for _, t := range texts {
		if t.pattern().Match(head) {
			return t.kind, t.words
		}
	}
	return Other, "a text"
}

func article(word string) string {
	switch word[0] {
	case 'a', 'e', 'i', 'o', 'x':
		return "an " + word
	}
	return "a " + word
}

func partWords(part int, named bool, base string) string {
	base = path.Base(base)
	switch {
	case !named:
		return "a file of a PCP archive, but its name does not end in .meta, .index or a volume number; give it its name back"
	case part == PartMeta:
		return "the metadata of the PCP archive " + base
	case part == PartIndex:
		return "the temporal index of the PCP archive " + base
	}
	return fmt.Sprintf("data volume %d of the PCP archive %s", part, base)
}

// isText reports whether the bytes could be text: no control characters, and
// UTF-8 or at least mostly ASCII.
func isText(head []byte) bool {
	odd := 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		switch {
		case r == utf8.RuneError && n == 1 && i+utf8.UTFMax < len(head):
			odd++
		case r < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", r):
			return false
		}
		i += n
	}
	return odd*10 <= len(head)
}
