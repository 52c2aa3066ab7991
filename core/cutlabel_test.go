package core

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A volume truncated inside its label has no data: that is one problem, and
// the lost time is what the temporal index covers, according to pmdumplog -L
// from 03:49:02.315 to 03:54:02.313.
func TestCutInsideTheLabel(t *testing.T) {
	volume, err := os.ReadFile(live + "web01.0.zst")
	if err != nil {
		t.Fatal(err)
	}
	const label = "\x00\x00\x03\x28\x50\x05\x26\x03" // how one of version 3 begins
	for name, cut := range map[string][]byte{"web01.0": []byte(label), "web01.0.zst": volume[:100]} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, cut, 0o600); err != nil {
			t.Fatal(err)
		}
		s, o := openAll(t, live+"web01.meta", live+"web01.index", path)
		src, err := s.Loaded(t.Context(), o.Sources[0].ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(src.Problems) != 1 {
			t.Errorf("%s: %d problems, want one: %v", name, len(src.Problems), src.Problems)
			continue
		}
		p := src.Problems[0]
		if p.Lost == nil {
			t.Errorf("%s: %s reports no loss", name, p.Message)
			continue
		}
		const clock = "15:04:05.000"
		if from, to := p.Lost.Start.Std().UTC().Format(clock), p.Lost.End.Std().UTC().Format(clock); from != "03:49:02.315" || to != "03:54:02.313" {
			t.Errorf("%s: lost is %s to %s, want 03:49:02.315 to 03:54:02.313", name, from, to)
		}
		findings, err := s.Findings(t.Context(), src.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := "5 min are lost in damaged data (" + name + ")"; len(findings) != 1 || findings[0].Level != "look" || findings[0].Text != want {
			t.Errorf("%s: findings %+v, want %q: nobody paused the recording", name, findings, want)
		}
	}
}

// Nothing is known of the time of damaged records: no value is carried across,
// and the reason is given. pmval(1) prints 0.9900 for "1 minute" at
// 03:49:42 and 1.3200 at 03:53:42 of the archive when it was whole.
func TestNoValuesAcrossDamage(t *testing.T) {
	packed, err := os.Open(live + "web01.0.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := zstd.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	volume, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(volume) / 3; i < len(volume)/3*2; i++ {
		volume[i] = 0xff
	}
	file := filepath.Join(t.TempDir(), "web01.0")
	if err := os.WriteFile(file, volume, 0o600); err != nil {
		t.Fatal(err)
	}
	s, o := openAll(t, live+"web01.meta", live+"web01.index", file)
	src := o.Sources[0]
	if len(src.Problems) != 1 || src.Problems[0].Lost == nil {
		t.Fatalf("problems %v, want one with the lost time range", src.Problems)
	}
	lost := src.Problems[0].Lost
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"kernel.all.load", "disk.all.read"}, Interval: &api.When{Text: "20sec"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	inside := 0
	for i, at := range f.Times {
		moment := f.Start + pcp.Time(at*1e9)
		for _, c := range f.Columns {
			switch within := moment > lost.Start+1 && moment < lost.End-1; {
			case within && (!math.IsNaN(c.Values[i]) || c.Why[i] != uint8(series.DataDamaged)):
				t.Errorf("%s at %s, where data are damaged: %g", c.Metric, moment.Std(), c.Values[i])
			case within:
				inside++
			case i > 0 && math.IsNaN(c.Values[i]):
				t.Errorf("%s at %s, where data are whole: no value", c.Metric, moment.Std())
			}
		}
	}
	if inside == 0 {
		t.Error("no point of the grid lies where data are damaged")
	}
	load := f.Columns[0].Values
	if math.Abs(load[2]-0.99) > 0.005 || math.Abs(load[14]-1.32) > 0.005 {
		t.Errorf("beside the damage the load is %g and %g, want 0.99 and 1.32", load[2], load[14])
	}
	sum, err := s.Summary(t.Context(), api.SummaryQuery{Source: src.ID, Metrics: []string{"kernel.all.load"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := sum[0].Covered; c < 0.6 || c > 0.72 { // a third of five minutes is missing
		t.Errorf("the summary covers %g of the window, want two thirds", c)
	}
}
