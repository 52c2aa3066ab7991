package engine

import (
	"bytes"
	"context"
	"io"
	"slices"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
)

// warm works through small generated archives. WebAssembly runs slowly until
// the browser has optimised the functions that matter, which had better
// happen while the user still looks at an empty page. proceed is asked between
// steps; yield is called within them.
func warm(yield func(), proceed func() bool) {
	w := warming{yield, proceed}
	for _, version := range []int{3, 2} {
		files := warmArchive(version)
		for range 3 {
			if !w.with(files, w.questions) {
				return
			}
		}
	}
	host := warmHost()
	for range 3 {
		if !w.with(host, w.page) {
			return
		}
	}
}

type warming struct {
	yield   func()
	proceed func() bool
}

// asker asks a server that has one source.
type asker struct {
	server *Server
	source api.SourceID
}

func (a asker) ask(method string, q any) rpc.Message {
	reply, _ := a.server.Call(context.Background(), 0, method, rpc.Encode(q), func(api.Progress) {})
	return reply
}

// with opens files in a server of its own and takes the steps of a user. It
// reports whether it finished.
func (w warming) with(files []rpc.File, steps func(asker) []func()) bool {
	a := asker{server: NewServer(core.NewSession(core.Options{Yield: w.yield}), nil, fromMemory)}
	var opened api.Opened
	if err := rpc.Decode(a.ask(string(rpc.Open), rpc.OpenRequest{Files: files}), &opened); err != nil || len(opened.Sources) != 1 {
		return false
	}
	a.source = opened.Sources[0].ID
	a.ask(string(rpc.Loaded), rpc.SourceRequest{Source: a.source})
	for _, step := range steps(a) {
		if !w.proceed() {
			return false
		}
		step()
	}
	return true
}

// fromMemory opens the files of warmArchive and warmHost.
func fromMemory(b rpc.Blob) (io.ReaderAt, int64, error) {
	data := b.([]byte)
	return bytes.NewReader(data), int64(len(data)), nil
}

// questions are those of programs: what there is, values, a summary.
func (warming) questions(a asker) []func() {
	second := int64(1e9)
	steps := []func(){
		func() { a.ask(string(rpc.Metrics), rpc.MetricsRequest{Source: a.source}) },
		func() {
			a.ask(string(rpc.Instances), rpc.InstancesRequest{Source: a.source, InDom: warmInDom.String()})
		},
		func() {
			a.ask(string(rpc.SummaryPart), rpc.SummaryPartRequest{Query: api.SummaryQuery{Source: a.source}})
		},
	}
	for _, q := range []api.Query{
		{Metrics: []string{"a.counter", "a.level", "b.counter", "b.level"}},
		{Metrics: []string{"b.counter", "b.level"}, Convert: "rate"},
		{Metrics: []string{"b.counter"}, Mode: "raw"},
	} {
		q.Source, q.Interval = a.source, &api.When{Nanos: &second}
		steps = append(steps, func() { a.ask(string(rpc.Fetch), q) })
	}
	return steps
}

// page has what the page asks for after a drop: the panels of the overview,
// what is unusual, which dashboards there are, and the incidents.
func (warming) page(a asker) []func() {
	source, step := rpc.SourceRequest{Source: a.source}, int64(2*warmStep)
	steps := []func(){
		func() { a.ask(string(rpc.Overview), source) },
		func() { a.ask(string(rpc.Activity), source) },
		func() { a.ask(string(rpc.Dashboards), source) },
		func() { a.ask(string(rpc.Story), api.StoryQuery{Source: a.source}) },
	}
	for _, metrics := range warmPanels {
		q := api.Query{Source: a.source, Metrics: metrics, Convert: "rate", Gaps: true, Reduce: "mean", Samples: true,
			Interval: &api.When{Nanos: &step}}
		steps = slices.Insert(steps, 0,
			func() { a.ask(string(rpc.Cadences), rpc.CadencesRequest{Source: a.source, Metrics: metrics}) },
			func() {
				a.ask(string(rpc.Chart), api.ChartQuery{Query: q, Start: warmStart, End: warmStart + warmRecords*warmStep, Rest: &api.ChartRest{Top: 8}})
			})
	}
	return steps
}
