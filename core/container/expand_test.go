package container

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	ulikunitz "github.com/ulikunitz/xz"

	"pcpscope/core/budget"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// sosreport lays out a folder like a sosreport's: two hosts with archives of
// the same name, and much else. Of each file there is only the beginning.
func sosreport(t testing.TB) (dir string, want map[string][]byte) {
	t.Helper()
	dir = t.TempDir()
	want = map[string][]byte{}
	put := func(name string, b []byte, wanted bool) {
		p := filepath.Join(dir, "sos", name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if wanted {
			want["sos/"+name] = b
		}
	}
	for name, b := range liveFiles(t) {
		b = b[:1500]
		put("var/log/pcp/pmlogger/a/"+name, b, true)
		if strings.HasPrefix(name, "web01.") {
			put("var/log/pcp/pmlogger/b/"+name, b[:len(b)/4], true)
		}
	}
	put("var/log/pcp/pmlogger/a/pmlogger.log", []byte("Log for pmlogger on a started Mon\n"), false)
	put("var/log/pcp/pmlogger/a/web01.9", nil, true) // an empty volume is part of the archive all the same
	put("var/log/messages", records(40), false)
	put("var/log/messages.1", records(20), false)
	put("var/log/messages.2.gz", pack(t, "gzip -c", records(60)), false)
	put("var/log/messages.3.xz", pack(t, "xz -c", records(60)), false)
	put("var/log/empty.1", nil, false)
	put("usr/share/man/man1/ls.1.gz", pack(t, "gzip -c", []byte(".TH LS 1\n")), false)
	put("etc/hosts", []byte("127.0.0.1 localhost\n"), false)
	return dir, want
}

// checkLeaves compares the output for one container with its contents.
func checkLeaves(t *testing.T, x *Expanded, container string, want map[string][]byte) {
	t.Helper()
	got := map[string]bool{}
	for _, l := range x.Leaves {
		name, ok := strings.CutPrefix(l.Name, container+"/")
		if !ok || l.Kind != Member {
			t.Errorf("leaf %s of kind %d", l.Name, l.Kind)
			continue
		}
		got[name] = true
		if w, ok := want[name]; !ok || !bytes.Equal(content(t, l.File), w) {
			t.Errorf("%s: other bytes than were packed, or not wanted", name)
		}
	}
	for name := range want {
		if !got[name] {
			t.Errorf("%s is missing", name)
		}
	}
	for _, p := range x.Problems {
		t.Errorf("problem: %v", &p)
	}
	for _, r := range x.Rejected {
		t.Errorf("rejected: %v", &r.Fault)
	}
}

// Every container, as the system's tools packed it, gives back exactly PCP's files.
func TestContainers(t *testing.T) {
	dir, want := sosreport(t)
	for name, command := range map[string]string{
		"plain.tar": "tar cf - sos", "v7.tar": "tar --format=v7 -cf - sos", "pax.tar": "tar --format=pax -cf - sos",
		"gnu.tar": "tar --format=gnu -cf - sos", "r.tar.gz": "tar cf - sos | gzip -c", "r.tar.xz": "tar cf - sos | xz -c", "r.tar.bz2": "tar cf - sos | bzip2 -c",
		"r.tar.zst": "tar cf - sos | zstd -c", "r.tar.Z": "tar cf - sos | (compress || test $? = 2)", "r.tar.lzma": "tar cf - sos | xz --format=lzma -c",
		"misnamed": "tar cf - sos | xz -0c", "r.zip": "zip -qr - sos", "stored.zip": "zip -q -0 -r out.zip sos && cat out.zip && rm out.zip",
	} {
		t.Run(name, func(t *testing.T) {
			packed := reference.Recorded(t, dir, command, nil)
			memory := NewMemory(budget.New(64 << 20).Claim(0))
			x := expand(t, Options{Spool: memory}, memFile(name, packed))
			checkLeaves(t, x, name, want)
			if x.Skipped.Files != 8 {
				t.Errorf("%d files skipped, want 8", x.Skipped.Files)
			}
			var kept int64
			for _, b := range want {
				kept += int64(len(b))
			}
			if name == "plain.tar" || name == "stored.zip" {
				kept = 0 // used where they lie
			}
			if strings.HasSuffix(name, ".tar") {
				kept = 0
			}
			if memory.Used() != kept {
				t.Errorf("%d bytes kept, want %d", memory.Used(), kept)
			}
		})
	}
}

func TestNested(t *testing.T) {
	dir, want := sosreport(t)
	b := reference.Recorded(t, dir, "tar cf - sos | xz -c >sos.tar.xz && zip -q inner.zip sos.tar.xz && tar cf - inner.zip | gzip -c && rm sos.tar.xz inner.zip", nil)
	checkLeaves(t, expand(t, Options{Depth: 10}, memFile("outer.tgz", b)), "outer.tgz/inner.zip/sos.tar.xz", want)
	x := expand(t, Options{Depth: 3}, memFile("outer.tgz", b))
	if len(x.Leaves) != 0 || len(x.Problems) != 1 || x.Problems[0].Kind != pcp.Unsupported {
		t.Errorf("too deep: %d leaves, problems %v", len(x.Leaves), x.Problems)
	}
}

// The three hosts of the tar in PCP's own test suite have archives of one name.
func TestFarm(t *testing.T) {
	b, err := os.ReadFile(reference.Need(t, "corpus", "archives", "farm.tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := ulikunitz.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(h.Name, "/20201124.") {
			if want[h.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(want) != 9 {
		t.Fatalf("the tar holds %d files of archives, want three of each of three hosts", len(want))
	}
	checkLeaves(t, expand(t, Options{}, memFile("farm.tar.xz", b)), "farm.tar.xz", want)
}

// Uncontained files: parts of archives are kept, others are described.
func TestGiven(t *testing.T) {
	files := liveFiles(t)
	var given []File
	for name, b := range files {
		given = append(given, memFile("web/"+name, b))
	}
	mmv := append([]byte("MMV\x00\x01\x00\x00\x00"), make([]byte, 100)...)
	given = append(given,
		memFile("report.pdf", []byte("%PDF-1.7 ...")), memFile("empty.txt", nil), memFile("notes.1", []byte("my notes\n")),
		memFile("web/web01.7", []byte("garbage that has the name of a volume")), memFile("acme", mmv),
		memFile("acme2.gz", gzipped(mmv)), memFile("log.gz", gzipped([]byte("text"))),
		memFile("cut.meta.xz", xzipped(files["web01.meta"])[:40]), memFile("README.zip", zipOf(t, "README", "text")),
		memFile("Latest", []byte("PCPFolio\nVersion: 1\nArchive: web01 web01\n")))
	x := expand(t, Options{}, given...)
	var names []string
	for _, l := range x.Leaves {
		names = append(names, l.Name)
		if l.Name == "acme2" && !bytes.Equal(content(t, l.File), mmv) {
			t.Error("acme2 is not unpacked")
		}
	}
	want := []string{"acme", "acme2", "cut.meta.xz", "web/web01.7"}
	for name := range files {
		want = append(want, "web/"+name)
	}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("leaves %q, want %q", names, want)
	}
	var says []string
	for _, r := range x.Rejected {
		says = append(says, r.Fault.Error())
	}
	slices.Sort(says)
	wantSays := []string{
		"README.zip: No part of a PCP archive and no MMV file is inside.", "empty.txt: This is an empty file.",
		"log.gz: This is a text, compressed.", "notes.1: This is a text.", "report.pdf: This is a PDF document.",
	}
	if !slices.Equal(says, wantSays) {
		t.Errorf("rejected %q, want %q", says, wantSays)
	}
	if len(x.Folios) != 1 || x.Folios[0].Name != "Latest" {
		t.Errorf("folios %v", x.Folios)
	}
}

// A truncated container delivers the files before the end, and the beginning
// of the last one.
func TestContainersCut(t *testing.T) {
	files := liveFiles(t)
	var given []string
	for _, name := range []string{"web01.index", "web01.0.zst", "web01.meta"} {
		given = append(given, name, string(files[name]))
	}
	for name, packed := range map[string][]byte{
		"cut.zip": zipOf(t, given...), "cut-sized.zip": sizedZipOf(t, given...), "cut.tar": tarOf(t, given...), "cut.tar.gz": gzipped(tarOf(t, given...)),
	} {
		t.Run(name, func(t *testing.T) {
			x := expand(t, Options{}, memFile(name, packed[:len(packed)*9/10]))
			problems := 1
			if strings.HasSuffix(name, ".zip") {
				problems = 2 // the directory is missing as well
			}
			if len(x.Leaves) != 3 || len(x.Problems) != problems || x.Problems[0].Kind != pcp.Truncated {
				t.Fatalf("%d leaves, problems %v", len(x.Leaves), x.Problems)
			}
			for _, l := range x.Leaves {
				got, want := content(t, l.File), files[filepath.Base(l.Name)]
				if !bytes.HasPrefix(want, got) || len(got) < len(want)/8 {
					t.Errorf("%s: %d bytes of %d, or others", l.Name, len(got), len(want))
				}
			}
		})
	}
}

// Damage in the header of one file in a tar loses no other file.
func TestTarDamaged(t *testing.T) {
	files := liveFiles(t)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	at := map[string]int{}
	for _, name := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
		at[name] = b.Len()
		w.WriteHeader(&tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o644})
		w.Write(files[name])
		w.Flush()
	}
	w.Close()
	bad := b.Bytes()
	bad[at["web01.index"]+150] ^= 0x55
	for _, in := range []File{memFile("bad.tar", bad), memFile("bad.tar.gz", gzipped(bad))} {
		x := expand(t, Options{}, in)
		if len(x.Leaves) != 2 || len(x.Problems) != 1 || x.Problems[0].Kind != pcp.Corrupt {
			t.Fatalf("%s: %d leaves, problems %v", in.Name, len(x.Leaves), x.Problems)
		}
		for _, l := range x.Leaves {
			if !bytes.Equal(content(t, l.File), files[filepath.Base(l.Name)]) {
				t.Errorf("%s: other bytes", l.Name)
			}
		}
	}
}

func TestBudget(t *testing.T) {
	files := liveFiles(t)
	volume := string(files["web01.0.zst"])
	in := memFile("a.tar.gz", gzipped(tarOf(t, "web01.meta", string(files["web01.meta"]), "web01.0.zst", volume)))
	memory := NewMemory(budget.New(int64(len(files["web01.meta"]) + 1000)).Claim(0))
	x := expand(t, Options{Spool: memory}, in)
	if len(x.Leaves) != 1 || len(x.Problems) != 1 || x.Problems[0].Kind != pcp.OutOfMemory || memory.Used() != int64(len(files["web01.meta"])) {
		t.Errorf("%d leaves, problems %v, %d bytes kept", len(x.Leaves), x.Problems, memory.Used())
	}
}

// tarHead is the beginning of a tar whose first file has the size.
func tarHead(name string, size int64) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o644, Format: tar.FormatGNU})
	return b.Bytes()
}

