package core

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Inspect looks for all that pmlogcheck(1) complains of, also where it did not
// disturb the reading: implausible descriptors, entries of the temporal index
// that cannot be true, values that change their encoding, counters that
// decrease. It waits until the source is read. What Source.problems has comes
// first.
func (s *Session) Inspect(ctx context.Context, id api.SourceID, progress func(api.Progress)) ([]pcp.Fault, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return nil, err
	}
	found := append([]pcp.Fault{}, src.about.Problems...)
	for _, p := range src.parts {
		a, ok := p.(recorded)
		if !ok {
			found = append(found, p.Problems()...)
			continue
		}
		more, err := a.Check(ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}
