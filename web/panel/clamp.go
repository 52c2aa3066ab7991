package panel

import (
	"math"
	"slices"
	"strings"

	"pcpscope/core/series"
	"pcpscope/web/timeline"
)

// jitter is how much of a share may come from the logger's timer: 107 % of the
// time is 100 %, and where what is idle is taken from all, -7 % is none.
const jitter = 10

// clamp takes the jitter of clocks out of shares of time. Where far more time
// was counted than passed by the stamps, the clock was set: the whole sample
// is left out, and counted. The metric itself is shown elsewhere as it is.
func (p *showing) clamp() {
	f, window := p.Frame, p.Window
	if p.Max != 100 || !strings.HasPrefix(p.Unit, "%") {
		return
	}
	owned := false
	for k := range f.Times {
		least, highest, sum := 0.0, 0.0, 0.0
		for i := range p.Series {
			if c := &f.Columns[p.Series[i].Column]; k < len(c.Values) && !math.IsNaN(c.Values[k]) {
				least, highest = min(least, c.Values[k]), max(highest, c.Values[k])
				sum += c.Values[k]
			}
		}
		impossible := least < -jitter || highest > 100+jitter || p.Style == "utilisation" && sum > 100+jitter
		if least >= 0 && highest <= 100 && !impossible {
			continue
		}
		if t := timeline.At(f, k); impossible && t >= window.Start && t <= window.End {
			p.LeftOut++
		}
		if !owned {
			owned = true
			p.ownValues()
		}
		for i := range p.Series {
			c := &f.Columns[p.Series[i].Column]
			switch {
			case k >= len(c.Values) || math.IsNaN(c.Values[k]):
			case impossible:
				if c.Why == nil {
					c.Why = make([]uint8, len(c.Values))
				}
				c.Values[k], c.Why[k] = math.NaN(), clockSet
			default:
				c.Values[k] = min(max(c.Values[k], 0), 100)
			}
		}
	}
}

// clockSet stands behind the numbers of series.Why: the sample is left out
// because more time was counted than passed.
const clockSet = uint8(series.NotChosen) + 1

// ownValues gives the columns that are drawn values of their own: those of the
// answer stay as they are.
func (p *showing) ownValues() {
	for i := range p.Series {
		c := &p.Frame.Columns[p.Series[i].Column]
		c.Values, c.Why = slices.Clone(c.Values), slices.Clone(c.Why)
	}
}
