package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
)

func TestEveryMethodIsServed(t *testing.T) {
	s := newServer()
	for _, m := range rpc.Methods() {
		if s.methods[m.Name] == nil {
			t.Errorf("nobody answers %s", m.Name)
		}
	}
	if len(s.methods) != len(rpc.Methods()) {
		t.Errorf("%d methods are served, the protocol has %d", len(s.methods), len(rpc.Methods()))
	}
}

// must makes a call that must succeed.
func must[Request, Reply any](t *testing.T, s *Server, call rpc.Call[Request, Reply], q Request) Reply {
	t.Helper()
	reply, fault := ask(t, s, call, q)
	if fault != nil {
		t.Fatalf("%s: %v", call, fault)
	}
	return reply
}

// Answers about a source are transferred completely.
func TestAnalysisOverTheWire(t *testing.T) {
	s := newServer()
	var q rpc.OpenRequest
	for _, name := range []string{"web01.meta", "web01.0.zst", "web01.index"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "live", name))
		if err != nil {
			t.Fatal(err)
		}
		q.Files = append(q.Files, rpc.File{Name: name, Data: data})
	}
	id := must(t, s, rpc.Open, q).Sources[0].ID
	src := rpc.SourceRequest{Source: id}
	must(t, s, rpc.Loaded, src)
	if o := must(t, s, rpc.Overview, src); len(o.Tiles) != 8 || len(o.Who) < 8 || o.Pulse.Expression == "" || len(o.Coverage) == 0 || o.Tiles[0].Utilisation.Value == nil {
		t.Errorf("overview: %d tiles, %d facts", len(o.Tiles), len(o.Who))
	}
	if f := must(t, s, rpc.Findings, src); len(f) == 0 {
		t.Error("no findings")
	}
	if dashboards := must(t, s, rpc.Dashboards, src); len(dashboards) < 25 || len(dashboards[0].Sparkline) == 0 {
		t.Errorf("%d dashboards", len(dashboards))
	}
	if d := must(t, s, rpc.Dashboard, rpc.DashboardRequest{Source: id, ID: "disks"}); len(d.Panels) == 0 || len(d.Panels[0].Series) != 2 || d.Panels[0].Series[0].InDom != nil || d.Panels[0].Series[1].InDom == nil || len(d.Panels[0].Commands) == 0 {
		t.Errorf("dashboard %+v", d)
	}
	im := must(t, s, rpc.Import, rpc.ImportRequest{Source: id, Name: "x.conf", Text: "[a]\nkernel.all.load = load,,,\nno.such.metric = x,,,\n"})
	if len(im.Dashboards) != 1 || len(im.Dashboards[0].Panels) != 1 || len(im.Dashboards[0].Missing) != 1 {
		t.Errorf("import %+v", im)
	}
	if r := must(t, s, rpc.Rules, src); len(r) < 30 {
		t.Errorf("%d rules", len(r))
	}
	half := &api.When{Text: "150sec"}
	if c := must(t, s, rpc.Compare, api.CompareQuery{Source: id, AEnd: half, BStart: half}); c.Compared < 100 {
		t.Errorf("%d series compared", c.Compared)
	}
	if _, fault := ask(t, s, rpc.Processes, api.ProcessQuery{Source: id}); fault == nil || !strings.Contains(fault.Message, "proc.psinfo.utime") {
		t.Errorf("processes of a host without them: %v", fault)
	}
}
