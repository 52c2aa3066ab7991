package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Names are sorted as package slices sorts them, equal ones in their order: names of
// all lengths, with long beginnings in common, that end where others go on, and with
// bytes of zero.
func TestByName(t *testing.T) {
	type named struct {
		name  string
		place int
	}
	draw := rand.New(rand.NewPCG(7, 8))
	for what, pick := range map[string]func() string{
		"short": func() string { return "abcdefghijklmnop"[:draw.IntN(17)] },
		"of the beginning of others": func() string {
			return strings.Repeat("kernel.percpu.", draw.IntN(4)) + "x.y-z.yz"[draw.IntN(4):][:draw.IntN(5)]
		},
		"of zeros":       func() string { return strings.Repeat("\x00", draw.IntN(20)) + "ab"[:draw.IntN(3)] },
		"of every byte":  func() string { return string([]byte{byte(draw.Uint32()), 'x', byte(draw.Uint32())}) },
		"long and equal": func() string { return strings.Repeat("long.", 800) + "yz"[:draw.IntN(3)] },
	} {
		for _, n := range []int{0, 1, 2, 7, 9, 100, 500} {
			list := make([]named, n)
			for i := range list {
				list[i] = named{pick(), i}
			}
			for _, turn := range []func(){func() {}, func() { slices.Reverse(list) }, func() { slices.SortFunc(list, func(a, b named) int { return strings.Compare(a.name, b.name) }) }} {
				turn()
				want := slices.Clone(list)
				slices.SortStableFunc(want, func(a, b named) int { return cmp.Compare(a.name, b.name) })
				ByName(list, func(x named) string { return x.name })
				if !slices.Equal(list, want) {
					t.Fatalf("%d names %s are sorted as %v, want %v", n, what, list, want)
				}
			}
		}
	}
}

func BenchmarkByName(b *testing.B) {
	draw := rand.New(rand.NewPCG(7, 8))
	list := make([]string, 100_000)
	for i := range list {
		list[i] = "m" + string(rune('0'+draw.IntN(10))) + ".n" + string(rune('0'+draw.IntN(10))) + string(rune('0'+draw.IntN(10))) + string(rune('0'+draw.IntN(10))) + string(rune('0'+draw.IntN(10)))
	}
	for name, sort := range map[string]func(l []string){
		"pieces": func(l []string) { ByName(l, func(s string) string { return s }) },
		"whole":  func(l []string) { Stable(l, strings.Compare) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sort(slices.Clone(list))
			}
		})
	}
}
