package core

import (
	"context"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/container"
	"pcpscope/core/interp/when"
	"pcpscope/core/pcp"
	"pcpscope/core/redact"
	"pcpscope/core/save"
	"pcpscope/core/series"
)

// Save writes a source, or the requested part of it, as an archive, and returns
// the files on the storage: one, or those of the archive. It waits until the
// source has been read. If texts are replaced, the files are scanned for
// leftovers before they are returned.
func (s *Session) Save(ctx context.Context, q api.SaveQuery, storage save.Storage, progress func(api.Progress)) ([]save.Packed, api.SaveReport, error) {
	src, request, err := s.saving(ctx, q, progress)
	if err != nil {
		return nil, api.SaveReport{}, err
	}
	to := save.To{Storage: storage, Name: q.Name, Container: "tar"}
	switch q.Container {
	case "":
	case "files":
		to.Container = ""
	default:
		to.Container = q.Container
	}
	switch q.Compress {
	case "", "none":
	case "zstd":
		if to.Zstd = save.Zstd; s.opt.Zstd != nil {
			to.Zstd = s.opt.Zstd
		}
		if to.Zstd == nil {
			return nil, api.SaveReport{}, pcp.Faultf(pcp.Unsupported, "This program cannot compress with zstd; save without compression.")
		}
	default:
		return nil, api.SaveReport{}, pcp.Faultf(pcp.BadArgument, "Volumes are compressed with zstd, not with %q.", q.Compress)
	}
	var table *redact.Table
	var check func(name string, r io.Reader) error
	if q.Redact != nil {
		if table, request.Rewrite, err = s.redaction(ctx, src, request, *q.Redact, progress); err != nil {
			return nil, api.SaveReport{}, err
		}
		check = table.Scan
		if to.Name != "" { // chosen by the user, but may still reveal something
			if err := table.ScanText("the file name "+to.Name, to.Name); err != nil {
				return nil, api.SaveReport{}, err
			}
		}
	}
	if to.Name == "" {
		to.Name = savedName(src, request, table)
	}
	var said struct { // last progress reported
		phase string
		at    time.Time
	}
	files, report, err := save.Pack(ctx, request, to, check, func(phase string, done, total int64) {
		if s.opt.Yield != nil {
			s.opt.Yield()
		}
		if progress != nil && (phase != said.phase || time.Since(said.at) >= 30*time.Millisecond) {
			said.phase, said.at = phase, time.Now()
			progress(api.Progress{Phase: phase, Done: float64(done), Total: float64(total)})
		}
	})
	if err != nil {
		return nil, api.SaveReport{}, err
	}
	out := api.SaveReport{Start: report.Start, End: report.End, Records: report.Records, Marks: report.Marks, Metrics: report.Metrics, Volumes: report.Volumes, Notes: report.Notes}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	if table != nil {
		r := replacements(table)
		out.Replaced = &r
		for i, n := range out.Notes {
			out.Notes[i] = table.Text(n)
		}
	}
	return files, out, nil
}

// Redaction lists what Save would replace.
func (s *Session) Redaction(ctx context.Context, q api.SaveQuery, progress func(api.Progress)) (api.Redaction, error) {
	src, request, err := s.saving(ctx, q, progress)
	if err != nil {
		return api.Redaction{}, err
	}
	o := api.Redact{}
	if q.Redact != nil {
		o = *q.Redact
	}
	table, _, err := s.redaction(ctx, src, request, o, progress)
	if err != nil {
		return api.Redaction{}, err
	}
	return replacements(table), nil
}

