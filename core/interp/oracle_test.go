package interp_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/interp/when"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// load opens and reads the archive of one name, in whichever folder it lies.
func load(t testing.TB, set reference.Set, name string) *archive.Archive {
	var paths []string
	for _, folder := range []string{"archives", "live", "big"} {
		found, _ := filepath.Glob(set.Corpus(folder, name+".*"))
		paths = append(paths, found...)
	}
	var members []archive.Member
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, archive.Member{Name: filepath.Base(p), Size: info.Size(), At: f})
	}
	groups, _ := archive.Groups(members)
	for _, g := range groups {
		if g.Name == name {
			a, err := archive.Open(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Load(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			return a
		}
	}
	t.Fatalf("no archive %s", name)
	return nil
}

func segmentOf(a *archive.Archive) interp.Segment {
	return interp.Segment{Start: a.Start(), End: a.End(), Marks: a.Marks()}
}

// readLines returns the lines of a gzipped text.
func readLines(t testing.TB, path string) (lines []string) {
	for s := bufio.NewScanner(bytes.NewReader(reference.Unpack(t, path))); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// pmlogsummary -bmMyiIHF -p 6: metric, instance, two averages, minimum and
// its time, maximum and its time, count, units.
var summaryLine = regexp.MustCompile(`^(\*?)([^,]+),(|\[.*\]),([-0-9.nae]+),([-0-9.nae]+),([-0-9.nae]+),([^,]+),([-0-9.nae]+),([^,]+),(\d+),(.*)$`)

func TestSummaryEqualsPmlogsummary(t *testing.T) {
	type counts struct{ archives, series int }
	expected := map[string]counts{"committed": {2, 9_806}, "beside the repository": {9, 49_512}}
	for _, set := range reference.Sets(t) {
		t.Run(set.Name, func(t *testing.T) {
			var c counts
			found := set.Documents("summary")
			for _, path := range found {
				name := strings.TrimSuffix(filepath.Base(path), ".csv.gz")
				t.Run(name, func(t *testing.T) {
					c.archives++
					c.series += compareSummary(t, load(t, set, name), readLines(t, path)[1:])
				})
			}
			t.Logf("%d archives, %d series compared (%s)", c.archives, c.series, set.Name)
			if c.archives == len(found) && c != expected[set.Name] { // -run may leave out some
				t.Errorf("compared %+v, want %+v", c, expected[set.Name])
			}
		})
	}
}

func compareSummary(t *testing.T, a *archive.Archive, lines []string) (compared int) {
	seg := segmentOf(a)
	s := interp.NewSummariser([]interp.Segment{seg}, pcp.Span{Start: seg.Start, End: seg.End}, interp.SummaryOptions{})
	ours := map[string]printed{}
	dates := strings.Contains(lines[0], "'") // of archives that last longer than a day
	for _, m := range a.Metrics() {
		obs, ok := a.Observations(m.PMID)
		if !ok || m.Guessed {
			continue
		}
		names := map[int32]string{}
		list, _ := a.Instances(m.InDom)
		for _, i := range list {
			names[i.ID] = i.Name
		}
		units := interp.SummaryUnits(m.Desc).String()
		if units == "" {
			units = "none"
		}
		for _, x := range s.Metric([]*series.Observations{obs}) {
			inst := ""
			if m.InDom != pcp.NullInDom {
				inst = fmt.Sprintf("[%d]", x.Inst)
				if n, ok := names[x.Inst]; ok {
					inst = fmt.Sprintf("[%q]", n)
				}
			}
			star := ""
			if m.Sem == pcp.Counter && x.Covered <= 0.1 { // pmlogsummary stars counters only
				star = "*"
			}
			for _, name := range m.Names {
				if x.Insufficient {
					ours[name+","+inst] = printed{text: "insufficient"}
					continue
				}
				ours[name+","+inst] = printed{fmt.Sprintf("%s|%.6f|%s|%.6f|%s|%d|%s", star,
					x.Min, clock(x.MinAt, dates), x.Max, clock(x.MaxAt, dates), x.Count, units), [2]float64{x.Stochastic, x.TimeAverage}, x.Count}
			}
		}
	}
	differ := 0
	for _, line := range lines {
		if head, ok := strings.CutSuffix(line, ",- insufficient archive data."); ok {
			compared++
			if got := ours[strings.TrimPrefix(head, "*")]; got.text != "insufficient" {
				differ++
				t.Errorf("%s: got %v, want too little data", head, got)
			}
			continue
		}
		f := summaryLine.FindStringSubmatch(line)
		if f == nil {
			t.Errorf("cannot read %q", line)
			continue
		}
		if strings.Contains(f[4], "nan") { // a NaN is no observation to us
			continue
		}
		got := ours[f[2]+","+f[3]]
		compared++
		if !got.equals(f) {
			if differ++; differ <= 10 {
				t.Errorf("%s: got %+v", line, got)
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d series differ", differ, compared)
	}
	return compared
}

// A printed is a summary as pmlogsummary would print it, and the averages
// before they were rounded for that.
type printed struct {
	text     string // all but the averages
	averages [2]float64
	count    int
}

// equals compares with the fields of pmlogsummary's line. It forms its sums
// value by value, which leaves a relative error of up to count * 2^-53; an
// average must be what it printed, rounded from a number as near as that.
func (p printed) equals(f []string) bool {
	if p.text != f[1]+"|"+strings.Join(f[6:], "|") {
		return false
	}
	for i, ours := range p.averages {
		theirs, err := strconv.ParseFloat(f[4+i], 64)
		if err != nil || math.Abs(ours-theirs) > 0.5000001e-6+float64(p.count)*0x1p-53*math.Abs(theirs) {
			return false
		}
	}
	return true
}

func clock(t pcp.Time, date bool) string {
	if date {
		return t.Std().Format("'Mon Jan _2 15:04:05.000 2006'")
	}
	return t.Std().Format("15:04:05.000")
}

// pmval -a ARCHIVE -t INTERVAL -f 9 -w 24 METRIC: a time of day and a column
// for each instance, "!" for a counter that went backwards.
func TestRatesEqualPmval(t *testing.T) {
	committed := reference.Sets(t)[0]
	files := committed.Documents("pmval")
	if len(files) != 6 {
		t.Errorf("there are %d files to compare with, want 6", len(files))
	}
	a := load(t, committed, "web01")
	for _, path := range files {
		part := strings.Split(strings.TrimSuffix(filepath.Base(path), ".txt.gz"), "@")
		if len(part) != 3 || part[0] != "web01" {
			t.Errorf("%s: of another archive", path)
			continue
		}
		m, ok := a.Lookup(part[2])
		if !ok {
			t.Errorf("no metric %s", part[2])
			continue
		}
		step, err := when.ParseInterval(part[1])
		if err != nil {
			t.Fatal(err)
		}
		obs, _ := a.Observations(m.PMID)
		// This pmval kept times in microseconds.
		start := a.Start() - a.Start()%1000
		grid := series.Grid{Start: start, Step: step, Count: int(int64(a.End()-start)/step) + 1}
		frame := interp.Rate(interp.Interpolate(obs, segmentOf(a), grid, interp.Options{}, nil), interp.Options{})
		compared := 0
		for _, line := range readLines(t, path) {
			if !regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d\d\d `).MatchString(line) {
				continue
			}
			i := 0
			for i < grid.Count && grid.At(i).Std().Format("15:04:05.000") != line[:12] {
				i++
			}
			if i == grid.Count {
				t.Errorf("%s: no such point: %s", part[2], line)
				continue
			}
			var got []string
			for _, v := range frame.Vectors {
				switch v.Missing(i) {
				case series.HasValue:
					got = append(got, fmt.Sprintf("%.9f", series.Float(frame.Desc.Type, v.Vals[i])))
				case series.WentBackwards:
					got = append(got, "!")
				case series.BeforeFirst, series.AfterLast, series.NoPrevious: // pmval then says so for all instances
				default:
					got = append(got, v.Missing(i).String())
				}
			}
			if got == nil {
				got = []string{"No", "values", "available"}
			}
			compared += len(got)
			if want := strings.Join(strings.Fields(line[12:]), " "); strings.Join(got, " ") != want {
				t.Errorf("%s at %s: %s, want %s", part[2], line[:12], got, want)
			}
		}
		if compared < 30 {
			t.Errorf("%s: only %d values compared", part[2], compared)
		}
		t.Logf("%s: %d values compared", part[2], compared)
	}
}
