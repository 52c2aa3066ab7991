// Package engine answers the calls of package rpc with a core.Session, in the
// worker. Only the files named *_js.go depend on JavaScript.
package engine

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/engine/remote"
	"pcpscope/wasm/rpc"
)

// A Server answers calls, several of which may be pending.
type Server struct {
	session *core.Session
	client  remote.Client
	read    func(rpc.Blob) (io.ReaderAt, int64, error)
	storage func() Storage
	tables  func(format string) (TablesWriter, error)
	methods map[string]handler

	// Yield, if set, lets other work run while a long answer is encoded. It
	// must be set before the first call.
	Yield func()

	first *precedence // of charts over reading

	mu      sync.Mutex
	running map[int]context.CancelFunc
}

type handler func(ctx context.Context, in rpc.Message, progress func(api.Progress)) (rpc.Message, error)

// NewServer returns a server of session. client fetches URLs; read opens a
// file sent by the page, and returns its size in bytes.
func NewServer(session *core.Session, client remote.Client, read func(rpc.Blob) (io.ReaderAt, int64, error)) *Server {
	s := &Server{session: session, client: client, read: read, first: &precedence{}, methods: map[string]handler{}, running: map[int]context.CancelFunc{}}
	on(s, rpc.Open, s.open)
	on(s, rpc.OpenURL, s.openURL)
	on(s, rpc.Sources, func(context.Context, rpc.None, progress) ([]api.Source, error) {
		return session.Sources(), nil
	})
	on(s, rpc.Loaded, func(ctx context.Context, q rpc.SourceRequest, p progress) (api.Source, error) {
		return session.Loaded(ctx, q.Source, p)
	})
	on(s, rpc.Halt, func(_ context.Context, q rpc.SourceRequest, _ progress) (api.Source, error) {
		return session.Halt(q.Source)
	})
	on(s, rpc.Files, func(_ context.Context, q rpc.SourceRequest, _ progress) ([]api.SourceFile, error) {
		return session.Files(q.Source)
	})
	on(s, rpc.Close, s.close)
	on(s, rpc.Metrics, func(_ context.Context, q rpc.MetricsRequest, _ progress) ([]api.Metric, error) {
		return session.Metrics(q.Source, q.Prefix)
	})
	on(s, rpc.MetricPart, s.metricPart)
	on(s, rpc.InstancePart, s.instancePart)
	on(s, rpc.SummaryPart, s.summaryPart)
	on(s, rpc.About, s.about)
	on(s, rpc.Matching, func(ctx context.Context, q rpc.MatchingRequest, _ progress) ([]uint8, error) {
		return session.Matching(ctx, q.Source, q.Text)
	})
	on(s, rpc.Cadences, func(ctx context.Context, q rpc.CadencesRequest, _ progress) ([]api.Cadence, error) {
		return session.Cadences(ctx, q.Source, q.Metrics, q.Partial)
	})
	on(s, rpc.Search, func(ctx context.Context, q rpc.SearchRequest, _ progress) ([]api.Hit, error) {
		return session.Search(ctx, q.Source, q.Text, q.Limit)
	})
	on(s, rpc.Instances, func(_ context.Context, q rpc.InstancesRequest, _ progress) ([]api.Instance, error) {
		return session.Instances(q.Source, q.InDom)
	})
	on(s, rpc.Fetch, func(ctx context.Context, q api.Query, p progress) (*api.Frame, error) {
		return session.Fetch(ctx, q, p)
	})
	s.methods[string(rpc.Chart)] = s.chart
	on(s, rpc.Derive, func(_ context.Context, q rpc.DeriveRequest, _ progress) (api.Metric, error) {
		return session.Derive(q.Source, q.Name, q.Expression)
	})
	on(s, rpc.Check, func(_ context.Context, q rpc.CheckRequest, _ progress) ([]pcp.Fault, error) {
		return session.Check(q.Source, q.Expression)
	})
	on(s, rpc.RunRules, func(ctx context.Context, q api.RulesQuery, p progress) (api.RuleResults, error) {
		return session.RunRules(ctx, q, p)
	})
	on(s, rpc.CheckRule, func(ctx context.Context, q api.CheckQuery, p progress) (api.Checked, error) {
		return session.CheckRule(ctx, q, p)
	})
	on(s, rpc.Definitions, func(_ context.Context, q rpc.SourceRequest, _ progress) ([]api.Definition, error) {
		return session.Definitions(q.Source)
	})
	on(s, rpc.Define, func(_ context.Context, q rpc.DefineRequest, _ progress) (api.Defined, error) {
		return session.Define(q.Source, q.Text, q.File)
	})
	on(s, rpc.Undefine, func(_ context.Context, q rpc.UndefineRequest, _ progress) (bool, error) {
		return session.Undefine(q.Source, q.Name)
	})
	on(s, rpc.Config, func(_ context.Context, q rpc.SourceRequest, _ progress) (string, error) {
		return session.Config(q.Source)
	})
	on(s, rpc.Complete, func(_ context.Context, q rpc.CompleteRequest, _ progress) (api.Completion, error) {
		return session.Complete(q.Source, q.Text, q.At)
	})
	on(s, rpc.Describe, func(_ context.Context, q rpc.DescribeRequest, _ progress) (api.Description, error) {
		return session.Describe(q.Source, q.Expression)
	})
	on(s, rpc.Update, s.update)
	on(s, rpc.Activity, func(ctx context.Context, q rpc.SourceRequest, p progress) ([]api.Activity, error) {
		return session.Activity(ctx, q.Source, p)
	})
	on(s, rpc.Sparklines, func(ctx context.Context, q rpc.SparklinesRequest, p progress) ([]api.Sparkline, error) {
		return session.Sparklines(ctx, q.Source, q.Names, q.Points, p)
	})
	on(s, rpc.Inspect, func(ctx context.Context, q rpc.SourceRequest, p progress) ([]pcp.Fault, error) {
		return session.Inspect(ctx, q.Source, p)
	})
	on(s, rpc.Summary, func(ctx context.Context, q api.SummaryQuery, p progress) ([]api.Summary, error) {
		return session.Summary(ctx, q, p)
	})
	on(s, rpc.Save, s.save)
	on(s, rpc.Export, s.export)
	on(s, rpc.Redaction, func(ctx context.Context, q api.SaveQuery, p progress) (api.Redaction, error) {
		return session.Redaction(ctx, q, p)
	})
	on(s, rpc.RedactText, func(ctx context.Context, q rpc.RedactTextRequest, p progress) ([]string, error) {
		return session.RedactText(ctx, q.Query, q.Texts, p)
	})
	s.onAnalysis()
	return s
}

