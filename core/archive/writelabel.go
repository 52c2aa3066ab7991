package archive

import (
	"encoding/binary"
	"encoding/json"
	"strings"

	"pcpscope/core/pcp"
)

// A LabelLevel is one of the levels of PCP's label hierarchy; each overrides
// those before it. See spec/archive.md section 8.3.
type LabelLevel uint32

const (
	ContextLabels  LabelLevel = classContext   // of the host; no identifier
	DomainLabels   LabelLevel = classDomain    // identifier: number of the agent
	InDomLabels    LabelLevel = classInDom     // pcp.InDom
	ClusterLabels  LabelLevel = classCluster   // pcp.PMID with item 0
	ItemLabels     LabelLevel = classItem      // pcp.PMID
	InstanceLabels LabelLevel = classInstances // pcp.InDom
)

// A LabelSet is the labels of one object, or of one instance.
type LabelSet struct {
	Inst int32 // pcp.NoInstance except for InstanceLabels
	JSON string
}

// Labels writes label sets that apply from time t on: one or, for
// InstanceLabels, one for each instance. The texts are JSON objects.
func (w *Writer) Labels(t pcp.Time, level LabelLevel, id uint32, sets []LabelSet) error {
	kind := uint32(typeLabel)
	if w.label.Version == 2 {
		kind = typeLabelV2
	}
	b := binary.BigEndian.AppendUint32(w.open(), kind)
	b = w.time(b, t)
	if level == ContextLabels {
		id = ^uint32(0)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(level))
	b = binary.BigEndian.AppendUint32(b, id)
	b = binary.BigEndian.AppendUint32(b, uint32(len(sets)))
	for _, s := range sets {
		if w.err == nil && (len(s.JSON) > 65535 || s.JSON != "" && !json.Valid([]byte(s.JSON))) {
			w.err = pcp.Faultf(pcp.BadArgument, "Labels must be a JSON object of at most 65535 bytes.")
			return w.err
		}
		b = binary.BigEndian.AppendUint32(b, uint32(s.Inst))
		b = binary.BigEndian.AppendUint32(b, uint32(len(s.JSON)))
		b = append(b, s.JSON...)
		b = appendLabelIndex(b, s.JSON, level)
	}
	w.finish(&w.meta, b)
	return w.err
}

// appendLabelIndex appends the index of the labels in a text, sorted by name.
func appendLabelIndex(b []byte, text string, level LabelLevel) []byte {
	if text == "" {
		return binary.BigEndian.AppendUint32(b, 0)
	}
	var l labelTree
	s := scanner{text: []byte(text)}
	s.object(&l)
	n := min(len(l.nodes), 255)
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	for _, node := range l.nodes[:n] {
		b = binary.BigEndian.AppendUint16(b, uint16(node.at))
		b = append(b, byte(len(node.name)), byte(level))
		b = binary.BigEndian.AppendUint16(b, uint16(node.valueAt))
		b = binary.BigEndian.AppendUint16(b, uint16(node.end-node.valueAt))
	}
	return b
}

// ValidLabels reports whether Labels accepts a text: a JSON object, not too
// long.
func ValidLabels(text string) bool {
	trimmed := strings.TrimSpace(text)
	return len(text) <= 65535 && strings.HasPrefix(trimmed, "{") && json.Valid([]byte(text))
}
