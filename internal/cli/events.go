package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// ofEvents reports whether values of a type are event records.
func ofEvents(typ string) bool { return typ == "EVENT" || typ == "HIGHRES_EVENT" }

// eventTexts are the event records in each value of a column, as text: how many, and of each
// its time, its flags and its parameters.
func eventTexts(col *api.Column, times []pcp.Time, loc *time.Location) []*string {
	records := make([][]string, len(col.Strings))
	for _, e := range col.Events {
		if e.At < len(records) {
			records[e.At] = append(records[e.At], eventText(e, times[e.At], loc))
		}
	}
	texts := make([]*string, len(col.Strings))
	for i, bytes := range col.Strings {
		if bytes == nil {
			continue
		}
		text := fmt.Sprintf("%s: %s", pcp.Counted(len(records[i]), "record", "records"), strings.Join(records[i], "; "))
		switch {
		case len(records[i]) == 1:
			text = "1 record: " + records[i][0]
		case len(records[i]) == 0 && strings.Trim(*bytes, "0") != "":
			text = "damaged"
		case len(records[i]) == 0:
			text = "no records"
		}
		texts[i] = &text
	}
	return texts
}

// eventText is an event record of a value that was logged at a time. It has its date where
// it happened on another day.
func eventText(e api.EventRecord, logged pcp.Time, loc *time.Location) string {
	const clock = "15:04:05.000000"
	at, layout := e.Time.Std().In(loc), clock
	if at.Format(time.DateOnly) != logged.Std().In(loc).Format(time.DateOnly) {
		layout = time.DateOnly + " " + clock
	}
	text := at.Format(layout) + " " + e.Flags
	if e.Missed > 0 {
		text += " " + strconv.Itoa(e.Missed)
	}
	for _, p := range e.Params {
		value := p.Value
		if quoted := strconv.Quote(value); value == "" || quoted != `"`+value+`"` || strings.ContainsAny(value, " ;=") {
			value = quoted
		}
		text += " " + p.Metric + "=" + value
	}
	return text
}
