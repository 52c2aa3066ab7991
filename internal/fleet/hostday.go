package fleet

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// A HostDay is everything in the dataset about a host and a day.
type HostDay struct {
	day         string
	Host        string // folder of its archives
	Fingerprint string // of the archives that it was made from
	Name        string // of the host in the archives
	Timezone    string
	Labels      string    // JSON
	Archives    []string  // relative to the folder of the hosts, by base name
	Recorded    []float64 // seconds of each hour
	Problem     string    // what is wrong with its archives
	Unread      bool      // something could not be read at all
	Series      []Series
	Findings    []api.Finding
}

// A Series is one series of a host, by hours.
type Series struct {
	Metric, Instance string
	HasInstance      bool
	Measure          bool
	Units            string
	core.Figures
}

// empty reports whether there are no data for the day.
func (h *HostDay) empty() bool {
	return h.Problem == "" && len(h.Series) == 0 && len(h.Findings) == 0 && !slices.ContainsFunc(h.Recorded, func(s float64) bool { return s > 0 })
}

// readHostDay digests the archives of a host that touch a day.
func readHostDay(ctx context.Context, h *HostDay, day string, paths, metrics []string) error {
	from, err := startOf(day)
	if err != nil {
		return err
	}
	s := core.NewSession(core.Options{})
	opened, files, err := s.OpenPath(ctx, nil, paths...)
	if err != nil {
		return failed(ctx, h, err)
	}
	defer files.Close()
	var problems []string
	for _, x := range opened.Rejected {
		problems = append(problems, x.Name+": "+x.Fault.Message)
		h.Unread = h.Unread || archive.IsComponent(x.Name)
	}
	h.Recorded = make([]float64, hours)
	for i, src := range opened.Sources {
		if src.Kind != "archive" {
			continue
		}
		read, err := s.Loaded(ctx, src.ID, nil)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			problems, h.Unread = append(problems, err.Error()), true
			continue
		}
		for _, p := range read.Problems {
			problems = append(problems, p.Message)
		}
		d, err := s.Digest(ctx, src.ID, pcp.Time(from.UnixNano()), hours, metrics)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			problems, h.Unread = append(problems, err.Error()), true
			continue
		}
		if i > 0 && len(h.Series) > 0 {
			if len(d.Series) > 0 {
				problems = append(problems, fmt.Sprintf("The archives are of several hosts: %s, and %s, which is left out.", h.Name, d.Host))
			}
			continue
		}
		h.Name, h.Timezone, h.Labels, h.Findings, h.Recorded = d.Host, d.Timezone, string(d.Labels), d.Findings, d.Recorded
		h.Series = nil
		for _, x := range d.Series {
			one := Series{Metric: x.Metric, Measure: x.Measure, Units: x.Units, Figures: x.Figures}
			if x.Instance != nil {
				one.Instance, one.HasInstance = x.Instance.Name, true
			}
			h.Series = append(h.Series, one)
		}
	}
	const limit = 3
	if more := len(problems) - limit; more > 0 {
		problems = append(problems[:limit], fmt.Sprintf("And %d more.", more))
	}
	h.Problem = strings.Join(problems, " ")
	h.Unread = h.Unread || len(problems) > 0 && len(h.Series) == 0
	slices.SortStableFunc(h.Series, bySeries)
	slices.SortStableFunc(h.Findings, byLevel)
	return nil
}

// failed records why a day could not be read, unless the run was cancelled.
func failed(ctx context.Context, h *HostDay, err error) error {
	if ctx.Err() != nil {
		return err
	}
	h.Unread = true
	h.Problem, h.Recorded = err.Error(), make([]float64, hours)
	return nil
}

func bySeries(a, b Series) int {
	if c := strings.Compare(a.Metric, b.Metric); c != 0 {
		return c
	}
	return strings.Compare(a.Instance, b.Instance)
}

// keep encodes days of hosts for the index's own use, so that a host that
// arrives late for a day does not require reading the archives of all others
// again.
func keep(list []*HostDay) ([]byte, error) {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(z).Encode(list); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}

// kept decodes them. The bytes are known to be those that were written.
func kept(data []byte) (list []*HostDay, err error) {
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	err = gob.NewDecoder(z).Decode(&list)
	return list, err
}
