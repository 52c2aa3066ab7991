package core

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

var errLater = pcp.Faultf(pcp.Unsupported, "This is not built yet.")

// Open recognises and opens files.
func (s *Session) Open(ctx context.Context, files []File, progress func(api.Progress)) (api.Opened, error) {
	return api.Opened{}, errLater
}

// Metrics lists a source's metrics whose names are prefix or begin with
// prefix and a dot; all for "". Sorted by name.
func (s *Session) Metrics(id api.SourceID, prefix string) ([]api.Metric, error) {
	return nil, errLater
}

// Instances lists every instance of a domain that the source ever names.
func (s *Session) Instances(id api.SourceID, indom string) ([]api.Instance, error) {
	return nil, errLater
}

// Fetch answers a query for values.
func (s *Session) Fetch(ctx context.Context, q api.Query, progress func(api.Progress)) (*api.Frame, error) {
	return nil, errLater
}

// Search looks for text in names, help, instances, labels and units.
func (s *Session) Search(ctx context.Context, id api.SourceID, text string, limit int) ([]api.Hit, error) {
	return nil, errLater
}

// Derive defines a derived metric in a source.
func (s *Session) Derive(id api.SourceID, name, expression string) (api.Metric, error) {
	return api.Metric{}, errLater
}

// Check says what is wrong with an expression; nothing when it is valid.
func (s *Session) Check(id api.SourceID, expression string) ([]pcp.Fault, error) {
	return nil, errLater
}

// Summary summarises a window.
func (s *Session) Summary(ctx context.Context, q api.SummaryQuery, progress func(api.Progress)) ([]api.Summary, error) {
	return nil, errLater
}
