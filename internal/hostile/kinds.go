package hostile

import (
	"math"
	"slices"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// A Kind is a kind of input with a count or length that can be made arbitrarily
// large.
type Kind struct {
	Name string
	Make func(n int) []core.File
	// Unpacked is the unpacked size of the files in bytes, if they are packed.
	Unpacked func(n int) int64
}

var (
	none = pcp.NullInDom
	dom  = pcp.MakeInDom(60, 1)
)

// Kinds returns inputs of every kind that the formats allow: each count and
// each length large, each kind of record repeated, names long, deep, equal and
// empty.
func Kinds() []Kind {
	var list []Kind
	for _, kinds := range [][]archiveKind{metricKinds, inDomKinds, labelKinds, valueKinds, blockKinds, volumeKinds} {
		for i, k := range kinds {
			version := 2 + i%2
			if k.version != 0 {
				version = k.version
			}
			list = append(list, Kind{Name: k.name, Make: func(n int) []core.File {
				e := newEncoder(version)
				k.fill(e, n)
				return e.files()
			}})
		}
	}
	return slices.Concat(list, containerKinds, packedKinds(), mmvKinds, settingsKinds)
}

type archiveKind struct {
	name    string
	fill    func(e *encoder, n int)
	version int // 0: any
}

// values adds a few values of one metric, for archives that are about metadata.
func values(e *encoder, i int) {
	for k := range 3 {
		e.one(60*k, id(i), -1, 10*k)
	}
}

// root is for inputs whose size grows with the square of a number.
func root(n int) int { return max(1, int(math.Sqrt(float64(n)))) }