type progress = func(api.Progress)

func on[Request, Reply any](s *Server, call rpc.Call[Request, Reply], answer func(context.Context, Request, progress) (Reply, error)) {
	s.methods[string(call)] = func(ctx context.Context, in rpc.Message, p progress) (rpc.Message, error) {
		var q Request
		if err := rpc.Decode(in, &q); err != nil {
			return rpc.Message{}, err
		}
		reply, err := answer(ctx, q, p)
		if err != nil {
			return rpc.Message{}, err
		}
		return s.encode(ctx, reply)
	}
}

// encode encodes an answer within the session's budget.
func (s *Server) encode(ctx context.Context, reply any) (rpc.Message, error) {
	claim := s.session.Claim()
	defer claim.Release() // the page gets it next
	return rpc.EncodeWithin(reply, s.turnsOf(ctx), claim.Take)
}

// unwanted ends the encoding of the answer to a cancelled call.
type unwanted struct{}

// turnsOf returns a function that yields while an answer is encoded, and
// panics once the call is cancelled.
func (s *Server) turnsOf(ctx context.Context) func() {
	return func() {
		if s.Yield != nil {
			s.Yield()
		}
		if ctx.Err() != nil {
			panic(unwanted{})
		}
	}
}

// Call answers one call with a reply or a fault. id identifies it for Cancel.
// A panic becomes a fault of kind internal, so that one failed question does
// not end the session.
func (s *Server) Call(ctx context.Context, id int, method string, in rpc.Message, p progress) (out rpc.Message, fault *pcp.Fault) {
	answer, ok := s.methods[method]
	if !ok {
		return out, pcp.Faultf(pcp.BadArgument, "There is no method %q.", method)
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.running[id] = cancel
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.running, id)
		s.mu.Unlock()
		cancel()
		if e := recover(); e == (unwanted{}) {
			out, fault = rpc.Message{}, pcp.Faultf(pcp.Cancelled, "The call was cancelled.")
		} else if e != nil {
			out, fault = rpc.Message{}, pcp.Panicked(method, e)
		}
	}()
	out, err := answer(ctx, in, p)
	if err != nil && ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return out, pcp.Faultf(pcp.Cancelled, "The call was cancelled.")
	}
	return out, pcp.AsFault(err)
}

