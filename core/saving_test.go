package core

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/save"
)

// storage keeps what is saved in memory.
type storage map[string]*grown

func (s storage) Create(name string) (io.WriteCloser, error) {
	s[name] = &grown{}
	return s[name], nil
}

func (s storage) Open(name string) (io.ReaderAt, int64, error) {
	return s[name], int64(len(s[name].data)), nil
}

func (s storage) Join(name string, pieces []save.Piece) error {
	out := &grown{}
	for _, p := range pieces {
		if p.File != "" {
			out.Write(s[p.File].data)
			delete(s, p.File)
		}
		out.Write(p.Bytes)
	}
	s[name] = out
	return nil
}

// files are the files in the storage, as a user would pass them.
func (s storage) files(list []save.Packed) []File {
	var files []File
	for _, f := range list {
		files = append(files, File{Name: f.Name, Size: f.Size, At: bytes.NewReader(s[f.Name].data)})
	}
	return files
}

// What was saved can be opened, however it was packed, and has the same
// values.
func TestSavedOpensAgain(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	src, err := s.Loaded(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	fetch := api.Query{Source: src.ID, Metrics: []string{"kernel.all.load", "disk.dev.read", "kernel.all.cpu.user"}, Count: 20, Interval: moment(10e9), Start: moment(src.Start), Convert: "rate"}
	want, err := s.Fetch(t.Context(), fetch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []api.SaveQuery{{}, {Container: "zip"}, {Container: "files"}, {Compress: "zstd"}, {Compress: "zstd", Container: "zip", Version: 2}} {
		q.Source, q.Name = src.ID, "a b/c"
		kept := storage{}
		files, report, err := s.Save(t.Context(), q, kept, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) != len(files) || report.Records == 0 || !strings.HasPrefix(files[0].Name, "c.") {
			t.Errorf("%+v: %d files on the storage, %v; %+v", q, len(kept), files, report)
		}
		if q.Container == "files" && !strings.HasSuffix(files[len(files)-1].Name, ".meta") {
			t.Errorf("the metadata are not the last of %v", files)
		}
		again := NewSession(Options{})
		opened, err := again.Open(t.Context(), kept.files(files), nil)
		if err != nil || len(opened.Sources) != 1 || len(opened.Rejected) > 0 || len(opened.Sources[0].Problems) > 0 {
			t.Fatalf("%+v opens as %+v, %v", q, opened, err)
		}
		fetch.Source = opened.Sources[0].ID
		got, err := again.Fetch(t.Context(), fetch, nil)
		if err != nil {
			t.Fatal(err)
		}
		if q.Version == 0 {
			sameFrames(t, got, want)
		}
	}
}

func sameFrames(t *testing.T, got, want *api.Frame) {
	t.Helper()
	if len(got.Columns) != len(want.Columns) {
		t.Fatalf("%d columns, want %d", len(got.Columns), len(want.Columns))
	}
	for i, c := range want.Columns {
		if !slices.EqualFunc(got.Columns[i].Values, c.Values, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%s: %v, want %v", c.Metric, got.Columns[i].Values, c.Values)
		}
	}
}

// In a cut, rates are correct from the beginning of the window.
func TestCutHasRatesFromItsStart(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	src, err := s.Loaded(t.Context(), o.Sources[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	from, to := src.Start+60e9, src.Start+120e9
	kept := storage{}
	files, _, err := s.Save(t.Context(), api.SaveQuery{Source: src.ID, Start: moment(from), End: moment(to)}, kept, nil)
	if err != nil {
		t.Fatal(err)
	}
	cut := NewSession(Options{})
	opened, err := cut.Open(t.Context(), kept.files(files), nil)
	if err != nil {
		t.Fatal(err)
	}
	fetch := api.Query{Source: src.ID, Metrics: []string{"kernel.all.cpu.user", "disk.dev.read", "hinv.ncpu", "kernel.uname.release"}, Start: moment(from), Interval: moment(5e9), Count: 11, Convert: "rate"}
	want, err := s.Fetch(t.Context(), fetch, nil)
	if err != nil {
		t.Fatal(err)
	}
	fetch.Source = opened.Sources[0].ID
	got, err := cut.Fetch(t.Context(), fetch, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Columns { // the first rate needs a value before it
		if len(want.Columns[i].Values) > 0 {
			want.Columns[i].Values, got.Columns[i].Values = want.Columns[i].Values[1:], got.Columns[i].Values[1:]
		}
	}
	sameFrames(t, got, want)
	if math.IsNaN(got.Columns[0].Values[0]) {
		t.Error("there is no rate at the start")
	}
}

// The names that identify a source are in no part of what is saved, including
// the report's sentences and the file's name.
func TestSavedWithoutNames(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	host := o.Sources[0].Host
	q := api.SaveQuery{Source: id, Compress: "zstd", Redact: &api.Redact{Words: []string{"Intel", "/6\\.18\\.[0-9]+/"}}}
	table, err := s.Redaction(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]api.Replacement{}
	for _, r := range table.List {
		kinds[r.Kind] = r
	}
	if len(table.Key) != 64 || kinds["hosts"].Texts == 0 || kinds["paths"].Texts == 0 || kinds["words"].Texts == 0 || !slices.Contains(kinds["hosts"].Examples, host) {
		t.Errorf("table = %+v, want a key, and texts of hosts, paths and words", table)
	}
	q.Redact.Key = table.Key
	kept := storage{}
	files, report, err := s.Save(t.Context(), q, kept, nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(files[0].Name, host) || report.Replaced == nil || report.Replaced.Key != table.Key {
		t.Errorf("saved as %s, replaced %+v; want no host name, and the table's key", files[0].Name, report.Replaced)
	}
	again := NewSession(Options{})
	opened, err := again.Open(t.Context(), kept.files(files), nil)
	if err != nil || len(opened.Sources) != 1 {
		t.Fatalf("Open = %+v, %v; want one source", opened, err)
	}
	all, _ := json.Marshal(opened)
	metrics, err := again.Metrics(opened.Sources[0].ID, "")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := json.Marshal(metrics)
	for _, text := range []string{string(all), string(list)} {
		if strings.Contains(text, host) || strings.Contains(text, "6.18.") {
			t.Error("the result names the host")
		}
	}
	texts, err := s.RedactText(t.Context(), q, []string{"Report on " + host, `{"host":"` + strings.ToUpper(host) + `","n":1}`}, nil)
	if err != nil || strings.Contains(strings.Join(texts, ""), host) || !json.Valid([]byte(texts[1])) {
		t.Errorf("RedactText = %q, %v; want no host name, and valid JSON", texts, err)
	}
	q.Name = "of-" + host
	if _, _, err := s.Save(t.Context(), q, storage{}, nil); err == nil || !strings.Contains(err.Error(), "file name") {
		t.Errorf("a file name with the host's name gives %v", err)
	}
}

// The readings of an MMV file are saved as an archive.
func TestMMVIsSaved(t *testing.T) {
	s, o := openAll(t, "../testdata/mmv/acme")
	if len(o.Sources) != 1 {
		t.Fatalf("Open = %+v, want one source", o)
	}
	for _, q := range []api.SaveQuery{{}, {Redact: &api.Redact{}}} {
		q.Source = o.Sources[0].ID
		kept := storage{}
		files, report, err := s.Save(t.Context(), q, kept, nil)
		if err != nil {
			t.Fatal(err)
		}
		if report.Metrics != o.Sources[0].Metrics || report.Records == 0 {
			t.Errorf("%+v, want %d metrics", report, o.Sources[0].Metrics)
		}
		again := NewSession(Options{})
		opened, err := again.Open(t.Context(), kept.files(files), nil)
		if err != nil || len(opened.Sources) != 1 || opened.Sources[0].Kind != "archive" {
			t.Fatalf("Open = %+v, %v; want one archive", opened, err)
		}
		metrics, _ := again.Metrics(opened.Sources[0].ID, "")
		for _, m := range metrics {
			if q.Redact != nil && strings.Contains(m.Name, "acme") {
				t.Errorf("%s names the program", m.Name)
			}
		}
	}
}

// What cannot be saved gives an error, and a cancelled call leaves nothing
// that looks like an archive.
func TestSavingIsRefused(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	s.Derive(id, "my.own", "kernel.all.load * 2")
	early := moment(1)
	for want, q := range map[string]api.SaveQuery{
		"no values to save":      {Start: early, End: moment(2e9)},
		"ends before it starts":  {Start: moment(2e9), End: early},
		"no.such is not":         {Metrics: []string{"no.such"}},
		"computed from other":    {Metrics: []string{"my.own"}},
		"not in 5":               {Version: 5},
		"not as rar":             {Container: "rar"},
		"not with \"xz\"":        {Compress: "xz"},
		"longer than 0":          {Every: moment(0)},
		"no kind \"everything\"": {Redact: &api.Redact{Without: []string{"everything"}}},
		"is not a valid pattern": {Redact: &api.Redact{Words: []string{"/(/"}}},
		"too short":              {Redact: &api.Redact{Words: []string{"x"}}},
		"hexadecimal":            {Redact: &api.Redact{Key: "key"}},
	} {
		q.Source = id
		if _, _, err := s.Save(t.Context(), q, storage{}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v gives %v, want %q", q, err, want)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	kept := storage{}
	_, _, err := s.Save(ctx, api.SaveQuery{Source: id}, kept, func(p api.Progress) {
		if strings.HasPrefix(p.Phase, "writing") {
			stop()
		}
	})
	if err == nil || pcp.AsFault(err).Kind != pcp.Cancelled {
		t.Errorf("a stopped call gives %v", err)
	}
	for name := range kept {
		if strings.HasSuffix(name, ".tar") {
			t.Errorf("%s exists", name)
		}
	}
}

func moment(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }
