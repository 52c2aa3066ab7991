package core

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// crowded opens a host's archive, and takes all but so many bytes of the session's
// budget away. What is kept besides answers has been made.
func crowded(t *testing.T, left int64) (*Session, api.SourceID) {
	t.Helper()
	files, _ := filepath.Glob("../testdata/live/web01.*")
	s, o := openAll(t, files...)
	id := o.Sources[0].ID
	if _, err := s.Overview(t.Context(), id, nil); err != nil { // names of instances stay claimed
		t.Fatal(err)
	}
	if _, err := s.Search(t.Context(), id, "i9", 0); err != nil {
		t.Fatal(err)
	}
	src, err := s.source(id)
	if err != nil {
		t.Fatal(err)
	}
	src.insight.invalidate()
	if _, err := s.Activity(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	rest := s.memory.Claim(0)
	if err := rest.Take(s.memory.Left() - left); err != nil {
		t.Fatal(err)
	}
	return s, id
}

// leftOut returns the problems of a source that are of kind memory.
func leftOut(t *testing.T, s *Session) (list []string) {
	t.Helper()
	for _, f := range s.Sources()[0].Problems {
		if f.Kind == pcp.OutOfMemory {
			list = append(list, f.Message)
		}
	}
	return list
}

// What does not fit into the session's budget is left out and said; what is
// claimed for an answer is given back after it.
func TestAnswersAreClaimed(t *testing.T) {
	said := func(t *testing.T, s *Session, text string) {
		t.Helper()
		if list := leftOut(t, s); !slices.ContainsFunc(list, func(m string) bool { return strings.Contains(m, text) }) {
			t.Errorf("the problems do not say %q: %q", text, list)
		}
	}
	t.Run("overview", func(t *testing.T) {
		s, id := crowded(t, 2<<10)
		if _, err := s.Overview(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
		said(t, s, "to judge every metric")
	})
	t.Run("dashboards", func(t *testing.T) {
		s, id := crowded(t, 5*dashboardBytes+dashboardBytes/2)
		list, err := s.Dashboards(t.Context(), id)
		if err != nil || len(list) > 5 || len(list) == 0 {
			t.Fatalf("%d dashboards fit in the memory of five, %v", len(list), err)
		}
		said(t, s, "dashboards")
	})
	t.Run("search", func(t *testing.T) {
		s, id := crowded(t, 128*hitBytes)
		if _, err := s.Search(t.Context(), id, "nothing of the kind", 0); err != nil {
			t.Error(err)
		}
		if hits, err := s.Search(t.Context(), id, "a", 100_000); err == nil || pcp.AsFault(err).Kind != pcp.OutOfMemory {
			t.Errorf("%d matches fit in the memory of 128, %v", len(hits), err)
		}
	})
	t.Run("comparison", func(t *testing.T) {
		s, id := crowded(t, 2<<10)
		src, err := s.source(id)
		if err != nil {
			t.Fatal(err)
		}
		h := src.halves()
		if _, err := s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: moment(h.a.from), AEnd: moment(h.a.to), BStart: moment(h.b.from), BEnd: moment(h.b.to)}, nil); err != nil {
			t.Error(err)
		}
		said(t, s, "to compare every metric")
	})
	t.Run("settings", func(t *testing.T) {
		for left, changed := range map[int64]int{16 << 20: 1, 64 << 10: 0} {
			s, id := withSetting(t, 200_000)
			ask := func(from int) (api.Comparison, error) {
				return s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: moment(second(from)), AEnd: moment(second(25)), BStart: moment(second(25)), BEnd: moment(second(50))}, nil)
			}
			if _, err := ask(1); err != nil { // what is known of the source stays claimed
				t.Fatal(err)
			}
			if err := s.Claim().Take(s.memory.Left() - left); err != nil {
				t.Fatal(err)
			}
			c, err := ask(0)
			if err != nil || len(c.Settings) != changed {
				t.Errorf("in %d bytes %d settings of 200 kB changed, want %d: %v", left, len(c.Settings), changed, err)
			}
			if changed == 0 {
				said(t, s, "to compare every metric")
			}
		}
	})
	t.Run("processes", func(t *testing.T) {
		s, id := withProcesses(t)
		rest := s.Claim()
		if err := rest.Take(s.memory.Left() - 2<<10); err != nil {
			t.Fatal(err)
		}
		if c, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: id}, nil); err == nil {
			t.Errorf("%d consumers fit in 2 KiB", len(c.Series))
		}
		said(t, s, "everything about processes")
	})
	t.Run("consumers", func(t *testing.T) {
		s, id := withProcesses(t)
		table := func() error {
			_, err := s.Processes(t.Context(), api.ProcessQuery{Source: id}, nil)
			return err
		}
		consumers := func() error {
			_, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: id}, nil)
			return err
		}
		if err := cmp.Or(table(), consumers()); err != nil { // what is known of processes stays claimed
			t.Fatal(err)
		}
		rest := s.Claim()
		if err := rest.Take(s.memory.Left() - 512); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{"processes": table(), "consumers": consumers()} {
			if err == nil || pcp.AsFault(err).Kind != pcp.OutOfMemory {
				t.Errorf("%s fit in 512 bytes, %v", what, err)
			}
		}
	})
	t.Run("given back", func(t *testing.T) {
		s, id := crowded(t, 64<<20)
		before, _ := s.Memory()
		if _, err := s.Overview(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Dashboards(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if hits, err := s.Search(t.Context(), id, "a", 100_000); err != nil || len(hits) < 100 {
			t.Fatalf("%d matches, %v", len(hits), err)
		}
		if after, _ := s.Memory(); after > before || len(leftOut(t, s)) > 0 {
			t.Errorf("%d bytes stay claimed, and there was left out %q", after-before, leftOut(t, s))
		}
	})
}

// withSetting opens an archive of six records of a setting of so many bytes, which
// changes in the middle.
func withSetting(t *testing.T, size int) (*Session, api.SourceID) {
	t.Helper()
	w := written{}
	out := w.begin(t, "a", second(0))
	d := pcp.Desc{PMID: pcp.MakePMID(60, 12, 0), InDom: pcp.NullInDom, Type: pcp.String, Sem: pcp.Discrete}
	out.Desc(d, "kernel.uname.release")
	for k := range 6 {
		text := strings.Repeat("ab"[k/3:k/3+1], size)
		out.Record(second(10*k), []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: []byte(text)}}}})
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return w.open(t)
}

// withProcesses opens an archive of 200 processes in two records.
func withProcesses(t *testing.T) (*Session, api.SourceID) {
	t.Helper()
	w := written{}
	out := w.begin(t, "a", second(0))
	d := pcp.Desc{PMID: pcp.MakePMID(3, 8, 13), InDom: pcp.MakeInDom(3, 9), Type: pcp.Uint32, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: 2}}
	out.Desc(d, "proc.psinfo.utime")
	var members []pcp.Instance
	for i := range 200 {
		members = append(members, pcp.Instance{ID: int32(i), Name: fmt.Sprintf("%06d /bin/p%d", i, i)})
	}
	out.InDom(second(0), d.InDom, members)
	for k := range 3 {
		set := archive.ValueSet{PMID: d.PMID, Type: d.Type}
		for i := range members {
			set.Values = append(set.Values, archive.Value{Inst: int32(i), Val: uint64(k * i)})
		}
		out.Record(second(10*k), []archive.ValueSet{set})
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	if _, err := s.Overview(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Instances(id, "3.9"); err != nil { // names of instances stay claimed
		t.Fatal(err)
	}
	return s, id
}
