package core

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Inspect checks everything that pmlogcheck(1) checks, even if it did not
// prevent reading: implausible descriptors, impossible entries of the temporal
// index, values that change their encoding, counters that decrease. It waits
// until the source has been read. The problems of Source.problems come first.
func (s *Session) Inspect(ctx context.Context, id api.SourceID, progress func(api.Progress)) ([]pcp.Fault, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return nil, err
	}
	found := problemList{limit: maxInspected}
	found.add(src.about.Problems...)
	for _, p := range src.parts {
		a, ok := p.(recorded)
		if !ok {
			found.addOf(p)
			continue
		}
		more, err := a.Check(ctx)
		if err != nil {
			return nil, err
		}
		found.add(more...)
	}
	return found.all(), nil
}
