package core

import (
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/save"
)

// BenchmarkBigSave saves the big archive, read before: an hour of it, all of
// it, and all of it with its texts replaced.
func BenchmarkBigSave(b *testing.B) {
	s, id := openBig(b, bigFiles(b))
	src, err := s.Loaded(b.Context(), id, nil)
	if err != nil {
		b.Fatal(err)
	}
	from := src.Start + (src.End-src.Start)/2
	for name, q := range map[string]api.SaveQuery{
		"hour":     {Start: moment(from), End: moment(from + pcp.Time(time.Hour))},
		"all":      {},
		"redacted": {Redact: &api.Redact{}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				q.Source = src.ID
				if _, _, err := s.Save(b.Context(), q, discarding{storage{}}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// discarding does not join files: that is a copy in memory that no other storage
// makes.
type discarding struct{ storage }

func (d discarding) Join(name string, _ []save.Piece) error {
	d.storage[name] = &grown{}
	return nil
}
