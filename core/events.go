package core

import (
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// eventMetrics are two metrics that every PCP context has in addition to those
// logged. They describe an event record itself and come before its parameters.
// See pmUnpackEventRecords(3).
var eventMetrics = []metricEntry{
	eventMetric("event.flags", 1, "Flags for event records",
		"What kind of record an event record is: a point in time, the start or the end of something, or the place of records that were lost."),
	eventMetric("event.missed", 2, "Count of missed event records",
		"How many event records were lost at this place, because the agent or the logger was too slow to take them."),
}

func eventMetric(name string, item int, oneline, help string) metricEntry {
	d := pcp.Desc{PMID: pcp.MakePMID(511, 0, item), Type: pcp.Uint32, InDom: pcp.NullInDom, Sem: pcp.Discrete}
	return metricEntry{name: name, Metric: &archive.Metric{Desc: d, Oneline: oneline, Help: help}, more: &derivation{}}
}
