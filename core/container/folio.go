package container

import (
	"bufio"
	"bytes"
	"path"
	"strings"

	"pcpscope/core/pcp"
)

// A Folio is a small text file that names archives. Recording tools write one;
// pmlogger maintains one called Latest. See mkaf(1); spec/archive.md section
// 1.4.
type Folio struct {
	Name     string // of the folio itself
	Creator  string // the program, "" if not given
	Created  string
	Archives []FolioArchive
}

// A FolioArchive is one archive that a folio names.
type FolioArchive struct {
	Host string
	Base string // base name as written: absolute, or relative to the folio's folder
}

const folioMagic = "PCPFolio"

// ParseFolio parses a folio.
func ParseFolio(name string, text []byte) (*Folio, error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	f := &Folio{Name: name}
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		word, rest, _ := strings.Cut(line, " ")
		if i := strings.IndexByte(line, '\t'); i >= 0 && i < len(word) {
			word, rest = line[:i], line[i+1:]
		}
		rest = strings.TrimSpace(rest)
		switch {
		case n == 1:
			if line != folioMagic {
				return nil, pcp.Faultf(pcp.Corrupt, "This is not a folio: the first line is not %q.", folioMagic).In(name)
			}
		case n == 2:
			if word != "Version:" || rest != "1" {
				return nil, pcp.Faultf(pcp.Unsupported, "The second line of this folio is not \"Version: 1\".").In(name)
			}
		case word == "Creator:":
			f.Creator = rest
		case word == "Created:":
			f.Created = rest
		case word == "Archive:":
			if w := strings.Fields(rest); len(w) >= 2 && len(f.Archives) <= maxNamed { // one more than allowed shows that there are too many
				f.Archives = append(f.Archives, FolioArchive{Host: w[0], Base: w[1]})
			}
		}
	}
	return f, nil
}

// Select finds the archives of the folio among base names with their folders,
// as they were given. Relative names are relative to the folio's folder; an
// absolute name is matched by as many of its last folders as possible. missing
// lists what is not found.
func (f *Folio) Select(bases []string) (found []string, missing []FolioArchive) {
	for _, a := range f.Archives {
		best, score := "", 0
		for _, b := range bases {
			if s := f.match(a.Base, b); s > score {
				best, score = b, s
			}
		}
		if score == 0 {
			missing = append(missing, a)
		} else {
			found = append(found, best)
		}
	}
	return found, missing
}

// match rates how well base, as given, matches the archive that the folio calls
// want: 0 not at all, otherwise the number of path elements that agree.
func (f *Folio) match(want, base string) int {
	if !path.IsAbs(want) {
		if path.Join(path.Dir(f.Name), want) == path.Clean(base) {
			return 1 << 20
		}
	}
	w, b := strings.Split(path.Clean(want), "/"), strings.Split(path.Clean(base), "/")
	n := 0
	for n < len(w) && n < len(b) && w[len(w)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
