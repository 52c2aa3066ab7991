package core

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// unlike are the panels whose command lines print different numbers with PCP
// 6.0.3, with the reason. All others print ours.
var unlike = map[string]string{
	// Up to 6.3.1 an instantaneous value is the last one logged, and there is none where the next
	// observation lacks the instance; later it is the nearest. This metric's instances come and go.
	"sample.mirage":          "instances that come and go, by the rule before 6.3.2",
	"sample.mirage_longlong": "instances that come and go, by the rule before 6.3.2",
	// -240 and 2147483404 in turn, a second apart: what libpcp makes of the difference, which has
	// no room in 32 bits, is a defect that is not copied.
	"sample.wrap.long": "a signed counter of 32 bits that jumps across its sign",
	// Of several names of one metric pmrep prints the first.
	"sample.bin":                 "several names of one metric",
	"sample.const_rate.gradient": "several names of one metric",
	// Our tables are those of PCP 7, whose vmstat has a column for guests.
	"vmstat":   "a column that came later",
	"vmstat-a": "a column that came later",
	// 18446744073709551601, which pmval 6.0.3 prints of the same derived metric (as ...602), pmrep shows as 0.
	"mmv.sample_v1.heap.used": "a number near 2^64",
	// Its kbmemused is derived from a metric that is not in the archive.
	"sar-r": "a column that cannot be derived there is left out",
}

// derivedAgain are the sets of metrics with columns that this archive's logger
// has derived itself and logged (disk.dev.r_await and its like): from its own
// observations, not at the seconds asked for. pmrep is made to derive them here.
var derivedAgain = []string{"iostat-dktx", "sar-d-dev"}

// choice is around an expression for some instances; 6.0.3 takes a division
// there for the beginning of a pattern.
var choice = regexp.MustCompile(`^matchinst\(!?/[^/]*/, (.*)\)$`)

func derivingCommand(p api.DashboardPanel) string {
	line, names := "pmrep -a web01-v2 -z -t 10 -r", ""
	for i, s := range p.Series {
		line += fmt.Sprintf(" -e 'again.c%d = %s'", i, choice.ReplaceAllString(s.Expression, "$1"))
		names += fmt.Sprintf(" again.c%d", i)
	}
	return line + names
}

