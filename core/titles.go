package core

import (
	"slices"
	"strings"

	"pcpscope/core/analysis"
	"pcpscope/core/pcp"
)

// A naming has human-readable names of the instances of a metric.
type naming uint8

const (
	ownNames     naming = iota
	byContainer         // cgroups, by pod and container
	byMountPoint        // filesystems, which are named by device
)

// namingOf returns that of a metric, or of an expression with such metrics.
func namingOf(metric string) naming {
	contains := func(part string) bool { return strings.Contains(metric, part) }
	switch {
	case contains("cgroup."):
		return byContainer
	case contains("filesys."), contains("xfs.perdev."), contains("quota."):
		return byMountPoint
	}
	return ownNames
}

// namingIn returns that of the metrics of an instance domain.
func (src *source) namingIn(d pcp.InDom) naming {
	for _, root := range []string{"cgroup", "filesys", "xfs", "quota"} {
		list := src.metricList(root)
		if i := slices.IndexFunc(list, func(m metricEntry) bool { return m.InDom == d && namingOf(m.name) != ownNames }); i >= 0 {
			return namingOf(list[i].name)
		}
	}
	return ownNames
}

// A titling looks up the titles of instances, once at most.
type titling struct {
	src             *source
	cgroups, mounts map[string]string
}

// of returns the title of an instance of a metric; "" if it has none other than
// its name.
func (t *titling) of(metric, instance string) string { return t.by(namingOf(metric), instance) }

func (t *titling) by(n naming, instance string) string {
	switch n {
	case byContainer:
		return t.cgroup(instance)
	case byMountPoint:
		return t.mount(instance)
	}
	return ""
}

// cgroup returns the pod and container of a path, perhaps with a device as in
// "/system.slice::sda".
func (t *titling) cgroup(instance string) string {
	if !strings.HasPrefix(instance, "/") {
		return ""
	}
	if t.cgroups == nil {
		t.cgroups = t.src.cgroupTitles()
	}
	path, device, of := strings.Cut(instance, "::")
	title := t.cgroups[path]
	if title != "" && of {
		title += "::" + device
	}
	return title
}

// mount returns where a device is mounted.
func (t *titling) mount(device string) string {
	if t.mounts == nil {
		t.mounts = t.src.mountPoints()
	}
	return t.mounts[device]
}

// mountPoints maps devices to where they were mounted last: "/dev/mapper/vg-var" to
// "/var". If several were mounted at one place, at different times or over each
// other, the device is added: "/mnt (sdb1)".
func (src *source) mountPoints() map[string]string {
	return src.memoised(&src.insight.mounts, src.makeMountPoints)
}

// memoised returns the human-readable names of the instances of a kind of metrics, and
// keeps them once everything has been read.
func (src *source) memoised(known *map[string]string, make func() map[string]string) map[string]string {
	whole := src.loader.Share() == 1
	src.insight.titling.Lock()
	defer src.insight.titling.Unlock()
	if *known != nil {
		return *known
	}
	made := make()
	if whole {
		*known = made
	}
	return made
}

func (src *source) makeMountPoints() map[string]string {
	mounts, devices := map[string]string{}, map[string]int{}
	for device, at := range src.lastTexts("filesys.mountdir") {
		if at = text(at); at != "" && at != device {
			mounts[device] = at
			devices[at]++
		}
	}
	for device, at := range mounts {
		if devices[at] > 1 {
			mounts[device] = at + " (" + analysis.Short(device) + ")"
		}
	}
	return mounts
}
