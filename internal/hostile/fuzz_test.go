package hostile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/container"
	"pcpscope/core/mmv"
	"pcpscope/core/pcp"
)

// seeds are small archives of every kind, and the first records of one
// written by a logger.
func seeds(t testing.TB) (list []parts) {
	for _, kinds := range [][]archiveKind{metricKinds, inDomKinds, labelKinds, valueKinds, blockKinds, volumeKinds} {
		for _, k := range kinds {
			for version := 2; version <= 3; version++ {
				if k.version == 0 || k.version == version {
					e := newEncoder(version)
					k.fill(e, 24)
					list = append(list, e.parts())
				}
			}
		}
	}
	for _, name := range []string{"web01", "web01-v2"} {
		p := parts{}
		names, err := filepath.Glob(testdata + "live/" + name + ".*")
		if err != nil || len(names) != 3 {
			t.Fatalf("%v, %q", err, names)
		}
		for _, file := range names {
			p[suffixOf(file)] = unpacked(t, file)
		}
		for suffix, b := range p {
			limit, cut := 60_000, 0
			for _, r := range split(b) {
				if cut += len(r); cut > limit {
					break
				}
			}
			if suffix != "index" {
				p[suffix] = b[:min(cut, len(b))]
			}
		}
		list = append(list, p, p, p, p) // has more content than others
	}
	return list
}

func suffixOf(name string) string {
	name, _ = container.TrimSuffix(name)
	return filepath.Ext(name)[1:]
}

// unpacked returns the decompressed bytes of a file.
func unpacked(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if c := container.Sniff(data); c != container.None {
		r, err := c.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// A run is the damage done to inputs, and its results.
type run struct {
	t                         *testing.T
	opened, refused, compared int

	open   *core.Session // see archive
	source api.SourceID
	asked  int
}

// archive returns an open archive for queries. It is replaced from time to time,
// so that definitions do not accumulate.
func (r *run) archive() (*core.Session, api.SourceID) {
	if r.asked++; r.asked%50 == 1 {
		r.open = core.NewSession(core.Options{})
		opened, err := r.open.Open(context.Background(), small(0).files(), nil)
		if err != nil {
			r.t.Fatal(err)
		}
		r.source = opened.Sources[0].ID
	}
	return r.open, r.source
}

// TestDamagedInputs damages archives, containers, MMV files and settings of
// PCP's tools: see Rounds. No input may make the engine panic, hang or use
// excessive memory, and every value reported as valid must be what the plain
// reader finds.
func TestDamagedInputs(t *testing.T) {
	r := &run{t: t}
	all := seeds(t)
	tally := Rounds(t, 1, func(m *Mutator, i int) {
		m.seeds = all
		r.one(m)
	})
	t.Logf("%v; %d opened, %d refused; %d values compared with those of a plain reader", tally, r.opened, r.refused, r.compared)
}

// one damages an input and looks what comes of it.
func (r *run) one(m *Mutator) {
	var files []core.File
	fail := func(format string, args ...any) {
		dir, _ := os.MkdirTemp("", "pcpscope-damaged-")
		for _, f := range files {
			data, _ := io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
			os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), data, 0o644)
		}
		r.t.Errorf("kept in %s: %s", dir, fmt.Sprintf(format, args...))
	}
	defer func() {
		if p := recover(); p != nil {
			fail("%v\n%s", p, debug.Stack())
		}
	}()
	switch kind := m.IntN(100); {
	case kind < 75:
		m.Count("archives")
		p := m.archive()
		for suffix, b := range p {
			files = append(files, file("a."+suffix, b))
		}
		if err := r.values(p); err != nil {
			fail("%v", err)
		}
		if m.IntN(100) == 0 {
			r.session(m, m.wrapped(files), fail)
		}
	case kind < 83:
		m.Count("containers")
		for suffix, b := range m.seeds[m.IntN(len(m.seeds))] {
			files = append(files, file("a."+suffix, b))
		}
		slices.SortFunc(files, func(a, b core.File) int { return cmp.Compare(a.Name, b.Name) })
		files = m.container(files)
		r.opens(files, fail)
	case kind < 91:
		m.Count("MMV files")
		f := []core.File{mmvFile(1+m.IntN(5), m.IntN(5)), mmvFile(3, 2)}[m.IntN(2)]
		data, _ := io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
		data = m.mmv(data)
		files = []core.File{file("victim", data)}
		if read, err := mmv.Read("victim", data); err == nil {
			read.Observations(1)
			r.opened++
		} else if r.refused++; pcp.AsFault(err).Kind == pcp.Internal {
			fail("%v", err)
		}
		if m.IntN(100) == 0 {
			r.session(m, files, fail)
		}
	default:
		c := settings[m.IntN(len(settings))]
		m.Count(c.kind)
		text := m.Text(c.text)
		files = append(small(0).files(), file(c.name, []byte(text)))
		s, id := r.archive()
		_, err1 := s.Define(id, text, c.name)
		_, err2 := s.Import(context.Background(), id, c.name, text)
		_, err3 := s.Check(id, text)
		_, err4 := s.Describe(id, text)
		if err := errors.Join(err1, err2, err3, err4); err != nil && pcp.AsFault(err).Kind == pcp.Internal {
			fail("%v", err)
		}
		container.ParseFolio(c.name, []byte(text))
		if m.IntN(50) == 0 {
			r.session(m, files, fail)
		}
	}
}

// settings are the texts of PCP's tools that may be opened beside archives.
var settings = []struct{ kind, name, text string }{
	{"configurations of derived metrics", "my.conf", "my.a = rate(a.b) * 2 + max_inst( a.b ) # what\nmy.b = a.b ? my.a : instant( a.b ) \nmy.c(oneline) = text \n"},
	{"configurations of pmrep", "pmrep.conf", "[global]\nheader = yes\n[mine]\na.b = x,,, ,8\nb = rate( a.b )\nb.label = B \n"},
	{"views", "my.view", "#kmchart\nversion 1\nchart title \"t\" style plot antialiasing off\n plot color #123456 metric a.b instance \"x\" matching \"^a\" \n"},
	{"folios", "folio", "PCPFolio\nVersion: 1\n# by hand\nCreated: on h at Monday\nArchive: h a \n"},
}

// values loads an archive and compares every value with the plain reader's.
func (r *run) values(p parts) error {
	var list []archive.Member
	for suffix, b := range p {
		list = append(list, archive.Member{Name: "a." + suffix, Size: int64(len(b)), At: bytes.NewReader(b)})
	}
	groups, _ := archive.Groups(list)
	for _, g := range groups {
		a, err := archive.Open(context.Background(), g)
		if err != nil {
			r.refused++
			if f := pcp.AsFault(err); f.Kind == pcp.Internal {
				return err
			}
			continue
		}
		r.opened++
		if err := a.Load(context.Background(), nil); err != nil {
			return err
		}
		for _, f := range a.Problems() {
			if f.Kind == pcp.Internal || f.Message == "" {
				return fmt.Errorf("the problem %+v", f)
			}
		}
		n, err := compareWithPlain(a, p)
		r.compared += n
		if err != nil {
			return err
		}
		if _, err := a.Check(context.Background()); err != nil {
			return err
		}
		for _, id := range a.InDoms() {
			a.Instances(id)
			a.InstancesAt(id, a.End())
		}
		for _, m := range a.Metrics() {
			a.Labels(m, a.End())
		}
	}
	return nil
}

// session opens files as the page does, and runs every query.
func (r *run) session(m *Mutator, files []core.File, fail func(string, ...any)) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	s := core.NewSession(core.Options{Memory: 256 << 20})
	opened, err := s.Open(ctx, files, nil)
	if err != nil {
		if pcp.AsFault(err).Kind == pcp.Internal {
			fail("open: %v", err)
		}
		return
	}
	for _, rejected := range opened.Rejected {
		if rejected.Fault.Kind == pcp.Internal {
			fail("%s: %v", rejected.Name, rejected.Fault)
		}
	}
	for _, src := range opened.Sources {
		for _, q := range Questions() {
			if err := q.Ask(ctx, s, src.ID); err != nil && (pcp.AsFault(err).Kind == pcp.Internal || ctx.Err() != nil) {
				fail("%s: %v", q.Name, err)
			}
		}
		for _, now := range s.Sources() {
			for _, f := range now.Problems {
				if f.Kind == pcp.Internal {
					fail("the problem %v", f)
				}
			}
		}
		s.Close(src.ID)
	}
}

// opens opens and reads files, as containers are, and closes what they gave.
func (r *run) opens(files []core.File, fail func(string, ...any)) {
	s := core.NewSession(core.Options{Memory: 256 << 20})
	opened, err := s.Open(context.Background(), files, nil)
	if err != nil {
		if pcp.AsFault(err).Kind == pcp.Internal {
			fail("open: %v", err)
		}
		return
	}
	for _, rejected := range opened.Rejected {
		r.refused++
		if rejected.Fault.Kind == pcp.Internal || rejected.Fault.Message == "" {
			fail("%s: %v", rejected.Name, rejected.Fault)
		}
	}
	for _, src := range opened.Sources {
		r.opened++
		whole, err := s.Loaded(context.Background(), src.ID, nil)
		if err != nil && pcp.AsFault(err).Kind == pcp.Internal {
			fail("read: %v", err)
		}
		for _, f := range whole.Problems {
			if f.Kind == pcp.Internal || f.Message == "" {
				fail("the problem %+v", f)
			}
		}
		s.Close(src.ID)
	}
}

// wrapped puts files into a container, which may be damaged too, or leaves them
// as they are.
func (m *Mutator) wrapped(files []core.File) []core.File {
	if len(files) == 0 || m.IntN(4) == 0 {
		return files
	}
	return m.container(files)
}

// container puts files into one, and damages that: a compression of each, or a
// tar or a zip, which may be compressed as well.
func (m *Mutator) container(files []core.File) []core.File {
	data := make([][]byte, len(files))
	for i, f := range files {
		data[i], _ = io.ReadAll(io.NewSectionReader(f.At, 0, f.Size))
	}
	entry := func(i int) (string, []byte) { return "d/" + files[i].Name, data[i] }
	var name string
	var b []byte
	switch m.IntN(3) {
	case 0:
		list := make([]core.File, len(files))
		for i, f := range files {
			p := packings[m.IntN(len(packings))]
			packed := p.pack(data[i])
			if m.IntN(2) == 0 {
				packed = m.Bytes(packed)
			}
			list[i] = file(f.Name+p.suffix, packed)
		}
		return list
	case 1:
		name, b = "a.tar", tarOf(len(files), entry)
	case 2:
		name, b = "a.zip", zipOf(len(files), entry)
	}
	for range m.IntN(4) {
		b = m.Bytes(b)
	}
	if m.IntN(3) == 0 {
		p := packings[m.IntN(len(packings))]
		if name, b = name+p.suffix, p.pack(b); m.IntN(2) == 0 {
			b = m.Bytes(b)
		}
	}
	return []core.File{file(name, b)}
}

// TestKept opens inputs that once caused failures.
func TestKept(t *testing.T) {
	dirs, err := filepath.Glob("testdata/kept/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%v, %d", err, len(dirs))
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			p := parts{}
			var files []core.File
			names, _ := filepath.Glob(dir + "/*")
			for _, name := range names {
				b, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				p[filepath.Ext(name)[1:]] = b
				files = append(files, file(filepath.Base(name), b))
			}
			r, before := &run{t: t}, CPUTime()
			if err := r.values(p); err != nil {
				t.Error(err)
			}
			r.session(&Mutator{Rand: rand.New(rand.NewPCG(1, 1)), seeds: []parts{p}}, files, t.Errorf)
			if took := CPUTime() - before; took > maxRound() {
				t.Errorf("it took %v", took)
			}
		})
	}
}
