package core

import (
	"path"
	"path/filepath"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// The files of an archive say what came out of them and from when to when
// their records are. Sizes are those that xz -l prints; stamps those of the
// first and last record that pmdumplog 6.0.3 prints of a copy of the archive
// with that volume alone; entries those that pmdumplog -t prints.
func TestFiles(t *testing.T) {
	root := reference.Need(t)
	s, o := openAll(t, archiveFiles(filepath.Join(root, "corpus/big"), "20180416.10.00")...)
	id := o.Sources[0].ID
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	files, err := s.Files(id)
	if err != nil {
		t.Fatal(err)
	}
	const hour, minute, second = 3600e9, 60e9, 1e9
	const midnight = 1523851200e9 // of 16 April 2018 at UTC-4
	want := []api.SourceFile{
		{Name: "20180416.10.00.meta.xz", Unpacked: 5410056},
		{Name: "20180416.10.00.index", Records: 1689},
		{Name: "20180416.10.00.0.xz", Unpacked: 104858112, First: midnight + 10*hour + 1*minute + 25*second + 325401e3, Last: midnight + 11*hour + 30*minute + 15*second + 393938e3},
		{Name: "20180416.10.00.1.xz", Unpacked: 104906764, First: midnight + 11*hour + 30*minute + 25*second + 382415e3, Last: midnight + 12*hour + 58*minute + 25*second + 402015e3},
		{Name: "20180416.10.00.2.xz", Unpacked: 104898184, First: midnight + 12*hour + 58*minute + 35*second + 375638e3, Last: midnight + 14*hour + 26*minute + 25*second + 396920e3},
		{Name: "20180416.10.00.3.xz", Unpacked: 7639928, First: midnight + 14*hour + 26*minute + 25*second + 489888e3, Last: midnight + 14*hour + 32*minute + 47*second + 409469e3},
	}
	if len(files) != len(want) {
		t.Fatalf("%d files, want %d", len(files), len(want))
	}
	for i, w := range want {
		f := files[i]
		if path.Base(f.Name) != w.Name || f.Unpacked != w.Unpacked || f.First != w.First || f.Last != w.Last || w.Records > 0 && f.Records != w.Records {
			t.Errorf("%+v, want %+v", f, w)
		}
		if f.Read != f.Bytes {
			t.Errorf("%s: %d of %d bytes read", f.Name, f.Read, f.Bytes)
		}
	}
}
