package engine

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// The maximum number of metrics or instances in a part of a list, of bytes of text, and of
// series, so that it takes milliseconds.
const (
	partMetrics = 2000
	partText    = 256 << 10
	partSeries  = 8192 // of a summary
)

// The maximum number of bytes of texts sent to the page: of one-line help in lists; of
// long help and labels, which are shown for one metric at a time.
const (
	listedText = 300
	aboutText  = 32 << 10
	aboutLabel = 256 << 10
)

func (s *Server) metricPart(_ context.Context, q rpc.MetricPartRequest, _ progress) (rpc.Part, error) {
	list, total, err := s.session.MetricPart(q.Source, q.From, partMetrics)
	if err != nil {
		return rpc.Part{}, err
	}
	part := rpc.Part{Metrics: []api.Metric{}, Total: total}
	size := 0
	for _, m := range list {
		m.Oneline, m.Help = shortened(m.Oneline, listedText), ""
		if size += len(m.Name) + len(m.Oneline) + len(m.Expression); size > partText && len(part.Metrics) > 0 {
			break
		}
		part.Metrics = append(part.Metrics, m)
	}
	return part, nil
}

func (s *Server) instancePart(_ context.Context, q rpc.InstancePartRequest, _ progress) (rpc.InstancePartReply, error) {
	list, total, err := s.session.InstancesFrom(q.Source, q.InDom, q.From, partMetrics)
	if err != nil {
		return rpc.InstancePartReply{}, err
	}
	size := 0
	for i := range list {
		if size += len(list[i].Name) + len(list[i].Title) + len(list[i].Labels); size > partText && i > 0 {
			list = list[:i]
			break
		}
	}
	return rpc.InstancePartReply{Instances: list, Total: total}, nil
}

func (s *Server) summaryPart(ctx context.Context, q rpc.SummaryPartRequest, p progress) (rpc.SummaryPartReply, error) {
	list, next, err := s.session.SummaryPart(ctx, q.Query, q.From, partSeries, p)
	return rpc.SummaryPartReply{Series: list, Next: next}, err
}

func (s *Server) about(_ context.Context, q rpc.AboutRequest, _ progress) (api.Metric, error) {
	list, err := s.session.Metrics(q.Source, q.Metric)
	if err != nil {
		return api.Metric{}, err
	}
	at := slices.IndexFunc(list, func(m api.Metric) bool { return m.Name == q.Metric })
	if at < 0 {
		return api.Metric{}, pcp.Faultf(pcp.UnknownMetric, "%s is not a metric of this source.", shortened(q.Metric, listedText))
	}
	m := list[at]
	m.Oneline, m.Help = shortened(m.Oneline, aboutText), shortened(m.Help, aboutText)
	if len(m.Labels) > aboutLabel {
		m.Labels = nil
	}
	return m, nil
}

// shortened truncates a text of more than n bytes, and marks it as truncated.
// It counts bytes, not characters as pcp.Clip, because it limits memory.
func shortened(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(text[:n]) + "…"
}
