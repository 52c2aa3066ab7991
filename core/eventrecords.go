package core

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// unpackEvents adds decoded event records to the columns, beside the raw bytes.
// cols are the columns of f, possibly without some instances. A damaged value
// has no records, but its bytes remain visible.
func (src *source) unpackEvents(cols []api.Column, f *series.Frame) {
	names := metricNames{src: src}
	for c := range cols {
		at := 0
		for at < len(f.Vectors) && cols[c].Instance != nil && f.Vectors[at].Inst != cols[c].Instance.ID {
			at++
		}
		if at == len(f.Vectors) {
			continue
		}
		v := &f.Vectors[at]
		for i, bits := range v.Vals {
			if v.Missing(i) != series.HasValue {
				continue
			}
			records, err := archive.UnpackEvents(f.Blobs.At(bits), f.Desc.Type)
			if err != nil {
				continue
			}
			for _, r := range records {
				cols[c].Events = append(cols[c].Events, api.EventRecord{At: i, Time: r.Time, Flags: flagWords(r.Flags), Missed: int(r.Missed), Params: names.params(r.Params)})
			}
		}
	}
}

// metricNames maps PMIDs to the names of the metrics in event records.
type metricNames struct {
	src  *source
	list map[pcp.PMID]string // nil until needed
}

// of names a metric. A metric that the source has no name for is shown by its
// PMID.
func (n *metricNames) of(id pcp.PMID) string {
	if n.list == nil {
		n.list = map[pcp.PMID]string{}
		for _, m := range n.src.metricList("") {
			n.list[m.PMID] = m.name
		}
	}
	return cmp.Or(n.list[id], id.String())
}

// params converts the parameters of an event record.
func (n *metricNames) params(list []archive.EventParam) []api.EventParam {
	params := []api.EventParam{}
	for i := range list {
		params = append(params, api.EventParam{Metric: n.of(list[i].PMID), Value: paramText(&list[i])})
	}
	return params
}

// flagWords describes the kind of a record, as pmEventFlagsStr(3) does.
func flagWords(f archive.EventFlags) string {
	if f&archive.EventMissed != 0 {
		return "missed"
	}
	var words []string
	for _, w := range []struct {
		flag archive.EventFlags
		word string
	}{{archive.EventPoint, "point"}, {archive.EventStart, "start"}, {archive.EventEnd, "end"}, {archive.EventID, "id"}, {archive.EventParent, "parent"}} {
		if f&w.flag != 0 {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, ",")
}

func paramText(p *archive.EventParam) string {
	switch {
	case p.Type == pcp.String:
		return text(p.Text())
	case !p.Type.Numeric() || p.Blob != nil:
		return hex.EncodeToString(p.Blob)
	case p.Type == pcp.Float:
		return strconv.FormatFloat(p.Float(), 'g', -1, 32)
	case p.Type == pcp.Double:
		return strconv.FormatFloat(p.Float(), 'g', -1, 64)
	case p.Type == pcp.Int32 || p.Type == pcp.Int64:
		return strconv.FormatInt(int64(p.Val), 10)
	}
	return strconv.FormatUint(p.Val, 10)
}
