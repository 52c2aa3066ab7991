package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/save"
	"pcpscope/core/tables"
)

// memoryFiles keeps what is saved in memory.
type memoryFiles map[string]*bytes.Buffer

type memoryFile struct{ *bytes.Buffer }

func (memoryFile) Close() error { return nil }

func (s memoryFiles) Create(name string) (io.WriteCloser, error) {
	s[name] = &bytes.Buffer{}
	return memoryFile{s[name]}, nil
}

func (s memoryFiles) Open(name string) (io.ReaderAt, int64, error) {
	return bytes.NewReader(s[name].Bytes()), int64(s[name].Len()), nil
}

func (s memoryFiles) Join(name string, pieces []save.Piece) error {
	all := &bytes.Buffer{}
	for _, p := range pieces {
		all.Write(p.Bytes)
		if p.File != "" {
			all.Write(s[p.File].Bytes())
			delete(s, p.File)
		}
	}
	s[name] = all
	return nil
}

// TestAnswersOfAnyArchive saves, redacts, exports and explains archives of every
// kind. What is saved opens again, and what is exported as JSON can be read.
func TestAnswersOfAnyArchive(t *testing.T) {
	for _, kinds := range [][]archiveKind{metricKinds, inDomKinds, labelKinds, valueKinds, blockKinds, volumeKinds} {
		for i, k := range kinds {
			version := 2 + i%2
			if k.version != 0 {
				version = k.version
			}
			e := newEncoder(version)
			k.fill(e, 24)
			answersOf(t, k.name, e.files())
		}
	}
}

func answersOf(t *testing.T, name string, files []core.File) {
	t.Helper()
	ctx := t.Context()
	s := core.NewSession(core.Options{})
	opened, err := s.Open(ctx, files, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	fails := func(what string, err error) bool {
		if err == nil {
			return false
		}
		if f := pcp.AsFault(err); f.Kind == pcp.Internal || f.Message == "" {
			t.Errorf("%s: %s: %v", name, what, err)
		}
		return true
	}
	for _, src := range opened.Sources {
		whole, err := s.Loaded(ctx, src.ID, nil)
		if fails("read", err) {
			continue
		}
		for _, redact := range []*api.Redact{nil, {Key: "0123456789abcdef0123456789abcdef"}} {
			kept := memoryFiles{}
			packed, _, err := s.Save(ctx, api.SaveQuery{Source: src.ID, Redact: redact}, kept, nil)
			if fails(fmt.Sprint("save, redacted ", redact != nil), err) {
				continue
			}
			var again []core.File
			for _, f := range packed {
				again = append(again, file(f.Name, kept[f.Name].Bytes()))
			}
			if o, err := core.NewSession(core.Options{}).Open(ctx, again, nil); err != nil || len(o.Sources) != 1 {
				t.Errorf("%s: the saved archive opens as %+v, %v", name, o, err)
			}
		}
		for _, format := range tables.Formats {
			written := map[string]*bytes.Buffer{}
			sink, err := tables.New(format, func(name string) (io.Writer, error) {
				written[name] = &bytes.Buffer{}
				return written[name], nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err = s.Export(ctx, api.ExportQuery{Source: src.ID}, sink, nil); fails("export as "+format, err) {
				continue
			}
			if err = sink.Close(); err != nil {
				t.Errorf("%s: export as %s: %v", name, format, err)
			}
			for file, text := range written {
				if strings.HasSuffix(file, ".jsonl") {
					for d := json.NewDecoder(text); d.More(); {
						if err := d.Decode(&map[string]any{}); err != nil {
							t.Errorf("%s: %s: %v", name, file, err)
							break
						}
					}
				}
			}
		}
		start, long := int64(whole.Start), int64(whole.End-whole.Start)
		for _, w := range [][2]int64{{start, start + long/3}, {start + long/3, start + 2*long/3}, {start + long/2, start + long/2 + 60e9}, {start, start}, {start - 1e9, start + long + 1e9}} {
			x, err := s.Explain(ctx, api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &w[0]}, End: &api.When{Nanos: &w[1]}}, nil)
			if fails("explain", err) {
				continue
			}
			for _, line := range x.Text {
				if strings.Contains(line, "NaN") || strings.Contains(line, "Inf ") {
					t.Errorf("%s: explained as %s", name, line)
				}
			}
			for _, r := range x.Rows { // in its small chart, NaN is where there is no value
				for _, v := range []float64{r.Was, r.Usual, r.Low, r.High, r.Beyond, r.Score} {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Errorf("%s: explained by %+v", name, r)
					}
				}
			}
		}
	}
}
