package garbage

import "testing"

func TestGarbage(t *testing.T) {
	for _, c := range []struct {
		live    uint64 // MiB
		percent int    // while it was collected last
		want    int
	}{
		{8, 50, 300},   // 24 MiB
		{8, 300, 300},  // however it was collected before
		{16, 50, 150},  //
		{48, 50, 50},   // a half is as much
		{200, 50, 50},  // a half is more
		{200, 300, 50}, // after a source has been read
		{0, 50, 2400},  // nothing is live
	} {
		next := c.live << 20 * uint64(100+c.percent) / 100
		if got := target(next, c.percent, 24<<20); got != c.want {
			t.Errorf("%d MiB live, collected at %d %%: %d %%, want %d %%", c.live, c.percent, got, c.want)
		}
	}
}
