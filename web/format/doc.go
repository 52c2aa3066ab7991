// Package format turns values into text: numbers in one unit per column,
// spans, sizes, and times in the host's zone. It does not depend on the page.
package format
