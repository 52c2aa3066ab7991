package format

import (
	"math"
	"strings"
	"testing"
	"time"

	"pcpscope/core/pcp"
)

// Thousands are separated by commas, the minus sign is U+2212, the largest value of
// a column determines its decimals, and zero differs from no value.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{0, 2, "0"}, {5.7, 2, "5.70"}, {1234.4, 0, "1,234"}, {1234567, 0, "1,234,567"}, {-11, 0, "−11"},
		{0.04, 1, "<0.1"}, {math.NaN(), 1, "–"}, {math.Inf(1), 1, "∞"}, {math.Inf(-1), 1, "−∞"}, {999.95, 1, "1,000.0"}, {-0.3, 1, "−0.3"}, {100, 1, "100.0"},
	} {
		if got := Number(c.v, c.decimals); got != c.want {
			t.Errorf("Number(%v, %d) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}

// A narrow column has room for six characters.
func TestBrief(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{5.7, 2, "5.70"}, {42947, 0, "42,947"}, {122267, 0, "122.3k"}, {1234567, 0, "1.2M"}, {-469602.4, 0, "−469.6k"}, {99240000, 0, "99.2M"}, {268435456, 2, "268.4M"},
		{3e12, 0, "3.0T"}, {0.00002346, 7, "2.3e−5"}, {-0.00002346, 7, "−2.3e−5"}, {0.012345678, 8, "0.0123"}, {math.NaN(), 1, "–"}, {1000000, 0, "1.0M"}, {12345.678, 2, "12.3k"},
		{2.63359e20, 0, "263.4E"}, {-9.9994e20, 0, "−999.9E"}, {9.99996e20, 0, "1.0e21"}, {-2.6e300, 1, "−2.6e300"},
	} {
		if got := Brief(c.v, c.decimals); got != c.want {
			t.Errorf("Brief(%v, %d) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		max   float64
		whole bool
		want  int
	}{{1000, false, 0}, {100, false, 1}, {99, false, 2}, {5.7, false, 2}, {12, true, 0}, {0.02, false, 3}, {0, false, 0}, {math.NaN(), false, 0}} {
		if got := Decimals(c.max, c.whole); got != c.want {
			t.Errorf("Decimals(%v, %v) = %d, want %d", c.max, c.whole, got, c.want)
		}
	}
}

func TestShow(t *testing.T) {
	for _, c := range []struct {
		units string
		util  bool
		max   float64
		text  string // of max
		unit  string
	}{
		{"Kbyte", false, 7864320, "7.50", "GiB"},
		{"byte / sec", false, 18637, "18.20", "KiB/s"},
		{"millisec", false, 250, "250.0", "ms"},
		{"microsec", false, 2.5e6, "2.50", "s"},
		{"", true, 0.522, "52.2", "%"},
		{"count / sec", false, 3, "3.00", "count/s"},
		{"none", false, 5.7, "5.70", ""},
		{"/ microsec", false, 2596, "2,596", "MHz"},
		{"temperature (C)", false, 41, "41.00", "°C"},
		{"temperature (K)", false, 237, "237.0", "K"},
		{"voltage (uV)", false, 240, "240.0", "µV"},
		{"power (mW) / sec", false, 240, "240.0", "mW/s"},
		{"", false, 5.7, "5.70", ""},
		{"Mbyte", false, 0, "0", "B"},
	} {
		s := Show(c.units, c.util, c.max, false)
		if got := s.Text(c.max); got != c.text || s.Unit != c.unit {
			t.Errorf("Show(%q, max %v): %q %q, want %q %q", c.units, c.max, got, s.Unit, c.text, c.unit)
		}
	}
}

// A mean of whole counts need not be one: pmlogsummary -mMyI mysql-1 (PCP 6.0.3) has 1.250
// for mysql.status.threads_connected, of which there were 1 and 2.
func TestMeanOfWholeCounts(t *testing.T) {
	whole := Show("none", false, 2, true)
	for v, want := range map[float64]string{1.25: "1.25", 2: "2", 0: "0", math.NaN(): Dash, 9082.5: "9,083"} {
		if got := whole.For(v).Text(v); got != want {
			t.Errorf("a mean of %v reads %q, want %q", v, got, want)
		}
	}
	if got := Show("none", false, 2, false).For(1.25).Text(1.25); got != "1.25" {
		t.Errorf("a mean of 1.25 reads %q, want 1.25", got)
	}
}

// A number beside thousands has digits of its own: 0.4 is neither 0 nor "<1".
func TestNumberBesideThousands(t *testing.T) {
	s := Show("none", false, 5000, false)
	for v, want := range map[float64]string{0.4: "0.40", 1.6: "1.60", 99.7: "99.70", 5000: "5,000", 4999.6: "5,000", 7: "7", 0: "0", -0.03: Minus + "0.030", math.NaN(): Dash} {
		if got := s.For(v).Brief(v); got != want {
			t.Errorf("%v beside 5000 reads %q, want %q", v, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{5 * time.Minute, "5 min"}, {59*time.Minute + 30*time.Second, "59 min 30 s"}, {4*time.Hour + 31*time.Minute + 22*time.Second, "4 h 31 min"},
		{50 * time.Hour, "2 d 2 h"}, {12500 * time.Millisecond, "12.5 s"}, {10 * time.Second, "10 s"}, {250 * time.Millisecond, "250 ms"}, {59*time.Minute + 59999*time.Millisecond, "1 h"},
		{59990 * time.Millisecond, "1 min"}, {59900 * time.Millisecond, "59.9 s"}, {24*time.Hour - 20*time.Second, "1 d"}, {24*time.Hour - time.Minute, "23 h 59 min"}, {999970 * time.Microsecond, "1 s"},
		{-90 * time.Second, Minus + "1 min 30 s"}, {math.MinInt64, Minus + "106751 d 23 h"}, // 2^63 ns are 106,751.99 days
	} {
		if got := Span(int64(c.d)); got != c.want {
			t.Errorf("Span(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{0: "0 B", 512: "512 B", 3379906: "3.2 MiB", 239566: "234 KiB", 1202577: "1.1 MiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%v) = %q, want %q", n, got, want)
		}
	}
}

func TestClock(t *testing.T) {
	ny, _ := OffsetOf("EST5EDT,M3.2.0,M11.1.0")
	at := func(s string) pcp.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return pcp.FromStd(v)
	}
	c := NewClock("EST5EDT", ny, at("2018-03-01T00:00:00Z"), at("2018-12-31T00:00:00Z"))
	if len(c.Segments) != 3 {
		t.Fatalf("%d segments, want 3: winter, summer, winter", len(c.Segments))
	}
	for _, x := range []struct{ utc, time, date, offset string }{
		{"2018-04-16T14:01:25Z", "10:01:25", "16 Apr 2018", "UTC−4"},
		{"2018-03-11T06:59:59Z", "01:59:59", "11 Mar 2018", "UTC−5"},
		{"2016-07-03T04:00:00Z", "00:00:00", "3 Jul 2016", "UTC−4"}, // long before the recording
		{"2020-07-03T04:00:00Z", "00:00:00", "3 Jul 2020", "UTC−4"}, // and after it
		{"2018-03-11T07:00:00Z", "03:00:00", "11 Mar 2018", "UTC−4"},
		{"2018-11-04T06:00:00Z", "01:00:00", "4 Nov 2018", "UTC−5"},
	} {
		if g := at(x.utc); c.Time(g) != x.time || c.Date(g) != x.date || c.Offset(g) != x.offset {
			t.Errorf("%s: %s %s %s, want %s %s %s", x.utc, c.Time(g), c.Date(g), c.Offset(g), x.time, x.date, x.offset)
		}
	}
	if got, want := c.Range(at("2018-04-16T14:01:25Z"), at("2018-04-16T18:32:47Z")), "10:01:25 – 14:32:47"; got != want {
		t.Errorf("Range: %q, want %q", got, want)
	}
	one := at("2018-04-16T14:01:25Z")
	if got, want := c.Range(one, one)+", "+c.Dated(one, one), "10:01:25, 16 Apr 2018, 10:01:25"; got != want {
		t.Errorf("Range and Dated of one moment: %q, want %q", got, want)
	}
	short := at("2018-04-16T14:01:25Z")
	if got, want := c.Range(short+25e6, short+47e6), "10:01:25.025 – 10:01:25.047"; got != want {
		t.Errorf("Range of 22 ms: %q, want %q", got, want)
	}
	years := c
	years.Dates, years.Years = true, true
	if got, want := years.Range(at("2018-12-30T15:00:00Z"), at("2019-01-02T15:00:00Z"))+", "+years.ShortDateTime(short), "30 Dec 2018 10:00 – 2 Jan 2019 10:00, 16 Apr 2018 10:01:25"; got != want {
		t.Errorf("of several years: %q, want %q", got, want)
	}
	for _, x := range []struct{ from, t, to, dated, within string }{
		{"2018-04-16T14:01:25Z", "2018-04-16T14:01:25.5Z", "2018-04-16T14:01:26Z", "16 Apr 2018, 10:01:25.000 – 10:01:26.000", "10:01:25"},
		{"2018-04-16T14:01:25Z", "2018-04-16T14:02:25Z", "2018-04-16T18:32:47Z", "16 Apr 2018, 10:01:25 – 14:32:47", "10:02:25"},
		{"2018-04-16T14:01:25Z", "2018-04-17T03:59:00Z", "2018-04-17T14:01:25Z", "16 Apr 2018 10:01 – 17 Apr 10:01", "23:59:00"}, // one day says it
		{"2018-04-16T14:01:25Z", "2018-04-17T03:59:00Z", "2018-04-17T14:01:26Z", "16 Apr 2018 10:01 – 17 Apr 10:01", "16 Apr 23:59"},
		{"2018-12-30T15:00:00Z", "2018-12-31T15:00:00Z", "2019-01-02T15:00:00Z", "30 Dec 2018 10:00 – 2 Jan 2019 10:00", "31 Dec 2018"},
	} {
		if got := c.Dated(at(x.from), at(x.to)); got != x.dated {
			t.Errorf("Dated: %q, want %q", got, x.dated)
		}
		if got := c.Within(at(x.t), at(x.from), at(x.to)); got != x.within {
			t.Errorf("Within: %q, want %q", got, x.within)
		}
	}
	for _, x := range []struct{ from, to, written, within string }{
		{"2018-11-04T04:59:00Z", "2018-11-04T07:00:00Z", "00:59:00 – 02:00:00", "02:00:00"},
		{"2018-11-04T05:00:00Z", "2018-11-04T05:30:00Z", "01:00:00 – 01:30:00 UTC−4", "01:30:00 UTC−4"},
		{"2018-11-04T05:30:00Z", "2018-11-04T06:10:00Z", "01:30:00 – 01:10:00 UTC−4 to UTC−5", "01:10:00 UTC−5"},
		{"2018-11-04T06:00:00Z", "2018-11-04T08:00:00Z", "01:00:00 – 03:00:00 UTC−5", "03:00:00"},
		{"2018-03-11T06:30:00Z", "2018-03-11T07:30:00Z", "01:30:00 – 03:30:00", "03:30:00"}, // put forward
	} {
		from, to := at(x.from), at(x.to)
		if got := c.Range(from, to); got != x.written {
			t.Errorf("where a time occurs twice, Range: %q, want %q", got, x.written)
		}
		if got := c.Within(to, from, to); got != x.within {
			t.Errorf("where a time occurs twice, Within: %q, want %q", got, x.within)
		}
	}
	for moment, want := range map[string]string{ // where a time occurs twice
		"2018-11-04T04:59:59.5Z": "2018-11-04 00:59:59.5",
		"2018-11-04T05:30:00.5Z": "2018-11-04 01:30:00.5 -04:00",
		"2018-11-04T06:30:00Z":   "2018-11-04 01:30:00 -05:00",
		"2018-11-04T07:00:00Z":   "2018-11-04 02:00:00",
	} {
		if got := c.Typed(at(moment)); got != want {
			t.Errorf("Typed: %q, want %q", got, want)
		}
	}
	if got, want := c.Full(at("2018-11-04T05:30:00Z"), at("2018-11-04T06:10:00Z")), "2018-11-04 01:30:00 to 2018-11-04 01:10:00 UTC−4 to UTC−5"; got != want {
		t.Errorf("Full: %q, want %q", got, want)
	}
	winter, summer := at("2018-03-11T06:00:00Z"), at("2018-03-11T08:00:00Z")
	if got := c.Offsets(winter, summer); got != "UTC−5 to UTC−4" {
		t.Errorf("the zone from winter to summer time is %q", got)
	}
	if got := c.Offsets(summer, summer+1); got != "UTC−4" {
		t.Errorf("the zone of a moment is %q", got)
	}
}

// 1,310,720 bytes are 10,485,760 bits.
func TestBits(t *testing.T) {
	for _, tt := range []struct {
		units    string
		max      float64
		text, in string
	}{
		{"byte / sec", 1310720, "10.49", "Mbit/s"}, {"Kbyte / sec", 1280, "10.49", "Mbit/s"}, {"byte / sec", 100, "800", "bit/s"},
		{"byte", 100, "100", "B"}, {"count / sec", 100, "100", "count/s"},
	} {
		s := Bits(Show(tt.units, false, tt.max, false), tt.units, tt.max)
		if got := s.Text(tt.max); !strings.HasPrefix(got, tt.text) || s.Unit != tt.in {
			t.Errorf("%v %s: %s %s, want %s %s", tt.max, tt.units, got, s.Unit, tt.text, tt.in)
		}
	}
}
