package core

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/dashboard"
	"pcpscope/core/pcp"
	"pcpscope/core/shell"
)

// shownMetadata is a source as dashboards see it. Once the source has been
// read, metrics that never had a value count as missing. Make one for each
// batch of look-ups: a few thousand, most of which find nothing.
type shownMetadata struct {
	src   *source
	found metricSurvey // of all metrics; only descriptors while the source is being read
	read  bool         // the whole source has been read
	empty bool         // metrics without values count as present
	// accounting is that of most systems while the source is being read.
	accounting dashboard.Accounting
}

func (m shownMetadata) Desc(name string) (pcp.Desc, bool) {
	f, ok := m.found.of(name)
	if !m.empty && f.state == stateEmpty {
		return pcp.Desc{}, false
	}
	if ok {
		return f.Desc, true
	}
	return m.derived(name)
}

// derived answers for the source's derived metrics, such as disk.dev.await,
// which the metricsets of PCP's tools use.
func (m shownMetadata) derived(name string) (pcp.Desc, bool) {
	if !m.src.defines(name) {
		return pcp.Desc{}, false
	}
	m.src.mu.Lock()
	b := m.src.derived.Try(name, metadata{m.src})
	m.src.mu.Unlock()
	if b == nil {
		return pcp.Desc{}, false
	}
	for _, operand := range b.Operands {
		if f, _ := m.found.of(operand); !m.empty && f.state == stateEmpty {
			return pcp.Desc{}, false
		}
	}
	return b.Desc, true
}

func (m shownMetadata) Names() []string { return metadata{m.src}.Names() }

func (src *source) shown(ctx context.Context) (shownMetadata, error) {
	m := shownMetadata{src: src}
	if src.loader.Share() == 1 {
		if err := src.insight.mu.LockContext(ctx); err != nil {
			return m, err
		}
		defer src.insight.mu.Unlock()
		if err := src.survey(ctx); err != nil {
			return m, err
		}
		accounting, err := src.accounting(ctx)
		m.found, m.read, m.accounting = src.insight.survey, true, accounting
		return m, err
	}
	p := src.session.newPace(ctx)
	list := src.metricList("")
	for i := range list {
		l := &list[i]
		if p.worked(oneSeries) {
			return m, p.ended
		}
		if _, known := src.lookup(l.name); known && !l.derived() {
			m.found = append(m.found, surveyedMetric{metricEntry: l})
		}
	}
	return m, nil
}

// accounting says what the source's metrics count. It must have been read; the
// lock of insight is held.
func (src *source) accounting(ctx context.Context) (dashboard.Accounting, error) {
	i := &src.insight
	if i.counting == nil {
		h, p := src.host(ctx)
		defer p.release()
		found := dashboard.Accounting{MeanOfCPUs: h.Averaged(), CacheApart: h.CacheApart(), CacheUnknown: h.CacheUnknown(), NICsByName: h.NICsByName(), Plugged: len(h.Plugged) > 0, BaudDivisor: h.BaudDivisor()}
		if virtual, late := h.LateNICs(); late {
			found.LateNICs(virtual)
		}
		if p.ended != nil {
			return dashboard.Accounting{}, p.ended
		}
		i.counting = &found
	}
	return *i.counting, nil
}

// allDashboards lists the built-in dashboards and those generated for metrics
// that they do not cover.
func (src *source) allDashboards(p *pace, md shownMetadata) []dashboard.Dashboard {
	list := dashboard.Builtin()
	for i := range list {
		list[i] = md.accounting.Adapt(list[i])
	}
	tools := slices.IndexFunc(list, func(d dashboard.Dashboard) bool { return d.Group == dashboard.Tools })
	n, at := src.dashboardMetrics(md)
	return slices.Insert(list, tools, dashboard.Generate(n, at, dashboard.Shown(list, md), p.rest)...)
}

// maxNames is how many instance names are inspected to classify a domain.
const maxNames = 64

// dashboardMetrics returns the number of metrics that dashboards may be
// generated from, and a function that describes each. A list of the
// descriptions would take as much as the metrics themselves.
func (src *source) dashboardMetrics(md shownMetadata) (n int, at func(i int) dashboard.Metric) {
	var shown []int32 // indexes of md.found
	for i := range md.found {
		if md.empty || md.found[i].state != stateEmpty {
			shown = append(shown, int32(i))
		}
	}
	names := map[pcp.InDom][]string{}
	return len(shown), func(i int) dashboard.Metric {
		f := &md.found[shown[i]]
		d := dashboard.Metric{Name: f.name, Desc: f.Desc, Oneline: f.oneline(), Moves: float64(f.moves), Constant: f.state == stateConstant && src.about.Kind == "archive"}
		if d.Desc.InDom != pcp.NullInDom {
			some, have := names[d.Desc.InDom]
			if !have {
				all := src.inDom(d.Desc.InDom).list
				some = make([]string, 0, min(len(all), maxNames))
				for _, in := range all[:cap(some)] {
					some = append(some, in.Name)
				}
				names[d.Desc.InDom] = some
			}
			d.Instances = some
		}
		return d
	}
}

