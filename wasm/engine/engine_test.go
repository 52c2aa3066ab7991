package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// newServer reads blobs that are byte slices.
func newServer() *Server {
	return NewServer(core.NewSession(core.Options{}), nil, func(b rpc.Blob) (io.ReaderAt, int64, error) {
		data, ok := b.([]byte)
		if !ok {
			return nil, 0, errors.New("not bytes")
		}
		return bytes.NewReader(data), int64(len(data)), nil
	})
}

func ask[Request, Reply any](t *testing.T, s *Server, call rpc.Call[Request, Reply], q Request) (Reply, *pcp.Fault) {
	t.Helper()
	var reply Reply
	out, fault := s.Call(context.Background(), 1, string(call), rpc.Encode(q), func(api.Progress) {})
	if fault == nil {
		if err := rpc.Decode(out, &reply); err != nil {
			t.Fatal(err)
		}
	}
	return reply, fault
}

func TestServerAnswers(t *testing.T) {
	s := newServer()
	var q rpc.OpenRequest
	for _, name := range []string{"web01.meta", "web01.0.zst", "web01.index"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "live", name))
		if err != nil {
			t.Fatal(err)
		}
		q.Files = append(q.Files, rpc.File{Name: name, Data: data})
	}
	opened, fault := ask(t, s, rpc.Open, q)
	if fault != nil || len(opened.Sources) != 1 || opened.Sources[0].Host != "pcp-testhost" {
		t.Fatalf("open gives %+v, %v", opened, fault)
	}
	id := opened.Sources[0].ID
	frame, fault := ask(t, s, rpc.Fetch, api.Query{Source: id, Metrics: []string{"kernel.all.load"}, Count: 4})
	if fault != nil || len(frame.Columns) != 3 || len(frame.Columns[0].Values) != 4 {
		t.Errorf("fetch gives %+v, %v", frame, fault)
	}
	closed, fault := ask(t, s, rpc.Close, rpc.SourceRequest{Source: id})
	if fault != nil || closed.Open != 0 || closed.Memory < 1<<20 {
		t.Errorf("close gives %+v, %v", closed, fault)
	}
}

func TestServerFaults(t *testing.T) {
	s := newServer()
	if _, fault := ask(t, s, rpc.Call[rpc.None, rpc.None]("nonsense"), rpc.None{}); fault == nil || fault.Kind != pcp.BadArgument {
		t.Errorf("an unknown method gives %v", fault)
	}
	if _, fault := ask(t, s, rpc.Open, rpc.OpenRequest{Files: []rpc.File{{Name: "x", Data: 5}}}); fault == nil || fault.Kind != pcp.BadArgument || !strings.Contains(fault.Message, "x") {
		t.Errorf("something that is no blob gives %v", fault)
	}
	if _, fault := ask(t, s, rpc.Loaded, rpc.SourceRequest{Source: 9}); fault == nil || fault.Kind != pcp.BadArgument {
		t.Errorf("an unknown source gives %v", fault)
	}
}

// A panic ends the call, not the engine; a cancelled call returns an error.
func TestServerSurvives(t *testing.T) {
	s := newServer()
	on(s, rpc.Sources, func(context.Context, rpc.None, progress) ([]api.Source, error) { panic("test") })
	if _, fault := ask(t, s, rpc.Sources, rpc.None{}); fault == nil || fault.Kind != pcp.Internal || !strings.Contains(fault.Message, "sources (test)") {
		t.Errorf("a panic gives %v", fault)
	}
	on(s, rpc.Sources, func(ctx context.Context, _ rpc.None, _ progress) ([]api.Source, error) {
		s.Cancel(1)
		return nil, ctx.Err()
	})
	if _, fault := ask(t, s, rpc.Sources, rpc.None{}); fault == nil || fault.Kind != pcp.Cancelled {
		t.Errorf("a cancelled call gives %v", fault)
	}
	if len(s.running) != 0 {
		t.Errorf("%d calls are still noted as running", len(s.running))
	}
}

