package app

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/session"
)

// saver returns an application whose page collects the files it is given.
func saver(t *testing.T) (b *bench, tab *Tab, kept map[string]string) {
	b, tab = opened(t)
	kept = map[string]string{}
	b.Page.Keep = func(files []rpc.SavedFile) error {
		for _, f := range files {
			kept[f.Name] = string(f.Data.([]byte))
		}
		return nil
	}
	b.Page.Save = func(name, _, text string) { kept[name] = text }
	return b, tab, kept
}

// The dialog's query has what was chosen in it, and it shows the result.
func TestSavingQuery(t *testing.T) {
	b, tab, kept := saver(t)
	tab.Zoom(start+100*second, start+200*second)
	b.run()
	s := &b.Saving
	s.Show()
	if !s.Open || s.Whole || s.Repair || s.Container != "tar" {
		t.Errorf("dialog = %+v, want open, the window only, not repaired, as tar", s)
	}
	s.Metrics, s.Instances, s.Version, s.Zstd, s.Every, s.Volume = "kernel.all.load, disk", "sda\nsdb", 2, true, " 20sec ", "20 MiB"
	q := s.query()
	if *q.Start.Nanos != int64(start+100*second) || *q.End.Nanos != int64(start+200*second) || !slices.Equal(q.Metrics, []string{"kernel.all.load", "disk"}) ||
		!slices.Equal(q.Instances, []string{"sda", "sdb"}) || q.Version != 2 || q.Compress != "zstd" || q.Every.Text != "20sec" || q.VolumeSize != 20<<20 || q.Redact != nil {
		t.Errorf("query = %+v, want what was chosen in the dialog", q)
	}
	s.Zstd = false
	s.Save(false)
	b.run()
	if s.Fault != "" || s.Busy || s.Report == nil || s.Report.Metrics != 4 || len(s.Files) != 1 || len(kept[s.Files[0]]) == 0 {
		t.Errorf("files %v, fault %q, report %+v; want one file with 4 metrics", s.Files, s.Fault, s.Report)
	}
	s.Whole, s.Metrics, s.Instances, s.Every = true, "", "", ""
	if q = s.query(); q.Start != nil || q.End != nil || q.Metrics != nil || q.Every != nil {
		t.Errorf("query for everything = %+v, want no window, metrics or interval", q)
	}
	for text, want := range map[string]float64{"": 0, "1G": 1 << 30, "512 kib": 512 << 10, "1.5": 1.5 * (1 << 20)} {
		if got, ok := volumeSize(text); !ok || got != want {
			t.Errorf("volumeSize(%q) = %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"big", "0", "-3 MiB", "10 B", "NaN"} {
		s.Volume, s.Fault = text, ""
		s.Save(false)
		if len(b.jobs) > 0 || !strings.Contains(s.Fault, "such as 20 MiB") {
			t.Errorf("volume size %q: fault %q, want one with an example, and nothing saved", text, s.Fault)
		}
	}
	s.Volume, s.Metrics = "", "no.such"
	s.Save(false)
	b.run()
	if !strings.Contains(s.Fault, "no.such") || s.Report != nil || s.Busy {
		t.Errorf("unknown metric: fault %q, want one that names it", s.Fault)
	}
}

// The table of replaced names follows the choices in the dialog, and archive, report
// and session file are saved with the same pseudonyms.
func TestSameReplacementsInAllFiles(t *testing.T) {
	b, tab, kept := saver(t)
	tab.Notes = []session.Note{{At: start, Text: "of " + hostName}}
	s := &b.Saving
	s.Show()
	s.SetRedact(true)
	if s.Table != nil || s.query().Redact == nil {
		t.Error("the table of replaced names is shown before it was requested")
	}
	b.run()
	of := func(kind string) (pseudonym string, on bool) {
		for _, r := range s.Table.List {
			if i := slices.Index(r.Examples, hostName); r.Kind == kind {
				if i >= 0 {
					pseudonym = r.Examples[i+1]
				}
				return pseudonym, r.On
			}
		}
		return "", false
	}
	host, on := of("hosts")
	if !on || !strings.HasPrefix(host, "host-") {
		t.Fatalf("table = %+v, want a pseudonym for the host", s.Table)
	}
	s.Save(false)
	b.run()
	s.SaveReport(false)
	b.run()
	s.SaveReport(true)
	b.run()
	s.SaveSession()
	b.run()
	if s.Fault != "" || len(kept) != 4 {
		t.Fatalf("%d files, fault %q; want 4 files", len(kept), s.Fault)
	}
	for name, text := range kept {
		if strings.Contains(name+text, hostName) || !strings.Contains(text, host) {
			t.Errorf("%s has the host's name, or lacks its pseudonym", name)
		}
		if strings.HasSuffix(name, ".json") {
			again, err := session.Parse([]byte(text), nil)
			if err != nil || len(again.Sources) != 1 || again.Sources[0].Host != host || again.Sources[0].Fingerprint != "" || again.Sources[0].Notes[0].Text != "of "+host {
				t.Errorf("session = %s, %v; want one with the pseudonym and no fingerprint", text, err)
			}
		}
	}
	s.SetKept("hosts", true)
	b.run()
	if _, on := of("hosts"); on {
		t.Error("host names are replaced, want them kept")
	}
	// A reply that arrives after a newer request is ignored.
	s.Words = "/(/"
	s.Preview()
	s.SetRedact(false)
	b.run()
	if s.Table != nil || s.Fault != "" {
		t.Errorf("the reply to an earlier request was used; fault %q", s.Fault)
	}
	s.SetRedact(true)
	b.run()
	if s.Fault == "" || s.Table != nil && s.Stays == nil {
		t.Errorf("invalid pattern: fault %q, want one, and the table unchanged", s.Fault)
	}
}

// A folder that vanishes, or a full disk, gives an error message; cancelling gives
// none.
func TestSavingThatFails(t *testing.T) {
	b, _, kept := saver(t)
	s := &b.Saving
	s.Show()
	b.Page.Folder = func(then func(keep func(files []rpc.SavedFile) error)) {
		then(func([]rpc.SavedFile) error { return pcp.Faultf(pcp.BadArgument, "The disk is full.") })
	}
	s.Save(true)
	b.run()
	if s.Container != "files" || s.Fault != "The disk is full." || s.Report != nil || s.Busy || len(kept) > 0 {
		t.Errorf("fault %q, report %+v; want that the disk is full, and nothing saved", s.Fault, s.Report)
	}
	b.Page.Keep = func([]rpc.SavedFile) error { return errors.New("no") }
	s.Save(false)
	if !s.Busy {
		t.Error("Busy = false while saving")
	}
	s.Close() // stops it
	b.run()
	if s.Busy || s.Fault != "" || s.Open {
		t.Errorf("fault after cancelling = %q, want none", s.Fault)
	}
}
