package e2e

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	generated "pcpscope/internal/hostile"
)

// A packer compresses a beginning followed by many repetitions of a piece,
// but compresses the piece only once.
type packer struct {
	suffix string
	pack   func(begin, piece []byte, times int) []byte
}

var packers = []packer{
	{".gz", func(begin, piece []byte, times int) []byte {
		var b bytes.Buffer
		b.WriteString("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
		deflated := func(data []byte) []byte {
			var part bytes.Buffer
			w, _ := flate.NewWriter(&part, flate.BestCompression)
			w.Write(data)
			w.Flush()
			return part.Bytes()
		}
		b.Write(deflated(begin))
		b.Write(bytes.Repeat(deflated(piece), times))
		return b.Bytes() // the end is missing, but no reader gets that far
	}},
	{".zst", func(begin, piece []byte, times int) []byte {
		enc, _ := zstd.NewWriter(nil)
		return append(enc.EncodeAll(begin, nil), bytes.Repeat(enc.EncodeAll(piece, nil), times)...)
	}},
	{".xz", func(begin, piece []byte, times int) []byte {
		packed := func(data []byte) []byte {
			var b bytes.Buffer
			w, _ := xz.NewWriter(&b)
			w.Write(data)
			w.Close()
			return b.Bytes()
		}
		return append(packed(begin), bytes.Repeat(packed(piece), times)...)
	}},
}

// small returns an archive of one metric and one record.
func small(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string]*bytes.Buffer{}
	w, err := archive.NewWriter(archive.Label{Version: 3, Host: "bomb", Start: 1e18}, func(suffix string) (io.WriteCloser, error) {
		files[suffix] = &bytes.Buffer{}
		return nopCloser{files[suffix]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}
	w.Desc(d, "a.b")
	w.Record(1e18, []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 1}}}})
	w.Mark(1e18 + 1e9)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for suffix, b := range files {
		out[suffix] = b.Bytes()
	}
	return out
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// large makes inputs that unpack to size bytes of a piece: each is a list of
// files, in the given compressions, or in all by default.
func large(t *testing.T, piece []byte, size int, suffixes ...string) map[string][]string {
	t.Helper()
	sets := map[string][]string{}
	a := small(t)
	times := size / len(piece)
	put := func(set, name string, data []byte) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		sets[set] = append(sets[set], path)
	}
	for _, p := range packers {
		if len(suffixes) > 0 && !slices.Contains(suffixes, p.suffix) {
			continue
		}
		set := "volume" + p.suffix
		put(set, "a.meta", a["meta"])
		put(set, "a.0"+p.suffix, p.pack(a["0"], piece, times))
		set = "metadata" + p.suffix
		put(set, "a.0", a["0"])
		put(set, "a.meta"+p.suffix, p.pack(a["meta"], piece, times))
		var head bytes.Buffer
		w := tar.NewWriter(&head)
		w.WriteHeader(&tar.Header{Name: "sos/a.0", Size: int64(size) + 1<<20, Mode: 0o600, Format: tar.FormatGNU})
		w.Write(a["0"])
		put("tar"+p.suffix, "sos.tar"+p.suffix, p.pack(head.Bytes(), piece, times))
	}
	return sets
}

// bomb opens the files of the input, reads their values, and returns the
// outcome.
const bomb = `async (options) => {
  const said = [];
  try {
    const o = await pcp.open([...document.querySelector("input").files], options);
    for (const r of o.rejected) said.push(r.fault.message);
    for (const s of o.sources) {
      const whole = await pcp.loaded(s.id, options).catch((e) => ({ problems: [e.fault] }));
      for (const p of whole.problems) said.push(p.message);
      await pcp.close(s.id);
    }
  } catch (e) { said.push(e.fault?.message ?? String(e)); }
  return said;
}`

// Files that unpack to 4 GiB are rejected quickly with a message, and other
// sources stay open.
func TestDecompressionBombs(t *testing.T) {
	p := bare(t)
	other := openWeb01(p)
	inputs := large(t, make([]byte, 8<<20), 4<<30)
	for name, files := range large(t, bytes.Repeat(mark(t), 8<<20/24), 4<<30, ".gz") {
		if strings.HasPrefix(name, "volume") {
			inputs["marks in a "+name] = files
		}
	}
	for name, files := range inputs {
		p.choose("input", files...)
		t.Log(name)
		began := time.Now()
		said := eval[[]string](p, "("+bomb+")()")
		took := time.Since(began)
		t.Logf("%s: %.1f s: %d sentences, first %.150q", name, took.Seconds(), len(said), said[:min(len(said), 1)])
		if len(said) == 0 {
			t.Errorf("%s: no message about it", name)
		}
	}
	compareLogged(t, plain[frame](p, fmt.Sprintf(`pcp.fetch({ source: %d, metrics: ["kernel.all.load"], mode: "raw" })`, other.ID)), "testdata/web01.kernel.all.load.txt")
}

// mark is a mark record.
func mark(t *testing.T) []byte {
	v := small(t)["0"]
	return v[len(v)-24:]
}

