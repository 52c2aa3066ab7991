package core

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"pcpscope/core/api"
)

// Frames and summaries with NaN or infinity are valid JSON.
func TestOpenPath(t *testing.T) {
	s := NewSession(Options{})
	for path, want := range map[string]int{"../testdata/live/web01": 1, "../testdata/live/web01.meta": 0, "../testdata/live": 1, "../testdata/live/web01.0.zst": 0} {
		opened, files, err := s.OpenPath(t.Context(), nil, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if len(opened.Sources) < want {
			t.Errorf("%s: %d sources, %v rejected", path, len(opened.Sources), opened.Rejected)
		}
		for _, src := range opened.Sources {
			if path == "../testdata/live/web01" {
				frame, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"kernel.all.load / (kernel.all.load - kernel.all.load)", "kernel.uname.release"}, Mode: "raw"}, nil)
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(frame)
				var back struct {
					Start   int64
					Columns []struct {
						Metric string
						Values []any
					}
				}
				if err != nil || json.Unmarshal(text, &back) != nil || len(back.Columns) != len(frame.Columns) || !slices.Contains(back.Columns[0].Values, nil) || len(back.Columns[0].Values) != len(frame.Times) || back.Start == 0 {
					t.Errorf("as JSON the frame is %.300s, %v", text, err)
				}
				if _, err := json.Marshal(api.Summary{TimeAverage: math.NaN()}); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
				t.Error(err)
			}
			s.Close(src.ID)
		}
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"../testdata/live/nothing", filepath.Join(t.TempDir(), "a", "b")} {
		if _, _, err := s.OpenPath(t.Context(), nil, path); err == nil {
			t.Errorf("%s is opened", path)
		}
	}
}
