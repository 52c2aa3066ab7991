package table

import (
	"slices"
	"strconv"
	"testing"
)

func TestRepeats(t *testing.T) {
	c := Column{}
	for i := range 400 {
		c.Texts = append(c.Texts, []string{"sda", "", "sdb"}[i%3])
	}
	r := c.Repeats()
	if !slices.Equal(r.Words, []string{"sda", "", "sdb"}) || !slices.Equal(r.Of[:4], []float64{0, 1, 2, 0}) || len(r.Of) != 400 {
		t.Errorf("three texts in 400 rows: %q, %v of %d", r.Words, r.Of[:min(4, len(r.Of))], len(r.Of))
	}
	c.Texts[399] = "sdc"
	if r := c.Repeats(); len(r.Words) != 4 || r.Of[399] != 3 {
		t.Errorf("four texts in 400 rows: %q", r.Words)
	}
	c.Texts[398] = "sdd"
	if r := c.Repeats(); r.Words != nil || r.Of != nil {
		t.Errorf("five texts in 400 rows: %q, too many for a list", r.Words)
	}
	c.Texts = nil
	for i := range 50_000 {
		c.Texts = append(c.Texts, strconv.Itoa(i))
	}
	if r := c.Repeats(); r.Words != nil {
		t.Errorf("all texts differ: %d words", len(r.Words))
	}
	if r := new(Column).Repeats(); r.Words != nil || len(r.Of) != 0 {
		t.Errorf("no rows: %v", r)
	}
}
