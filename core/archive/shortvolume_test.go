package archive

import (
	"fmt"
	"testing"

	"pcpscope/core/pcp"
)

// TestLabelOfOtherVersion: a later volume that has only a label of the other
// version, shorter or longer than the archive's own, is left out with a
// message.
func TestLabelOfOtherVersion(t *testing.T) {
	for _, version := range []int{2, 3} {
		m, other := varied(t, version), varied(t, 5-version)
		own := len(load(t, m.group("a")).Records())
		m["2"] = other["0"]
		for _, size := range []int{0, 3, 8, labelLenV2 - 1, labelLenV2, labelLenV2 + 1, labelLenV3 - 1, labelLenV3, labelLenV3 + 1} {
			if size > other["0"].Len() {
				continue
			}
			cut := memory{}
			for suffix, b := range m {
				cut[suffix] = b
			}
			b := *m["2"]
			b.Truncate(size)
			number := 20 // where its number stands; in version 3 behind a longer stamp
			if version == 2 {
				number = 24
			}
			if size > number+3 {
				b.Bytes()[number+3] = 2
			}
			cut["2"] = &b
			a := load(t, cut.group("a"))
			check(t, fmt.Sprint("records with ", size, " bytes of the other version"), len(a.Records()), own)
			reported := false
			for _, p := range a.Problems() {
				reported = reported || p.File == "a.2" && (p.Kind == pcp.Corrupt || p.Kind == pcp.Truncated)
			}
			if !reported {
				t.Errorf("version %d, %d bytes: no word of it in %v", version, size, a.Problems())
			}
		}
	}
}
