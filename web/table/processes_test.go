package table

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// The note says over what time rates are: how much of the time from start to end is known,
// and that a single sample has none.
func TestProcessNote(t *testing.T) {
	const minute = 60 * pcp.Time(1e9)
	for _, tt := range []struct {
		end     pcp.Time
		seconds float64
		moment  bool
		want    string
	}{
		{10 * minute, 600, false, "averages over 10 min; "},
		{10 * minute, 420, false, "averages over 7 min of these 10 min; "},
		{minute, 60, true, "rates over the 1 min before it; "},
		{0, 0, true, "one sample, and rates need two; "},
		{0, 0, false, "one sample, and rates need two; "},
	} {
		if got := processNote(api.ProcessTable{End: tt.end, Seconds: tt.seconds}, tt.moment); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%v s: %q, want %q", tt.seconds, got, tt.want)
		}
	}
}
