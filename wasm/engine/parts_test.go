package engine

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// A part of a list is bounded in bytes, too: metrics come without their labels, and
// instances that have long ones a few at a time.
func TestPartsAreBounded(t *testing.T) {
	const n = 200
	s, _, id := metered(t, longLabels(t, n, 20_000))
	const limit = 512 << 10 // all of the labels are 4 MB
	metrics := 0
	for total := 1; metrics < total; {
		part, fault := ask(t, s, rpc.MetricPart, rpc.MetricPartRequest{Source: id, From: metrics})
		if fault != nil || len(part.Metrics) == 0 {
			t.Fatalf("from %d: %+v, %v", metrics, part, fault)
		}
		if size := len(rpc.Encode(part).Text); size > limit {
			t.Fatalf("a part of %d metrics has %d bytes", len(part.Metrics), size)
		}
		metrics, total = metrics+len(part.Metrics), part.Total
	}
	if metrics < n {
		t.Errorf("%d metrics are listed, want %d and those of event records", metrics, n)
	}
	instances := 0
	for total := 1; instances < total; {
		part, fault := ask(t, s, rpc.InstancePart, rpc.InstancePartRequest{Source: id, InDom: "60.1", From: instances})
		if fault != nil || len(part.Instances) == 0 {
			t.Fatalf("from %d: %+v, %v", instances, part, fault)
		}
		if size := len(rpc.Encode(part).Text); size > limit {
			t.Fatalf("a part of %d instances has %d bytes", len(part.Instances), size)
		}
		instances, total = instances+len(part.Instances), part.Total
	}
	if instances != n {
		t.Errorf("%d instances are listed, want %d", instances, n)
	}
}

// longLabels is an archive of n metrics and n instances, each with a label of its own
// of the given size: a text that is the same crosses once.
func longLabels(t *testing.T, n, size int) (files []core.File) {
	t.Helper()
	parts := map[string]*closing{}
	w, err := archive.NewWriter(archive.Label{Version: 3, Host: "h", Start: 1e18}, func(suffix string) (io.WriteCloser, error) {
		parts[suffix] = &closing{}
		return parts[suffix], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dom := pcp.MakeInDom(60, 1)
	long := func(i int) string { return fmt.Sprintf(`{"a":"%d%s"}`, i, strings.Repeat("x", size)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var list []pcp.Instance
	var sets []archive.LabelSet
	for i := range n {
		d := pcp.Desc{PMID: pcp.MakePMID(60, 0, i), InDom: dom, Type: pcp.Uint32, Sem: pcp.Instant}
		must(w.Desc(d, fmt.Sprint("a.b", i)))
		must(w.Labels(1e18, archive.ItemLabels, uint32(d.PMID), []archive.LabelSet{{Inst: pcp.NoInstance, JSON: long(i)}}))
		list = append(list, pcp.Instance{ID: int32(i), Name: fmt.Sprint("i", i)})
		sets = append(sets, archive.LabelSet{Inst: int32(i), JSON: long(i)})
	}
	must(w.InDom(1e18, dom, list))
	must(w.Labels(1e18, archive.InstanceLabels, uint32(dom), sets))
	for k := range 3 {
		must(w.Record(pcp.Time(1e18+6e10*k), []archive.ValueSet{{PMID: pcp.MakePMID(60, 0, 0), Type: pcp.Uint32, Values: []archive.Value{{Inst: 1, Val: 1}}}}))
	}
	must(w.Close())
	for suffix, data := range parts {
		files = append(files, core.File{Name: "a." + suffix, Size: int64(data.Len()), At: bytes.NewReader(data.Bytes())})
	}
	return files
}

type closing struct{ bytes.Buffer }

func (*closing) Close() error { return nil }
