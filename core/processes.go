package core

import (
	"cmp"
	"context"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// maxConsumers is the most consumers that a query may ask for.
const maxConsumers = 1000

// Processes lists the processes at a moment with what they used since the
// previous sample or, with start and end, over a window.
func (s *Session) Processes(ctx context.Context, q api.ProcessQuery, progress func(api.Progress)) (api.ProcessTable, error) {
	src, p, w, err := s.processes(ctx, q.Source, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return api.ProcessTable{}, err
	}
	from, at := w.from, w.to
	switch {
	case q.Start != nil && at < from:
		return api.ProcessTable{}, w.reversed()
	case q.Start == nil:
		from = pcp.MinTime
		if q.At != nil {
			one, err := s.window(src, q.At, nil, q.Zone)
			if err != nil {
				return api.ProcessTable{}, err
			}
			at = one.from
		}
	}
	claim := s.memory.Claim(0)
	defer claim.Release()
	t, ok, err := p.Table(from, at, claim.Take)
	if err != nil {
		return api.ProcessTable{}, err
	}
	switch {
	case ok:
		return t, nil
	case from != pcp.MinTime:
		return api.ProcessTable{}, pcp.Faultf(pcp.BadArgument, "No process was sampled in this window.")
	}
	return api.ProcessTable{}, pcp.Faultf(pcp.BadArgument, "Processes were first sampled after that time.")
}

// Consumers says who used a resource, sample by sample.
func (s *Session) Consumers(ctx context.Context, q api.ConsumerQuery, progress func(api.Progress)) (api.Consumers, error) {
	src, p, w, err := s.processes(ctx, q.Source, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return api.Consumers{}, err
	}
	if w.to < w.from {
		return api.Consumers{}, w.reversed()
	}
	if q.What == "" {
		q.What = "cpu"
	}
	if q.By == "" {
		q.By = "command"
	}
	if q.Top == 0 {
		q.Top = 7
	}
	if q.Top < 0 || q.Top > maxConsumers {
		return api.Consumers{}, pcp.Faultf(pcp.BadArgument, "The value %d of top is not between 1 and %d.", q.Top, maxConsumers)
	}
	claim := s.memory.Claim(0)
	defer claim.Release()
	c, err := p.Consumers(q.What, q.By, q.Top, pcp.Span{Start: w.from, End: w.to}, claim.Take)
	if q.By == "cgroup" {
		titles := src.cgroupTitles()
		for i := range c.Series {
			c.Series[i].Name = cmp.Or(titles[c.Series[i].Name], c.Series[i].Name)
		}
	}
	return c, err
}

// processes waits for a source and resolves the window.
func (s *Session) processes(ctx context.Context, id api.SourceID, start, end *api.When, zone string, progress func(api.Progress)) (*source, *analysis.Processes, window, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, nil, window{}, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return nil, nil, window{}, err
	}
	w, err := s.window(src, start, end, zone)
	if err != nil {
		return nil, nil, w, err
	}
	p, err := src.accounts(ctx)
	if err != nil {
		return nil, nil, w, err
	}
	if p == nil {
		return nil, nil, w, src.noProcesses()
	}
	return src, p, w, nil
}

// noProcesses says why there are none. A collector that does not know who asks, as over the
// network, logs an error in their place.
func (src *source) noProcesses() *pcp.Fault {
	for _, name := range []string{"proc.psinfo.utime", "hotproc.psinfo.utime"} {
		ms, known := src.lookup(name)
		if !known {
			continue
		}
		for _, o := range src.observations(ms) {
			if o == nil {
				continue
			}
			for _, v := range o.Voids {
				if v.Code < 0 {
					return pcp.Faultf(pcp.UnknownMetric, "No processes were logged in %s: in their place the collector logged the error %s, %s, for %s.", src.about.Name, v.Code.Symbol(), v.Code, name)
				}
			}
		}
		return pcp.Faultf(pcp.UnknownMetric, "No processes were logged in %s: %s has no values.", src.about.Name, name)
	}
	return pcp.Faultf(pcp.UnknownMetric, "No processes are logged in %s (proc.psinfo.utime is missing).", src.about.Name)
}

// accounts returns the cached process accounting of a source.
func (src *source) accounts(ctx context.Context) (*analysis.Processes, error) {
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return nil, err
	}
	defer src.insight.mu.Unlock()
	if !src.insight.accounted {
		h, p := src.host(ctx)
		accounts := h.Processes()
		if p.ended != nil {
			p.release()
			return nil, p.ended
		}
		src.insight.accounts, src.insight.accounted, src.insight.accounting = accounts, true, p
	}
	return src.insight.accounts, nil
}
