package report

import (
	"strings"
	"testing"
)

// A line does not end between a number and its unit, wherever the sentence begins.
func TestUnitsStayWithTheirNumbers(t *testing.T) {
	const said = "sdb 99 % busy for 23 min, 1.45 MiB/s (5 %). Rule: above 85 % busy for 2 min, latency above 20 ms."
	for n := range 70 {
		w := &text{}
		w.say("- ", strings.Repeat("x", n+1)+" "+said)
		for _, line := range w.lines[1:] {
			for _, unit := range []string{"%", "min", "ms", "MiB/s"} {
				if strings.HasPrefix(strings.TrimLeft(line, " "), unit) {
					t.Errorf("after %d letters a line begins %q", n+1, line)
				}
			}
		}
		if got := strings.Join(strings.Fields(strings.Join(w.lines, " ")), " "); got != "- "+strings.Repeat("x", n+1)+" "+said {
			t.Errorf("the words are %q", got)
		}
	}
}
