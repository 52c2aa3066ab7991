package remote

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// An index may name any volume. At most 20,000 and two are looked for.
func TestVolumesThatAnIndexNamesAreBounded(t *testing.T) {
	for last, want := range map[int]int{3: 5, 1<<16 - 1: 20_002} {
		if last > 3 && testing.Short() { // they are looked for by the same goroutines
			continue
		}
		asked := &counting{volumes: map[int]bool{}}
		find(t, Finder{Client: asked, Origin: "http://page", LastVolume: func([]byte) (int, bool) { return last, true }}, "http://host/a/web01")
		if len(asked.volumes) != want {
			t.Errorf("of an index that names volume %d, %d volumes are looked for, want %d", last, len(asked.volumes), want)
		}
	}
}

// counting is a client of a host that has the metadata and the index of an
// archive, of a few bytes each, and records for which volumes it was asked.
type counting struct {
	mu      sync.Mutex
	volumes map[int]bool
}

func (c *counting) Do(_ context.Context, q Request) (Response, error) {
	at, err := url.Parse(q.URL)
	if err != nil {
		return nil, err
	}
	_, ext, _ := strings.Cut(path.Base(at.Path), ".")
	if ext == "meta" || ext == "index" {
		return small{q.URL}, nil
	}
	number, _, _ := strings.Cut(ext, ".")
	if n, err := strconv.Atoi(number); err == nil {
		c.mu.Lock()
		c.volumes[n] = true
		c.mu.Unlock()
	}
	return missing{small{q.URL}}, nil
}

func (c *counting) Keep(context.Context, Response, func(done, total int64)) (io.ReaderAt, int64, error) {
	return strings.NewReader("PCP"), 3, nil
}

// small is a response of three bytes.
type small struct{ url string }

func (r small) Status() int                       { return 200 }
func (r small) Header(string) string              { return "" }
func (r small) URL() string                       { return r.url }
func (r small) Bytes(limit int64) ([]byte, error) { return []byte("PCP"), nil }
func (r small) Close()                            {}

type missing struct{ small }

func (missing) Status() int                 { return 404 }
func (missing) Bytes(int64) ([]byte, error) { return nil, errors.New("there is no body") }
