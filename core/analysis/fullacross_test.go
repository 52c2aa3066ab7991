package analysis

import (
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
)

// A host is off for ten hours while its filesystem is full: it was full from the first record
// to the last before there is space again, not on the longer of the two days.
func TestFullAcrossAnOutage(t *testing.T) {
	for _, metric := range []string{"filesys.full", "tmpfs.full"} {
		f := new(fake).every(60, 10)
		f.level("filesys.full", "/dev/sda1", 60, 50).level(metric, "/dev/sda1", 20, 97, 20, 98, 10, 50, 10, 97).level("tmpfs.capacity", "/dev/sda1", 1, 204800)
		for i := 20; i < 60; i++ {
			f.times[i] += 36000e9
		}
		f.marks = append(f.marks, f.times[20]-1e6)
		_, found := NewHost(f).Judge()
		at := slices.IndexFunc(found, func(f api.Finding) bool { return strings.HasSuffix(f.Text, "sda1 98 % full") })
		if at < 0 || found[at].Start != f.times[0] || found[at].End != f.times[39] {
			t.Errorf("%s: %+v, want from the first row to the 40th", metric, found)
		}
	}
}