// The archive used for warming up must open and be read completely: otherwise
// it would silently have no effect.
func TestRehearsalIsAnArchive(t *testing.T) {
	for _, version := range []int{2, 3} {
		session := core.NewSession(core.Options{})
		var files []core.File
		for _, f := range warmArchive(version) {
			data := f.Data.([]byte)
			files = append(files, core.File{Name: f.Name, Size: int64(len(data)), At: bytes.NewReader(data)})
		}
		opened, err := session.Open(context.Background(), files, func(api.Progress) {})
		if err != nil || len(opened.Sources) != 1 {
			t.Fatalf("version %d opens as %+v, %v", version, opened, err)
		}
		src, err := session.Loaded(context.Background(), opened.Sources[0].ID, func(api.Progress) {})
		if err != nil || src.Loaded != 1 || len(src.Problems) != 0 || src.Metrics < 4 || src.Version != version {
			t.Errorf("version %d is %+v, %v", version, src, err)
		}
		frame, err := session.Fetch(context.Background(), api.Query{Source: src.ID, Metrics: []string{"b.level"}}, func(api.Progress) {})
		if err != nil || len(frame.Columns) != 399 || len(frame.Columns[398].Values) != 300 || frame.Columns[398].Values[299] != float64((299+399)/16) {
			t.Errorf("version %d: b.level: %v, %v", version, len(frame.Columns), err)
		}
	}
	asked := 0
	warm(nil, func() bool { asked++; return asked < 30 })
	if asked != 30 {
		t.Errorf("warming took %d steps, want it stopped at the 30th", asked)
	}
}

// A chart that is requested again is sent as it was, until a metric is defined: with
// that, its expressions may mean something else.
func TestChartIsKept(t *testing.T) {
	s := newServer()
	var q rpc.OpenRequest
	for _, name := range []string{"web01.meta", "web01.0.zst", "web01.index"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "live", name))
		if err != nil {
			t.Fatal(err)
		}
		q.Files = append(q.Files, rpc.File{Name: name, Data: data})
	}
	opened, fault := ask(t, s, rpc.Open, q)
	if fault != nil {
		t.Fatal(fault)
	}
	id := opened.Sources[0].ID
	chart := func(metric string) rpc.Message {
		t.Helper()
		about := opened.Sources[0]
		out, fault := s.Call(t.Context(), 1, string(rpc.Chart), rpc.Encode(api.ChartQuery{Query: api.Query{Source: id, Metrics: []string{metric}, Convert: "rate", Count: 30}, Start: about.Start, End: about.End}), func(api.Progress) {})
		if fault != nil {
			t.Fatal(fault)
		}
		return out
	}
	early := chart("kernel.all.load") // may have been answered while the source was being read
	if _, fault := ask(t, s, rpc.Loaded, rpc.SourceRequest{Source: id}); fault != nil {
		t.Fatal(fault)
	}
	first := chart("kernel.all.load")
	if len(first.Data) == 0 || !bytes.Equal(first.Data, early.Data) {
		t.Fatalf("%d bytes of numbers, %d before", len(first.Data), len(early.Data))
	}
	if again := chart("kernel.all.load"); &again.Data[0] != &first.Data[0] {
		t.Error("the same chart was computed again")
	}
	if other := chart("kernel.all.nprocs"); bytes.Equal(other.Data, first.Data) {
		t.Error("another metric has the same chart")
	}
	unknown := chart("mine.load")
	if _, fault := ask(t, s, rpc.Derive, rpc.DeriveRequest{Source: id, Name: "mine.load", Expression: "kernel.all.load * 2"}); fault != nil {
		t.Fatal(fault)
	}
	if known := chart("mine.load"); known.Text == unknown.Text || len(known.Data) <= len(unknown.Data) {
		t.Error("a metric has no values after it was defined")
	}
	if again := chart("kernel.all.load"); !bytes.Equal(again.Data, first.Data) || &again.Data[0] == &first.Data[0] {
		t.Error("with a definition, a kept chart was sent")
	}
}

// An answer for whose message there is no memory is a fault, and what messages
// claim is given back.
func TestMessagesAreWithinTheBudget(t *testing.T) {
	s := newServer()
	var q rpc.OpenRequest
	for _, name := range []string{"web01.meta", "web01.0.zst", "web01.index"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "live", name))
		if err != nil {
			t.Fatal(err)
		}
		q.Files = append(q.Files, rpc.File{Name: name, Data: data})
	}
	opened, fault := ask(t, s, rpc.Open, q)
	if fault != nil {
		t.Fatal(fault)
	}
	metrics := rpc.MetricsRequest{Source: opened.Sources[0].ID}
	if _, fault := ask(t, s, rpc.Loaded, rpc.SourceRequest{Source: metrics.Source}); fault != nil {
		t.Fatal(fault)
	}
	if list, fault := ask(t, s, rpc.Metrics, metrics); fault != nil || len(list) < 1000 {
		t.Fatalf("%d metrics, %v", len(list), fault)
	}
	used, limit := s.session.Memory()
	rest := s.session.Claim()
	if err := rest.Take(limit - used - 4<<10); err != nil {
		t.Fatal(err)
	}
	if _, fault := ask(t, s, rpc.Metrics, metrics); fault == nil || fault.Kind != pcp.OutOfMemory {
		t.Errorf("a message of all metrics fits in 4 KiB: %v", fault)
	}
	rest.Release()
	if now, _ := s.session.Memory(); now != used {
		t.Errorf("%d bytes stay claimed", now-used)
	}
}
