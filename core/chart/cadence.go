package chart

import (
	"math"
	"slices"
	"sort"
	"time"
)

// Between returns the times between observations, in seconds, but for those in
// which the logger was restarted: those with a mark.
func Between(times, marks []float64) []float64 {
	gaps := make([]float64, 0, len(times))
	for i := 1; i < len(times); i++ {
		ended := false
		for len(marks) > 0 && marks[0] <= times[i] {
			ended, marks = ended || marks[0] >= times[i-1], marks[1:]
		}
		if d := times[i] - times[i-1]; d > 0 && !ended {
			gaps = append(gaps, d)
		}
	}
	return gaps
}

// UsualGap is the median of the times between observations, in nanoseconds, given in
// their order. A metric that two groups of a logger's configuration have is logged twice
// within moments, and then for a while not: where a good part of the times is
// far longer than the median, these are the usual ones. Moments count as part of the
// time after them. Holes, in which nothing was logged, are longer too, but few: two groups
// in turn leave two long times among four.
func UsualGap(gaps []float64) int64 {
	sorted := slices.Clone(gaps)
	slices.Sort(sorted)
	left := sorted
	for len(left) > 0 {
		median := left[len(left)/2]
		longer := left[sort.SearchFloat64s(left, 4*median):]
		if len(longer) < (len(left)+4)/5 || len(longer) == 1 && len(left) > 3 {
			return Round(period(gaps, median/4) * 1e9)
		}
		left = longer
	}
	return 0
}

// period is the median of times between observations, where those below least count as
// part of the next one that is not.
func period(gaps []float64, least float64) float64 {
	var sums []float64
	sum := 0.0
	for _, d := range gaps {
		if sum += d; d >= least {
			sums, sum = append(sums, sum), 0
		}
	}
	slices.Sort(sums)
	return sums[(len(sums)-1)/2]
}

// ClosestGap is how close observations were to each other where they were
// closest, in nanoseconds: what is logged every minute may have been logged
// every second for a while. What was logged twice within moments does not
// count, nor what came early once or twice.
func ClosestGap(gaps []float64, usual int64) int64 {
	slices.Sort(gaps)
	from := sort.SearchFloat64s(gaps, float64(usual)/20e9)
	to := sort.SearchFloat64s(gaps, 0.6*float64(usual)/1e9)
	if to-from < 3 {
		return usual
	}
	return int64(gaps[from+2] * 1e9)
}

// Round takes the jitter of the logger's timer out of a cadence: "every 10 s",
// not "every 10.0003 s". What is not near one of Steps may be near a number of two
// digits, such as 3 s or 250 ms.
func Round(nanos float64) int64 {
	for _, s := range Steps {
		if math.Abs(nanos/float64(s)-1) < 0.03 {
			return int64(s)
		}
	}
	if nanos >= 1 {
		unit := math.Pow10(int(math.Log10(nanos)) - 1)
		if round := math.Round(nanos/unit) * unit; math.Abs(nanos/round-1) < 0.003 {
			return int64(math.Round(round))
		}
	}
	return int64(nanos)
}

// Steps are the distances of grid points that people expect.
var Steps = []time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour,
}
