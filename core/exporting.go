package core

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/derived"
	"pcpscope/core/export"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Export writes observations to a sink as they were logged, series by series,
// in order of metric name and instance number; derived metrics and expressions
// have a value whenever their leading operand was logged. It waits until the
// source has been read. Opaque values are written as hexadecimal strings.
// OpenMetrics has neither strings nor event records. Export does not close the sink.
func (s *Session) Export(ctx context.Context, q api.ExportQuery, to export.Sink, progress func(api.Progress)) (api.ExportReport, error) {
	none := api.ExportReport{}
	src, err := s.source(q.Source)
	if err != nil {
		return none, err
	}
	w, err := s.windowOnceRead(ctx, src, q.Start, q.End, q.Zone, progress)
	if err != nil {
		return none, err
	}
	if err := w.missed(src.span()); err != nil {
		return none, err
	}
	names, err := src.exported(q.Metrics)
	if err != nil {
		return none, err
	}
	if err := src.haveInstances(names, q.Instances); err != nil {
		return none, err
	}
	e := exporting{ctx: ctx, src: src, to: to, window: w, keep: instanceFilter(q.Instances), extent: src.extent(), named: q.Metrics != nil, numeric: q.Format == "openmetrics", names: metricNames{src: src}}
	e.report.Notes = []string{}
	e.buffers = make([]archive.Buffer, len(src.parts))
	about := src.describe()
	e.row.Host, e.row.Source = about.Host, about.Name
	e.labels = labelled{src: src}
	for i, name := range names {
		if err := s.proceed(ctx); err != nil {
			return none, err
		}
		if progress != nil && i%16 == 0 {
			progress(api.Progress{Phase: "exporting", Done: float64(i), Total: float64(len(names))})
		}
		if err := e.metric(name); err != nil {
			return none, err
		}
	}
	if e.failed > 0 {
		e.note(pcp.Grouped(e.failed) + " values of event records are damaged and were left out.")
	}
	if e.left > 0 {
		e.note(pcp.Grouped(e.left) + " strings and event records were left out: OpenMetrics has numbers alone.")
	}
	if e.report.Series == 0 {
		e.report.Start, e.report.End = w.from, w.to
	}
	return e.report, nil
}

