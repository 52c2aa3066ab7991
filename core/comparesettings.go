package core

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// setting compares what a discrete metric was at the end of both windows. Of a window
// without any record that is unknown: the host may have been started anew meanwhile.
func (c *comparison) setting(metric string) {
	if !c.recorded {
		return
	}
	for _, p := range []string{"proc.", "hotproc.", "pmcd.", "pmda.", "event.", "acct."} {
		if strings.HasPrefix(metric, p) && metric != "pmcd.version" {
			return
		}
	}
	if metric == baudRate && c.a.logs(lineSpeed) && c.b.logs(lineSpeed) {
		return // the same in other units
	}
	if c.pace.worked(oneSeries) {
		return
	}
	c.tables.Release() // of the previous metric
	c.laying = metric
	was, before := c.a.settingsAt(metric, c.out.A.End, c.take)
	is, after := c.b.settingsAt(metric, c.out.B.End, c.take)
	if !before || !after {
		return
	}
	for _, now := range is {
		for _, then := range was {
			if then.name != now.name || then.text == "" || now.same(metric, then.settingValue) {
				continue
			}
			if (metric == lineSpeed || metric == baudRate) && c.wireless(now.name) {
				continue // it is another one from frame to frame
			}
			x := api.ChangedSetting{Metric: metric, A: then.text, B: now.text}
			if now.name != "" {
				x.Instance = &api.InstanceRef{ID: now.inst, Name: now.name}
			}
			c.set(x)
		}
	}
}

// logs reports whether a source has a metric.
func (src *source) logs(metric string) bool {
	_, known := src.lookup(metric)
	return known
}

// set lists what differs in another way than by its values.
func (c *comparison) set(x api.ChangedSetting) {
	const maxSettings = 200
	if len(c.out.Settings) < maxSettings {
		c.out.Settings = append(c.out.Settings, x)
	}
}

// hasRecords reports whether there is a record in a window that is not a mark.
func (src *source) hasRecords(w pcp.Span) bool {
	for _, p := range src.parts {
		if a, ok := p.(recorded); ok {
			records, marks := a.Records(), p.Marks()
			i, _ := slices.BinarySearchFunc(records, w.Start, func(r archive.Record, t pcp.Time) int { return cmp.Compare(r.Time, t) })
			for ; i < len(records) && records[i].Time <= w.End; i++ {
				if _, mark := slices.BinarySearch(marks, records[i].Time); !mark {
					return true
				}
			}
		} else if p.Start() <= w.End && p.End() >= w.Start {
			return true
		}
	}
	return false
}

// A settingOf is a value of one instance of a discrete metric.
type settingOf struct {
	settingValue
	inst    int32
	name    string
	changes int
}

// settingsAt returns the last values of a discrete metric up to a time; false if it
// had none, has many instances, or changes too often to be a setting. take claims
// memory for its values and their text.
func (src *source) settingsAt(metric string, at pcp.Time, take func(bytes int64) bool) ([]settingOf, bool) {
	const maxOf = 100
	ms, known := src.lookup(metric)
	if !known || !take(src.workingBytes(ms)) {
		return nil, false
	}
	names := src.inDom(descOf(ms).InDom)
	found := map[int32]*settingOf{}
	for _, o := range src.judged(ms, src.extent()).obs {
		if o == nil {
			continue
		}
		for _, in := range o.Series {
			for _, run := range in.Runs {
				row := int(run.Row & series.RowNum)
				if run.Row&(series.Gone|series.Failed) != 0 || row >= len(o.Times) || o.Times[row] > at {
					continue
				}
				s := found[in.Inst]
				if s == nil {
					if len(found) == maxOf {
						return nil, false
					}
					s = &settingOf{inst: in.Inst}
					if descOf(ms).InDom != pcp.NullInDom {
						s.name = text(names.nameOf(in.Inst))
					}
					found[in.Inst] = s
				}
				if o.Desc.Type == pcp.String && !take(int64(len(o.Blobs.At(run.Val)))) {
					return nil, false
				}
				if now := settingOfRun(metric, o, run.Val); now.text != s.text {
					s.settingValue = now
					s.changes++
				}
				if s.changes > maxChanges {
					return nil, false
				}
			}
		}
	}
	var list []settingOf
	for _, id := range slices.Sorted(maps.Keys(found)) {
		list = append(list, *found[id])
	}
	return list, len(list) > 0
}
