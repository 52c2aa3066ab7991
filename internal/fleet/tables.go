package fleet

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"pcpscope/core/columns"
)

// hourly is the table of figures: a row for each hour in which a series had a
// value, sorted by metric, host and time.
func hourly(list []*HostDay) (file []byte, rows int, err error) {
	var out bytes.Buffer
	w := columns.NewParquet(&out, columns.Schema{Name: "hourly", SortedBy: 3, Fields: []columns.Field{
		{Name: "metric", Kind: columns.String},
		{Name: "host", Kind: columns.String},
		{Name: "time", Kind: columns.Int64, Time: true},
		{Name: "instance", Kind: columns.String, Nullable: true},
		{Name: "kind", Kind: columns.String},
		{Name: "units", Kind: columns.String},
		{Name: "count", Kind: columns.Int64},
		{Name: "mean", Kind: columns.Float64},
		{Name: "minimum", Kind: columns.Float64},
		{Name: "maximum", Kind: columns.Float64},
		{Name: "median", Kind: columns.Float64},
		{Name: "p95", Kind: columns.Float64},
		{Name: "p99", Kind: columns.Float64},
	}})
	grouped := 0
	for _, metric := range metricsOf(list) {
		b := make([]columns.Column, 13)
		for _, h := range list {
			start, err := startOf(h.day)
			if err != nil {
				return nil, 0, err
			}
			var own []*Series
			for i := range h.Series {
				if h.Series[i].Metric == metric {
					own = append(own, &h.Series[i])
				}
			}
			for hour := range hours {
				for _, s := range own {
					if s.Mean[hour] != s.Mean[hour] {
						continue
					}
					kind := "metric"
					if s.Measure {
						kind = "measure"
					}
					for i, text := range []string{metric, h.Host, "", s.Instance, kind, s.Units} {
						if i != 2 {
							b[i].Strings = append(b[i].Strings, text)
						}
					}
					b[3].Null = append(b[3].Null, !s.HasInstance)
					b[2].Int64s = append(b[2].Int64s, start.UnixNano()+int64(hour)*3600e9)
					b[6].Int64s = append(b[6].Int64s, int64(s.Count[hour]))
					for i, v := range []float64{s.Mean[hour], s.Min[hour], s.Max[hour], s.Median[hour], s.P95[hour], s.P99[hour]} {
						b[7+i].Float64s = append(b[7+i].Float64s, v)
					}
				}
			}
		}
		rows += len(b[0].Strings)
		if err := w.Write(b); err != nil {
			return nil, 0, err
		}
		// A query for one metric of many hosts reads only that metric's groups;
		// smaller groups would cost more than they save.
		const least = 1 << 13
		if grouped += len(b[0].Strings); grouped >= least {
			grouped = 0
			if err := w.EndGroup(); err != nil {
				return nil, 0, err
			}
		}
	}
	err = w.Close()
	return out.Bytes(), rows, err
}

// metricsOf lists the metrics and measures of hosts, in order.
func metricsOf(list []*HostDay) []string {
	seen := map[string]bool{}
	var names []string
	for _, h := range list {
		for _, s := range h.Series {
			if !seen[s.Metric] {
				seen[s.Metric] = true
				names = append(names, s.Metric)
			}
		}
	}
	slices.Sort(names)
	return names
}

// findings is the table of findings, sorted by host and level.
func findings(list []*HostDay) (file []byte, rows int, err error) {
	var out bytes.Buffer
	w := columns.NewParquet(&out, columns.Schema{Name: "findings", SortedBy: 1, Fields: []columns.Field{
		{Name: "host", Kind: columns.String},
		{Name: "level", Kind: columns.String},
		{Name: "resource", Kind: columns.String},
		{Name: "text", Kind: columns.String},
		{Name: "start", Kind: columns.Int64, Time: true},
		{Name: "end", Kind: columns.Int64, Time: true},
		{Name: "times", Kind: columns.Int64},
		{Name: "lasted", Kind: columns.Float64},
		{Name: "cost", Kind: columns.Float64},
		{Name: "rule", Kind: columns.String},
		{Name: "metrics", Kind: columns.String, JSON: true},
	}})
	b := make([]columns.Column, 11)
	for _, h := range list {
		for _, f := range h.Findings {
			metrics, err := json.Marshal(f.Metrics)
			if err != nil {
				return nil, 0, err
			}
			for i, text := range map[int]string{0: h.Host, 1: f.Level, 2: f.Resource, 3: f.Text, 9: f.Rule, 10: string(metrics)} {
				b[i].Strings = append(b[i].Strings, text)
			}
			b[4].Int64s, b[5].Int64s = append(b[4].Int64s, int64(f.Start)), append(b[5].Int64s, int64(f.End))
			b[6].Int64s = append(b[6].Int64s, int64(f.Times))
			b[7].Float64s, b[8].Float64s = append(b[7].Float64s, f.Lasted), append(b[8].Float64s, f.Cost)
			rows++
		}
	}
	if err := w.Write(b); err != nil {
		return nil, 0, err
	}
	err = w.Close()
	return out.Bytes(), rows, err
}

// coverage is the table of what was recorded: a row for each host and hour.
func coverage(list []*HostDay) ([]byte, error) {
	var out bytes.Buffer
	w := columns.NewParquet(&out, columns.Schema{Name: "coverage", SortedBy: 2, Fields: []columns.Field{
		{Name: "host", Kind: columns.String},
		{Name: "time", Kind: columns.Int64, Time: true},
		{Name: "recorded", Kind: columns.Float64},
		{Name: "archives", Kind: columns.String},
		{Name: "hostname", Kind: columns.String},
		{Name: "timezone", Kind: columns.String},
		{Name: "labels", Kind: columns.String, JSON: true},
		{Name: "problem", Kind: columns.String, Nullable: true},
	}})
	b := make([]columns.Column, 8)
	for _, h := range list {
		start, err := startOf(h.day)
		if err != nil {
			return nil, err
		}
		for hour := range hours {
			for i, text := range map[int]string{0: h.Host, 3: strings.Join(h.Archives, " "), 4: h.Name, 5: h.Timezone, 6: h.Labels, 7: h.Problem} {
				b[i].Strings = append(b[i].Strings, text)
			}
			b[1].Int64s = append(b[1].Int64s, start.UnixNano()+int64(hour)*3600e9)
			b[2].Float64s = append(b[2].Float64s, h.Recorded[hour])
			b[7].Null = append(b[7].Null, h.Problem == "")
		}
	}
	if err := w.Write(b); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}
