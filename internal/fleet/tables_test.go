//go:build !race

// Compiling parquet-go for the race detector takes longer than all tests of this
// package, and tables are read back by one goroutine.

package fleet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"pcpscope/internal/fleetgen"
)

// tableOf reads a table with parquet-go's own reader.
func tableOf[T any](t *testing.T, dir string, f File) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, Folder, filepath.FromSlash(f.Name)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[T](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// The tables have the same contents as the page's files, in the specified
// order.
func TestTables(t *testing.T) {
	dir := archives(t, 6, 2)
	index(t, dir)
	m, sections := open(t, dir, 1)
	var hosts struct{ Hosts []pageHost }
	if err := json.Unmarshal(sections["hosts"], &hosts); err != nil {
		t.Fatal(err)
	}
	type figures struct {
		Metric   string    `parquet:"metric"`
		Host     string    `parquet:"host"`
		Time     time.Time `parquet:"time,timestamp(nanosecond)"`
		Instance *string   `parquet:"instance,optional"`
		Kind     string    `parquet:"kind"`
		Count    int64     `parquet:"count"`
		Mean     float64   `parquet:"mean"`
		Minimum  float64   `parquet:"minimum"`
		Maximum  float64   `parquet:"maximum"`
		Median   float64   `parquet:"median"`
		P95      float64   `parquet:"p95"`
		P99      float64   `parquet:"p99"`
	}
	rows := tableOf[figures](t, dir, m.Days[1].Hourly)
	if len(rows) != m.Days[1].Rows || len(rows) < 2000 {
		t.Errorf("%d rows, the manifest has %d", len(rows), m.Days[1].Rows)
	}
	if !slices.IsSortedFunc(rows, func(a, b figures) int {
		if c := strings.Compare(a.Metric, b.Metric); c != 0 {
			return c
		}
		if c := strings.Compare(a.Host, b.Host); c != 0 {
			return c
		}
		return a.Time.Compare(b.Time)
	}) {
		t.Error("the rows are not in order")
	}
	cells, disks := 0, map[string]bool{}
	for _, r := range rows {
		if !(r.Minimum <= r.Median && r.Median <= r.P95 && r.P95 <= r.P99 && r.P99 <= r.Maximum && r.Minimum <= r.Mean && r.Mean <= r.Maximum) || r.Count < 1 {
			t.Errorf("row %+v: its statistics are not in order", r)
		}
		if r.Metric == "disk.dev.read" && r.Instance != nil {
			disks[*r.Instance] = true
		}
		if r.Kind != "measure" {
			continue
		}
		host := slices.IndexFunc(hosts.Hosts, func(h pageHost) bool { return h.Host == r.Host })
		at := 4 * (24*host + r.Time.UTC().Hour())
		for statistic, v := range map[string]float64{"mean": r.Mean, "max": r.Maximum, "p95": r.P95} {
			if got := math.Float32frombits(binary.LittleEndian.Uint32(sections[statistic+"/"+r.Metric][at:])); got != float32(v) {
				t.Errorf("%s of %s: %g, the page has %g", statistic, r.Metric, v, got)
			}
			cells++
		}
	}
	if cells < 3*10*24*5 || len(disks) != 2 {
		t.Errorf("%d cells compared; disks: %v", cells, disks)
	}
	type recorded struct {
		Host     string    `parquet:"host"`
		Time     time.Time `parquet:"time,timestamp(nanosecond)"`
		Recorded float64   `parquet:"recorded"`
		Archives string    `parquet:"archives"`
		Labels   string    `parquet:"labels"`
	}
	for _, r := range tableOf[recorded](t, dir, m.Days[1].Coverage) {
		silent := r.Host == fleetgen.Name(fleetgen.Silent) && r.Time.UTC().Hour() >= 6 && r.Time.UTC().Hour() < 12
		if silent != (r.Recorded < 60) || r.Archives != r.Host+"/20261103" || !strings.Contains(r.Labels, `"site"`) {
			t.Errorf("row %+v: wrong coverage, archives or labels", r)
		}
	}
	type found struct {
		Host  string    `parquet:"host"`
		Text  string    `parquet:"text"`
		Start time.Time `parquet:"start,timestamp(nanosecond)"`
	}
	day := first
	list := tableOf[found](t, dir, m.Days[0].Findings)
	if !slices.ContainsFunc(list, func(f found) bool {
		return f.Host == fleetgen.Name(fleetgen.Saturated) && strings.Contains(f.Text, "CPU")
	}) || len(list) != m.Days[0].Found {
		t.Errorf("findings = %+v", list)
	}
	for _, f := range list {
		if f.Start.Before(day) || f.Start.After(day.AddDate(0, 0, 1)) {
			t.Errorf("%+v is not of the day", f)
		}
	}
}
