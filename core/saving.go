package core

import (
	"context"
	"io"
	"maps"
	"path"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/container"
	"pcpscope/core/interp/when"
	"pcpscope/core/pcp"
	savejob "pcpscope/core/save/job"
	"pcpscope/core/series"
)

// SaveJob is what package save makes an archive of, when all that it needs of
// the source has been read.
func (s *Session) SaveJob(ctx context.Context, q api.SaveQuery, progress func(api.Progress)) (savejob.Job, error) {
	src, err := s.source(q.Source)
	if err != nil {
		return savejob.Job{}, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return savejob.Job{}, err
	}
	j := savejob.Job{Query: q, Name: src.about.Name, Host: src.about.Host, Yield: s.opt.Yield, Compose: s.opt.Compose}
	if q.Start != nil || q.End != nil {
		w, err := s.window(src, q.Start, q.End, q.Zone)
		if err != nil {
			return savejob.Job{}, err
		}
		if w.to < w.from {
			return savejob.Job{}, w.reversed()
		}
		j.Start, j.End = w.from, w.to
	}
	if q.Every != nil {
		var every int64
		if q.Every.Nanos != nil {
			every = *q.Every.Nanos
		} else if every, err = when.ParseInterval(q.Every.Text); err != nil {
			return savejob.Job{}, err
		}
		if every <= 0 {
			return savejob.Job{}, pcp.Faultf(pcp.BadArgument, "The interval to thin by must be longer than 0.")
		}
		j.Every = pcp.Time(every)
	}
	for _, name := range q.Metrics {
		if err := s.savable(src, name); err != nil {
			return savejob.Job{}, err
		}
	}
	for _, p := range src.parts {
		switch p := p.(type) {
		case recorded:
			j.Parts = append(j.Parts, p.Archive)
		case *readings:
			a, err := p.archive(ctx)
			if err != nil {
				return savejob.Job{}, err
			}
			j.Parts = append(j.Parts, a)
		}
	}
	return j, nil
}

// savable returns an error if a metric is known not to be savable.
func (s *Session) savable(src *source, name string) error {
	for _, m := range src.metricList(name) {
		if !m.derived() {
			return nil
		}
	}
	if list := src.metricList(name); len(list) > 0 {
		return pcp.Faultf(pcp.BadArgument, "%s is computed from other metrics; only recorded metrics can be saved.", name)
	}
	return src.unknownMetric(name)
}

// archive writes the readings of an MMV file as an archive in memory.
func (r *readings) archive(ctx context.Context) (*archive.Archive, error) {
	files := map[string]*grown{}
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: r.file.PID, Start: r.Start(), Host: "localhost", Timezone: "UTC"}, func(suffix string) (io.WriteCloser, error) {
		files[suffix] = &grown{}
		return files[suffix], nil
	})
	if err != nil {
		return nil, err
	}
	type key struct {
		t  pcp.Time
		id pcp.PMID
	}
	rows, domains, seen := map[key]*archive.ValueSet{}, map[pcp.InDom]bool{}, map[pcp.PMID]bool{}
	times := map[pcp.Time][]pcp.PMID{}
	for _, m := range r.Metrics() {
		if seen[m.PMID] { // a duplicate PMID
			continue
		}
		seen[m.PMID] = true
		w.Desc(m.Desc, m.Names...)
		w.MetricText(m.PMID, m.Oneline, m.Help)
		if l := r.Labels(m, 0); archive.ValidLabels(l) && l != "{}" {
			w.Labels(r.Start(), archive.ItemLabels, uint32(m.PMID), []archive.LabelSet{{Inst: pcp.NoInstance, JSON: l}})
		}
		if list, ok := r.Instances(m.InDom); ok && !domains[m.InDom] {
			domains[m.InDom] = true
			var insts []pcp.Instance
			var labels []archive.LabelSet
			for _, in := range list {
				insts = append(insts, in.Instance)
				if l := r.OwnInstanceLabels(m.InDom, in.ID, 0); archive.ValidLabels(l) && l != "{}" {
					labels = append(labels, archive.LabelSet{Inst: in.ID, JSON: l})
				}
			}
			w.InDom(r.Start(), m.InDom, insts)
			if labels != nil {
				w.Labels(r.Start(), archive.InstanceLabels, uint32(m.InDom), labels)
			}
		}
		obs, ok := r.Observations(m)
		if !ok {
			continue
		}
		for _, one := range obs.Series {
			for i, run := range one.Runs {
				if run.Row&(series.Gone|series.Failed) != 0 {
					continue
				}
				end := len(obs.Times)
				if i+1 < len(one.Runs) {
					end = int(one.Runs[i+1].Row & series.RowNum)
				}
				for row := int(run.Row & series.RowNum); row < end; row++ {
					k := key{obs.Times[row], m.PMID}
					if rows[k] == nil {
						rows[k] = &archive.ValueSet{PMID: m.PMID, Type: m.Type}
						times[k.t] = append(times[k.t], m.PMID)
					}
					v := archive.Value{Inst: one.Inst, Val: run.Val}
					if !m.Type.Numeric() {
						v = archive.Value{Inst: one.Inst, Blob: obs.Blobs.At(run.Val)}
					}
					rows[k].Values = append(rows[k].Values, v)
				}
			}
		}
	}
	marks := r.Marks()
	for _, t := range slices.Sorted(maps.Keys(times)) {
		for len(marks) > 0 && marks[0] <= t {
			w.Mark(marks[0])
			marks = marks[1:]
		}
		var sets []archive.ValueSet
		for _, id := range times[t] {
			sets = append(sets, *rows[key{t, id}])
		}
		w.Record(t, sets)
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	var members []archive.Member
	for suffix, f := range files {
		members = append(members, archive.Member{Name: path.Base(r.name) + "." + suffix, Size: int64(len(f.data)), At: f})
	}
	groups, _ := archive.Groups(members)
	a, err := archive.Options{Unpacker: container.Unpacker{}}.Open(ctx, groups[0])
	if err != nil {
		return nil, err
	}
	return a, a.Load(ctx, nil)
}

// grown is a file in memory.
type grown struct{ data []byte }

func (g *grown) Write(b []byte) (int, error) { g.data = append(g.data, b...); return len(b), nil }
func (g *grown) Close() error                { return nil }

func (g *grown) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off >= int64(len(g.data)) {
		return 0, io.EOF
	}
	n := copy(b, g.data[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
