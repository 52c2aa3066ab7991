package archive

import (
	"io"
	"path"
	"slices"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A Member is one file of an archive as it was given.
type Member struct {
	Name string      // path as the user knows it
	Size int64       // bytes, packed if the file is compressed
	At   io.ReaderAt // the bytes as given
}

// A Volume is one data volume.
type Volume struct {
	Member
	Number int
}

// A Group is the files that share a base name: one archive.
type Group struct {
	Name    string // the base name, with folders
	Meta    *Member
	Index   *Member
	Volumes []Volume // by number; need not start at 0 nor be contiguous
}

// Members returns all files, metadata first.
func (g *Group) Members() []Member {
	var list []Member
	for _, m := range []*Member{g.Meta, g.Index} {
		if m != nil {
			list = append(list, *m)
		}
	}
	for _, v := range g.Volumes {
		list = append(list, v.Member)
	}
	return list
}

// A Rejected is a file that belongs to no archive, and why.
type Rejected struct {
	Member
	Fault pcp.Fault
}

type role int

const (
	roleMeta role = iota
	roleIndex
	roleVolume
)

// parseName splits the name of a component. rank is container.SplitMember's.
func parseName(name string) (base string, r role, volume, rank int, ok bool) {
	base, part, rank, ok := container.SplitMember(name)
	switch {
	case !ok:
		return "", 0, 0, 0, false
	case part == container.PartMeta:
		return base, roleMeta, 0, rank, true
	case part == container.PartIndex:
		return base, roleIndex, 0, rank, true
	}
	return base, roleVolume, part, rank, true
}

// IsComponent reports whether a file of this name can be part of an archive.
func IsComponent(name string) bool {
	_, _, _, _, ok := parseName(name)
	return ok
}

// Base returns the base name, with folders, of the archive that a file of this
// name is a part of; "" for any other name.
func Base(name string) string {
	base, _, _, _, _ := parseName(name)
	return base
}

// Groups sorts files into archives by folder and base name. A plain file wins
// over a compressed one of the same component. An archive may be incomplete:
// with volumes but no metadata, or the reverse, Open still reads what is there.
// A temporal index alone is rejected.
func Groups(members []Member) (groups []Group, rest []Rejected) {
	type chosen struct {
		Member
		rank int
	}
	type key struct {
		base string
		role role
		vol  int
	}
	best := map[key]chosen{}
	bases := map[string]*Group{}
	var order []string
	reject := func(m Member, format string, args ...any) {
		rest = append(rest, Rejected{m, *pcp.Faultf(pcp.Unsupported, format, args...).In(m.Name)})
	}
	for _, m := range members {
		base, r, vol, rank, ok := parseName(m.Name)
		if !ok {
			reject(m, "This is not named like a file of a PCP archive.")
			continue
		}
		if bases[base] == nil {
			bases[base] = &Group{Name: base}
			order = append(order, base)
		}
		k := key{base, r, vol}
		new := chosen{m, rank}
		if old, found := best[k]; found {
			if new.rank >= old.rank {
				old, new = new, old
			}
			reject(old.Member, "%s is there as well and was used instead.", path.Base(new.Name))
		}
		best[k] = new
	}
	for k, c := range best {
		g := bases[k.base]
		switch k.role {
		case roleMeta:
			g.Meta = &Member{c.Name, c.Size, c.At}
		case roleIndex:
			g.Index = &Member{c.Name, c.Size, c.At}
		case roleVolume:
			g.Volumes = append(g.Volumes, Volume{c.Member, k.vol})
		}
	}
	slices.Sort(order)
	for _, base := range order {
		g := bases[base]
		if g.Meta == nil && len(g.Volumes) == 0 {
			reject(*g.Index, "This is the temporal index of an archive whose other files (%s.meta, %s.0) were not given.", path.Base(base), path.Base(base))
			continue
		}
		sorting.Stable(g.Volumes, func(a, b Volume) int { return a.Number - b.Number })
		groups = append(groups, *g)
	}
	return groups, rest
}
