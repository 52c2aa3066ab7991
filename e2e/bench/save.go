package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/save"
)

// What is saved of the archive when it has been read, with what each must
// take in the browser. The window is the hour in its middle.
var savings = []struct {
	what, script string
	query        func(s api.Source) api.SaveQuery
	extract      bool // pmlogextract does the same
	must         time.Duration
}{
	{"save an hour", `({ start: source.start + (source.end - source.start) / 2n, end: source.start + (source.end - source.start) / 2n + 3_600_000_000_000n })`, func(s api.Source) api.SaveQuery {
		from := int64(s.Start) + int64(s.End-s.Start)/2
		return api.SaveQuery{Start: nanos(from), End: nanos(from + int64(time.Hour))}
	}, true, time.Second},
	{"save all of it", `({})`, func(api.Source) api.SaveQuery { return api.SaveQuery{} }, true, 5 * time.Second},
	{"save all of it, names replaced", `({ redact: {} })`, func(api.Source) api.SaveQuery { return api.SaveQuery{Redact: &api.Redact{}} }, false, 8 * time.Second},
}

// saving prints how long it takes to save the archive.
func (b *bench) saving(raw []string, base, scratch string) error {
	script := `(async () => {
	  const { sources: [source] } = await pcp.open([...document.querySelector("input").files]);
	  await pcp.loaded(source.id);`
	for i, s := range savings {
		script += fmt.Sprintf(`
	  await timed("%d", () => pcp.save({ source: source.id, ...%s }));`, i, s.script)
	}
	times, err := b.ask(raw, script+`
	  return JSON.stringify(times);
	})()`)
	if err != nil {
		return err
	}
	session, source, err := openNative(raw)
	if err != nil {
		return err
	}
	if source, err = session.Loaded(context.Background(), source.ID, quiet); err != nil {
		return err
	}
	fmt.Println("\nsaved as an archive, once it has been read:")
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tbrowser\tmust\tnative Go\tpmlogextract\tbrowser / PCP")
	for i, s := range savings {
		took, err := saveNative(session, source, s.query(source))
		if err != nil {
			return err
		}
		var pcp time.Duration
		ratio := ""
		if s.extract {
			q := s.query(source)
			if pcp = extract(base, filepath.Join(scratch, fmt.Sprint("extracted", i)), q); pcp > 0 {
				ratio = fmt.Sprintf("%.2f", ms(times[fmt.Sprint(i)]).Seconds()/pcp.Seconds())
			}
		}
		late := ""
		inBrowser := ms(times[fmt.Sprint(i)])
		if inBrowser > s.must {
			late = " (!)"
		}
		fmt.Fprintf(w, "%s\t%s%s\t%s\t%s\t%s\t%s\n", s.what, show(inBrowser), late, show(s.must), show(took), show(pcp), ratio)
	}
	return w.Flush()
}

// savingDays saves copies of the archive, a day apart, as one: how long it
// takes, what memory the engine has then, and how soon it lets go when it is
// told to.
func (b *bench) savingDays(raw []string, scratch string, n int) error {
	dir := filepath.Join(scratch, "save-days")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var files []string
	var bytes int64
	for i := range n {
		more, size, err := later(raw, dir, i, "raw")
		if err != nil {
			return err
		}
		files, bytes = append(files, more...), bytes+size
	}
	times, err := b.ask(files, `(async () => {
	  const { sources: [source] } = await pcp.open([...document.querySelector("input").files]);
	  await pcp.loaded(source.id);
	  const t = performance.now();
	  const { files } = await pcp.save({ source: source.id });
	  times.all = performance.now() - t;
	  times.bytes = files[0].bytes;
	  times.stopped = 0;
	  for (const query of [{}, { compress: "zstd" }, { redact: {} }, { every: "10min" }]) {
	    for (const after of [20, 300, 1500]) {
	      const stop = new AbortController(), call = pcp.save({ source: source.id, ...query }, { signal: stop.signal }).catch((e) => e);
	      await new Promise((done) => setTimeout(done, after));
	      const began = performance.now();
	      stop.abort();
	      await call;
	      await pcp.sources();
	      times.stopped = Math.max(times.stopped, performance.now() - began);
	    }
	  }
	  const wire = await pcp.callWire("close", { text: JSON.stringify({ source: source.id }), data: null, blobs: [] });
	  times.memory = JSON.parse(wire.text).memory;
	  return JSON.stringify(times);
	})()`)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d days, %.2f GiB, saved as one of %.2f GiB: %s; stopped within %s; memory of the engine %.0f MiB\n", n, float64(bytes)/(1<<30),
		times["bytes"]/(1<<30), show(ms(times["all"])), show(ms(times["stopped"])), times["memory"]/(1<<20))
	return nil
}

func saveNative(s *core.Session, source api.Source, q api.SaveQuery) (time.Duration, error) {
	q.Source = source.ID
	clock := startWatch()
	_, _, err := s.Save(context.Background(), q, memoryFiles{}, quiet)
	return clock.all(), err
}

// extract times pmlogextract(1), 0 where it is not installed.
func extract(base, to string, q api.SaveQuery) time.Duration {
	args := []string{"-Z", "UTC"}
	if q.Start != nil {
		at := func(w *api.When) string { return time.Unix(0, *w.Nanos).UTC().Format("@Mon Jan 2 15:04:05 2006") }
		args = append(args, "-S", at(q.Start), "-T", at(q.End))
	}
	clock := startWatch()
	if exec.Command("pmlogextract", append(args, base, to)...).Run() != nil {
		return 0
	}
	return clock.all()
}

// memoryFiles keeps what is saved in memory.
type memoryFiles map[string]*memoryFile

type memoryFile struct{ data []byte }

func (h *memoryFile) Write(b []byte) (int, error) { h.data = append(h.data, b...); return len(b), nil }
func (h *memoryFile) Close() error                { return nil }

func (h *memoryFile) ReadAt(b []byte, off int64) (int, error) {
	n := copy(b, h.data[min(off, int64(len(h.data))):])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (s memoryFiles) Create(name string) (io.WriteCloser, error) {
	s[name] = &memoryFile{}
	return s[name], nil
}

func (s memoryFiles) Open(name string) (io.ReaderAt, int64, error) {
	return s[name], int64(len(s[name].data)), nil
}

func (s memoryFiles) Join(name string, pieces []save.Piece) error { // the pieces lie where they are
	s[name] = &memoryFile{}
	return nil
}
