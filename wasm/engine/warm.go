package engine

import (
	"bytes"
	"context"
	"io"
	"strconv"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// warm works through a small generated archive. WebAssembly runs slowly until
// the browser has optimised the functions that matter, which had better
// happen while the user still looks at an empty page. proceed is asked between
// steps; yield is called within them.
func warm(yield func(), proceed func() bool) {
	for _, version := range []int{3, 2} {
		files := warmArchive(version)
		for range 3 {
			if !proceed() || !warmWith(files, yield, proceed) {
				return
			}
		}
	}
}

// warmWith asks a server typical questions, and reports whether it finished.
func warmWith(files []rpc.File, yield func(), proceed func() bool) bool {
	s := NewServer(core.NewSession(core.Options{Yield: yield}), nil, func(b rpc.Blob) (io.ReaderAt, int64, error) {
		data := b.([]byte)
		return bytes.NewReader(data), int64(len(data)), nil
	})
	ask := func(method string, q any) rpc.Message {
		reply, _ := s.Call(context.Background(), 0, method, rpc.Encode(q), func(api.Progress) {})
		return reply
	}
	var opened api.Opened
	if err := rpc.Decode(ask(string(rpc.Open), rpc.OpenRequest{Files: files}), &opened); err != nil || len(opened.Sources) != 1 {
		return false
	}
	id := opened.Sources[0].ID
	ask(string(rpc.Loaded), rpc.SourceRequest{Source: id})
	second := int64(1e9)
	steps := []func(){
		func() { ask(string(rpc.Metrics), rpc.MetricsRequest{Source: id}) },
		func() { ask(string(rpc.Instances), rpc.InstancesRequest{Source: id, InDom: warmInDom.String()}) },
		func() { ask(string(rpc.SummaryPart), rpc.SummaryPartRequest{Query: api.SummaryQuery{Source: id}}) },
	}
	for _, q := range []api.Query{
		{Metrics: []string{"a.counter", "a.level", "b.counter", "b.level"}},
		{Metrics: []string{"b.counter", "b.level"}, Convert: "rate"},
		{Metrics: []string{"b.counter"}, Mode: "raw"},
	} {
		q.Source, q.Interval = id, &api.When{Nanos: &second}
		steps = append(steps, func() { ask(string(rpc.Fetch), q) })
	}
	for _, step := range steps {
		if !proceed() {
			return false
		}
		step()
	}
	return true
}

var warmInDom = pcp.MakeInDom(1, 1)

// warmArchive writes an archive of 300 records with 200 values each, of which
// one in sixteen changes, and with instances that come and go, as on real
// hosts.
func warmArchive(version int) []rpc.File {
	parts := map[string]*bytes.Buffer{}
	start := pcp.MakeTime(1e9, 0)
	w, err := archive.NewWriter(archive.Label{Version: version, Start: start, Host: "localhost", Timezone: "UTC"},
		func(suffix string) (io.WriteCloser, error) {
			parts[suffix] = new(bytes.Buffer)
			return buffer{parts[suffix]}, nil
		})
	if err != nil {
		return nil
	}
	var members []pcp.Instance
	for i := range int32(100) {
		members = append(members, pcp.Instance{ID: i, Name: "instance " + strconv.Itoa(int(i))})
	}
	metrics := []pcp.Desc{
		{PMID: pcp.MakePMID(1, 1, 1), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Counter},
		{PMID: pcp.MakePMID(1, 1, 2), Type: pcp.Float, InDom: pcp.NullInDom, Sem: pcp.Instant},
		{PMID: pcp.MakePMID(1, 1, 3), Type: pcp.Uint32, InDom: warmInDom, Sem: pcp.Counter},
		{PMID: pcp.MakePMID(1, 1, 4), Type: pcp.Uint64, InDom: warmInDom, Sem: pcp.Instant},
	}
	for i, name := range []string{"a.counter", "a.level", "b.counter", "b.level"} {
		w.Desc(metrics[i], name)
	}
	for row := range uint64(300) {
		newcomer := int32(len(members)) + int32(row)
		members[row%100] = pcp.Instance{ID: newcomer, Name: "instance " + strconv.Itoa(int(newcomer))}
		w.InDom(start+pcp.Time(row)*1e9, warmInDom, members)
		var sets []archive.ValueSet
		for _, desc := range metrics {
			set := archive.ValueSet{PMID: desc.PMID, Type: desc.Type}
			if desc.InDom == pcp.NullInDom {
				set.Values = []archive.Value{{Inst: pcp.NoInstance, Val: 7 * row}}
			} else {
				for _, m := range members {
					set.Values = append(set.Values, archive.Value{Inst: m.ID, Val: (row + uint64(m.ID)) / 16})
				}
			}
			sets = append(sets, set)
		}
		w.Record(start+pcp.Time(row)*1e9, sets)
	}
	w.Close()
	var files []rpc.File
	for suffix, b := range parts {
		files = append(files, rpc.File{Name: "warm." + suffix, Data: b.Bytes()})
	}
	return files
}

type buffer struct{ *bytes.Buffer }

func (buffer) Close() error { return nil }