// exported expands names to metrics: a prefix gives all metrics below it.
// Expressions stay as they are.
func (src *source) exported(names []string) ([]string, error) {
	if names == nil {
		return src.summarised(), nil
	}
	var out []string
	list := src.metricList("")
	for _, name := range names {
		found, below := false, name+"."
		for i := range list {
			if m := &list[i]; m.name == name || strings.HasPrefix(m.name, below) {
				out, found = append(out, m.name), true
			}
		}
		if !found {
			if _, err := src.bind(name); err != nil {
				return nil, err
			}
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// HaveInstances refuses instances that none of some metrics of a source has, and none of those
// below them, nor an operand of those that are expressions. Instances of derived metrics are not
// known beforehand.
func (s *Session) HaveInstances(id api.SourceID, metrics, instances []string) error {
	src, err := s.source(id)
	if err != nil {
		return err
	}
	return src.haveInstances(metrics, instances)
}

// haveInstances is HaveInstances, where nil stands for all metrics.
func (src *source) haveInstances(metrics, instances []string) error {
	missing := slices.Clone(instances)
	if len(missing) == 0 {
		return nil
	}
	list := src.metricList("")
	logged := func(name string) bool {
		return slices.ContainsFunc(list, func(m metricEntry) bool {
			return !m.derived() && (m.name == name || strings.HasPrefix(m.name, name+"."))
		})
	}
	for _, name := range slices.Clone(metrics) {
		if logged(name) {
			continue
		}
		e, err := derived.Parse(name)
		if err != nil || slices.ContainsFunc(e.Names(), func(n string) bool { return !logged(n) }) {
			return nil
		}
		metrics = append(slices.Clip(metrics), e.Names()...) // the instances of an expression are those of its operands
	}
	for _, m := range list {
		if metrics != nil && !slices.ContainsFunc(metrics, func(name string) bool { return m.name == name || strings.HasPrefix(m.name, name+".") }) {
			continue
		}
		ms, known := src.lookup(m.name)
		if !known {
			continue
		}
		for _, in := range src.inDom(descOf(ms).InDom).list {
			missing = slices.DeleteFunc(missing, func(want string) bool { return want == in.Name || want == firstWord(in.Name) })
		}
	}
	if len(missing) > 0 {
		return pcp.Faultf(pcp.UnknownInstance, "None of these metrics has an instance %s.", text(missing[0]))
	}
	return nil
}

// An exporting is one call of Export.
type exporting struct {
	ctx     context.Context
	src     *source
	to      export.Sink
	window  window
	keep    func(string) bool
	extent  readState
	named   bool
	numeric bool // the format has numbers alone
	buffers []archive.Buffer
	labels  labelled
	names   metricNames
	row     export.Series
	report  api.ExportReport
	failed  int
	left    int // strings and event records that the format does not have

	values []float64
	exact  []string
	texts  []string
}

func (e *exporting) note(text string) { e.report.Notes = append(e.report.Notes, text) }

// metric writes the series of one metric or expression.
func (e *exporting) metric(name string) error {
	src, w := e.src, e.window
	var line timeline
	if ms, known := src.lookup(name); known {
		line = src.timelineIn(e.buffers, ms, e.extent)
	} else {
		var err error
		switch line, err = src.observed(e.ctx, name, w, e.extent, false, true); {
		case e.ctx.Err() != nil:
			return cancelled()
		case err != nil && e.named:
			return err
		case err != nil && src.find(name) != nil && !src.find(name).derived():
			return nil // event.flags and event.missed have no values of their own
		case err != nil:
			e.note(name + ": " + pcp.AsFault(err).Message)
			return nil
		}
	}
	samples := interp.NewSamples(line.obs)
	desc := samples.Desc
	if desc.Type == pcp.NoSupport || desc.Type == pcp.Unknown {
		return nil
	}
	e.row.Metric, e.row.Type, e.row.Semantics, e.row.Units, e.row.Labels = name, typeName(desc.Type), desc.Sem.String(), desc.Units.String(), "{}"
	if m := src.find(name); m != nil {
		e.row.Labels = compact(e.labels.of(m))
	}
	own := e.row.Labels
	domain := src.inDom(desc.InDom)
	var labels map[int32]json.RawMessage
	if desc.InDom != pcp.NullInDom {
		for _, in := range domain.list {
			if own := src.instanceLabels(desc.InDom, &in); len(own) > 2 {
				if labels == nil {
					labels = map[int32]json.RawMessage{}
				}
				labels[in.ID] = own
			}
		}
	}
	return samples.Each(w.from, w.to, func(inst int32, times []pcp.Time, bits []uint64) error {
		if err := src.session.proceed(e.ctx); err != nil {
			return err
		}
		e.row.Instance, e.row.InstanceID, e.row.Labels = nil, inst, own
		if desc.InDom != pcp.NullInDom || inst != pcp.NoInstance {
			name := text(domain.nameOf(inst))
			if e.keep != nil && !e.keep(name) {
				return nil
			}
			e.row.Instance = &name
			if l := labels[inst]; l != nil {
				e.row.Labels = joined(own, l)
			}
		}
		return e.series(samples, times, bits)
	})
}

// series writes one series.
func (e *exporting) series(samples *interp.Samples, times []pcp.Time, bits []uint64) error {
	t := samples.Desc.Type
	if t.Numeric() {
		return e.numbers(t, times, bits)
	}
	if t.Events() {
		return e.events(samples, times, bits)
	}
	if e.numeric {
		e.left += len(times)
		return nil
	}
	if err := e.begin(times); err != nil {
		return err
	}
	e.texts = e.texts[:0]
	for i, b := range bits {
		if i > 0 && b == bits[i-1] { // values repeat: share the text
			e.texts = append(e.texts, e.texts[i-1])
			continue
		}
		e.texts = append(e.texts, blobText(t, samples.Blobs.At(b)))
	}
	e.report.Strings += len(times)
	return e.to.Strings(times, e.texts)
}

func (e *exporting) begin(times []pcp.Time) error {
	if first := times[0]; e.report.Series == 0 || first < e.report.Start {
		e.report.Start = first
	}
	e.report.End = max(e.report.End, times[len(times)-1])
	e.report.Series++
	return e.to.Series(&e.row)
}

func (e *exporting) numbers(t pcp.Type, times []pcp.Time, bits []uint64) error {
	e.values = e.values[:0]
	var exact []string
	kept := 0
	for i, b := range bits {
		v := series.Float(t, b)
		if v != v { // NaN
			continue
		}
		times[kept] = times[i]
		e.values = append(e.values, v)
		if beyondDouble(t, b) {
			if exact == nil {
				e.exact = append(e.exact[:0], make([]string, len(bits))...)
				exact = e.exact
			}
			if t == pcp.Int64 {
				exact[kept] = strconv.FormatInt(int64(b), 10)
			} else {
				exact[kept] = strconv.FormatUint(b, 10)
			}
		}
		kept++
	}
	if kept == 0 {
		return nil
	}
	times = times[:kept]
	if exact != nil {
		exact = exact[:kept]
	}
	if err := e.begin(times); err != nil {
		return err
	}
	e.report.Samples += kept
	return e.to.Samples(times, e.values, exact)
}

// events writes the event records in the values of a metric. A damaged value
// has none.
func (e *exporting) events(samples *interp.Samples, times []pcp.Time, bits []uint64) error {
	var list []export.Event
	for i, b := range bits {
		records, err := archive.UnpackEvents(samples.Blobs.At(b), samples.Desc.Type)
		if err != nil {
			e.failed++
			continue
		}
		for _, r := range records {
			text, err := json.Marshal(e.names.params(r.Params))
			if err != nil {
				return err
			}
			list = append(list, export.Event{Logged: times[i], Time: r.Time, Flags: flagWords(r.Flags), Missed: int(r.Missed), Parameters: string(text)})
		}
	}
	if e.numeric {
		e.left += len(list)
		return nil
	}
	if len(list) == 0 {
		return nil
	}
	if err := e.begin(times); err != nil {
		return err
	}
	e.report.Events += len(list)
	return e.to.Events(list)
}

// joined combines the labels of a metric and of an instance, the instance's
// first.
func joined(metric string, instance json.RawMessage) string {
	all, own := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if json.Unmarshal([]byte(metric), &all) != nil || json.Unmarshal(instance, &own) != nil {
		return metric
	}
	maps.Copy(all, own)
	text, err := json.Marshal(all)
	if err != nil {
		return metric
	}
	return string(text)
}

// compact puts JSON on one line.
func compact(raw json.RawMessage) string {
	text, err := json.Marshal(raw)
	if err != nil {
		return "{}"
	}
	return string(text)
}
