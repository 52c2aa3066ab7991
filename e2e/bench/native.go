package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
)

func decode(text string) (map[string]float64, error) {
	var m map[string]float64
	err := json.Unmarshal([]byte(text), &m)
	return m, err
}

// measureNative asks package core in this process what measure asks the
// browser.
func measureNative(raw, packed []string, repeat int) (map[int]time.Duration, error) {
	got := map[int][]time.Duration{}
	for range repeat {
		clock := startWatch()
		s, source, err := openNative(raw)
		if err != nil {
			return nil, err
		}
		got[1] = append(got[1], clock.lap())
		for i, q := range []api.Query{
			{Metrics: []string{firstMetric}, Interval: nanos(int64(source.End-source.Start) / 1200)},
			{Metrics: []string{manyMetric}, Interval: nanos(60e9)},
			{Metrics: []string{nextMetric}, Interval: nanos(int64(source.End-source.Start) / 1200)},
		} {
			if err := fetchAll(s, source, q); err != nil {
				return nil, err
			}
			got[2+i] = append(got[2+i], clock.lap())
		}
		if _, err := s.Summary(context.Background(), api.SummaryQuery{Source: source.ID}, quiet); err != nil {
			return nil, err
		}
		got[5] = append(got[5], clock.lap())
		got[6] = append(got[6], clock.all())
		if err := s.Close(source.ID); err != nil {
			return nil, err
		}

		clock = startWatch()
		s, source, err = openNative(packed)
		if err != nil {
			return nil, err
		}
		if _, err := s.Metrics(source.ID, ""); err != nil {
			return nil, err
		}
		got[7] = append(got[7], clock.all())
		if err := fetchAll(s, source, api.Query{Metrics: []string{firstMetric}, Interval: nanos(int64(source.End-source.Start) / 1200)}); err != nil {
			return nil, err
		}
		got[8] = append(got[8], clock.all())
		if err := s.Close(source.ID); err != nil {
			return nil, err
		}
	}
	result := map[int]time.Duration{}
	for i, ds := range got {
		result[i] = median(ds)
	}
	return result, nil
}

func openNative(names []string) (*core.Session, api.Source, error) {
	s := core.NewSession(core.Options{})
	var files []core.File
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, api.Source{}, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, api.Source{}, err
		}
		files = append(files, core.File{Name: filepath.Base(name), Size: info.Size(), At: f})
	}
	opened, err := s.Open(context.Background(), files, quiet)
	if err != nil {
		return nil, api.Source{}, err
	}
	if len(opened.Sources) != 1 {
		return nil, api.Source{}, os.ErrInvalid
	}
	return s, opened.Sources[0], nil
}

func fetchAll(s *core.Session, source api.Source, q api.Query) error {
	q.Source = source.ID
	q.Start, q.End = nanos(int64(source.Start)), nanos(int64(source.End))
	_, err := s.Fetch(context.Background(), q, quiet)
	return err
}

func nanos(n int64) *api.When { return &api.When{Nanos: &n} }

func quiet(api.Progress) {}

type stopwatch struct{ start, last time.Time }

func startWatch() stopwatch { return stopwatch{time.Now(), time.Now()} }

// lap returns the time since the last lap.
func (s *stopwatch) lap() time.Duration {
	d := time.Since(s.last)
	s.last = time.Now()
	return d
}

func (s *stopwatch) all() time.Duration { return time.Since(s.start) }
