package fleet

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/pcp"
	"pcpscope/internal/catalog"
	"pcpscope/internal/fleetgen"
)

var first = time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)

// index brings a dataset up to date.
func index(t *testing.T, dir string) Report {
	t.Helper()
	src, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Index(t.Context(), src, Options{Dir: filepath.Join(dir, Folder)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func archives(t *testing.T, hosts, days int) string {
	t.Helper()
	dir := t.TempDir()
	if err := fleetgen.Write(dir, hosts, days, first); err != nil {
		t.Fatal(err)
	}
	return dir
}

// written are the files of a dataset, without the index's private ones.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := os.DirFS(filepath.Join(dir, Folder))
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(name, "kept/") {
			text, err := fs.ReadFile(root, name)
			files[name] = string(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: %s is missing", what, name)
		} else if got[name] != want[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: there is %s", what, name)
		}
	}
}

// An incremental run writes the same bytes as a complete one; another run
// changes nothing; an interrupted one is completed.
func TestIndexIsTheSameHoweverItIsMade(t *testing.T) {
	dir := archives(t, 4, 3)
	index(t, dir)
	whole := written(t, dir)
	if r := index(t, dir); r.Read != 0 || r.Same != 12 || r.Hosts != 4 || r.Days != 3 {
		t.Errorf("once more: %+v", r)
	}
	same(t, "once more", written(t, dir), whole)

	// A host or a day added later: the others are not read again.
	late := filepath.Join(t.TempDir(), "late")
	host := filepath.Join(dir, fleetgen.Name(1))
	if err := os.Rename(host, late); err != nil {
		t.Fatal(err)
	}
	if r := index(t, dir); r.Hosts != 3 || r.Read != 0 {
		t.Errorf("without a host: %+v", r)
	}
	if len(written(t, dir)) != len(whole) {
		t.Error("files of before are left")
	}
	if err := os.Rename(late, host); err != nil {
		t.Fatal(err)
	}
	if r := index(t, dir); r.Read != 3 || r.Same != 9 {
		t.Errorf("a host that comes late: %+v", r)
	}
	same(t, "a host that comes late", written(t, dir), whole)

	// Leftovers of a crashed run, and files that have changed.
	var m Manifest
	if err := json.Unmarshal([]byte(whole[ManifestName]), &m); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, Folder, filepath.FromSlash(name)) }
	for name, text := range map[string]string{
		at("page/day=2026-11-02/.new-17"):                       "half",
		at("hourly/day=2026-11-02/0000000000000000.parquet"):    "of another time",
		at(m.Days[1].Kept.Name):                                 "no longer what it was",
		at(m.Days[1].Page.Name):                                 whole[m.Days[1].Page.Name][:100],
		filepath.Join(dir, Folder, "notes.txt"):                 "not ours",
		filepath.Join(dir, fleetgen.Name(0), "20261102.README"): "neither",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(at(m.Days[2].Hourly.Name)); err != nil {
		t.Fatal(err)
	}
	index(t, dir)
	got := written(t, dir)
	if got["notes.txt"] != "not ours" {
		t.Error("a file of somebody else's is gone")
	}
	delete(got, "notes.txt")
	same(t, "after damage", got, whole)

	// An unreadable manifest is written again.
	if err := os.WriteFile(at(ManifestName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := index(t, dir); r.Read != 12 || len(r.Problems) != 1 {
		t.Errorf("without a manifest: %+v", r)
	}
	got = written(t, dir)
	delete(got, "notes.txt")
	same(t, "without a manifest", got, whole)
}

// Only one run writes; an abandoned lock is ignored.
func TestIndexAlone(t *testing.T) {
	dir := archives(t, 1, 1)
	src, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: filepath.Join(dir, Folder)}
	held := &store{dir: o.Dir}
	if err := held.lock(); err != nil {
		t.Fatal(err)
	}
	if _, err := Index(t.Context(), src, o); !errors.Is(err, ErrBusy) {
		t.Errorf("beside another: %v", err)
	}
	long := time.Now().Add(-2 * lockDead)
	if err := os.Chtimes(filepath.Join(o.Dir, lockName), long, long); err != nil {
		t.Fatal(err)
	}
	if _, err := Index(t.Context(), src, o); err != nil {
		t.Errorf("beside one that died: %v", err)
	}
	close(held.stop)
}

// Unreadable archives stop nothing: they are named in the report and in what
// the page reads.
func TestIndexOfDamage(t *testing.T) {
	dir := archives(t, 3, 1)
	for _, name := range []string{"20261102.meta", "20261102.0"} {
		file := filepath.Join(dir, fleetgen.Name(1), name)
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, text[:len(text)/3], 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, fleetgen.Name(2), "20261102.0"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r := index(t, dir)
	if len(r.Problems) != 2 || !strings.HasPrefix(r.Problems[0], fleetgen.Name(2)+", 2026-11-02: ") || !strings.HasPrefix(r.Problems[1], fleetgen.Name(1)+", 2026-11-02: ") || r.Days != 1 {
		t.Errorf("report = %+v, want two problems of 2026-11-02 and one day", r)
	}
	m, sections := open(t, dir, 0)
	var hosts struct{ Hosts []pageHost }
	if err := json.Unmarshal(sections["hosts"], &hosts); err != nil || len(hosts.Hosts) != 3 || hosts.Hosts[1].Problem == "" || hosts.Hosts[0].Problem == "" || hosts.Hosts[2].Problem != "" {
		t.Errorf("hosts = %+v, %v; want three, the first two with a problem", hosts, err)
	}
	if m.Hosts[2].Host != fleetgen.Name(0) || !bytes.Contains(m.Hosts[2].Labels, []byte(`"role":"web"`)) {
		t.Errorf("hosts of the manifest = %+v, want the labels of the third", m.Hosts)
	}
}

// A damaged archive that still has data is noted, but is not a failure.
func TestIndexOfSomeDamage(t *testing.T) {
	dir := archives(t, 1, 1)
	file := filepath.Join(dir, fleetgen.Name(0), "20261102.0")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, text[:len(text)/2], 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r := index(t, dir); len(r.Problems) != 0 || len(r.Notes) != 1 || r.Days != 1 {
		t.Errorf("report = %+v, want no problem, one note, one day", r)
	}
}

// open reads a file of the page as docs/spec/fleet.md describes it.
func open(t *testing.T, dir string, day int) (*Manifest, map[string][]byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, Folder, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := ReadManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, Folder, filepath.FromSlash(m.Days[day].Page.Name)))
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string][]byte{}
	for i, n := range m.Days[day].Lengths {
		if n > 0 {
			z, err := gzip.NewReader(bytes.NewReader(data[:n]))
			if err != nil {
				t.Fatal(err)
			}
			if sections[m.Sections[i]], err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		data = data[n:]
	}
	if len(data) > 0 {
		t.Errorf("%d bytes are left", len(data))
	}
	return m, sections
}

// The page reads what the generator wrote, computed from its numbers: host 3 has
// busy CPUs from 14:00 to 16:00 of the second-to-last day.
// failing panics on the files of one host.
type failing struct {
	Source
	host string
}

func (f failing) Paths(ctx context.Context, host string, files []catalog.File) ([]string, func(), error) {
	if host == f.host {
		panic("not as it should be")
	}
	return f.Source.Paths(ctx, host, files)
}

// A bug triggered by the files of one host affects only that host.
func TestIndexGoesOnAfterAPanic(t *testing.T) {
	dir := archives(t, 2, 1)
	src, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Index(t.Context(), failing{src, fleetgen.Name(1)}, Options{Dir: filepath.Join(dir, Folder)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Hosts != 2 || r.Days != 1 || len(r.Problems) != 1 || !strings.HasPrefix(r.Problems[0], fleetgen.Name(1)+", 2026-11-02: The engine failed in indexing ") {
		t.Errorf("report = %+v, want two hosts, one day, and the failed engine as the only problem", r)
	}
}

func TestPageOfADay(t *testing.T) {
	dir := archives(t, 6, 2)
	index(t, dir)
	var sections map[string][]byte
	var hosts struct{ Hosts []pageHost }
	place := func(host int) int {
		return slices.IndexFunc(hosts.Hosts, func(h pageHost) bool { return h.Host == fleetgen.Name(host) })
	}
	read := func(day int) {
		_, sections = open(t, dir, day)
		if err := json.Unmarshal(sections["hosts"], &hosts); err != nil {
			t.Fatal(err)
		}
	}
	at := func(section string, host, hour int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(sections[section][4*(24*place(host)+hour):])))
	}
	read(0)
	if busy := at("mean/cpu.busy", fleetgen.Saturated, 14); math.Abs(busy-98.5) > 0.1 {
		t.Errorf("the saturated host is busy by %g %%", busy)
	}
	if quiet := at("mean/cpu.busy", fleetgen.Saturated, 3); quiet > 30 || quiet < 1 {
		t.Errorf("at night by %g %%", quiet)
	}
	if full := at("max/filesystem.full", 0, 12); full != 30 { // 30 + 25*0/13
		t.Errorf("the filesystem is full by %g %%", full)
	}
	read(1)
	if got := hosts.Hosts[place(2)]; got.Recorded[8] != 3600 || got.Archives[0] != fleetgen.Name(2)+"/20261103" {
		t.Errorf("host = %+v, want a whole hour recorded at 08:00, and its archive", got)
	}
	if got := hosts.Hosts[place(fleetgen.Silent)]; got.Recorded[8] != 0 || got.Recorded[14] != 3600 {
		t.Errorf("where nothing was recorded: %+v", got)
	}
	if v := at("mean/cpu.busy", fleetgen.Silent, 8); !math.IsNaN(v) {
		t.Errorf("where nothing was recorded: %g", v)
	}
}

// A day shared by two archives belongs to both, as if they were one source.
func TestDayOfTwoArchives(t *testing.T) {
	dir := archives(t, 1, 2)
	index(t, dir)
	_, sections := open(t, dir, 1)
	s := core.NewSession(core.Options{})
	o, files, err := s.OpenPath(t.Context(), nil, filepath.Join(dir, fleetgen.Name(0)))
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	d, err := s.Digest(t.Context(), o.Sources[0].ID, pcp.Time(first.AddDate(0, 0, 1).UnixNano()), 24, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range d.Series {
		for hour, v := range x.Mean {
			got := math.Float32frombits(binary.LittleEndian.Uint32(sections["mean/"+x.Metric][4*hour:]))
			if got != float32(v) && !(math.IsNaN(v) && got != got) {
				t.Errorf("%s at %d:00: %g, want %g", x.Metric, hour, got, v)
			}
		}
	}
}
