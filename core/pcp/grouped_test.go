package pcp

import (
	"math"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 204800: "204,800", 1234567: "1,234,567", -5: "\u22125", -1000: "\u22121,000", math.MinInt64: "\u22129,223,372,036,854,775,808"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
	if got := Grouped(uint64(math.MaxUint64)); got != "18,446,744,073,709,551,615" {
		t.Errorf("the largest is written %s", got)
	}
	if got := Grouped(int32(-2147483648)); got != "\u22122,147,483,648" {
		t.Errorf("the smallest of 32 bits is written %s", got)
	}
}
