package build

import (
	"bytes"
	"compress/gzip"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/andybalholm/brotli"

	"pcpscope/internal/site"
)

// worthwhile is the smallest size that is compressed.
const worthwhile = 4 << 10

// compress writes .br and .gz beside large files. A copy newer than its file is
// kept. Without Compress the copies of changed files are omitted, so that none
// is ever stale.
func (b *builder) compress() error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for name := range b.made {
		file := filepath.Join(b.Dist, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		if info.Size() < worthwhile || !compressible(name) || name == site.Single {
			continue
		}
		for ext, pack := range map[string]func([]byte) []byte{".br": packBrotli, ".gz": packGzip} {
			copied, err := os.Stat(file + ext)
			if err == nil && !copied.ModTime().Before(info.ModTime()) {
				mu.Lock()
				b.keep(name + ext)
				mu.Unlock()
				continue
			}
			if !b.Compress {
				continue
			}
			wg.Go(func() {
				data, err := os.ReadFile(file)
				if err == nil {
					err = os.WriteFile(file+ext, pack(data), 0o644)
				}
				mu.Lock()
				defer mu.Unlock()
				b.keep(name + ext)
				if err != nil {
					failed = err
				}
			})
		}
	}
	wg.Wait()
	return failed
}

// keep marks a copy as made; made must not change while it is iterated over.
func (b *builder) keep(name string) { b.packed = append(b.packed, name) }

func compressible(name string) bool {
	switch path.Ext(name) {
	case ".wasm", ".js", ".css", ".html", ".ts", ".svg", ".json", ".meta":
		return true
	}
	return false
}

func packBrotli(data []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	w.Write(data)
	w.Close()
	return out.Bytes()
}

func packGzip(data []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(data)
	w.Close()
	return out.Bytes()
}
