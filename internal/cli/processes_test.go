package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

const db01 = "../../testdata/processes/db01"

// busyFrom is when the disks of db01 get busy, for ten seconds.
var busyFrom = time.Date(2026, 11, 21, 3, 50, 20, 0, time.UTC)

// A process of db01, with its CPU usage per five seconds: while the disks are
// busy, and otherwise.
type process struct {
	pid                int32
	name               string
	user, sys          int // milliseconds
	restUser, restSys  int
	begins, beforeStep int // it is there from one step until before another
}

var processes = []process{
	{877, "000877 sshd", 0, 0, 30, 10, 0, 13},
	{1201, "001201 postgres: checkpointer", 100, 300, 20, 20, 0, 13},
	{1205, "001205 postgres: walwriter", 40, 10, 40, 10, 0, 13},
	{1305, "001305 pg_dump", 3000, 1500, 200, 100, 2, 9},
	{1306, "001306 gzip", 2500, 0, 300, 0, 2, 9},
	{1400, "001400 backup.sh", 20, 10, 0, 0, 3, 8},
	{1500, "001500 postgres: autovacuum", 5, 5, 4000, 300, 0, 13},
}

// writeProcesses writes db01: a minute of a host with four CPUs, a record
// every five seconds, with a known busiest ten seconds of disks, and known
// usage of each process. archive.Writer is checked with PCP's own library.
func writeProcesses(dir string) error {
	start := time.Date(2026, 11, 21, 3, 50, 0, 0, time.UTC)
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 4711, Start: pcp.Time(start.UnixNano()), Host: "db01.example.com", Timezone: "UTC", Zoneinfo: ":Etc/UTC"}, func(suffix string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, "db01."+suffix))
	})
	if err != nil {
		return err
	}
	procs := pcp.MakeInDom(3, 9)
	millis := pcp.Units{Time: 1, TimeScale: 2}
	ncpu := pcp.Desc{PMID: pcp.MakePMID(60, 0, 32), Type: pcp.Uint32, Sem: pcp.Discrete, InDom: pcp.NullInDom}
	idle := pcp.Desc{PMID: pcp.MakePMID(60, 0, 23), Type: pcp.Uint64, Sem: pcp.Counter, Units: millis, InDom: pcp.NullInDom}
	total := pcp.Desc{PMID: pcp.MakePMID(60, 0, 29), Type: pcp.Uint64, Sem: pcp.Counter, Units: pcp.Units{Count: 1}, InDom: pcp.NullInDom}
	utime := pcp.Desc{PMID: pcp.MakePMID(3, 8, 13), Type: pcp.Uint64, Sem: pcp.Counter, Units: millis, InDom: procs}
	stime := pcp.Desc{PMID: pcp.MakePMID(3, 8, 14), Type: pcp.Uint64, Sem: pcp.Counter, Units: millis, InDom: procs}
	for _, d := range []struct {
		desc pcp.Desc
		name string
	}{{ncpu, "hinv.ncpu"}, {idle, "kernel.all.cpu.idle"}, {total, "disk.all.total"}, {utime, "proc.psinfo.utime"}, {stime, "proc.psinfo.stime"}} {
		if err := w.Desc(d.desc, d.name); err != nil {
			return err
		}
	}
	user, sys, requests := map[int32]int{}, map[int32]int{}, 1000
	there := ""
	for step := range 13 {
		at := start.Add(time.Duration(step) * 5 * time.Second)
		busy := !at.Before(busyFrom) && at.Before(busyFrom.Add(10*time.Second))
		if requests += 40; busy {
			requests += 5000
		}
		var list []pcp.Instance
		names := ""
		sets := []archive.ValueSet{{PMID: utime.PMID, Type: utime.Type}, {PMID: stime.PMID, Type: stime.Type}}
		for _, p := range processes {
			if step < p.begins || step >= p.beforeStep {
				continue
			}
			if step > p.begins && busy {
				user[p.pid], sys[p.pid] = user[p.pid]+p.user, sys[p.pid]+p.sys
			} else if step > p.begins {
				user[p.pid], sys[p.pid] = user[p.pid]+p.restUser, sys[p.pid]+p.restSys
			}
			list, names = append(list, pcp.Instance{ID: p.pid, Name: p.name}), names+p.name
			sets[0].Values = append(sets[0].Values, archive.Value{Inst: p.pid, Val: uint64(user[p.pid])})
			sets[1].Values = append(sets[1].Values, archive.Value{Inst: p.pid, Val: uint64(sys[p.pid])})
		}
		if names != there {
			if err := w.InDom(pcp.Time(at.UnixNano()), procs, list); err != nil {
				return err
			}
			there = names
		}
		one := func(d pcp.Desc, v int) archive.ValueSet {
			return archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(v)}}}
		}
		sets = append(sets, one(idle, 12500*step), one(total, requests)) // 2.5 of the 4 CPUs are idle
		if step == 0 {
			sets = append(sets, one(ncpu, 4))
		}
		if err := w.Record(pcp.Time(at.UnixNano()), sets); err != nil {
			return err
		}
	}
	return w.Close()
}

// The archive in testdata is the one described here.
func TestProcessesAreWhatTheyWere(t *testing.T) {
	dir := t.TempDir()
	if os.Getenv("PCPSCOPE_GOLDEN") == "update" {
		dir = filepath.Dir(db01)
	}
	if err := writeProcesses(dir); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{".meta", ".index", ".0"} {
		got, err := os.ReadFile(filepath.Join(dir, "db01"+suffix))
		want, failed := os.ReadFile(db01 + suffix)
		if err != nil || failed != nil || !bytes.Equal(got, want) {
			t.Errorf("db01%s is another: %v, %v", suffix, err, failed)
		}
	}
}
