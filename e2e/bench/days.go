package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A span of days is one archive repeatedly, each copy a day later: a set
// as pmlogger leaves it, of any length.
type span struct {
	days        int
	how         string // "raw", "zstd" or "xz"
	files       []string
	bytes       int64
	first, all  time.Duration // from the drop to a chart of the first day, and until everything is read
	peakMiB     float64       // of the browser's memory for the engine
	linearRatio float64       // time for all of it, for each day, beside that of one day
}

// later writes a copy of a version 2 archive with all stamps moved by days.
func later(files []string, dir string, days int, how string) ([]string, int64, error) {
	var out []string
	var bytes int64
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, 0, err
		}
		if len(data) < 132 || binary.BigEndian.Uint32(data) != 132 {
			return nil, 0, fmt.Errorf("%s is not of version 2", f)
		}
		bytes += int64(len(data))
		shift(data, f, uint32(days*86400))
		name := filepath.Base(f)
		if how == "zstd" {
			name += ".zst"
			z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
			if err != nil {
				return nil, 0, err
			}
			data = z.EncodeAll(data, nil)
			z.Close()
		}
		// The base name comes first in "20180416.10.00.0": give each day its own.
		path := filepath.Join(dir, fmt.Sprintf("day%02d-%s", days, name))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return nil, 0, err
		}
		if how == "xz" { // as pmlogger_daily does, but for the level: what takes time to unpack is the same
			if text, err := exec.Command("xz", "-1", "-T1", path).CombinedOutput(); err != nil {
				return nil, 0, fmt.Errorf("xz: %w: %s", err, text)
			}
			path += ".xz"
		}
		out = append(out, path)
	}
	return out, bytes, nil
}

// shift moves the stamps of one file: of its label, and of the index entries,
// the data records, or the instance domains and labels.
func shift(data []byte, name string, by uint32) {
	move := func(at int) {
		if at+4 <= len(data) {
			binary.BigEndian.PutUint32(data[at:], binary.BigEndian.Uint32(data[at:])+by)
		}
	}
	move(12)
	if strings.HasSuffix(name, ".index") {
		for at := 132; at+20 <= len(data); at += 20 {
			move(at)
		}
		return
	}
	for at := 132; at+8 <= len(data); {
		n := int(binary.BigEndian.Uint32(data[at:]))
		switch kind := binary.BigEndian.Uint32(data[at+4:]); {
		case !strings.HasSuffix(name, ".meta"):
			move(at + 4)
		case kind == 2 || kind == 3:
			move(at + 8)
		}
		if n < 8 {
			return
		}
		at += n
	}
}

// days times sets of 1, 2, 4 and 8 days in the browser.
func (b *bench) days(raw []string, scratch, how string) ([]span, error) {
	dir := filepath.Join(scratch, how+"-days")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var files []string
	var bytes int64
	var spans []span
	made := 0
	for _, n := range []int{1, 2, 4, 8} {
		for ; made < n; made++ {
			more, size, err := later(raw, dir, made, how)
			if err != nil {
				return nil, err
			}
			files, bytes = append(files, more...), bytes+size
		}
		times, err := b.ask(files, `(async () => {
		  const files = [...document.querySelector("input").files], t = performance.now();
		  const { sources: [source] } = await pcp.open(files);
		  await pcp.fetch({ source: source.id, metrics: [`+quote(firstMetric)+`], start: source.start,
		    end: source.start + 86400_000_000_000n / 8n, interval: 60_000_000_000n });
		  times["first"] = performance.now() - t;
		  await pcp.loaded(source.id);
		  times["all"] = performance.now() - t;
		  const wire = await pcp.callWire("close", { text: JSON.stringify({ source: source.id }), data: null, blobs: [] });
		  times.memory = JSON.parse(wire.text).memory;
		  return JSON.stringify(times);
		})()`)
		if err != nil {
			return nil, fmt.Errorf("%d days: %w", n, err)
		}
		s := span{days: n, how: how, files: files, bytes: bytes, first: ms(times["first"]), all: ms(times["all"]), peakMiB: times["memory"] / (1 << 20)}
		s.linearRatio = s.all.Seconds() / float64(n)
		if len(spans) > 0 {
			s.linearRatio /= spans[0].all.Seconds()
		} else {
			s.linearRatio = 1
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func printSpans(spans []span) {
	fmt.Printf("\n%-6s %5s %10s %13s %12s %14s %12s\n", "form", "days", "GiB raw", "first chart", "all read", "a day beside 1", "memory MiB")
	for _, s := range spans {
		fmt.Printf("%-6s %5d %10.2f %13s %12s %14.2f %12.0f\n", s.how, s.days, float64(s.bytes)/(1<<30), show(s.first), show(s.all), s.linearRatio, s.peakMiB)
	}
}
