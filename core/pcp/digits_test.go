package pcp

import (
	"math"
	"testing"
)

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", -3: "-3", 0.1: "0.1", 1.0 / 3: "0.333333", 1e-7: "1e-07", 1234.5678: "1234.57", 99999.97: "100000", 123456.7: "123457",
		999999.7: "1000000", 22045412.25: "22045412", -22045412.25: "-22045412", 1e6: "1000000", 1e15: "1000000000000000",
		1 << 53: "9007199254740992", 1 << 54: "1.80144e+16", math.Inf(1): "+Inf",
	} {
		if got := Digits(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}
