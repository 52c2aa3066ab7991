package app

import (
	"errors"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/web/timeline"
)

// A state is drawn from one edge of the window to the other: of a link that was logged every
// ten seconds, from the records around a window that has one of them, or none. Its changes
// are not listed beyond the window.
func TestStatesReachTheEdges(t *testing.T) {
	w, parts := newArchive(t)
	link := pcp.Desc{PMID: pcp.MakePMID(245, 0, 1), Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Instant}
	err := w.Desc(link, "acme.link")
	for k, state := range []string{"up", "up", "up", "down", "down", "up", "up"} {
		err = errors.Join(err, w.Record(start+pcp.Time(10*k)*second, []archive.ValueSet{{PMID: link.PMID, Type: link.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: []byte(state)}}}}))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	tab := b.open(t, filesOf(parts))
	for _, tt := range []struct {
		from, to pcp.Time
		want     string // the states up to its end, from 20 s before it
		after    bool   // there is one behind it
	}{{25, 35, "up up down", true}, {32, 38, "up down", true}, {52, 60, "down up up", false}} {
		tab.Zoom(start+tt.from*second, start+tt.to*second)
		b.run()
		p := b.show(tab, "state", "acme.link")
		if p.Fault != "" {
			t.Errorf("%d to %d s: %s", tt.from, tt.to, p.Fault)
		}
		got, after := "", false
		for i, s := range p.Frame.Columns[0].Strings {
			switch at := timeline.At(p.Frame, i); {
			case s == nil:
			case at > start+tt.to*second:
				after = true
			case got == "":
				got = *s
			default:
				got += " " + *s
			}
		}
		if got != tt.want || after != tt.after {
			t.Errorf("%d to %d s: %q, and behind it %v; want %q, %v", tt.from, tt.to, got, after, tt.want, tt.after)
		}
		list := b.show(tab, "line", "acme.link")
		for _, text := range list.Texts {
			if text.At > start+tt.to*second {
				t.Errorf("%d to %d s: a change at %d s is listed", tt.from, tt.to, (text.At-start)/second)
			}
		}
	}
}
