package save

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// Saving a window that includes damage says so, and writes a mark there; one
// beside it does not.
func TestWindowsThatCrossDamage(t *testing.T) {
	out := files{}
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: 1_700_000_000 * second, Host: "db01", Timezone: "UTC"}, out.create)
	if err != nil {
		t.Fatal(err)
	}
	w.Desc(once, "a.once")
	start := 1_700_000_000 * second
	for k := range 60 {
		w.Record(start+pcp.Time(k)*10*second, []archive.ValueSet{{PMID: once.PMID, Type: once.Type, Values: []archive.Value{{Inst: -1, Val: uint64(k)}}}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := out["0"].Bytes()
	record := (len(data) - 808) / 60
	for i := 25; i < 28; i++ { // three records in the middle
		copy(data[808+i*record:], bytes.Repeat([]byte{0xee}, record))
	}
	a := out.open(t, "hurt")
	at := func(k int) pcp.Time { return start + pcp.Time(k)*10*second }
	for _, c := range []struct {
		from, to int
		crosses  bool
	}{{10, 50, true}, {0, 59, true}, {5, 20, false}, {35, 50, false}} {
		saved, r := write(t, Request{Parts: []*archive.Archive{a}, Start: at(c.from), End: at(c.to), Strict: true})
		b := saved.open(t, "cut")
		said := strings.Contains(strings.Join(r.Notes, "\n"), "hurt: data are missing from 2023-11-14 22:17:20 to 2023-11-14 22:18:00 UTC; a mark was written there.")
		if said != c.crosses || (len(b.Marks()) == 1) != c.crosses {
			t.Errorf("records %d to %d: marks at %v, it says %q", c.from, c.to, b.Marks(), r.Notes)
		}
	}
}

// fullDisk has space for a limited number of bytes.
type fullDisk struct {
	files
	room *int
}

var errFull = errors.New("no space left on device")

type fullFile struct {
	io.WriteCloser
	room *int
}

func (f fullFile) Write(b []byte) (int, error) {
	if *f.room -= len(b); *f.room < 0 {
		return 0, errFull
	}
	return f.WriteCloser.Write(b)
}

func (d fullDisk) Create(name string) (io.WriteCloser, error) {
	if *d.room < 0 {
		return nil, errFull
	}
	w, _ := d.files.create(name)
	return fullFile{w, d.room}, nil
}

func (d fullDisk) Open(name string) (io.ReaderAt, int64, error) {
	b := d.files[name].Bytes()
	return bytes.NewReader(b), int64(len(b)), nil
}

func (d fullDisk) Join(name string, _ []Piece) error {
	d.files[name] = &bytes.Buffer{}
	return nil
}

// A disk that becomes full at any point gives an error, and no file is
// returned.
func TestFullDisk(t *testing.T) {
	a := twoGroups(t)
	saved := 0
	for room := 0; ; room += 97 {
		left := room
		d := fullDisk{files{}, &left}
		list, _, err := Pack(context.Background(), Request{Parts: []*archive.Archive{a}, VolumeSize: 2000}, To{Storage: d, Name: "a", Container: "tar", Zstd: []Compressor{Zstd, nil}[room%2]}, nil, nil)
		if err == nil {
			if saved++; saved == 2 { // with zstd, and without
				break
			}
			continue
		}
		if len(list) > 0 || d.files["a.tar"] != nil || !strings.Contains(err.Error(), "no space left on device") {
			t.Fatalf("%d bytes: %v, %v", room, list, err)
		}
		if room > 1<<20 {
			t.Fatal("saving fails whatever the room for it")
		}
	}
}