// stages are inputs of every kind that take a while to read: each is a list
// of files. The repeated piece is noisy enough to look like data.
func stages(t *testing.T) map[string][]string {
	t.Helper()
	const size = 256 << 20
	piece := make([]byte, 1<<20)
	noise := rand.NewChaCha8([32]byte{})
	noise.Read(piece[:len(piece)/100])
	sets := large(t, piece, size)
	a, dir := small(t), t.TempDir()
	put := func(set, name string, data []byte) {
		path := filepath.Join(dir, set+"-"+name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		sets[set] = append(sets[set], path)
	}
	volume := append(bytes.Clone(a["0"]), bytes.Repeat(piece, 64)...)
	for set, data := range map[string][]byte{
		"":     volume,
		".Z":   generated.Packed(".Z", volume[:16<<20]),
		".bz2": append(generated.Packed(".bz2", a["0"]), bytes.Repeat(generated.Packed(".bz2", piece), 64)...),
	} {
		put("volume"+set, "a.0"+set, data)
		put("volume"+set, "a.meta", a["meta"])
	}
	put("metadata", "a.0", a["0"])
	put("metadata", "a.meta", append(bytes.Clone(a["meta"]), bytes.Repeat(piece, 64)...))
	var head, zipped bytes.Buffer
	w := tar.NewWriter(&head)
	w.WriteHeader(&tar.Header{Name: "sos/a.0", Size: int64(len(volume)), Mode: 0o600, Format: tar.FormatGNU})
	w.Write(volume)
	w.Close()
	put("tar", "sos.tar", head.Bytes())
	z := zip.NewWriter(&zipped)
	for name, data := range map[string][]byte{"sos/a.0": volume, "sos/a.meta": a["meta"]} {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(data)
	}
	z.Close()
	put("zip", "sos.zip", zipped.Bytes())
	zeros := large(t, make([]byte, 1<<20), size, ".gz")
	for set, list := range zeros {
		sets["zeros in "+set] = list
	}
	return sets
}

// Whatever is being read, cancelling takes effect immediately for the caller,
// and soon in the engine, which learns of it between two tasks of its thread,
// none of which is long. (Wall-clock time depends on the load of the machine.)
func TestCancelAtEveryStage(t *testing.T) {
	p := bare(t)
	for name, files := range stages(t) {
		p.choose("input", files...)
		for attempt := 1; ; attempt++ {
			var waited []float64
			tasks, err := p.Tasks(func() {
				for _, after := range []int{10, 150} {
					waited = append(waited, eval[float64](p, fmt.Sprintf(`(async () => {
					  const abort = new AbortController();
					  const open = (%s)({ signal: abort.signal });
					  await new Promise((done) => setTimeout(done, %d));
					  const began = performance.now();
					  abort.abort();
					  await open;
					  for (const s of await pcp.sources()) await pcp.close(s.id).catch(() => {}); // late ones may be closed already
					  await pcp.idle();
					  return performance.now() - began;
					})()`, bomb, after)))
				}
			})
			p.must(err)
			worst := longestTask(p, tasks, false)
			t.Logf("%s: cancelled after %.0f ms on the clock; the engine's longest task has %v", name, waited, worst.Round(time.Millisecond))
			allowed := longest
			if worst > allowed {
				allowed = longestHere(p)
			}
			if worst <= allowed && slices.Max(waited) <= 1500 {
				break
			}
			if attempt == 3 {
				t.Errorf("%s: a task of the engine takes %v, at most %v is allowed; cancelling takes %.0f ms", name, worst, allowed, waited)
				break
			}
		}
	}
	openWeb01(p)
}

// A link of a few hundred characters may expand to an expression of thousands
// of terms: the page reports an error, or draws it.
func TestExpressionsWithoutEnd(t *testing.T) {
	p := bare(t)
	s := openWeb01(p)
	for _, text := range []string{
		strings.Repeat("kernel.all.load + ", 900) + "kernel.all.load", strings.Repeat("kernel.all.load + ", 9000) + "kernel.all.load",
		strings.Repeat("kernel.all.load + ", 1500) + "no.such.metric", "matchinst(/" + strings.Repeat("(x*)*", 10_000) + "/, kernel.all.load)",
		strings.Repeat("-", 5000) + "kernel.all.load", strings.Repeat("(", 20_000),
	} {
		in, _ := json.Marshal(text)
		began := time.Now()
		kinds := eval[[]string](p, fmt.Sprintf(`(async (text) => [
		  (await faultOf(pcp.derive(%[1]d, "x.y", text))).kind ?? "defined",
		  (await faultOf(pcp.check(%[1]d, text))).kind ?? "checked",
		  (await faultOf(pcp.describe(%[1]d, text))).kind ?? "described",
		  (await faultOf(pcp.fetch({ source: %[1]d, metrics: [text], interval: "1sec" }))).kind ?? "answered",
		])(%[2]s)`, s.ID, in))
		t.Logf("%.20s… of %d bytes: %v in %v", text, len(text), kinds, time.Since(began))
		if slices.Contains(kinds, "internal") || slices.Contains(kinds, "memory") {
			t.Errorf("%.20s… of %d bytes: %v", text, len(text), kinds)
		}
	}
	if list := plain[[]source](p, "pcp.sources()"); len(list) != 1 || list[0].ID != s.ID {
		t.Errorf("afterwards the sources are %+v", list)
	}
}
