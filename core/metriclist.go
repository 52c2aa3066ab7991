package core

import (
	"encoding/json"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A metricEntry is one name of a metric. A source may have hundreds of thousands,
// so entries are small: describe turns one into an api.Metric when it is needed.
type metricEntry struct {
	name string
	*archive.Metric
	more *derivation // nil for logged metrics
	part int32       // index of the part that describes a logged metric
}

// A derivation is the expression of a metric that was not logged, "" for the two
// metrics of event records.
type derivation struct{ expression string }

// derived reports whether the metric is computed from others.
func (m *metricEntry) derived() bool { return m.more != nil && m.more.expression != "" }

func (m *metricEntry) expression() string {
	if m.more == nil {
		return ""
	}
	return m.more.expression
}

// oneline and help return the help texts as valid UTF-8.
func (m *metricEntry) oneline() string { return text(m.Oneline) }
func (m *metricEntry) help() string    { return text(m.Help) }

// describe returns everything about a metric except its labels.
func (m *metricEntry) describe() api.Metric {
	d := api.Metric{
		Name: m.name, PMID: m.PMID.String(), Type: typeName(m.Type), Semantics: m.Sem.String(), Units: m.Units.String(),
		Oneline: m.oneline(), Help: m.help(), Labels: labelsOf(""), Expression: m.expression(),
	}
	if m.InDom != pcp.NullInDom {
		id := m.InDom.String()
		d.InDom = &id
	}
	return d
}

// metricList returns the metrics whose name is prefix or begins with prefix and
// a dot; "" gives all. The list is read-only.
func (src *source) metricList(prefix string) []metricEntry {
	all, _ := src.listed()
	if prefix == "" {
		return all
	}
	at, _ := slices.BinarySearchFunc(all, prefix, byName)
	all = all[at:]
	var list []metricEntry
	for i := range all {
		name := all[i].name
		if !strings.HasPrefix(name, prefix) {
			break
		}
		if len(name) == len(prefix) || name[len(prefix)] == '.' {
			list = append(list, all[i])
		}
	}
	return list
}

// byName compares the name of an entry with a name.
func byName(m metricEntry, name string) int { return strings.Compare(m.name, name) }

// find returns the metric of that name, nil if there is none.
func (src *source) find(name string) *metricEntry {
	all, _ := src.listed()
	if at, known := slices.BinarySearchFunc(all, name, byName); known {
		return &all[at]
	}
	return nil
}

// loggedMetrics returns the number of metrics that are not derived.
func (src *source) loggedMetrics() int {
	_, logged := src.listed()
	return logged
}

// listed returns all metrics, and how many of them are not derived.
func (src *source) listed() ([]metricEntry, int) {
	src.mu.Lock()
	defer src.mu.Unlock()
	src.renew()
	if src.list == nil {
		src.list = src.makeList()
	}
	return src.list, src.logged
}

// entryBytes is the approximate size of one metric in the list and in the
// message, without its texts, which it shares with the metadata.
const entryBytes = 1 << 9

// makeList lists every name. If archives of a set differ, the latest wins: it
// says what the metric has become.
func (src *source) makeList() []metricEntry {
	if src.listing == nil && !src.closed {
		src.listing = src.session.memory.Claim(0)
	}
	src.listing.Release()
	pace := src.session.newPace(nil)
	var list []metricEntry
	known := map[string]bool{} // used if there are several parts; names are unique within one
	has := func(name string) bool {
		if len(src.parts) > 1 {
			return known[name]
		}
		_, is := src.parts[0].Lookup(name)
		return is
	}
	left := 0 // metrics that did not fit
	add := func(m metricEntry) {
		const step = 256 // metrics claimed at a time; every session fits the first
		if len(list) > 0 && len(list)%step == 0 && (left > 0 || src.listing.Take(step*entryBytes) != nil) {
			left++
			return
		}
		if len(src.parts) > 1 {
			known[m.name] = true
		}
		list = append(list, m)
	}
	for i, p := range slices.Backward(src.parts) {
		all := p.Metrics()
		if list == nil {
			list = make([]metricEntry, 0, len(all)+len(all)/8)
			if len(src.parts) > 1 {
				known = make(map[string]bool, len(all))
			}
		}
		for _, m := range all {
			pace.rest(oneSeries)
			if len(m.Names) == 0 {
				if name := m.Name(); !known[name] {
					add(metricEntry{name: name, Metric: m, part: int32(i)})
				}
			}
			for _, name := range m.Names {
				if name = text(name); !known[name] {
					add(metricEntry{name: name, Metric: m, part: int32(i)})
				}
			}
		}
	}
	for _, m := range eventMetrics {
		if !has(m.name) && src.about.Kind == "archive" {
			add(m)
		}
	}
	if left > 0 {
		src.leaveOut("metrics", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory to list more than %s metrics; %s were left out.", pcp.Grouped(len(list)), pcp.Grouped(left)))
	}
	src.logged = len(list)
	for _, m := range src.derivedMetrics() {
		if !has(m.name) {
			add(m)
		}
	}
	sorting.ByName(list, func(m metricEntry) string { return m.name })
	return list
}

// maxLabels is the most bytes of labels in a list of metrics: each metric
// repeats those of the host, its agent and its cluster.
const maxLabels = 32 << 20

// described describes a list of metrics. Once labels exceed maxLabels, the rest
// are listed without theirs.
func (src *source) described(list []metricEntry) []api.Metric {
	metrics := make([]api.Metric, 0, len(list))
	merged := labelled{src: src}
	for i := range list {
		d := list[i].describe()
		d.Labels = merged.of(&list[i])
		metrics = append(metrics, d)
	}
	if merged.without > 0 {
		src.leaveOut("labels", pcp.Faultf(pcp.OutOfMemory, "The labels of all metrics together are larger than %d MiB; %s metrics are listed without theirs.", maxLabels>>20, pcp.Grouped(merged.without)))
	}
	return metrics
}

// labelled returns the labels of metrics one after another; most have the same as
// the previous one. Labels beyond maxLabels in total are left out.
type labelled struct {
	src    *source
	merged string
	shared json.RawMessage

	bytes, without int // of labels so far; metrics whose labels did not fit
}

func (l *labelled) of(m *metricEntry) json.RawMessage {
	if m.more != nil {
		return labelsOf("")
	}
	if l.bytes >= maxLabels {
		l.without++
		return labelsOf("")
	}
	if text := l.src.labels(l.src.parts[m.part], m.Metric); text != l.merged || l.shared == nil {
		l.merged, l.shared = text, labelsOf(text)
	}
	l.bytes += len(l.shared)
	return l.shared
}

// labels returns a metric's labels at the start of the source, which is where a
// PCP context is positioned when asked; if there were none yet, those at the
// end.
func (src *source) labels(p segment, m *archive.Metric) string {
	if l := p.Labels(m, src.parts[0].Start()); l != "" && l != "{}" {
		return l
	}
	return p.Labels(m, p.End())
}

func labelsOf(text string) json.RawMessage {
	if text == "" || !json.Valid([]byte(text)) {
		return json.RawMessage("{}")
	}
	return json.RawMessage(text)
}

// instancesOf returns the instances of a metric, none for a singular one.
func (src *source) instancesOf(m *metricEntry) []instance {
	if m.InDom == pcp.NullInDom {
		return nil
	}
	return src.instanceList(m.InDom)
}
