package fleet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"time"

	"pcpscope/core/api"
)

// Hours of a day in UTC.
const hours = 24

// Statistics of a measure that the page reads, in the order of their sections.
var statistics = []string{"mean", "max", "p95"}

// sections names the sections of a page file. Findings come before the first
// measure, so that the page needs only one range to begin with.
func sections(measures []Measure) []string {
	list := []string{"hosts", "findings"}
	for _, s := range statistics {
		for _, m := range measures {
			list = append(list, s+"/"+m.ID)
		}
	}
	return list
}

// A pageHost is a host in a page file.
type pageHost struct {
	Host     string   `json:"host"`
	Recorded []int    `json:"recorded"` // seconds of each hour
	Archives []string `json:"archives"` // of that day, relative to the folder of the hosts
	Problem  string   `json:"problem,omitempty"`
}

type pageFinding struct {
	Host      int    `json:"host"` // index of the host
	Level     string `json:"level"`
	Resource  string `json:"resource"`
	Text      string `json:"text"`
	Start     int64  `json:"start"` // milliseconds since 1970
	End       int64  `json:"end"`
	Dashboard string `json:"dashboard"`
	Times     int    `json:"times"`
}

// page makes the file of a day that the page reads: sections one after the
// other, each compressed separately.
func page(day string, measures []Measure, list []*HostDay) (file []byte, lengths []int, err error) {
	var out bytes.Buffer
	section := func(data []byte) {
		before := out.Len()
		if data != nil {
			z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
			if _, err = z.Write(data); err == nil {
				err = z.Close()
			}
		}
		lengths = append(lengths, out.Len()-before)
	}
	hosts := struct {
		Version int        `json:"version"`
		Day     string     `json:"day"`
		Hosts   []pageHost `json:"hosts"`
	}{Version, day, []pageHost{}}
	found := []pageFinding{}
	for at, h := range list {
		p := pageHost{Host: h.Host, Archives: h.Archives, Problem: h.Problem}
		for _, s := range h.Recorded {
			p.Recorded = append(p.Recorded, int(math.Round(s)))
		}
		hosts.Hosts = append(hosts.Hosts, p)
		for _, f := range h.Findings {
			found = append(found, pageFinding{at, f.Level, f.Resource, f.Text, int64(f.Start) / 1e6, int64(f.End) / 1e6, f.Dashboard, f.Times})
		}
	}
	for _, v := range []any{hosts, found} {
		text, failed := json.Marshal(v)
		if failed != nil {
			return nil, nil, failed
		}
		section(text)
	}
	for _, statistic := range statistics {
		for _, m := range measures {
			section(cells(list, m.ID, statistic))
		}
	}
	return out.Bytes(), lengths, err
}

// cells lays out a statistic of a measure: hosts by hours; nil if no host has
// the measure.
func cells(list []*HostDay, measure, statistic string) []byte {
	data, any := make([]byte, 0, 4*hours*len(list)), false
	for _, h := range list {
		at := slices.IndexFunc(h.Series, func(s Series) bool { return s.Measure && s.Metric == measure })
		for hour := range hours {
			v := math.NaN()
			if at >= 0 {
				any = true
				switch f := &h.Series[at].Figures; statistic {
				case "mean":
					v = f.Mean[hour]
				case "max":
					v = f.Max[hour]
				default:
					v = f.P95[hour]
				}
			}
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		}
	}
	if !any {
		return nil
	}
	return data
}

// byLevel orders findings of a host.
func byLevel(a, b api.Finding) int {
	return slices.Index(api.Levels, a.Level) - slices.Index(api.Levels, b.Level)
}

// startOf returns when a day begins.
func startOf(day string) (time.Time, error) { return time.Parse(time.DateOnly, day) }
