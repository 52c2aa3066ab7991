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

// Values share a panel if they can be shown in one unit: bytes and seconds are converted,
// counts and what a unit is per are not.
func TestScalesInOnePanel(t *testing.T) {
	var metrics []Metric
	for _, m := range []struct {
		name  string
		units pcp.Units
	}{
		{"a.data.kbyte", pcp.Units{Space: 1, SpaceScale: 1}}, {"a.data.byte", pcp.Units{Space: 1}},
		{"b.time.ms", pcp.Units{Time: 1, TimeScale: pcp.Millisec}}, {"b.time.hour", pcp.Units{Time: 1, TimeScale: pcp.Hour}},
		{"c.count.one", pcp.Units{Count: 1}}, {"c.count.thousands", pcp.Units{Count: 1, CountScale: 3}},
		{"d.rate.persec", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}}, {"d.rate.perhour", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Hour}},
		{"e.rate.kbyte", pcp.Units{Space: 1, SpaceScale: 1, Time: -1, TimeScale: pcp.Sec}}, {"e.rate.byte", pcp.Units{Space: 1, Time: -1, TimeScale: pcp.Sec}}, {"e.rate.perms", pcp.Units{Space: 1, Time: -1, TimeScale: pcp.Millisec}},
	} {
		metrics = append(metrics, Metric{Name: m.name, Desc: pcp.Desc{Type: pcp.Uint64, Sem: pcp.Instant, Units: m.units, InDom: pcp.NullInDom}})
	}
	var got []string
	for _, d := range Generate(len(metrics), func(i int) Metric { return metrics[i] }, nil, func(int) {}) {
		for _, p := range d.Panels {
			panel := ""
			for _, s := range p.Series {
				panel += " " + s.Name
			}
			got = append(got, d.Title+panel)
		}
	}
	want := []string{"a kbyte byte", "b ms hour", "c one", "c thousands", "d perhour", "d persec", "e kbyte byte", "e perms"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
