package archive

import (
	"strings"
	"testing"
)

// A check of a thoroughly damaged file does not fill memory with messages:
// those omitted are counted.
func TestCheckEnds(t *testing.T) {
	c := checker{a: &Archive{}}
	for range maxFound + 1234 {
		c.add("a.index", 0, "index entry", "This cannot be.")
	}
	found := c.all()
	if last := found[len(found)-1].Message; len(found) != maxFound+1 || !strings.HasPrefix(last, "1,234 more complaints") {
		t.Errorf("%d complaints, the last: %s", len(found), last)
	}
}
