package core

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// Every warning and note about every archive was checked with PCP's tools:
// testdata/warnings.txt lists them with a judgement. A line that appears or disappears must
// be judged again. The archives are of all kinds of systems since 1997, most of them
// minutes long.
func TestWarnings(t *testing.T) {
	dir := reference.Need(t, "corpus")
	text, err := os.ReadFile("testdata/warnings.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			finding, _, _ := strings.Cut(line, "  # ")
			want = append(want, strings.TrimSpace(finding))
		}
	}
	var got []string
	warn := func(name string, s *Session, o api.Opened) {
		for _, src := range o.Sources {
			list, err := s.Findings(t.Context(), src.ID, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, f := range list {
				got = append(got, fmt.Sprintf("%s: %s %s", src.Name, f.Level, f.Text))
			}
		}
	}
	for _, set := range warnedArchives(t, dir) {
		s, o := openAll(t, set...) // what is damaged is read as far as it can be
		warn(set[0], s, o)
		for _, src := range o.Sources {
			s.Close(src.ID)
		}
	}
	s, o := month(t)
	warn("the history", s, o)
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("not judged yet: %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("not found any more: %s", line)
		}
	}
}

// warnedArchives lists the files of each archive, but of the days of a host, which month opens.
func warnedArchives(t *testing.T, dir string) [][]string {
	var sets [][]string
	for _, folder := range []string{filepath.Join(dir, "archives"), filepath.Join(dir, "big"), filepath.Join(dir, "live"), filepath.Join(dir, "bad"), "../testdata/live", "../testdata/processes"} {
		all, _ := filepath.Glob(filepath.Join(folder, "*"))
		byName := map[string][]string{}
		var names []string
		for _, p := range all {
			base := filepath.Base(p)
			at := strings.LastIndex(base, ".meta")
			if at < 0 {
				continue
			}
			name := base[:at]
			for _, q := range all {
				rest, ok := strings.CutPrefix(filepath.Base(q), name+".")
				if ok && (strings.HasPrefix(rest, "meta") || strings.HasPrefix(rest, "index") || rest[0] >= '0' && rest[0] <= '9' && !strings.Contains(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(rest, ".xz"), ".bz2"), ".zst"), ".gz"), ".")) {
					byName[name] = append(byName[name], q)
				}
			}
			names = append(names, name)
		}
		for _, name := range slices.Compact(names) {
			sets = append(sets, byName[name])
		}
	}
	return sets
}
