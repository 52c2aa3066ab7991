package hostile

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

const testdata = "../../testdata/"

// given reads files of testdata into memory.
func given(t testing.TB, names ...string) []core.File {
	t.Helper()
	var list []core.File
	for _, name := range names {
		data, err := os.ReadFile(testdata + name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, core.File{Name: filepath.Base(name), Size: int64(len(data)), At: bytes.NewReader(data)})
	}
	return list
}

// TestAskedAllAtOnce queries two sources concurrently while they are read,
// re-read, halted, given definitions and rules, and closed. It is for the race
// detector, which finds what answers do not show.
func TestAskedAllAtOnce(t *testing.T) {
	ctx := t.Context()
	s := core.NewSession(core.Options{Lanes: 2})
	mmv := given(t, "mmv/acme")
	opened, err := s.Open(ctx, append(given(t, "live/web01-v2.meta.gz", "live/web01-v2.index", "live/web01-v2.0.gz"), mmv...), nil)
	if err != nil || len(opened.Sources) != 2 {
		t.Fatalf("%v, %+v", err, opened)
	}
	var all sync.WaitGroup
	also := func(rounds int, f func(id api.SourceID)) {
		for _, src := range opened.Sources {
			all.Go(func() {
				for range rounds {
					f(src.ID)
				}
			})
		}
	}
	for _, q := range Questions() {
		also(1, func(id api.SourceID) {
			if err := q.Ask(ctx, s, id); err != nil && pcp.AsFault(err).Kind == pcp.Internal {
				t.Errorf("%s: %v", q.Name, err)
			}
		})
	}
	also(5, func(id api.SourceID) { s.Sources() })
	also(5, func(id api.SourceID) { s.Halt(id) })
	also(5, func(id api.SourceID) { s.Update(ctx, id, mmv[0]) })
	also(2, func(id api.SourceID) {
		s.Define(id, "mine = rate(disk.all.read)\n", "mine.conf")
		s.Derive(id, "mine.too", "mine * 2")
		s.Config(id)
		s.Describe(id, "mine.too + 1")
		s.Undefine(id, "mine")
	})
	also(2, func(id api.SourceID) {
		n := 70.0
		rules, _ := s.Rules(id)
		for _, r := range rules[:min(3, len(rules))] {
			s.SetRule(id, r.Name, &n)
		}
	})
	all.Wait()
	for _, src := range opened.Sources {
		all.Go(func() { s.Close(src.ID) })
		all.Go(func() { s.Activity(ctx, src.ID, nil) })
	}
	all.Wait()
	if n := len(s.Sources()); n != 0 {
		t.Errorf("%d sources are open after all were closed", n)
	}
}

// TestFollowedAndAsked follows a program's file during queries: each reading
// invalidates earlier results.
func TestFollowedAndAsked(t *testing.T) {
	ctx := t.Context()
	s := core.NewSession(core.Options{})
	mmv := given(t, "mmv/acme")
	opened, err := s.Open(ctx, mmv, nil)
	if err != nil || len(opened.Sources) != 1 {
		t.Fatalf("%v, %+v", err, opened)
	}
	id := opened.Sources[0].ID
	var all sync.WaitGroup
	for _, f := range []func() error{
		func() error { _, err := s.Update(ctx, id, mmv[0]); return err },
		func() error { _, err := s.Activity(ctx, id, nil); return err },
		func() error { _, err := s.Metrics(id, ""); return err },
		func() error { _, err := s.Loaded(ctx, id, nil); return err },
		func() error { s.Sources(); return nil },
	} {
		all.Go(func() {
			for range 400 {
				if err := f(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
