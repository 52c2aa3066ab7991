package core

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/dashboard"
)

// The tables that copy tools show what pmrep(1) prints for the metricset of
// the same name; the first line of each file in testdata/pmrep is the command
// that made it. Compared is what is a rate: pmrep 6.0.3 interpolates instant
// metrics otherwise than PCP does since 7, and of the metrics that PCP derives
// itself (await, util and their like) it prints zeros here.
func TestToolsAgreeWithPmrep(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	panels := map[string]dashboard.Panel{}
	for _, d := range dashboard.Builtin() {
		if d.Group == dashboard.Tools {
			for _, p := range d.Panels {
				panels[p.ID] = p
			}
		}
	}
	files, _ := filepath.Glob("testdata/pmrep/*.csv")
	values := 0
	for _, file := range files {
		set := strings.TrimSuffix(filepath.Base(file), ".csv")
		panel, ok := panels[set]
		if !ok {
			t.Errorf("there is no table %s", set)
			continue
		}
		values += compareWithPmrep(t, s, id, panel, file)
	}
	t.Logf("%d tables, %d values", len(files), values)
	if len(files) < 12 || values < 800 {
		t.Error("too little was compared")
	}
}

var derivedByPCP = []string{"avg_qlen", "util", "r_await", "w_await", "d_await", "f_await", "await", "avg_rqsz", "r_avg_rqsz", "w_avg_rqsz", "d_avg_rqsz"}

// printed is one column of pmrep's.
type printed struct {
	metric, instance string
	vals             []string
}

func readPmrep(t *testing.T, file string) []printed {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.Comma, r.Comment = ';', '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []printed
	for c, head := range rows[0][1:] {
		p := printed{metric: head}
		if at := strings.LastIndexByte(head, '-'); at > 0 {
			p.metric, p.instance = head[:at], head[at+1:]
		}
		for _, row := range rows[1:] {
			p.vals = append(p.vals, row[c+1])
		}
		list = append(list, p)
	}
	return list
}

func compareWithPmrep(t *testing.T, s *Session, id api.SourceID, panel dashboard.Panel, file string) int {
	all := readPmrep(t, file)
	if panel.Style == dashboard.Table { // the columns without instances are those of another table
		all = slices.DeleteFunc(all, func(p printed) bool { return p.instance == "" })
	}
	var order []string
	for _, p := range all {
		if !slices.Contains(order, p.metric) {
			order = append(order, p.metric)
		}
	}
	if len(order) > len(panel.Series) {
		t.Errorf("%s: %d columns, want %d: %v", file, len(panel.Series), len(order), order)
		return 0
	}
	begin := time.Date(2026, 11, 21, 3, 49, 10, 0, time.UTC).UnixNano()
	step := int64(10e9)
	n := 0
	for i, metric := range order {
		expr := panel.Series[i].Exprs[0]
		if !strings.Contains(expr, "rate(") || slices.Contains(derivedByPCP, metric[strings.LastIndexByte(metric, '.')+1:]) {
			continue
		}
		f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{expr}, Start: &api.When{Nanos: &begin}, Interval: &api.When{Nanos: &step}, Count: 10}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			if p.metric != metric {
				continue
			}
			at := slices.IndexFunc(f.Columns, func(c api.Column) bool { return c.Instance == nil || c.Instance.Name == p.instance })
			if at < 0 || f.Columns[at].Fault != nil {
				t.Errorf("%s: %s: no column for %q", file, expr, p.instance)
				continue
			}
			for k := 1; k < len(p.vals); k++ {
				want, err := strconv.ParseFloat(p.vals[k], 64)
				if got := f.Columns[at].Values[k]; err == nil {
					n++
					if !(math.Abs(got-want) <= 2e-6*(1+math.Abs(want))) {
						t.Errorf("%s: %s (%s) in row %d is %v, pmrep prints %s", filepath.Base(file), panel.Series[i].Name, expr, k, got, p.vals[k])
					}
				} else if got == got {
					t.Errorf("%s: %s in row %d is %v, pmrep prints nothing", filepath.Base(file), panel.Series[i].Name, k, got)
				}
			}
		}
	}
	return n
}
