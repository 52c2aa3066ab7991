package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"pcpscope/internal/reference"
)

// reporting runs before worker.js and reports each job that a worker of the
// engine's gets.
const reporting = `
{
  const channel = new BroadcastChannel("jobs");
  addEventListener("message", ({ data }) => { if (data?.job) channel.postMessage("job"); });
}
`

// collecting runs there, too, and reports when the memory of a program that
// has ended is given back because the worker allocated for that: left alone, the
// browser comes to it in its own time, which may be minutes.
const collecting = `
{
  const channel = new BroadcastChannel("jobs");
  const Buffer = ArrayBuffer;
  let asked = false;
  self.ArrayBuffer = class extends Buffer {
    constructor(size) { super(size); asked ||= size > 1 << 20; }
  };
  const memories = new FinalizationRegistry(() => { if (asked) channel.postMessage("collected"); });
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate(...args);
    if (self.pcpscopeJob) memories.register(instance.exports.mem, null);
    return instance;
  };
}
`

// failing runs there, too: in such a worker the program cannot run.
const failing = `
{
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  WebAssembly.instantiate = (...args) => self.pcpscopeJob ? Promise.reject(new RangeError("out of memory")) : instantiate(...args);
}
`

// readingParts runs there, too, and reports each part of a file that such a worker reads.
const readingParts = `
{
  const channel = new BroadcastChannel("jobs");
  addEventListener("message", ({ data }) => { if (data?.read) channel.postMessage("job"); });
}
`

// refusing and ending run there as well: such a worker cannot read a part, or it ends.
const (
	refusing = `addEventListener("message", (e) => { if (e.data?.read) { e.stopImmediatePropagation(); postMessage({ number: e.data.number }); } });`
	ending   = `addEventListener("message", (e) => { if (e.data?.read) { e.stopImmediatePropagation(); throw new Error("the worker is out of order"); } });`
)

// zstdFolder writes web01-v2 with its volume in zstd, whole, and without the
// last quarter.
func zstdFolder(t *testing.T) (whole, short []string) {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(root, "testdata/live", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(read("web01-v2.0.gz")))
	if err != nil {
		t.Fatal(err)
	}
	volume, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	enc, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	packed := enc.EncodeAll(volume, nil)
	write := func(volume []byte) (files []string) {
		dir := t.TempDir()
		for name, data := range map[string][]byte{"web01-v2.index": read("web01-v2.index"), "web01-v2.meta.gz": read("web01-v2.meta.gz"), "web01-v2.0.zst": volume} {
			files = append(files, filepath.Join(dir, name))
			if err := os.WriteFile(files[len(files)-1], data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return files
	}
	return write(packed), write(packed[:len(packed)*3/4])
}

// What workers of the engine's unpack is what the engine itself unpacks:
// values, and what is lost where a file breaks off. It takes over where such a
// worker cannot run, or when a source is closed in between.
func TestWorkers(t *testing.T) {
	whole, short := zstdFolder(t)
	ask := func(workers int, script string, files []string) (answer string, jobs int) {
		return throughWorkers(t, workers, reporting+script, files)
	}
	for name, files := range map[string][]string{"whole": whole, "short": short} {
		want, jobs := ask(1, "", files)
		if jobs != 0 || len(want) < 5_000 {
			t.Fatalf("%s: one worker gives %d jobs, and %.200s", name, jobs, want)
		}
		script := ""
		if name == "whole" {
			script = collecting
		}
		if got, jobs := ask(3, script, files); got != want || jobs == 0 {
			t.Errorf("%s: three workers do %d jobs and give %.200s, want %.200s", name, jobs, got, want)
		}
		if got, jobs := ask(3, failing, files); got != want || jobs == 0 {
			t.Errorf("%s: workers that fail %d times give %.200s, want %.200s", name, jobs, got, want)
		}
	}
}

// Parts of large files that workers of the engine's read are what the engine reads itself,
// which it does where they cannot.
func TestWorkersReadParts(t *testing.T) {
	dir := t.TempDir()
	packed, _ := filepath.Glob(filepath.Join(root, "testdata/live/web01-v2.*"))
	reference.UnpackTo(t, dir, packed...)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	want, jobs := throughWorkers(t, 1, readingParts, files)
	if jobs != 0 || len(want) < 5_000 {
		t.Fatalf("one worker reads %d parts in others, and gives %.200s", jobs, want)
	}
	for name, script := range map[string]string{"all is well": "", "they read nothing": refusing, "they end": ending} {
		if got, jobs := throughWorkers(t, 3, readingParts+script, files); got != want || jobs == 0 {
			t.Errorf("%s: workers read %d parts and give %.200s, want %.200s", name, jobs, got, want)
		}
	}
}

// throughWorkers asks an engine with so many workers, in which a script runs first, about
// files, and returns its answer and how many jobs the script reported.
func throughWorkers(t *testing.T, workers int, script string, files []string) (answer string, jobs int) {
	t.Helper()
	p := openURL(t, withWorker(t, script)+"/bare")
	eval[any](p, "(async () => {"+prelude+`
	  globalThis.jobs = 0;
	  globalThis.collected = new Promise((done) => {
	    new BroadcastChannel("jobs").onmessage = ({ data }) => data === "job" ? jobs++ : done(true);
	  });
	  const { start } = await import("/pcpscope.js");
	  globalThis.pcp = await start(`+fmt.Sprintf("{ workers: %d }", workers)+`);
	  return true })()`)
	p.choose("input", files...)
	answer = eval[string](p, `(async () => {
	  const files = [...document.querySelector("input").files];
	  const { sources: [first] } = await pcp.open(files);
	  await pcp.close(first.id); // while it is read
	  const { sources: [source] } = await pcp.open(files);
	  const { problems, end } = await pcp.loaded(source.id);
	  const frame = await pcp.fetch({ source: source.id, metrics: ["kernel.all.load", "kernel.all.interrupts.total"], interval: "2sec" });
	  return plain([problems, end, frame.times, frame.columns.map((c) => [c.metric, c.instance, c.values])]);
	})()`)
	if strings.HasSuffix(script, collecting) {
		eval[bool](p, "collected")
	}
	if workers > 1 { // what is reported may arrive after the answer
		eval[bool](p, `(async () => { for (let i = 0; i < 100 && !jobs; i++) await new Promise((done) => setTimeout(done, 50)); return true })()`)
	}
	return answer, eval[int](p, "jobs")
}
