package app

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/hostile"
	"pcpscope/wasm/rpc"
	"pcpscope/web/session"
)

// A watched engine records internal errors of the engine.
type watched struct {
	rpc.Transport
	broken error
}

func (w *watched) Call(ctx context.Context, method string, request rpc.Message, progress func(api.Progress)) (rpc.Message, error) {
	reply, err := w.Transport.Call(ctx, method, request, progress)
	if err != nil && pcp.AsFault(err).Kind == pcp.Internal {
		w.broken = fmt.Errorf("%s: %w", method, err)
	}
	return reply, err
}

// sessionSeeds returns a session as the page saves it, and one with all optional
// fields.
func sessionSeeds(t *testing.T) [][]byte {
	b, tab := opened(t)
	tab.Dashboard.AddPanel("disk.dev.avactive")
	tab.Dashboard.AddPanel("rate(disk.all.read) / 2")
	b.run()
	tab.Zoom(start+100*second, start+200*second)
	b.run()
	b.Cursor.Set(start + 150*second)
	b.NoteEditor.OpenHere()
	b.NoteEditor.Text = "deploy"
	b.NoteEditor.Save()
	tab.Select("mem.physmem")
	b.run()
	fingerprint := tab.Source.Fingerprint
	return [][]byte{[]byte(b.Session().Text()), fmt.Appendf(nil, `{"pcpscope":"session","version":1,"shown":0,"derived":"my.a = rate(disk.all.read) * 2\nmy.b = my.a + sum(disk.dev.avactive)\n",
		"tab":"metrics","tables":true,"columns":2,"drawer":"summary","views":{"summary":{"sort":"max","down":true,"filter":"a","columns":{"p95":true}},"cursor":{}},
		"sources":[{"fingerprint":"%s","kind":"archive","name":"20180416.10.00","host":"brolley-t530","files":["20180416.10.00.0"],"zone":"EST5EDT","clock":"Europe/Berlin",
		"start":"%d","end":"%d","from":"%d","to":"%d","cursor":"%d","board":"cpu","heading":"Mine","active":1,"only":"sda","selected":"kernel.all.load",
		"compare":{"on":true,"a":{"start":"%d","end":"%d"},"b":{"start":"%d","end":"%d"},"effect":0.3,"shift":0.2,"off":["proc"],"sort":"shift","at":1},
		"notes":[{"at":"%d","text":"a note"}],"rules":{"cpu-busy":70},
		"panels":[{"metrics":["my.a","disk.dev.avactive[sda]"],"strokes":[{"name":"reads","role":"total","unit":"/s","all":"disk.dev.avactive","below":true},{"right":true,"quiet":true}],"title":"A","unit":"/s","style":"area","order":"p95","top":3,"low":1,"high":5,"log":true},
		{"metrics":["kernel.all.load"],"hidden":["kernel.all.load\u00001 minute"],"revealed":["x"],"solo":"kernel.all.load\u00005 minute","filter":"min","table":true,"share":true,"dots":true,"stack":true,"perCPU":true},
		{"who":{"What":"cpu","By":"command","Top":5}},{"part":"cpu"}]}]}`,
		fingerprint, start, start+600*second, start+60*second, start+120*second, start+70*second, start, start+100*second, start+100*second, start+200*second, start+80*second)}
}

// TestDamagedSessions restores damaged sessions and links, one after the other,
// in the application (see hostile.Rounds). Neither the application nor the engine
// may panic, hang, or request more than the engine can handle, and the session
// saved afterwards must be readable.
func TestDamagedSessions(t *testing.T) {
	seeds := sessionSeeds(t)
	files := written(t, "")
	shown := 0
	tally := hostile.Rounds(t, 10, func(m *hostile.Mutator, i int) {
		b := openedFor(t, files)
		for range 10 {
			text := seeds[m.IntN(len(seeds))]
			var link string
			if m.IntN(5) > 0 {
				m.Count("sessions")
				if text = m.JSON(text); m.IntN(20) == 0 {
					text = m.Bytes(text)
				}
				link = linkOf(deflate(text))
			} else {
				m.Count("links")
				if deflated := deflate(text); m.IntN(2) == 0 {
					link = linkOf(m.Bytes(deflated))
				} else {
					link = string(m.Bytes([]byte(linkOf(deflated))))
				}
			}
			if b.show(t, link, files, m.IntN(20) == 0) {
				shown++
			}
			if t.Failed() {
				if f, err := os.CreateTemp("", "pcpscope-session-*.json"); err == nil {
					f.Write(text)
					f.Close()
					t.Logf("the session is kept in %s", f.Name())
				}
				return
			}
		}
	})
	t.Logf("%v; %d shown", tally, shown)
}

// linkOf returns the link of a deflated session.
func linkOf(deflated []byte) string {
	return "s=1." + base64.RawURLEncoding.EncodeToString(deflated)
}

// TestKeptSessions restores sessions that once broke something.
func TestKeptSessions(t *testing.T) {
	names, err := filepath.Glob("testdata/sessions/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %d", err, len(names))
	}
	files := written(t, "")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b := openedFor(t, files)
		for _, later := range []bool{false, true} {
			if !b.show(t, linkOf(deflate(text)), files, later) {
				t.Errorf("%s is refused, want it restored", name)
			}
		}
	}
}

func deflate(text []byte) []byte {
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, flate.BestSpeed)
	z.Write(text)
	z.Close()
	return packed.Bytes()
}

// A watchedBench is a bench with a watched engine.
type watchedBench struct {
	*bench
	engine *watched
}

func openedFor(t *testing.T, files []File) watchedBench {
	b := watchedBench{bench: newBench(t)}
	b.engine = &watched{Transport: b.bench.engine}
	b.Engine = b.engine
	b.open(t, files)
	return b
}

// show restores a link, for files that are open already or that are opened later,
// and reports whether the link was accepted.
func (b watchedBench) show(t *testing.T, link string, files []File, later bool) bool {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%v\n%s", p, debug.Stack())
		}
	}()
	s, err := session.ParseLink("#"+link, nil)
	if err != nil || s == nil {
		if err != nil && pcp.AsFault(err).Kind == pcp.Internal {
			t.Errorf("internal error instead of a message for users: %v", err)
		}
		return false
	}
	b.Notices, b.Intake.Refused = nil, nil
	for i := range s.Sources {
		s.Sources[i].Describe(nil)
	}
	again := s.Clone()
	b.Restore(s)
	b.run()
	if later {
		b.Restore(again)
		b.Close(b.Current().Source.ID)
		b.run()
		b.open(t, files)
	}
	if kept, err := session.ParseLink(b.Session().Link(), nil); err != nil || kept == nil {
		t.Errorf("the session saved after restoring it cannot be read again: %v", err)
	}
	if b.engine.broken != nil {
		t.Error(b.engine.broken)
	}
	b.Pending = nil
	return true
}
