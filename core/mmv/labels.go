package mmv

import (
	"bytes"
	"encoding/json"
	"maps"

	"pcpscope/core/pcp"
)

// What a label applies to. See spec/mmv.md section 3.6; the numbers are those
// of archives.
const (
	labelInDom    = 4
	labelCluster  = 8
	labelItem     = 16
	labelInstance = 32
)

// labels reads labels and assigns them to their objects. See spec/mmv.md
// section 6.4.
func (r *reader) labels() {
	var cluster tree
	domain, item := map[pcp.InDom]tree{}, map[uint32]tree{}
	type member struct {
		indom pcp.InDom
		inst  int32
	}
	instance := map[member]tree{}
	r.entries(sectionLabels, func(at uint64) {
		flags, identity, inst := r.u32(at), r.u32(at+4), int32(r.u32(at+8))
		text, _ := r.text(at+12, labelSize-12)
		t, err := parseLabels([]byte(text))
		if err != nil {
			r.note(at+12, "label.payload", pcp.Corrupt, "A label is not valid JSON and was left out")
			return
		}
		// The agent compares before it truncates to 22 bits: labels of domains
		// in clusters from 2048 on match none.
		serial := uint32(r.file.Cluster)<<11 | identity
		id := pcp.MakeInDom(Domain, int(serial&0x3fffff))
		_, known := r.domainOf[id]
		known = known && serial <= 0x3fffff
		applies := true
		switch flags & (labelInDom | labelCluster | labelItem | labelInstance) {
		case labelCluster:
			if applies = identity == uint32(r.file.Cluster); applies {
				cluster = cluster.take(t)
			}
		case labelItem:
			item[identity] = item[identity].take(t)
		case labelInDom:
			if applies = known; applies {
				domain[id] = domain[id].take(t)
			}
		case labelInstance:
			if applies = known; applies {
				m := member{id, inst}
				instance[m] = instance[m].take(t)
			}
		default:
			applies = false
		}
		if !applies {
			r.note(at, "label", pcp.Corrupt, "A label applies to nothing in the file and was left out")
		}
	})
	for i := range r.file.Metrics {
		m := &r.file.Metrics[i]
		m.Labels = tree{}.merge(domain[m.Desc.InDom]).merge(cluster).merge(item[r.raw[i].item]).text()
	}
	for i := range r.file.InDoms {
		d := &r.file.InDoms[i]
		for k := range d.Instances {
			d.Instances[k].Labels = instance[member{d.ID, d.Instances[k].ID}].text()
		}
	}
}

// A tree is a JSON object whose values keep their text, so that numbers lose no
// digits. A value that is an object is a tree itself.
type tree map[string]any

func parseLabels(text []byte) (tree, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	t := tree{}
	for name, raw := range fields {
		t[name] = raw
		if raw[0] == '{' {
			inner, err := parseLabels(raw)
			if err != nil {
				return nil, err
			}
			t[name] = inner
		}
	}
	return t, nil
}

// take merges more into t itself, which is not shared: there may be any number
// of labels for one object.
func (t tree) take(more tree) tree {
	if t == nil {
		return more
	}
	for name, v := range more {
		inner, ok1 := t[name].(tree)
		new, ok2 := v.(tree)
		if ok1 && ok2 {
			v = inner.take(new)
		}
		t[name] = v
	}
	return t
}

// merge returns t with the labels of more, which win.
func (t tree) merge(more tree) tree {
	if t == nil {
		t = tree{}
	}
	t = maps.Clone(t)
	for name, v := range more {
		inner, ok1 := t[name].(tree)
		new, ok2 := v.(tree)
		if ok1 && ok2 {
			v = inner.merge(new)
		}
		t[name] = v
	}
	return t
}

// text returns the JSON with its names sorted, nil if there are no labels.
func (t tree) text() json.RawMessage {
	if len(t) == 0 {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(t) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}