// The first command line of every panel of every dashboard is run and prints
// what the panel shows, second by second for two minutes.
func TestCommandsPrintWhatPanelsShow(t *testing.T) {
	pmrep, version := reference.Pmrep(t)
	if version != "6.0.3" {
		t.Skipf("what differs is known of 6.0.3; this is %s", version)
	}
	dir := t.TempDir()
	reference.UnpackTo(t, dir, archiveFiles("../testdata/live", "web01-v2")...)
	s, o := openAll(t, archiveFiles("../testdata/live", "web01-v2")...)
	id := o.Sources[0].ID
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	infos, err := s.Dashboards(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	lines, values := 0, 0
	for _, info := range infos {
		d, err := s.Dashboard(t.Context(), id, info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range d.Panels {
			if len(p.Commands) == 0 || !strings.HasPrefix(p.Commands[0], "pmrep ") {
				continue
			}
			command := p.Commands[0]
			if slices.Contains(derivedAgain, p.ID) {
				command = derivingCommand(p)
			}
			command = strings.Replace(command, " -z -t 10 ", " -z -S '@Nov 21 03:50:00 2026' -T '@Nov 21 03:52:20 2026' -t 1sec ", 1)
			out, err := pmrep(dir, command+" -o csv -l ';' -P 9 -f %H:%M:%S")
			if err != nil {
				t.Errorf("%s: %v, %.300s", command, err, out)
				continue
			}
			r := csv.NewReader(strings.NewReader(string(out)))
			r.Comma = ';'
			table, err := r.ReadAll()
			if err != nil || len(table) < 130 {
				t.Errorf("%s prints %.300q: %v", command, out, err)
				continue
			}
			lines++
			n, problem := printsAll(t, s, id, p, command, table)
			values += n
			switch why, known := unlike[p.ID]; {
			case problem != "" && !known:
				t.Errorf("%s/%s: %s\n%s", d.ID, p.ID, problem, command)
			case problem == "" && known:
				t.Errorf("%s/%s is alike, in spite of: %s", d.ID, p.ID, why)
			}
		}
	}
	t.Logf("compared %d command lines, %d values; %d lines print other numbers, for known reasons", lines, values, len(unlike))
	if lines < 190 || values < 200_000 {
		t.Error("too little was compared")
	}
}

// printsAll looks for each line of a panel among the columns that a command
// has printed.
func printsAll(t *testing.T, s *Session, id api.SourceID, p api.DashboardPanel, command string, table [][]string) (values int, problem string) {
	t.Helper()
	begin, step := time.Date(2026, 11, 21, 3, 50, 0, 0, time.UTC).UnixNano(), int64(1e9)
	names := strings.Fields(trailing.FindString(command)) // of the columns; a set of metrics has its own
	left := -1                                            // the line that has none: see dashboard.Commands
	if len(names) > 0 && len(names) == len(p.Series)-1 {
		left = slices.IndexFunc(p.Series, func(s api.DashboardSeries) bool { return s.Bold })
		names = slices.Insert(names, max(left, 0), "")
	}
	taken := map[int]bool{}
	for i, series := range p.Series {
		if i == left {
			continue
		}
		q := api.Query{Source: id, Metrics: []string{series.Expression}, Convert: "rate", Gaps: true, Start: &api.When{Nanos: &begin}, Interval: &api.When{Nanos: &step}, Count: 121}
		f, err := s.Fetch(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
	columns:
		for _, c := range f.Columns {
			if c.Fault != nil || c.Values == nil {
				continue
			}
			why := "there is no column for it"
			for at, head := range table[0] {
				if at == 0 || taken[at] || c.Instance != nil && !strings.HasSuffix(head, "-"+c.Instance.Name) {
					continue
				}
				if len(names) > 0 && head != names[i] && !strings.HasPrefix(head, names[i]+"-") {
					continue
				}
				n, differs := likePrinted(c, table, at)
				if differs == "" {
					taken[at] = true
					values += n
					continue columns
				}
				why = differs
			}
			name := ""
			if c.Instance != nil {
				name = c.Instance.Name
			}
			return values, fmt.Sprintf("%s[%s]: %s", series.Expression, name, why)
		}
	}
	return values, ""
}

// trailing are the names of metrics at the end of a command line.
var trailing = regexp.MustCompile(`(?: [A-Za-z][A-Za-z0-9_.]*)+$`)

// toPrinted are between our units and those of pmrep: the same, shares as
// percent, parts of seconds, bytes and their multiples.
var toPrinted = []float64{1, 100, 0.01, 1e-3, 1e3, 1e-6, 1e6, 1e-9, 1e9, 1024, 1.0 / 1024, 1 << 20, 1.0 / (1 << 20)}

// soon is how many seconds lie at most between observations here, of what is
// not compared exactly: see unlike on instantaneous values.
const soon = 6

// likePrinted compares a column with one that pmrep has printed.
func likePrinted(c api.Column, table [][]string, at int) (n int, differs string) {
	for i, factor := range toPrinted {
		cell := func(row int) float64 {
			v, err := strconv.ParseFloat(table[row+1][at], 64)
			if err != nil {
				return math.NaN()
			}
			return v * factor
		}
		wrong := ""
		n = 0
		for k := 1; k < len(c.Values) && wrong == ""; k++ {
			got := c.Values[k]
			if math.IsNaN(got) {
				continue
			}
			last := k
			if c.Semantics != "counter" {
				last = k + soon
			}
			same := false
			for row := k; row <= last && !same && !math.IsNaN(cell(k)); row++ {
				want := cell(row)
				same = math.Abs(got-want) <= 1e-6+1e-4*math.Abs(want)
			}
			if n++; !same {
				wrong = fmt.Sprintf("at %s %v here, %s there", table[k+1][0], got, table[k+1][at])
			}
		}
		if wrong == "" {
			return n, ""
		}
		if i == 0 {
			differs = wrong
		}
	}
	return 0, differs
}
