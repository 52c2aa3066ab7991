package core

import (
	"os"
	"path/filepath"
	"testing"
)

// A volume that is cut inside its label holds nothing: that is one problem,
// and the time that it costs is what the temporal index goes over, according
// to pmdumplog -L from 03:49:02.315 to 03:54:02.313.
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
			t.Errorf("%s: %s Nothing is said to be lost.", name, p.Message)
			continue
		}
		const clock = "15:04:05.000"
		if from, to := p.Lost.Start.Std().UTC().Format(clock), p.Lost.End.Std().UTC().Format(clock); from != "03:49:02.315" || to != "03:54:02.313" {
			t.Errorf("%s: lost is %s to %s, want 03:49:02.315 to 03:54:02.313", name, from, to)
		}
	}
}
