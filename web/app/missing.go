package app

import (
	"maps"
	"math"
	"path"
	"slices"

	"pcpscope/web/session"
)

// withMissing handles files that belong to an archive already open without them, such as a
// missing volume. That source is closed, to be reopened with all of its files and its view
// restored. It returns everything to be opened now.
func (intake *Intake) withMissing(files []File) []File {
	whole := map[string]bool{} // archives given with metadata and values
	for base, has := range partsOf(files) {
		whole[base] = has["meta"] && slices.ContainsFunc(slices.Collect(maps.Keys(has)), isVolume)
	}
	out, folder := slices.Clone(files), map[string]string{}
	for i, f := range files {
		base, ext := memberOf(f.Name)
		if ext == "" || whole[base] {
			continue
		}
		if tab := intake.lacking(base, ext); tab != nil {
			has := tab.members()
			near := has[slices.IndexFunc(has, func(o File) bool { b, _ := memberOf(o.Name); return b == base })]
			folder[base] = path.Dir(near.Name)
			out = append(out, tab.files...)
			intake.putAway(tab, ext != "meta")
		}
		if dir, joins := folder[base]; joins { // members of an archive are in one folder
			out[i].Name = path.Join(dir, path.Base(f.Name))
		}
	}
	return out
}

// members are the files of a source by name, including those from a container.
func (tab *Tab) members() []File {
	list := slices.Clone(tab.files)
	for _, name := range tab.Source.Members {
		if !slices.ContainsFunc(list, func(f File) bool { return f.Name == name }) {
			list = append(list, File{Name: name})
		}
	}
	return list
}

// lacking finds an open archive that has other files with this base name, but not this
// one, preferring the one on screen.
func (intake *Intake) lacking(base, ext string) *Tab {
	fits := func(tab *Tab) bool {
		if tab == nil || tab.Source.Kind != "archive" {
			return false
		}
		has := partsOf(tab.members())[base]
		return len(has) > 0 && !has[ext]
	}
	if fits(intake.app.current) {
		return intake.app.current
	}
	if i := slices.IndexFunc(intake.app.Tabs, fits); i >= 0 {
		return intake.app.Tabs[i]
	}
	return nil
}

// putAway closes a source, and those opened with it, and remembers their views where that
// still makes sense.
func (intake *Intake) putAway(tab *Tab, remember bool) {
	a := intake.app
	was, drawer := a.Session(), a.Layout.Drawer
	var kept []session.Source
	shown := 0
	var gone []*Tab
	for i, o := range a.Tabs {
		if len(o.files) == 0 || &o.files[0] != &tab.files[0] {
			continue
		}
		k := was.Sources[i]
		if k.Completed = true; o.Window == o.Whole() {
			k.From, k.To = 0, math.MaxInt64
		}
		if o == a.current {
			shown = len(kept)
		}
		kept = append(kept, k)
		gone = append(gone, o)
	}
	for _, o := range gone {
		a.Close(o.Source.ID)
	}
	if a.Layout.Drawer = drawer; remember && a.Pending == nil {
		a.Pending = session.New(kept, shown, was.Layout)
	}
}
