package web

import (
	"context"
	"syscall/js"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/zone"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
	"pcpscope/web/state"
)

// engine asks the worker, through the Pcpscope of the page.
type engine struct {
	rpc.Client
	far far
}

// far are the sources of which not all has been read. What there is of them
// is shown at once.
type far map[api.SourceID]bool

var _ state.Engine = engine{}

func (e engine) Open(ctx context.Context, files []state.File, progress func(api.Progress)) (api.Opened, error) {
	var in rpc.OpenRequest
	var urls []string
	for _, f := range files {
		// What lies on a server comes as {url, size} in place of a Blob.
		if v, ok := f.Data.(js.Value); ok && v.Get("url").Type() == js.TypeString {
			urls = append(urls, v.Get("url").String())
			continue
		}
		in.Files = append(in.Files, wire(f))
	}
	var opened api.Opened
	var err error
	if len(urls) == 0 {
		opened, err = rpc.Invoke(ctx, e.Client, rpc.Open, in, seldom(progress))
	} else {
		opened, err = rpc.Invoke(ctx, e.Client, rpc.OpenURL, openURLs(urls), seldom(progress))
	}
	for _, s := range opened.Sources {
		e.far[s.ID] = s.OnDemand || s.Loaded < 1
	}
	return opened, err
}

func openURLs(urls []string) rpc.OpenURLRequest {
	return rpc.OpenURLRequest{URLs: urls, Headers: []rpc.Header{}, Origin: js.Global().Get("location").Get("origin").String()}
}

func (e engine) Loaded(ctx context.Context, id api.SourceID, progress func(api.Progress)) (api.Source, error) {
	s, err := rpc.Invoke(ctx, e.Client, rpc.Loaded, rpc.SourceRequest{Source: id}, seldom(progress))
	if err == nil {
		delete(e.far, id)
	}
	return s, err
}

func (e engine) Files(ctx context.Context, id api.SourceID) ([]api.SourceFile, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Files, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) Halt(ctx context.Context, id api.SourceID) (api.Source, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Halt, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) Sources(ctx context.Context) ([]api.Source, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Sources, rpc.None{}, nil)
}

func (e engine) Close(ctx context.Context, id api.SourceID) error {
	_, err := rpc.Await(e.Pcpscope.Call("close", int(id))) // which gives memory back, too
	return err
}

func (e engine) Metrics(ctx context.Context, id api.SourceID) ([]api.Metric, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Metrics, rpc.MetricsRequest{Source: id}, nil)
}

func (e engine) Instances(ctx context.Context, id api.SourceID, indom string) ([]api.Instance, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Instances, rpc.InstancesRequest{Source: id, InDom: indom}, nil)
}

func (e engine) Fetch(ctx context.Context, q api.Query, progress func(api.Progress)) (*api.Frame, error) {
	q.Partial = q.Partial || e.far[q.Source]
	return rpc.Invoke(ctx, e.Client, rpc.Fetch, q, seldom(progress))
}

func (e engine) Search(ctx context.Context, id api.SourceID, text string, limit int) ([]api.Hit, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Search, rpc.SearchRequest{Source: id, Text: text, Limit: limit}, nil)
}

func (e engine) Activity(ctx context.Context, id api.SourceID) ([]api.Activity, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Activity, rpc.SourceRequest{Source: id}, nil)
}

func (e engine) Sparklines(ctx context.Context, id api.SourceID, names []string, points int) ([]api.Sparkline, error) {
	return rpc.Invoke(ctx, e.Client, rpc.Sparklines, rpc.SparklinesRequest{Source: id, Names: names, Points: points}, nil)
}

// seldom lets ten reports a second through: each draws the page.
func seldom(progress func(api.Progress)) func(api.Progress) {
	if progress == nil {
		return nil
	}
	var last time.Time
	return func(p api.Progress) {
		if now := time.Now(); now.Sub(last) >= 100*time.Millisecond || p.Done >= p.Total {
			last = now
			go progress(p) // it takes the loop's lock, for which a callback must not wait
		}
	}
}

// resolve asks the browser, which knows all zones, about one.
func resolve(name string) (f format.OffsetFunc, ok bool) {
	defer func() {
		if recover() != nil { // the browser throws for a name it does not know
			f, ok = nil, false
		}
	}()
	options := map[string]any{"timeZone": name, "timeZoneName": "longOffset"}
	formatter := js.Global().Get("Intl").Get("DateTimeFormat").New("en-US", options)
	return func(unix int64) int {
		parts := formatter.Call("formatToParts", float64(unix)*1000)
		for i := range parts.Length() {
			if p := parts.Index(i); p.Get("type").String() == "timeZoneName" {
				return zone.ParseGMT(p.Get("value").String())
			}
		}
		return 0
	}, true
}

// localZone is the zone of the browser, by name.
func localZone() string {
	zone := js.Global().Get("Intl").Get("DateTimeFormat").New().Call("resolvedOptions").Get("timeZone")
	if zone.Type() != js.TypeString {
		return ""
	}
	return zone.String()
}
