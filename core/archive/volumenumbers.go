package archive

import (
	"path"

	"pcpscope/core/pcp"
)

// A labelled is the volume numbers according to a file's name and to its label.
type labelled struct{ named, says int32 }

// noteLabel records the contents of a readable label, whatever its file is
// called.
func (a *Archive) noteLabel(head []byte, named int32) {
	if l, fault := readLabel(head, "", named); fault == nil {
		a.roles = append(a.roles, labelled{named, named})
		a.starts = append(a.starts, l.Start)
	} else if l.Version != 0 && l.Volume != named && l.Volume >= volumeIdx && fault.Field == "volume" {
		a.roles = append(a.roles, labelled{named, l.Volume})
	}
}

// renamed puts files that carry each other's names into the roles that their
// labels give; false if nothing needs changing or the labels contradict each
// other.
func (a *Archive) renamed() bool {
	g := &a.group
	if g.Meta == nil || g.Index == nil || len(g.Volumes) == 0 || len(a.roles) != 3 {
		return false
	}
	members := map[int32]*Member{volumeMeta: g.Meta, volumeIdx: g.Index, int32(g.Volumes[0].Number): &g.Volumes[0].Member}
	is, wrong := map[int32]*Member{}, false
	for _, r := range a.roles {
		m := members[r.named]
		if m == nil || is[r.says] != nil || members[r.says] == nil {
			return false
		}
		is[r.says], wrong = m, wrong || r.named != r.says
	}
	if !wrong {
		return false
	}
	volumes := append([]Volume{{*is[int32(g.Volumes[0].Number)], g.Volumes[0].Number}}, g.Volumes[1:]...)
	meta, index := is[volumeMeta], is[volumeIdx]
	a.faults.reset()
	a.faults.add(pcp.Faultf(pcp.Corrupt, "Files of the archive carry each other's names: %s is its metadata, %s its temporal index, %s its data volume %d.", path.Base(meta.Name), path.Base(index.Name), path.Base(volumes[0].Name), volumes[0].Number).In(meta.Name).At(4, "label"),
		"They are read as what their labels say.")
	a.group.Meta, a.group.Index, a.group.Volumes = meta, index, volumes
	return true
}

// voteOnStart replaces the start in the first label if the other files agree on
// one that is days away from it.
func (a *Archive) voteOnStart() {
	const day = 24 * 3600 * 1e9
	if len(a.starts) < 3 || a.starts[0] != a.start {
		return
	}
	own, other := a.starts[0], a.starts[1]
	for _, s := range a.starts[2:] {
		if s != other {
			return
		}
	}
	if d := own - other; d > day || d < -day {
		a.faults.add(pcp.Faultf(pcp.Corrupt, "The label gives %s as the start of the archive, those of its other files %s.", own.Std().Format(stampLayout), other.Std().Format(stampLayout)).In(a.labelFile).At(12, "start time"),
			"The latter is used.")
		a.start = other
	}
}

const stampLayout = "2006-01-02 15:04:05 UTC"
