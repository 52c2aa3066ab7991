package archive

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The bytes are those of spec/archive.md section 14.5.
func TestUnpackEvents(t *testing.T) {
	list, err := UnpackEvents(unhex(t, "00000001 546402c3 00087b3f 00000001 00000001 07800086 0600000c 6665746368202335"), pcp.Event)
	if err != nil || len(list) != 1 {
		t.Fatalf("UnpackEvents = %v, %v; want one record", list, err)
	}
	r := list[0]
	check(t, "time", r.Time, 1415840451_555839000)
	check(t, "flags", r.Flags, EventPoint)
	check(t, "pmid", r.Params[0].PMID.String(), "30.0.134")
	check(t, "type", r.Params[0].Type, pcp.String)
	check(t, "text", r.Params[0].Text(), "fetch #5")

	list, err = UnpackEvents(unhex(t, "00000001 00000000546402ba 000000002121eeb9 00000001 00000000"), pcp.HighresEvent)
	if err != nil || len(list) != 1 {
		t.Fatalf("UnpackEvents = %v, %v; want one record", list, err)
	}
	check(t, "time", list[0].Time, 1415840442_555871929)

	list, err = UnpackEvents(unhex(t, "00000001 624943c9 0002a3d4 80000000 00000007"), pcp.Event)
	if err != nil || len(list) != 1 {
		t.Fatalf("UnpackEvents = %v, %v; want one record", list, err)
	}
	check(t, "missed", list[0].Missed, 7)

	// Two records are announced, the second is truncated.
	list, err = UnpackEvents(unhex(t, "00000002 624943c9 0002a3d4 80000000 00000007 624943c9 0002a3d4 00000001 00000001"), pcp.Event)
	check(t, "records before the damage", len(list), 1)
	if !errors.Is(err, &pcp.Fault{Kind: pcp.Corrupt}) {
		t.Errorf("error %v", err)
	}
}

// TestUnpackAllEvents unpacks every event value in the corpus.
func TestUnpackAllEvents(t *testing.T) {
	dirs := []string{testdata + "live"}
	if dir := reference.Path("corpus", "archives"); dir != "" {
		dirs = append(dirs, dir)
	}
	arrays, params := 0, 0
	for _, dir := range dirs {
		for name, g := range groups(t, dir) {
			a, err := Open(t.Context(), g)
			if err != nil {
				t.Fatal(err)
			}
			loaded := false
			for _, m := range a.Metrics() {
				if m.Type != pcp.Event && m.Type != pcp.HighresEvent {
					continue
				}
				if !loaded {
					a, loaded = load(t, g), true
				}
				obs, _ := a.Observations(m.PMID)
				for i := range obs.Blobs.Len() {
					list, err := UnpackEvents(obs.Blobs.At(uint64(i)), m.Type)
					if err != nil {
						t.Errorf("%s %s value %d: %v", name, m.Name(), i, err)
					}
					arrays++
					for _, r := range list {
						params += len(r.Params)
						for _, p := range r.Params {
							if p.Type.Numeric() && p.Blob != nil {
								t.Errorf("%s %s: parameter %s is no number: %x", name, m.Name(), p.PMID, p.Blob)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d event arrays, %d parameters", arrays, params)
	if arrays == 0 {
		t.Error("testdata hold no events")
	}
}