// Dashboards lists all dashboards, including those that a source has nothing
// for, with the reason. Headlines and sparklines are present once the whole
// source has been read.
func (s *Session) Dashboards(ctx context.Context, id api.SourceID) ([]api.DashboardInfo, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	s.join(ctx, src, dashboardsKey{})
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return nil, err
	}
	found := src.insight.dashboards
	src.insight.mu.Unlock()
	if found != nil {
		return found, nil
	}
	md, err := src.shown(ctx)
	if err != nil {
		return nil, err
	}
	var list []api.DashboardInfo
	start, end := src.span()
	if md.read {
		if start, err = src.firstSample(ctx); err != nil {
			return nil, err
		}
	}
	evaluations := map[int]*evaluation{} // by number of points
	defer func() {
		for _, e := range evaluations {
			e.done()
		}
	}()
	spark := func(expr string) (line api.Sparkline, mean float64, ok bool) {
		n := min(sparkPoints, max(minSparkPoints, sparkValues/src.instancesIn(expr)))
		if evaluations[n] == nil {
			evaluations[n] = src.sparkEvaluation(ctx, start, end, n)
			evaluations[n].byMean = true
		}
		return evaluations[n].spark(expr)
	}
	all := src.allDashboards(s.newPace(ctx), md)
	room := s.memory.Claim(0)
	defer room.Release()
	if room.Take(dashboardBytes*int64(len(all))) != nil {
		fit := int(s.memory.Left() / dashboardBytes)
		src.leaveOut("dashboards", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory for more than %s of %s dashboards.", pcp.Grouped(fit), pcp.Grouped(len(all))))
		all = all[:min(fit, len(all))]
	}
	for _, d := range all {
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		r := dashboard.Resolve(d, md)
		info := api.DashboardInfo{ID: d.ID, Title: d.Title, Group: string(d.Group), What: d.What, Available: r.Available() || d.Logging && src.about.Kind == "archive"}
		info.Panels = len(r.Panels)
		if !info.Available {
			info.WhyNot = src.whyNot(d, md)
		}
		info.Spark, _, _ = dashboard.Choose(d.Spark.Exprs, md)
		if info.Spark != "" && info.Available && md.read && end > start {
			if line, mean, ok := spark(info.Spark); ok {
				info.Sparkline, info.Headline = line.Values, headline(mean, line, d.Spark)
				if d.ID == "processes" {
					info.Headline = src.seen("proc.psinfo.utime")
				}
			}
		}
		list = append(list, info)
	}
	if !md.read {
		return list, nil
	}
	findings, err := s.Findings(ctx, id, nil)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Level = worstLevel(findings, list[i].ID)
	}
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return nil, err
	}
	src.insight.dashboards = list
	src.insight.mu.Unlock()
	return list, nil
}

// dashboardBytes is the approximate size of a dashboard and of its entry in the
// list.
const dashboardBytes = 4 << 10

// sparkPoints is how many points a dashboard's sparkline has; fewer if all
// instances together would have more than sparkValues.
const (
	sparkPoints    = 48
	minSparkPoints = 4
	sparkValues    = 1 << 18
)

// instancesIn returns the largest number of instances among the operands of an
// expression, at least 1.
func (src *source) instancesIn(expr string) int {
	operands := []string{expr}
	if _, logged := src.lookup(expr); !logged {
		b, err := src.bind(expr)
		if err != nil {
			return 1
		}
		operands = b.Operands
	}
	n := 1
	for _, name := range operands {
		if ms, known := src.lookup(name); known {
			n = max(n, len(src.inDom(descOf(ms).InDom).list), src.seriesIn(ms))
		}
	}
	return n
}

// seriesIn returns the largest number of series that a part has of a metric:
// instances may have values and no names.
func (src *source) seriesIn(ms []*archive.Metric) (n int) {
	for i, m := range ms {
		if a, ok := src.parts[i].(recorded); ok && m != nil {
			n = max(n, a.SeriesOf(m.PMID))
		}
	}
	return n
}

// worstLevel returns the level of a dashboard's most severe finding of level
// "look" or above.
func worstLevel(findings []api.Finding, id string) string {
	level := ""
	for _, f := range findings {
		if f.Dashboard == id && (f.Level == "broken" || f.Level == "look" && level == "") {
			level = f.Level
		}
	}
	return level
}

// whyNot says why a source has nothing for a dashboard.
func (src *source) whyNot(d dashboard.Dashboard, md shownMetadata) string {
	md.empty = true
	if r := dashboard.Resolve(d, md); r.Available() {
		return "no values" // described in the archive, but never logged
	}
	return "not logged"
}

