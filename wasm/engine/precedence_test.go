package engine

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// Many archives that are opened for charts are read after the first chart, other
// ones at once.
func TestFirstChartBeforeReading(t *testing.T) {
	for _, c := range []struct {
		archives int
		charts   bool
		waits    bool
	}{{8, true, true}, {8, false, false}, {7, true, false}} {
		t.Run(fmt.Sprint(c.archives, c.charts), func(t *testing.T) {
			first := &precedence{}
			s := NewServer(core.NewSession(core.Options{YieldReading: first.wait}), nil, fromMemory)
			s.first = first
			opened, fault := ask(t, s, rpc.Open, rpc.OpenRequest{Files: daysOf(t, c.archives), Charts: c.charts})
			if fault != nil || len(opened.Sources) != 1 {
				t.Fatalf("open gives %+v, %v", opened, fault)
			}
			if waits := waiting(first); waits != c.waits {
				t.Errorf("reading waits: %v, want %v", waits, c.waits)
			}
			query := api.Query{Source: opened.Sources[0].ID, Metrics: []string{"a.level"}, Count: 10, Partial: true}
			if _, fault := ask(t, s, rpc.Chart, api.ChartQuery{Query: query, Start: pcp.MinTime, End: pcp.MaxTime}); fault != nil {
				t.Error(fault)
			}
			if waiting(first) {
				t.Error("reading waits after the first chart")
			}
			if src, fault := ask(t, s, rpc.Loaded, rpc.SourceRequest{Source: opened.Sources[0].ID}); fault != nil || src.Loaded < 1 {
				t.Errorf("after it, %v of the source is read: %v", src.Loaded, fault)
			}
		})
	}
}

func waiting(p *precedence) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over != nil
}

// Where no chart is asked for, reading goes on by itself.
func TestReadingWaitsForAWhile(t *testing.T) {
	p := &precedence{}
	p.wait() // for nothing
	began := time.Now()
	p.begin(5 * time.Millisecond)
	p.begin(time.Hour) // goes on as it began
	p.wait()
	if took := time.Since(began); took < 5*time.Millisecond {
		t.Errorf("it waited for %v, want 5 ms", took)
	}
	p.begin(time.Hour)
	p.end()
	p.wait()
	p.end()
}

// daysOf are archives of one host, one after the other.
func daysOf(t *testing.T, n int) (files []rpc.File) {
	desc := pcp.Desc{PMID: pcp.MakePMID(1, 1, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Instant}
	for day := range pcp.Time(n) {
		start, parts := 1e18+day*1e12, map[string]*bytes.Buffer{}
		w, err := archive.NewWriter(archive.Label{Version: 3, Host: "h", Start: start}, func(suffix string) (io.WriteCloser, error) {
			parts[suffix] = new(bytes.Buffer)
			return buffer{parts[suffix]}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.Desc(desc, "a.level")
		for row := range pcp.Time(10) {
			w.Record(start+row*1e9, []archive.ValueSet{{PMID: desc.PMID, Type: desc.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(row)}}}})
		}
		w.Close()
		for suffix, b := range parts {
			files = append(files, rpc.File{Name: fmt.Sprintf("day%d.%s", day, suffix), Data: b.Bytes()})
		}
	}
	return files
}
