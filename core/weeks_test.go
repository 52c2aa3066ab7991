package core

import (
	"path/filepath"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// historyFiles are days of a host that was recorded for weeks, such as
// "20170227"; none for all. The test is skipped where they are not there.
func historyFiles(t *testing.T, days ...string) []string {
	t.Helper()
	dir := reference.Need(t, "corpus", "history")
	if len(days) == 0 {
		days = []string{"*"}
	}
	var list []string
	for _, day := range days {
		found, _ := filepath.Glob(filepath.Join(dir, day+".*"))
		list = append(list, found...)
	}
	return list
}

// A minute of four days, at which the load was 126.58, is in a chart of a
// hundred points: TZ=UTC pmlogsummary -mMyI 20170227 kernel.all.load prints
// "0.174 0.000 126.580 03:40:42.753 2996" of one minute. CPU time was logged
// twice a minute, 1.2 ms apart: pmlogsummary prints 36.862 of the eight CPUs of
// 20170301, which is what a clock of 10 ms makes of 1.2 ms.
func TestPeaksOfDays(t *testing.T) {
	s, o := openAll(t, historyFiles(t, "20170225", "20170227", "20170228", "20170301")...)
	q := api.Query{Source: o.Sources[0].ID, Metrics: []string{"kernel.all.load", "kernel.all.cpu.user", "rate(kernel.all.cpu.user) / hinv.ncpu"}, Convert: "rate", Pixels: 100, Reduce: "mean", Statistics: &api.Range{}}
	f, err := s.Fetch(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	load := &f.Columns[0]
	_, highest := peaks(load)
	at := load.Statistics.MaximumAt.Std().UTC().Truncate(time.Millisecond)
	if want := time.Date(2017, 2, 27, 3, 40, 42, 753e6, time.UTC); float32(highest) != 126.58 || float32(load.Statistics.Maximum) != 126.58 || !at.Equal(want) {
		t.Errorf("the highest load is %g in the chart, %g at %v in its statistics", highest, load.Statistics.Maximum, at)
	}
	for i, most := range []float64{8, 1} {
		c := &f.Columns[3+i]
		if _, high := peaks(c); high > most || high < most/20 || c.Statistics.Maximum != high {
			t.Errorf("%s reaches %g, %g in its statistics", c.Metric, high, c.Statistics.Maximum)
		}
	}
}
