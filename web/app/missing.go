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
	parts := partsOfTabs(intake.app.Tabs)
	if len(parts.bases) == 0 {
		return files
	}
	given := partsOf(slices.DeleteFunc(slices.Clone(files), func(f File) bool {
		base, ext := memberOf(f.Name)
		return ext == "" || !parts.bases[base]
	}))
	whole := map[string]bool{} // archives given with metadata and values
	for base, has := range given {
		whole[base] = has["meta"] && slices.ContainsFunc(slices.Collect(maps.Keys(has)), isVolume)
	}
	out, folder := slices.Clone(files), map[string]string{}
	for i, f := range files {
		base, ext := memberOf(f.Name)
		if ext == "" || given[base] == nil || whole[base] {
			continue
		}
		if tab := intake.missing(&parts, base, ext); tab != nil {
			has := tab.members()
			near := has[slices.IndexFunc(has, func(o File) bool { b, _ := memberOf(o.Name); return b == base })]
			folder[base] = path.Dir(near.Name)
			out = append(out, tab.files...)
			intake.closeGroup(tab, ext != "meta")
		}
		if dir, joins := folder[base]; joins { // members of an archive are in one folder
			out[i].Name = path.Join(dir, path.Base(f.Name))
		}
	}
	return out
}

// openParts are the members of the archives that are open: looked up once, since a
// hundred thousand files may be dropped on as many that are open.
type openParts struct {
	given map[*File]map[string]map[string]bool // by the first of the files that were opened together
	own   map[*Tab]map[string]map[string]bool  // besides those, as from containers
	tabs  map[*File][]*Tab                     // that were opened together
	named map[string][]*Tab                    // by what their own members are called
	bases map[string]bool
}

func partsOfTabs(tabs []*Tab) openParts {
	p := openParts{map[*File]map[string]map[string]bool{}, map[*Tab]map[string]map[string]bool{}, map[*File][]*Tab{}, map[string][]*Tab{}, map[string]bool{}}
	for _, tab := range tabs {
		if tab.Source.Kind != "archive" {
			continue
		}
		var names []File
		for _, name := range tab.Source.Members {
			names = append(names, File{Name: name})
		}
		p.own[tab] = partsOf(names)
		for base := range p.own[tab] {
			p.bases[base] = true
			p.named[base] = append(p.named[base], tab)
		}
		if len(tab.files) == 0 {
			continue
		}
		first := &tab.files[0]
		if p.tabs[first] = append(p.tabs[first], tab); p.given[first] == nil {
			p.given[first] = partsOf(tab.files)
			for base := range p.given[first] {
				p.bases[base] = true
			}
		}
	}
	return p
}

// missing are the archives that may lack a member.
func (p *openParts) missing(base, ext string) (list []*Tab) {
	for first, tabs := range p.tabs {
		if has := p.given[first][base]; has != nil && !has[ext] {
			list = append(list, tabs...)
		}
	}
	return append(list, p.named[base]...)
}

// lacks reports whether an archive has members with this base name, but not this one.
func (p *openParts) lacks(tab *Tab, base, ext string) bool {
	own, known := p.own[tab]
	if !known {
		return false
	}
	has, given := own[base], map[string]bool(nil)
	if len(tab.files) > 0 {
		given = p.given[&tab.files[0]][base]
	}
	return len(has)+len(given) > 0 && !has[ext] && !given[ext]
}

// members are the files of a source by name, including those from a container.
func (tab *Tab) members() []File {
	list, named := slices.Clone(tab.files), map[string]bool{}
	for i := range list {
		named[list[i].Name] = true
	}
	for _, name := range tab.Source.Members {
		if !named[name] {
			named[name] = true
			list = append(list, File{Name: name})
		}
	}
	return list
}

// missing finds an open archive that has other files with this base name, but not this
// one, preferring the one on screen.
func (intake *Intake) missing(parts *openParts, base, ext string) *Tab {
	fits := func(tab *Tab) bool { return parts.lacks(tab, base, ext) }
	if fits(intake.app.current) {
		return intake.app.current
	}
	first := len(intake.app.Tabs)
	for _, tab := range parts.missing(base, ext) {
		if at := slices.Index(intake.app.Tabs, tab); at >= 0 && at < first && fits(tab) {
			first = at
		}
	}
	if first < len(intake.app.Tabs) {
		return intake.app.Tabs[first]
	}
	return nil
}

// closeGroup closes a source, and those opened with it, and remembers their views where that
// still makes sense.
func (intake *Intake) closeGroup(tab *Tab, remember bool) {
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
