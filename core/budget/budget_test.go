package budget

import (
	"math"
	"testing"

	"pcpscope/core/pcp"
)

func TestClaims(t *testing.T) {
	b := New(100)
	x, y := b.Claim(0), b.Claim(0)
	if err := x.Take(60); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{41, math.MaxInt64} {
		if err := y.Take(n); err == nil || pcp.AsFault(err).Kind != pcp.OutOfMemory {
			t.Errorf("%d bytes of 40: %v", n, err)
		}
	}
	if err := y.Set(40); err != nil {
		t.Fatal(err)
	}
	if err := x.Set(61); err == nil || x.Held() != 60 || b.Used() != 100 || b.Left() != 0 {
		t.Errorf("a claim that failed: %v, holds %d of %d used", err, x.Held(), b.Used())
	}
	if err := x.Set(10); err != nil || y.Take(50) != nil || b.Used() != 100 {
		t.Errorf("what one gives back another can have: %v, %d used", err, b.Used())
	}
	x.Release()
	y.Release()
	if b.Used() != 0 || x.Held() != 0 {
		t.Errorf("%d bytes are left after the release", b.Used())
	}
	if z := b.Claim(30); z.Take(71) == nil || z.Take(70) != nil || y.Take(30) != nil {
		t.Error("reserved memory is not left to others")
	}
	var none *Claim
	if none.Take(math.MaxInt64) != nil || none.Set(1) != nil || none.Held() != 0 {
		t.Error("a nil claim has bounds")
	}
	none.Release()
}
