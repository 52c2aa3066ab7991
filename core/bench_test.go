package core

import (
	"os"
	"path/filepath"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
)

// bigFiles returns the files of the big archive, unpacked into the folder
// that PCPSCOPE_BIG names; "./build.sh bench" sets it.
func bigFiles(b *testing.B) []string {
	dir := os.Getenv("PCPSCOPE_BIG")
	if dir == "" {
		b.Skip("PCPSCOPE_BIG names no folder with the unpacked big archive")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "20180416.10.00.*"))
	return files
}

func openBig(b *testing.B, files []string) (*Session, api.SourceID) {
	s := NewSession(Options{})
	var list []File
	for _, p := range files {
		f, err := os.Open(p)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { f.Close() })
		st, _ := f.Stat()
		list = append(list, File{Name: filepath.Base(p), Size: st.Size(), At: f})
	}
	opened, err := s.Open(b.Context(), list, nil)
	if err != nil {
		b.Fatal(err)
	}
	return s, opened.Sources[0].ID
}

func BenchmarkBigOpen(b *testing.B) {
	files := bigFiles(b)
	for b.Loop() {
		s, id := openBig(b, files)
		s.Close(id)
	}
}

func BenchmarkBigLoad(b *testing.B) {
	files := bigFiles(b)
	for b.Loop() {
		s, id := openBig(b, files)
		if _, err := s.Loaded(b.Context(), id, nil); err != nil {
			b.Fatal(err)
		}
		s.Close(id)
	}
}

func BenchmarkBigAnswers(b *testing.B) {
	s, id := openBig(b, bigFiles(b))
	if _, err := s.Loaded(b.Context(), id, nil); err != nil {
		b.Fatal(err)
	}
	minute := int64(60e9)
	fetch := func(metric, convert string) func(b *testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				f, err := s.Fetch(b.Context(), api.Query{Source: id, Metrics: []string{metric}, Interval: &api.When{Nanos: &minute}, Convert: convert}, nil)
				if err != nil || len(f.Columns) == 0 {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("fetch=kernel.all.load", fetch("kernel.all.load", ""))
	b.Run("fetch=proc.psinfo.utime", fetch("proc.psinfo.utime", ""))
	b.Run("fetch=proc.psinfo.utime/rate", fetch("proc.psinfo.utime", "rate"))
	b.Run("chart=proc.psinfo.utime", func(b *testing.B) { // a panel of some 1,000 lines over a quarter of the time
		about := s.Sources()[0]
		quarter := (about.End - about.Start) / 4
		start, end := int64(about.Start+quarter), int64(about.Start+2*quarter)
		window := api.Range{Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}
		tenSeconds := int64(10e9)
		for b.Loop() {
			q := api.ChartQuery{Query: api.Query{Source: id, Metrics: []string{"proc.psinfo.utime"}, Start: window.Start, End: window.End, Interval: &api.When{Nanos: &tenSeconds},
				Convert: "rate", Reduce: "mean", Samples: true, Statistics: &window}, Start: pcp.Time(start), End: pcp.Time(end)}
			f, err := s.Fetch(b.Context(), q.Query, nil)
			if err != nil {
				b.Fatal(err)
			}
			if made := chart.Make(f, &q, func() {}); len(made.Lines) == 0 {
				b.Fatal("no lines")
			}
		}
	})
	b.Run("summary=all", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Summary(b.Context(), api.SummaryQuery{Source: id}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("metrics", func(b *testing.B) {
		for b.Loop() {
			s.Metrics(id, "")
		}
	})
	b.Run("search=disk", func(b *testing.B) {
		for b.Loop() {
			s.Search(b.Context(), id, "disk", 50)
		}
	})
}
