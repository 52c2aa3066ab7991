package mmv

import "pcpscope/core/pcp"

// A Hidden says why the agent would not export a metric. A file may have 100,000 of
// these: the sentence is made when it is asked for.
type Hidden struct {
	why  reason
	item uint32 // as in the file
	at   int64  // offset of the metric
	name string // as in the file
}

type reason uint8

const (
	endless reason = iota
	lostName
	badName
	takenName
	highItem
	takenItem
)

// Fault returns the reason as a fault of the file.
func (h *Hidden) Fault(file string) *pcp.Fault {
	return h.sentence().In(file).At(h.at, "metric")
}

func (h *Hidden) sentence() *pcp.Fault {
	switch h.why {
	case endless:
		return pcp.Faultf(pcp.Corrupt, "Its name has no end within its %d bytes.", nameSize)
	case lostName:
		return pcp.Faultf(pcp.Truncated, "Its name reaches beyond the end of the file.")
	case badName:
		return pcp.Faultf(pcp.Unsupported, "PCP does not allow the name %q.", h.name)
	case takenName:
		return pcp.Faultf(pcp.Unsupported, "An earlier metric has the name %s, or one that cannot stand beside it, already.", h.name)
	case highItem:
		return pcp.Faultf(pcp.Unsupported, "The item number %d is above 1023.", h.item)
	}
	return pcp.Faultf(pcp.Unsupported, "An earlier metric has the item number %d already.", h.item)
}
