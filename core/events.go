package core

import "pcpscope/core/api"

// eventMetrics are two metrics that every PCP context has in addition to those
// logged. They describe an event record itself and come before its parameters.
// See pmUnpackEventRecords(3).
var eventMetrics = []api.Metric{
	{
		Name: "event.flags", PMID: "511.0.1", Type: "U32", Semantics: "discrete", Oneline: "Flags for event records",
		Help: "What kind of record an event record is: a point in time, the start or the end of something, or the place of records that were lost.",
	},
	{
		Name: "event.missed", PMID: "511.0.2", Type: "U32", Semantics: "discrete", Oneline: "Count of missed event records",
		Help: "How many event records were lost at this place, because the agent or the logger was too slow to take them.",
	},
}
