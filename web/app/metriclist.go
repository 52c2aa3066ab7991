package app

import (
	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
	"pcpscope/web/tree"
)

// maxListed is how many metrics the page lists. A host has a few thousand; archives with
// more than this were constructed, and the search still finds the rest.
const maxListed = 50_000

// A metricList is the metrics of a source as the page stores them: without labels and long
// help, which are requested when shown.
type metricList struct {
	metrics []api.Metric
	byName  map[string]int
	tree    tree.Tree
	left    int // how many more there are
}

// listMetrics requests the metrics of the source in batches. It is slow work.
func (tab *Tab) listMetrics() (metricList, error) {
	a := tab.app
	var l metricList
	for {
		part, err := rpc.Invoke(tab.ctx, a.Engine, rpc.MetricPart, rpc.MetricPartRequest{Source: tab.Source.ID, From: len(l.metrics)}, nil)
		if err != nil {
			return l, err
		}
		l.metrics = append(l.metrics, part.Metrics...)
		l.left = part.Total - len(l.metrics)
		if l.left <= 0 || len(part.Metrics) == 0 || len(l.metrics) >= maxListed {
			break
		}
	}
	l.byName = make(map[string]int, len(l.metrics))
	for i := range l.metrics {
		if i%1000 == 0 {
			rpc.Yield(a.Engine)
		}
		l.byName[l.metrics[i].Name] = i
	}
	l.tree = tree.NewYielding(l.metrics, func() { rpc.Yield(a.Engine) })
	return l, nil
}

func (tab *Tab) setMetrics(l metricList) {
	tab.Metrics, tab.byName, tab.Left, tab.Tree.Tree = l.metrics, l.byName, l.left, l.tree
	tab.Tree.SetHideConstant(tab.app.Layout.HideConstant)
}

// inFull requests what the list omits about a metric: its labels and long help. It is slow
// work.
func (tab *Tab) inFull(name string) (api.Metric, error) {
	return rpc.Invoke(tab.ctx, tab.app.Engine, rpc.About, rpc.AboutRequest{Source: tab.Source.ID, Metric: name}, nil)
}