// Busy reports whether calls are pending.
func (s *Server) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running) > 0
}

// Cancel stops a call that is still running.
func (s *Server) Cancel(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.running[id]; ok {
		cancel()
	}
}

func (s *Server) open(ctx context.Context, q rpc.OpenRequest, p progress) (api.Opened, error) {
	files := make([]core.File, 0, len(q.Files))
	for i, f := range q.Files {
		if i%100 == 0 && s.Yield != nil { // a browser may look at each on disk
			s.Yield()
		}
		if ctx.Err() != nil {
			return api.Opened{}, pcp.Faultf(pcp.Cancelled, "Opening was cancelled.")
		}
		file, err := s.file(f)
		if err != nil {
			return api.Opened{}, err
		}
		files = append(files, file)
	}
	opened, err := s.session.Open(ctx, files, p)
	if q.Charts {
		s.first.opened(opened.Sources)
	}
	return opened, err
}

func (s *Server) update(ctx context.Context, q rpc.UpdateRequest, _ progress) (api.Source, error) {
	f, err := s.file(q.File)
	if err != nil {
		return api.Source{}, err
	}
	return s.session.Update(ctx, q.Source, f)
}

func (s *Server) file(f rpc.File) (core.File, error) {
	at, size, err := s.read(f.Data)
	if err != nil {
		return core.File{}, pcp.Faultf(pcp.BadArgument, "%s is neither a File nor a Blob.", f.Name)
	}
	return core.File{Name: f.Name, Size: size, At: at, Modified: pcp.Time(f.Modified * 1e6)}, nil
}

// openURL finds the files behind URLs and opens them. Missing ones are
// reported as rejected, beside those that were opened.
func (s *Server) openURL(ctx context.Context, q rpc.OpenURLRequest, p progress) (api.Opened, error) {
	finder := remote.Finder{Client: s.client, Origin: q.Origin, LastVolume: core.LastVolume}
	for _, h := range q.Headers {
		finder.Headers = append(finder.Headers, remote.Header(h))
	}
	found, missed, err := finder.Find(ctx, q.URLs, func(phase string, done, total int64) {
		p(api.Progress{Phase: phase, Done: float64(done), Total: float64(total)})
	})
	if err != nil {
		return api.Opened{}, err
	}
	files := make([]core.File, 0, len(found))
	for _, f := range found {
		files = append(files, core.File{Name: f.Name, Size: f.Size, At: f.At})
	}
	opened, err := s.session.Open(ctx, files, p)
	if err != nil {
		return api.Opened{}, err
	}
	for _, m := range missed {
		opened.Rejected = append(opened.Rejected, api.Rejected{Name: m.Name, Fault: m.Fault})
	}
	return opened, nil
}

func (s *Server) close(_ context.Context, q rpc.SourceRequest, _ progress) (rpc.Closed, error) {
	if err := s.session.Close(q.Source); err != nil {
		return rpc.Closed{}, err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return rpc.Closed{Open: len(s.session.Sources()), Memory: float64(m.Sys)}, nil
}
