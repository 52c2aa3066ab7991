// Package format turns values into what people read: numbers in one unit per
// column, spans, sizes, and times in the zone of the host. It knows nothing
// of the page.
package format
