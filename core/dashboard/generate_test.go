package dashboard

import (
	"slices"
	"testing"

	"pcpscope/core/pcp"
)

// Metrics below one name that differ in units have panels of their own, whose titles differ.
func TestTitlesDiffer(t *testing.T) {
	bytes, count := pcp.Units{Space: 1}, pcp.Units{Count: 1}
	var metrics []Metric
	for _, m := range []struct {
		name  string
		units pcp.Units
		sem   pcp.Semantics
	}{
		{"shop.cart.items", count, pcp.Counter}, {"shop.cart.orders", count, pcp.Counter}, {"shop.cart.refunds", count, pcp.Counter},
		{"shop.cart.sent", bytes, pcp.Counter}, {"shop.cart.received", bytes, pcp.Counter},
		{"shop.db.wait", pcp.Units{Time: 1}, pcp.Instant}, {"shop.web.wait", pcp.Units{Time: 1}, pcp.Instant},
		{"shop.web.users", count, pcp.Instant},
	} {
		metrics = append(metrics, Metric{Name: m.name, Desc: pcp.Desc{Type: pcp.Uint64, Sem: m.sem, Units: m.units, InDom: pcp.NullInDom}})
	}
	list := Generate(len(metrics), func(i int) Metric { return metrics[i] }, nil, func(int) {})
	var got []string
	for _, d := range list {
		for _, p := range d.Panels {
			got = append(got, p.Title)
		}
	}
	want := []string{"cart: items, orders, …", "cart: sent, received", "db.wait", "users", "web.wait"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
