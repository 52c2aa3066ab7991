package core

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/interp"
	"pcpscope/core/series"
)

// lastTexts is reduce for strings, of which there is only "last": a step without a string
// at its point gets the last one logged in it.
func (r *reduction) lastTexts(name string, cols []api.Column, keep func(string) bool) ([]api.Column, error) {
	p := r.src.session.newPace(r.ctx)
	raw, err := r.src.raw(name, window{r.e.grid.Start, r.to}, r.e.extent, r.e.claim, p)
	switch {
	case p.ended != nil:
		return nil, p.ended
	case err != nil:
		return cols, nil // the columns carry the error
	}
	red := interp.NewReducer(nil, r.e.grid, r.to, interp.Last, interp.Options{})
	f := series.Frame{Desc: raw.Desc, Blobs: raw.Blobs, Vectors: raw.Vectors}
	for _, logged := range columns(name, &f, keep, false, p.each(len(raw.Times))) {
		at, known := slices.BinarySearchFunc(cols, instOf(&logged), func(c api.Column, inst int32) int { return int(instOf(&c)) - int(inst) })
		if !known {
			c := logged
			c.Strings, c.Why = make([]*string, r.e.grid.Count), slices.Repeat([]uint8{uint8(series.InstanceAbsent)}, r.e.grid.Count)
			cols = slices.Insert(cols, at, c)
		}
		c := &cols[at]
		sampled := slices.Clone(c.Strings)
		for k, text := range logged.Strings {
			i := red.StepOf(raw.Times[k])
			if text == nil || i < 0 || i >= len(sampled) || sampled[i] != nil {
				continue
			}
			c.Strings[i] = text
			if c.Why != nil {
				c.Why[i] = uint8(series.HasValue)
			}
		}
	}
	if p.ended != nil {
		return nil, p.ended
	}
	return cols, nil
}
