package app

import (
	"path"
	"strings"

	"pcpscope/wasm/rpc"
)

// A File is a file that was dropped or chosen, or the URL of one.
type File struct {
	Name     string // path below the dropped folder, with "/"
	Size     int64
	Data     rpc.Blob // read only by the engine
	URL      string   // URL, instead of Data
	Token    string   // access token for its server; "" for none
	Modified float64  // last modification, in milliseconds since 1970; 0 if unknown
}

// wire is a file in the form sent to the engine.
func (f File) wire() rpc.File { return rpc.File{Name: f.Name, Data: f.Data, Modified: f.Modified} }

// GuessKind says what a file is by name alone, before it is read. Left means that it will
// not be read.
func GuessKind(name string) (as string, left bool) {
	base := strings.ToLower(path.Base(name))
	for _, suffix := range []string{".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar.zst"} {
		if strings.HasSuffix(base, suffix) {
			return "tar container", false
		}
	}
	if strings.HasSuffix(base, ".zip") {
		return "zip container", false
	}
	base = uncompressed(base)
	ext := strings.TrimPrefix(path.Ext(base), ".")
	switch {
	case ext == "meta":
		return "metadata", false
	case ext == "index":
		return "temporal index", false
	case isVolume(ext):
		return "volume " + strings.TrimLeft(ext[:len(ext)-1], "0") + ext[len(ext)-1:], false
	case ext == "folio" || base == "latest":
		return "folio", false
	case base == "pmlogger.log" || ext == "log":
		return "a program's log", true
	}
	return "not known yet", false
}

// uncompressed returns a file name without compression suffixes.
func uncompressed(name string) string {
	for _, suffix := range []string{".xz", ".lzma", ".bz2", ".bz", ".gz", ".z", ".Z", ".zst"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

func isVolume(ext string) bool { return ext != "" && strings.Trim(ext, "0123456789") == "" }

// partsOf returns which members of which archives the files are, by base name and by the
// rest of the name: "meta", "index", "0".
func partsOf(files []File) map[string]map[string]bool {
	parts := map[string]map[string]bool{}
	for _, f := range files {
		if base, ext := memberOf(f.Name); ext != "" {
			if parts[base] == nil {
				parts[base] = map[string]bool{}
			}
			parts[base][ext] = true
		}
	}
	return parts
}

// memberOf splits the name of an archive member, compressed or not; ext is "" for any
// other file.
func memberOf(name string) (base, ext string) {
	base = uncompressed(path.Base(name))
	ext = strings.TrimPrefix(path.Ext(base), ".")
	if ext != "meta" && ext != "index" && !isVolume(ext) {
		return "", ""
	}
	return strings.TrimSuffix(base, "."+ext), ext
}
