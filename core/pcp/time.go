package pcp

import (
	"math"
	"time"
)

// A Time is a point in time in nanoseconds since 1970-01-01 UTC. It covers the
// years 1678 to 2262; times beyond are limited to these ends.
type Time int64

// The limits of Time. They also mean "before everything" and "after everything"
// in windows.
const (
	MinTime Time = math.MinInt64
	MaxTime Time = math.MaxInt64
)

// MakeTime returns the time sec seconds and nsec nanoseconds after the epoch.
// nsec may have any value: archives contain microseconds of a million and more.
func MakeTime(sec int64, nsec int64) Time {
	sec += nsec / 1e9
	nsec %= 1e9
	if nsec < 0 {
		sec, nsec = sec-1, nsec+1e9
	}
	switch {
	case sec >= math.MaxInt64/int64(1e9):
		return MaxTime
	case sec <= math.MinInt64/int64(1e9):
		return MinTime
	}
	return Time(sec*1e9 + nsec)
}

// Split returns whole seconds since the epoch, rounded down, and the rest.
func (t Time) Split() (sec, nsec int64) {
	sec, nsec = int64(t)/1e9, int64(t)%1e9
	if nsec < 0 {
		sec, nsec = sec-1, nsec+1e9
	}
	return sec, nsec
}

// Since returns t - origin in seconds the way libpcp computes it: the
// differences of seconds and of nanoseconds separately, then added as doubles.
// The last bit of interpolated values depends on it. See spec/interp.md section
// 1.
func (t Time) Since(origin Time) float64 {
	s, n := t.Split()
	s0, n0 := origin.Split()
	return float64(s-s0) + float64(n-n0)/1e9
}

// Std converts to the standard library's time, in UTC.
func (t Time) Std() time.Time { return time.Unix(t.Split()).UTC() }

// FromStd converts from the standard library's time.
func FromStd(t time.Time) Time { return MakeTime(t.Unix(), int64(t.Nanosecond())) }
