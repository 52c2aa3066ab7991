package core

import (
	"fmt"
	"slices"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// disksOf writes records of disk.dev.avactive and filesys.used, every ten seconds from one second
// to another, of instances by number. busy is in ms a record.
func disksOf(t *testing.T, w written, name string, spans []disksIn) {
	t.Helper()
	aw := w.begin(t, name, second(spans[0].from))
	busy := pcp.Desc{PMID: pcp.MakePMID(60, 0, 46), InDom: pcp.MakeInDom(60, 1), Type: pcp.Uint64, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}}
	reads := pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), InDom: busy.InDom, Type: pcp.Uint64, Sem: pcp.Counter, Units: pcp.Units{Count: 1}}
	used := pcp.Desc{PMID: pcp.MakePMID(60, 5, 2), InDom: pcp.MakeInDom(60, 5), Type: pcp.Uint64, Sem: pcp.Instant, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	aw.Desc(busy, "disk.dev.avactive")
	aw.Desc(reads, "disk.dev.read")
	aw.Desc(used, "filesys.used")
	sum := map[pcp.Instance]uint64{}
	for _, s := range spans {
		var names, places []pcp.Instance
		for _, d := range s.disks {
			names, places = append(names, pcp.Instance{ID: d.id, Name: d.name}), append(places, pcp.Instance{ID: d.id, Name: "/dev/" + d.name})
		}
		aw.InDom(second(s.from), busy.InDom, names)
		aw.InDom(second(s.from), used.InDom, places)
		for at := s.from; at <= s.to; at += 10 {
			sets := []archive.ValueSet{{PMID: busy.PMID, Type: busy.Type}, {PMID: reads.PMID, Type: reads.Type}, {PMID: used.PMID, Type: used.Type}}
			for _, d := range s.disks {
				in := pcp.Instance{ID: d.id, Name: d.name}
				sum[in] += d.busy
				sets[0].Values = append(sets[0].Values, archive.Value{Inst: d.id, Val: sum[in]})
				sets[1].Values = append(sets[1].Values, archive.Value{Inst: d.id, Val: sum[in]})
				sets[2].Values = append(sets[2].Values, archive.Value{Inst: d.id, Val: d.gib << 20})
			}
			aw.Record(second(at), sets)
		}
	}
	if err := aw.Close(); err != nil {
		t.Fatal(err)
	}
}

type disksIn struct {
	from, to int
	disks    []diskIn
}

type diskIn struct {
	id        int32
	name      string
	busy, gib uint64
}

// said lists the history of a host and its findings, but those about the logger.
func (w written) said(t *testing.T) (list []string) {
	t.Helper()
	v := w.overview(t)
	for _, e := range v.History {
		list = append(list, fmt.Sprintf("%d %s", (e.At-second(0))/1e9, e.Text))
	}
	for _, f := range v.Findings {
		if f.Resource != "Collector" {
			list = append(list, fmt.Sprintf("%d-%d %s", (f.Start-second(0))/1e9, (f.End-second(0))/1e9, f.Text))
		}
	}
	return list
}

// sda is 90 % busy for an hour, and has 40 GiB used. Halfway the agent is started anew, and
// numbers the disks the other way round. Nothing else happened. By number, as in PCP's tools,
// sda and sdb change places, and /dev/sda grows from 80 to 40 GiB.
func TestDevicesAreNumberedAnew(t *testing.T) {
	w := written{}
	disksOf(t, w, "a", []disksIn{{0, 1790, []diskIn{{0, "sda", 9000, 40}, {1, "sdb", 100, 80}}}})
	disksOf(t, w, "b", []disksIn{{1800, 3600, []diskIn{{0, "sdb", 100, 80}, {1, "sda", 9000, 40}}}})
	want := []string{"0-3600 sda 90 % busy for 59 min 50 s"}
	if got := w.said(t); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// At 1800 s, number 1 is sdc instead of sdb, whose 90 % are its own; sdb comes back as number 5.
func TestDevicesChangeNames(t *testing.T) {
	w := written{}
	disksOf(t, w, "a", []disksIn{
		{0, 1790, []diskIn{{0, "sda", 100, 40}, {1, "sdb", 9000, 20}}},
		{1800, 2390, []diskIn{{0, "sda", 100, 40}, {1, "sdc", 100, 80}}},
		{2400, 3600, []diskIn{{0, "sda", 100, 40}, {1, "sdc", 100, 80}, {5, "sdb", 9000, 20}}},
	})
	want := []string{
		"1800 The disk sdb was gone", "1800 The disk sdc appeared", "2400 The disk sdb appeared",
		"0-3600 sdb 90 % busy for 29 min 50 s; longest of twice, 49 min 50 s in all",
	}
	if got := w.said(t); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Two instances may have one name; they stay two.
func TestNamesakes(t *testing.T) {
	w := written{}
	disksOf(t, w, "a", []disksIn{
		{0, 1790, []diskIn{{0, "sda", 100, 40}, {1, "sdb", 9000, 20}}},
		{1800, 3600, []diskIn{{0, "sda", 100, 40}, {1, "sdb", 9000, 20}, {2, "sdb", 100, 30}}},
	})
	want := []string{"1800 The disk sdb appeared", "0-3600 sdb 90 % busy for 1 h"}
	if got := w.said(t); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
