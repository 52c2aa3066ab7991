package archive

import (
	"math"

	"pcpscope/core/pcp"
)

// An EventRecord is one record of an event metric's value. See spec/archive.md section 6.3.
type EventRecord struct {
	Time  pcp.Time
	Flags EventFlags
	// Missed is how many records the agent lost here; such a record has no
	// parameters. Values of type HIGHRES_EVENT do not store the count: it is 0.
	Missed uint32
	Params []EventParam
}

// EventFlags say what kind of record an event record is.
type EventFlags uint32

const (
	EventPoint  EventFlags = 1 << 0
	EventStart  EventFlags = 1 << 1
	EventEnd    EventFlags = 1 << 2
	EventID     EventFlags = 1 << 3 // the first parameter identifies the trace
	EventParent EventFlags = 1 << 4 // the second one identifies its parent
	EventMissed EventFlags = 1 << 31
)

// An EventParam is one parameter of an event record: a value of the metric
// PMID, which may have no descriptor in the archive.
type EventParam struct {
	PMID pcp.PMID
	Type pcp.Type
	Val  uint64 // of a number, encoded as in series.Run
	Blob []byte // of anything else: the payload; read-only
}

// UnpackEvents decodes a stored value of type EVENT or HIGHRES_EVENT. The
// records before any damage are returned with a fault, whose offset counts from
// the start of blob.
func UnpackEvents(blob []byte, t pcp.Type) ([]EventRecord, error) {
	c := cursor{buf: blob}
	head := 16
	if t == pcp.HighresEvent {
		head = 24
	} else if t != pcp.Event {
		return nil, pcp.Faultf(pcp.BadArgument, "Values of type %s hold no event records.", t)
	}
	n := c.count("number of event records", head)
	var list []EventRecord
	for i := 0; i < n && c.fault == nil; i++ {
		if r := c.event(t); c.fault == nil {
			list = append(list, r)
		}
	}
	if c.fault != nil {
		return list, c.fault
	}
	return list, nil
}

func (c *cursor) event(t pcp.Type) EventRecord {
	var r EventRecord
	if t == pcp.Event {
		sec := c.u32("event seconds")
		r.Time = pcp.MakeTime(int64(sec), int64(c.u32("event microseconds"))*1000)
	} else { // plain 64 bits, unlike all other times of the format
		sec := c.i64("event seconds")
		nsec := c.i64("event nanoseconds")
		r.Time = pcp.MakeTime(sec, min(max(nsec, -1e18), 1e18))
	}
	r.Flags = EventFlags(c.u32("event flags"))
	if r.Flags&EventMissed != 0 {
		if r.Flags != EventMissed {
			c.fail("event flags", "An event record is marked as missed and as something else (0x%x).", uint32(r.Flags))
		}
		r.Missed = c.u32("missed events")
		return r
	}
	n := c.count("number of parameters", 8)
	for i := 0; i < n && c.fault == nil; i++ {
		r.Params = append(r.Params, c.param())
	}
	return r
}

func (c *cursor) param() EventParam {
	p := EventParam{PMID: pcp.PMID(c.u32("parameter pmid") &^ (1 << 31))}
	word := c.u32("parameter length")
	p.Type = pcp.Type(word >> 24)
	size := int(word&0xffffff) - 4
	if p.Type.Events() {
		c.fail("parameter type", "An event record holds another as its parameter.")
	}
	b := c.take("parameter value", size)
	c.take("padding", min(-size&3, c.left()))
	switch {
	case c.fault != nil:
	case p.Type.Numeric() && size == p.Type.Width():
		p.Val = number(p.Type, b)
	default:
		p.Blob = b
	}
	return p
}

// number decodes a big-endian number into the encoding of series.Run.
func number(t pcp.Type, b []byte) uint64 {
	switch t {
	case pcp.Int32:
		return uint64(int64(int32(be32(b))))
	case pcp.Uint32, pcp.Float:
		return uint64(be32(b))
	}
	return be64(b)
}

func (c *cursor) i64(field string) int64 {
	b := c.take(field, 8)
	if b == nil {
		return 0
	}
	return int64(be64(b))
}

// Text returns a string parameter up to its first NUL.
func (p *EventParam) Text() string { return cString(p.Blob) }

// Float returns a numeric parameter as a float64, NaN for other types.
func (p *EventParam) Float() float64 {
	if !p.Type.Numeric() || p.Blob != nil {
		return math.NaN()
	}
	switch p.Type {
	case pcp.Int32, pcp.Int64:
		return float64(int64(p.Val))
	case pcp.Float:
		return float64(math.Float32frombits(uint32(p.Val)))
	case pcp.Double:
		return math.Float64frombits(p.Val)
	}
	return float64(p.Val)
}
