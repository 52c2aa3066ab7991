package core

import (
	"encoding/json"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Metrics in which PCP's agents have the names of containers; their instances
// are container IDs.
var containerNames = []string{"containers.name", "podman.container.name", "docker.name"}

// Labels with the pod and the container that a cgroup belongs to.
var (
	podLabels       = []string{"pod", "pod_name", "io.kubernetes.pod.name"}
	containerLabels = []string{"container", "container_name", "io.kubernetes.container.name"}
)

// shortID is the length of an abbreviated container ID.
const shortID = 12

// addTitles gives columns the names by which people know their instances. stop is
// called for each, and true ends the work.
func (src *source) addTitles(columns []api.Column, stop func(int) bool) {
	t := titling{src: src}
	for i := range columns {
		if stop(0) {
			return
		}
		if c := &columns[i]; c.Instance != nil {
			c.Title = t.of(c.Metric, c.Instance.Name)
		}
	}
}

// cgroupTitles maps the path of a cgroup, or a container ID, to the pod and
// container, as far as the archive has them: "shop-7d4f/web", "web". Every
// controller has an instance domain of its own; the paths in them are the same.
func (src *source) cgroupTitles() map[string]string {
	return src.memoised(&src.insight.titles, src.makeCgroupTitles)
}

func (src *source) makeCgroupTitles() map[string]string {
	names, pods := map[string]string{}, map[string]string{}
	for _, metric := range containerNames {
		for id, name := range src.lastTexts(metric) {
			names[id] = strings.TrimPrefix(name, "/") // Docker's names begin with a slash
		}
	}
	podNames := src.lastTexts("podman.pod.name")
	for id, pod := range src.lastTexts("podman.container.pod") {
		pods[id] = podNames[pod]
	}
	titles := map[string]string{}
	for id, name := range names { // without cgroup metrics, only processes refer to containers
		titles[id] = inPod(pods[id], name)
	}
	domains := map[pcp.InDom]bool{}
	for _, m := range src.metricList("cgroup") {
		if m.InDom != pcp.NullInDom {
			domains[m.InDom] = true
		}
		if !strings.HasSuffix(m.name, ".id.container") {
			continue
		}
		for path, id := range src.lastTexts(m.name) {
			if id == "" {
				continue
			}
			name := names[id]
			if name == "" {
				name = id[:min(len(id), shortID)]
			}
			titles[path] = inPod(pods[id], name)
		}
	}
	for id := range domains {
		for _, in := range src.instanceList(id) {
			path, _, _ := strings.Cut(in.Name, "::")
			if id := containerOf(path); names[id] != "" && titles[path] == "" {
				titles[path] = inPod(pods[id], names[id])
			}
			var labels map[string]any
			if own := src.instanceLabels(id, &in); own == nil || json.Unmarshal(own, &labels) != nil {
				continue
			}
			if title := inPod(firstLabel(labels, podLabels), firstLabel(labels, containerLabels)); title != "" {
				titles[path] = title
			}
		}
	}
	return titles
}

// containerOf is what may be the container ID in the path of a cgroup:
// "/system.slice/docker-0123….scope", "/docker/0123…". Not that of conmon, which watches a
// container and has its ID, too.
func containerOf(path string) string {
	name := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".scope")
	if strings.Contains(name, "conmon") {
		return ""
	}
	return name[strings.LastIndexByte(name, '-')+1:]
}

// inPod joins the names of a pod and a container; either may be "".
func inPod(pod, container string) string {
	if pod == "" || container == "" {
		return pod + container
	}
	return pod + "/" + container
}

func firstLabel(labels map[string]any, names []string) string {
	for _, n := range names {
		if s, ok := labels[n].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// lastTexts returns the last string value of each instance of a metric, by
// instance name.
func (src *source) lastTexts(metric string) map[string]string {
	ms, known := src.lookup(metric)
	if !known || descOf(ms).Type != pcp.String {
		return nil
	}
	names, texts := src.inDom(descOf(ms).InDom), map[string]string{}
	for _, o := range src.observations(ms) {
		if o == nil {
			continue
		}
		for i := range o.Series {
			for _, run := range o.Series[i].Runs {
				if run.Row&(series.Gone|series.Failed) == 0 {
					texts[names.nameOf(o.Series[i].Inst)] = string(o.Blobs.At(run.Val))
				}
			}
		}
	}
	return texts
}