// Bombs: small files that unpack to very much.
func TestDecompressionBombs(t *testing.T) {
	label := "\x00\x00\x00\x84\x50\x05\x26\x02" // so it looks like a volume
	zeros := make([]byte, 64<<20)
	copy(zeros, label)
	bomb := zstded(append(tarHead("web01.0", 1<<40), zeros...))
	start := time.Now()
	x := expand(t, Options{Spool: NewMemory(budget.New(16 << 20).Claim(0))}, memFile("bomb.tar.zst", bomb))
	if len(x.Leaves) != 0 || len(x.Problems) == 0 || x.Problems[0].Kind != pcp.OutOfMemory {
		t.Errorf("%d leaves, problems %v", len(x.Leaves), x.Problems)
	}
	x = expand(t, Options{Unpacked: 16 << 20}, memFile("bomb.tar.zst", bomb))
	if len(x.Problems) == 0 || x.Problems[0].Kind != pcp.Corrupt {
		t.Errorf("limit of unpacked bytes: problems %v", x.Problems)
	}
	x = expand(t, Options{Entries: 3}, memFile("many.tar", tarOf(t, "a", "", "b", "", "c", "", "d", "", "e", "")))
	if len(x.Problems) == 0 || x.Problems[0].Kind != pcp.OutOfMemory {
		t.Errorf("limit of entries: problems %v", x.Problems)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestCancel(t *testing.T) {
	for _, args := range []string{"zstd -c", "bzip2 -1c", "gzip -c", "xz -c"} {
		t.Run(args, func(t *testing.T) {
			more := pack(t, args, records(10_000))
			in := append(pack(t, args, tarHead("huge", 1<<40)), bytes.Repeat(more, 1500)...)
			best := time.Hour // of five: a busy machine interrupts some of them
			for range 5 {
				best = min(best, timeToStop(t, in))
			}
			if best > 100*time.Millisecond {
				t.Errorf("stopped after %v", best)
			}
		})
	}
}

// timeToStop cancels the expansion of a file, and returns how long it took to stop.
func timeToStop(t *testing.T, in []byte) time.Duration {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	calls := 0
	_, err := Expand(ctx, []File{memFile("x", in)}, Options{}, func(phase string, done, total int64) {
		if done < 0 || done > total || total != int64(len(in)) {
			t.Errorf("%s: %d of %d", phase, done, total)
		}
		if calls++; calls == 3 {
			at = time.Now()
			cancel()
		}
	})
	if !errors.Is(err, &pcp.Fault{Kind: pcp.Cancelled}) {
		t.Errorf("error %v after %d calls", err, calls)
	}
	return time.Since(at)
}

// The directory of a zip of which a part is missing refers to bytes before its beginning.
func TestZipWithoutAPart(t *testing.T) {
	whole := zipOf(t, "d/a.0", strings.Repeat("first", 20), "d/a.meta", strings.Repeat("second", 20))
	short := slices.Concat(whole[:40], whole[50:])
	for _, f := range []File{memFile("a.zip", short), memFile("b.zip.gz", gzipped(short))} {
		x := expand(t, Options{}, f)
		if len(x.Problems) == 0 || x.Problems[0].Kind != pcp.Corrupt || x.Problems[0].Message != "The file refers to bytes before its beginning: a part of it is missing." {
			t.Errorf("%s: %v, %v", f.Name, x.Problems, x.Rejected)
		}
	}
}
