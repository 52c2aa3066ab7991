package analysis

import (
	"testing"

	"pcpscope/core/pcp"
)

// Rates of a disk that change tenfold: pairs of minutes and of MiB or requests a
// second. The first sample has no rate.
func TestShifts(t *testing.T) {
	const mib = 1 << 20
	const nothing = ""
	daily := []float64{1, 0}
	for range 6 {
		daily = append(daily, 120, 0.2, 120, 4)
	}
	for _, tt := range []struct {
		name, metric string
		unit         float64
		rates        []float64
		want         string
	}{
		{"for good", "disk.dev.write_bytes", mib, []float64{121, 0.5, 120, 6}, "120-240 Writes of sda rose from 512 KiB/s to 6 MiB/s and stayed there for 2 h"},
		{"for two hours", "disk.dev.write_bytes", mib, []float64{301, 0.5, 120, 6, 600, 0.5}, "300-420 Writes of sda rose from 512 KiB/s to 6 MiB/s for 2 h, then fell to 512 KiB/s and stayed there for 10 h"},
		{"for two hours less", "disk.dev.read_bytes", mib, []float64{301, 6, 120, 0.5, 600, 6}, "300-420 Reads of sda fell from 6 MiB/s to 512 KiB/s for 2 h, then rose to 6 MiB/s and stayed there for 10 h"},
		{"a job of 50 minutes", "disk.dev.write_bytes", mib, []float64{301, 0.5, 50, 6, 600, 0.5}, nothing},
		{"twice", "disk.dev.write_bytes", mib, []float64{41, 0.5, 40, 6, 40, 66}, "40-120 Writes of sda rose from 512 KiB/s to 6 MiB/s for 40 min, then rose to 66 MiB/s and stayed there for 40 min"},
		{"again and again", "disk.dev.write_bytes", mib, daily, nothing},
		{"for two hours, fivefold", "disk.dev.write_bytes", mib, []float64{301, 0.5, 120, 2.5, 600, 0.5}, nothing},
		{"for two hours, of little", "disk.dev.write_bytes", mib, []float64{301, 0.01, 120, 0.9, 600, 0.01}, nothing},
		{"requests", "disk.dev.read", 1, []float64{121, 100, 120, 2000}, "120-240 Reads of sda rose from 100/s to 2,000/s and stayed there for 2 h"},
		{"few requests", "disk.dev.read", 1, []float64{121, 1, 120, 90}, nothing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rates := level(tt.rates...)
			f := new(fake)
			for i := range rates {
				f.times = append(f.times, start+pcp.Time(i)*60e9)
				rates[i] *= 6 * tt.unit // growing is for samples ten seconds apart
			}
			d := counter(octets)
			if tt.unit == 1 {
				d = counter(count)
			}
			f.set(tt.metric, "sda", &d, growing(rates)).rate("disk.dev.total", "sda", count, float64(len(rates)), 0)
			_, findings := NewHost(f).Judge()
			if got := told(findings, 60e9); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Values that are all alike are split somewhere within.
func TestSplitOfOneLevel(t *testing.T) {
	if at := split([]float64{0, 1, 2, 3, 4}); at < 1 || at > 3 {
		t.Errorf("four equal values are split at %d", at)
	}
}