// RedactText makes in texts, such as a report or a session file, the
// replacements that Save makes with the same key.
func (s *Session) RedactText(ctx context.Context, q api.SaveQuery, texts []string, progress func(api.Progress)) ([]string, error) {
	src, request, err := s.saving(ctx, q, progress)
	if err != nil {
		return nil, err
	}
	if q.Redact == nil {
		return nil, pcp.Faultf(pcp.BadArgument, "The query does not say what to replace.")
	}
	table, _, err := s.redaction(ctx, src, request, *q.Redact, progress)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = table.Document(t)
		if err := table.ScanText("the text", out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Session) redaction(ctx context.Context, _ *source, request save.Request, o api.Redact, progress func(api.Progress)) (*redact.Table, save.Rewriter, error) {
	if progress != nil {
		progress(api.Progress{Phase: "looking for texts", Total: 1})
	}
	options := redact.Options{Words: o.Words, Key: o.Key, Compose: s.opt.Compose}
	for _, k := range o.Without {
		options.Without = append(options.Without, redact.Kind(k))
	}
	table, err := redact.New(options)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range request.Parts { // files are named after hosts and customers
		table.Collect(redact.PathName, path.Base(a.Name()))
	}
	rewrite, err := save.Redact(request.Parts, table, func() error { return s.proceed(ctx) })
	return table, rewrite, err
}

func replacements(t *redact.Table) api.Redaction {
	r := api.Redaction{Key: t.Key(), List: []api.Replacement{}, NotLookedAt: "Numbers, times, time zones, and the names and units of PCP's own metrics stay as they are; what they may reveal was not checked."}
	for _, g := range t.Summary() {
		one := api.Replacement{Kind: string(g.Kind), Title: g.Title, On: g.On, Texts: g.Texts, Places: g.Places, Local: g.Local, Examples: []string{}}
		for _, e := range g.Examples {
			one.Examples = append(one.Examples, text(e[0]), e[1])
		}
		r.List = append(r.List, one)
	}
	return r
}

// saving makes a request from a query, once everything that it needs has been
// read.
func (s *Session) saving(ctx context.Context, q api.SaveQuery, progress func(api.Progress)) (*source, save.Request, error) {
	src, err := s.source(q.Source)
	if err != nil {
		return nil, save.Request{}, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return nil, save.Request{}, err
	}
	if err := src.haveInstances(q.Metrics, q.Instances); err != nil {
		return nil, save.Request{}, err
	}
	r := save.Request{Strict: q.Strict, Metrics: q.Metrics, Instances: q.Instances, Version: q.Version, VolumeSize: int64(max(0, min(q.VolumeSize, 1<<50))), Repair: q.Repair}
	if q.Start != nil || q.End != nil {
		w, err := s.window(src, q.Start, q.End, q.Zone)
		if err != nil {
			return nil, r, err
		}
		if w.to < w.from {
			return nil, r, w.reversed()
		}
		r.Start, r.End = w.from, w.to
	}
	if q.Every != nil {
		var every int64
		if q.Every.Nanos != nil {
			every = *q.Every.Nanos
		} else if every, err = when.ParseInterval(q.Every.Text); err != nil {
			return nil, r, err
		}
		if every <= 0 {
			return nil, r, pcp.Faultf(pcp.BadArgument, "The interval to thin by must be longer than 0.")
		}
		r.Every = pcp.Time(every)
	}
	for _, name := range q.Metrics {
		if err := s.savable(src, name); err != nil {
			return nil, r, err
		}
	}
	for _, p := range src.parts {
		switch p := p.(type) {
		case recorded:
			r.Parts = append(r.Parts, p.Archive)
		case *readings:
			a, err := p.archive(ctx)
			if err != nil {
				return nil, r, err
			}
			r.Parts = append(r.Parts, a)
		}
	}
	return src, r, nil
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

// savedName is the base name of the result: that of the source or, if texts are
// replaced, of the host's pseudonym; and of the window.
func savedName(src *source, r save.Request, table *redact.Table) string {
	name := src.about.Name
	if table != nil {
		host := table.Replace(redact.HostName, src.about.Host)
		if host == "" {
			host = "archive"
		}
		name = host + "-" + r.Parts[0].Start().Std().Format("20060102")
	} else if len(src.parts) > 1 {
		name = strings.ReplaceAll(name, " – ", "-")
	}
	if r.Start != 0 || r.End != 0 {
		name += "-" + r.Start.Std().Format("20060102.15.04.05")
	}
	return save.Name(name)
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
	metrics, seen := []*archive.Metric(nil), map[pcp.PMID]bool{}
	for _, m := range r.Metrics() {
		if !seen[m.PMID] { // of two with the same PMID, the first
			seen[m.PMID], metrics = true, append(metrics, m)
		}
	}
	r.writeMetadata(w, metrics)
	r.writeRecords(w, metrics)
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

// writeMetadata writes the descriptors, help texts, labels and instances of
// metrics.
func (r *readings) writeMetadata(w *archive.Writer, metrics []*archive.Metric) {
	domains := map[pcp.InDom]bool{}
	for _, m := range metrics {
		w.Desc(m.Desc, m.Names...)
		w.MetricText(m.PMID, m.Oneline, m.Help)
		if l := r.Labels(m, 0); archive.ValidLabels(l) && l != "{}" {
			w.Labels(r.Start(), archive.ItemLabels, uint32(m.PMID), []archive.LabelSet{{Inst: pcp.NoInstance, JSON: l}})
		}
		list, ok := r.Instances(m.InDom)
		if !ok || domains[m.InDom] {
			continue
		}
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
}

// writeRecords writes a record for each time at which metrics had values, and the
// marks between them.
func (r *readings) writeRecords(w *archive.Writer, metrics []*archive.Metric) {
	type key struct {
		t  pcp.Time
		id pcp.PMID
	}
	rows, times := map[key]*archive.ValueSet{}, map[pcp.Time][]pcp.PMID{}
	for _, m := range metrics {
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
