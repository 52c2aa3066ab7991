package state

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"
)

// withMissing is for files that belong to an archive which is open without them:
// the volume that was missing, say. That source is closed, to be opened again
// with all of its files and shown as it was. It returns all that is to be
// opened now.
func (a *App) withMissing(files []File) []File {
	whole := map[string]bool{} // archives that were given with metadata and values
	for base, has := range partsOf(files) {
		whole[base] = has["meta"] && slices.ContainsFunc(slices.Collect(maps.Keys(has)), isVolume)
	}
	out, folder := slices.Clone(files), map[string]string{}
	for i, f := range files {
		base, ext := memberOf(f.Name)
		if ext == "" || whole[base] {
			continue
		}
		if w := a.lacking(base, ext); w != nil {
			near := w.files[slices.IndexFunc(w.files, func(o File) bool { b, _ := memberOf(o.Name); return b == base })]
			folder[base] = path.Dir(near.Name)
			out = append(out, w.files...)
			a.putAway(w, ext != "meta")
		}
		if dir, joins := folder[base]; joins { // members of an archive lie in one folder
			out[i].Name = path.Join(dir, path.Base(f.Name))
		}
	}
	return out
}

// lacking finds the open archive that has other files of a base name, but not
// this one: the one on screen before others.
func (a *App) lacking(base, ext string) *Work {
	fits := func(w *Work) bool {
		if w == nil || w.Source.Kind != "archive" {
			return false
		}
		has := partsOf(w.files)[base]
		return len(has) > 0 && !has[ext]
	}
	if fits(a.current) {
		return a.current
	}
	if i := slices.IndexFunc(a.Works, fits); i >= 0 {
		return a.Works[i]
	}
	return nil
}

// putAway closes a source and those that came with it, and remembers how they
// were shown, where that will still make sense.
func (a *App) putAway(w *Work, remember bool) {
	session, drawer := a.Session(), a.Drawer
	kept := &Session{Pcpscope: session.Pcpscope, Version: session.Version, Layout: session.Layout}
	var gone []*Work
	for i, o := range a.Works {
		if len(o.files) == 0 || &o.files[0] != &w.files[0] {
			continue
		}
		k := session.Sources[i]
		if k.completed = true; o.Window == o.Whole() {
			k.From, k.To = 0, math.MaxInt64
		}
		if o == a.current {
			kept.Shown = len(kept.Sources)
		}
		kept.Sources = append(kept.Sources, k)
		gone = append(gone, o)
	}
	for _, o := range gone {
		a.Close(o.Source.ID)
	}
	if a.Drawer = drawer; remember && a.Wanted == nil {
		kept.taken = make([]bool, len(kept.Sources))
		a.Wanted = kept
	}
}

// partsOf says which members of which archives files are, by base name and
// then by what follows it: "meta", "index", "0".
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

// memberOf splits the name of an archive's member, compressed or not; ext is
// "" for any other file.
func memberOf(name string) (base, ext string) {
	base = uncompressed(path.Base(name))
	ext = strings.TrimPrefix(path.Ext(base), ".")
	if ext != "meta" && ext != "index" && !isVolume(ext) {
		return "", ""
	}
	return strings.TrimSuffix(base, "."+ext), ext
}