// headline formats the mean of what a sparkline shows.
func headline(mean float64, l api.Sparkline, spark dashboard.Spark) string {
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return ""
	}
	// Otherwise it is not a share: where nothing says how busy a disk was, its operations represent it.
	// Shares of each of so many CPUs may be a number per count.
	if none := (pcp.Units{}).String(); strings.HasPrefix(spark.Unit, "%") && (l.Units == none || l.Units == (pcp.Units{Count: -1}).String()) {
		if mean == 0 {
			return "0 %"
		}
		return notZero(mean, decimals(mean, 1)+" %")
	}
	return notZero(mean, quantity(mean, l.Units))
}

// notZero writes a number that is too small for its decimals as legends do: "<0.1 %", and not
// "0.0 %".
func notZero(v float64, text string) string {
	number, _, _ := strings.Cut(text, " ")
	number, _, _ = strings.Cut(number, "/")
	if v <= 0 || strings.ContainsAny(number, "123456789") || !strings.HasSuffix(number, "0") {
		return text
	}
	return "<" + strings.TrimSuffix(number, "0") + "1" + strings.TrimPrefix(text, number)
}

// seen counts the instances of a metric that ever had a value.
func (src *source) seen(metric string) string {
	ms, _ := src.lookup(metric)
	ids := map[int32]bool{}
	for _, o := range src.observations(ms) {
		if o != nil {
			for _, in := range o.Series {
				ids[in.Inst] = true
			}
		}
	}
	return decimals(float64(len(ids)), 0) + " seen"
}

// Dashboard resolves one dashboard against a source.
func (s *Session) Dashboard(ctx context.Context, id api.SourceID, name string) (api.Dashboard, error) {
	src, err := s.source(id)
	if err != nil {
		return api.Dashboard{}, err
	}
	md, err := src.shown(ctx)
	if err != nil {
		return api.Dashboard{}, err
	}
	d, found := dashboard.Find(name)
	d = md.accounting.Adapt(d)
	if !found {
		all := src.allDashboards(s.newPace(ctx), md)
		at := slices.IndexFunc(all, func(d dashboard.Dashboard) bool { return d.ID == name })
		if found = at >= 0; found {
			d = all[at]
		}
	}
	if found {
		return src.apiDashboard(dashboard.Resolve(d, md)), nil
	}
	return api.Dashboard{}, pcp.Faultf(pcp.BadArgument, "There is no dashboard %q.", name)
}

// ruled sets a threshold to the current value of its rule.
func ruled(t api.Threshold, rules []api.Rule) api.Threshold {
	for _, r := range rules {
		if r.Name == t.Rule {
			t.Label = strings.Replace(t.Label, levelText(t.Value), levelText(r.Value), 1)
			t.Value = r.Value
		}
	}
	return t
}

// levelText formats a number for the label of a threshold: "4,000", "72.5".
func levelText(v float64) string {
	text, rest, broken := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && (n >= 1000 || n <= -1000) {
		text = pcp.Grouped(n)
	}
	if broken {
		text += "." + rest
	}
	return text
}

func (src *source) apiDashboard(r dashboard.Resolved) api.Dashboard {
	rules := src.rules()
	d := api.Dashboard{ID: r.ID, Title: r.Title, Group: string(r.Group), What: r.What, Panels: []api.DashboardPanel{}, Missing: []api.MissingPart{}}
	for i, p := range r.Panels {
		a := api.DashboardPanel{ID: p.ID, Title: p.Title, Unit: p.Unit, Style: string(p.Style), What: p.What, Usual: p.Usual, Next: p.Next, Max: p.Max, Top: p.Top, InnermostOnly: p.InnermostOnly, Log: p.Log,
			Decimals: p.Decimals, Series: []api.DashboardSeries{}, Thresholds: []api.Threshold{}, Commands: []string{}}
		for k, s := range p.Series {
			desc := r.Bound[i].Series[k]
			as := api.DashboardSeries{Name: s.Name, Expression: s.Exprs[0], Role: string(s.Role), Units: desc.Units.String(), Unit: s.Unit, All: dashboard.Unrestricted(s.Exprs[0]), Below: s.Below, Bold: s.Bold, Right: s.Right, Hidden: s.Hidden}
			if desc.InDom != pcp.NullInDom {
				indom := desc.InDom.String()
				as.InDom = &indom
			}
			if as.InDom != nil && p.Style == dashboard.Rows {
				a.Style = string(dashboard.Table) // rows are points in time, so instances would not fit
			}
			a.Series = append(a.Series, as)
		}
		for _, t := range p.Thresholds {
			a.Thresholds = append(a.Thresholds, ruled(api.Threshold{Value: t.Value, Expression: t.Expr, Label: t.Label, Under: t.Under, Rule: t.Rule}, rules))
		}
		a.Commands = append(a.Commands, dashboard.Commands(p, shell.Archives(src.about.Name, src.about.Members))...)
		d.Panels = append(d.Panels, a)
	}
	for _, m := range r.Missing {
		needs := m.Needs
		if needs == nil {
			needs = []string{}
		}
		d.Missing = append(d.Missing, api.MissingPart{Panel: m.Panel, Series: m.Series, Needs: needs})
	}
	return d
}
