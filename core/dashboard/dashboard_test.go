package dashboard

import (
	"slices"
	"strings"
	"testing"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
)

// every collects what may be used in place of an expression.
func every(visit func(where, expr string)) {
	for _, d := range Builtin() {
		for _, e := range d.Spark.Exprs {
			visit(d.ID+" spark", e)
		}
		for _, p := range d.Panels {
			for _, s := range p.Series {
				for _, e := range s.Exprs {
					visit(d.ID+"/"+p.ID+"/"+s.Name, e)
				}
			}
			for _, t := range p.Thresholds {
				if t.Expr != "" {
					visit(d.ID+"/"+p.ID+" threshold", t.Expr)
				}
			}
		}
	}
}

func TestEveryExpressionParses(t *testing.T) {
	n := 0
	every(func(where, expr string) {
		n++
		if _, err := derived.Parse(expr); err != nil {
			t.Errorf("%s: %s: %v", where, expr, err)
		}
	})
	if n < 500 {
		t.Errorf("only %d expressions", n)
	}
}

func TestIDsAreUniqueAndTextsAreThere(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Builtin() {
		if seen[d.ID] {
			t.Errorf("two dashboards are called %s", d.ID)
		}
		seen[d.ID] = true
		if d.Title == "" || !strings.HasSuffix(d.What, ".") {
			t.Errorf("%s: title %q, what %q", d.ID, d.Title, d.What)
		}
		panels := map[string]bool{}
		for _, p := range d.Panels {
			if panels[p.ID] && p.Instead != p.ID { // of these one is shown
				t.Errorf("%s has two panels %s", d.ID, p.ID)
			}
			panels[p.ID] = true
			if p.Title == "" || len(p.Series) == 0 || p.Style == "" {
				t.Errorf("%s/%s is not complete", d.ID, p.ID)
			}
			for _, text := range []string{p.What, p.Usual, p.Next} {
				if text != "" && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
					t.Errorf("%s/%s: %q is no sentence", d.ID, p.ID, text)
				}
			}
			if p.What == "" || p.Usual == "" || p.Next == "" {
				t.Errorf("%s/%s does not say what it is (%q), what is usual (%q) or what to look at next (%q)", d.ID, p.ID, p.What, p.Usual, p.Next)
			}
			if p.Style == TopN && p.Top < 1 {
				t.Errorf("%s/%s shows the top none", d.ID, p.ID)
			}
		}
	}
}

// metadata knows a few metrics.
type metadata map[string]pcp.Desc

func (m metadata) Desc(name string) (pcp.Desc, bool) { d, ok := m[name]; return d, ok }
func (m metadata) Names() []string                   { return nil }

var (
	millisec = pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}}
	number   = pcp.Desc{Type: pcp.Uint32, Sem: pcp.Discrete, InDom: pcp.NullInDom}
)

func TestMissingOperandsHideSeriesAndPanels(t *testing.T) {
	d := Dashboard{ID: "x", Panels: []Panel{
		{ID: "a", Title: "A", Series: []Series{plain("user", "100 * rate(kernel.all.cpu.user) / hinv.ncpu"), plain("steal", "rate(kernel.all.cpu.steal)")}, Thresholds: []Threshold{line("hinv.ncpu", "CPUs"), line("mem.physmem", "memory")}},
		{ID: "b", Title: "B", Series: []Series{plain("x", "disk.all.read + disk.all.write"), plain("y", "disk.all.read")}},
		{ID: "c", Title: "C", Series: []Series{plain("x", "mem.util.available", "hinv.ncpu")}},
	}}
	r := Resolve(d, metadata{"kernel.all.cpu.user": millisec, "hinv.ncpu": number})
	if len(r.Panels) != 2 || len(r.Panels[0].Series) != 1 || r.Panels[0].Series[0].Name != "user" || len(r.Panels[0].Thresholds) != 1 {
		t.Errorf("panels %+v", r.Panels)
	}
	if got := r.Panels[1].Series[0].Exprs[0]; got != "hinv.ncpu" {
		t.Errorf("the alternative is %s", got)
	}
	if len(r.Missing) != 2 || r.Missing[0].Series != "steal" || strings.Join(r.Missing[0].Needs, " ") != "kernel.all.cpu.steal" ||
		r.Missing[1].Series != "" || strings.Join(r.Missing[1].Needs, " ") != "disk.all.read disk.all.write" {
		t.Errorf("missing %+v", r.Missing)
	}
	if u := r.Bound[0].Series[0].Units; !u.Dimensionless() {
		t.Errorf("percent has the unit %q", u)
	}
	if r := Resolve(d, metadata{}); r.Available() {
		t.Error("available without any metric")
	}
}

// A series that is hidden by default is shown if no other is left.
func TestAlonePartIsDrawn(t *testing.T) {
	d := Dashboard{ID: "x", Panels: []Panel{{ID: "a", Title: "A", Series: []Series{plain("used", "mem.util.used"), plain("free", "mem.util.free").hidden()}}}}
	kib := pcp.Desc{Type: pcp.Uint64, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	if r := Resolve(d, metadata{"mem.util.free": kib}); r.Panels[0].Series[0].Hidden {
		t.Error("nothing of the panel is drawn")
	}
	if r := Resolve(d, metadata{"mem.util.free": kib, "mem.util.used": kib}); !r.Panels[0].Series[1].Hidden {
		t.Error("free is drawn beside used")
	}
}

// Blocks have a unit of their own, since the size of one depends on the platform.
func TestThroughputInBlocks(t *testing.T) {
	blocks := pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.MakeInDom(60, 1), Units: pcp.Units{Count: 1}}
	md := metadata{"disk.dev.blkread": blocks, "disk.dev.blkwrite": blocks}
	shown := func() (list []string) {
		for _, p := range Resolve(diskDashboard("disks", "Disks", "disk.dev", disks), md).Panels {
			list = append(list, p.Title+" "+p.Unit)
		}
		return list
	}
	if got := shown(); !slices.Equal(got, []string{"Throughput blocks/s"}) {
		t.Errorf("with blocks alone: %q", got)
	}
	md["disk.dev.read_bytes"] = pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: blocks.InDom, Units: pcp.Units{Space: 1}}
	if got := shown(); !slices.Equal(got, []string{"Throughput "}) {
		t.Errorf("with bytes: %q", got)
	}
}

// Where reads and writes of all disks were not logged, their sum is drawn.
func TestOperationsOfAllDisks(t *testing.T) {
	requests := pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: pcp.Units{Count: 1}}
	md := metadata{"disk.all.total": requests}
	shown := func() (list []string) {
		for _, p := range Resolve(overview(), md).Panels {
			for _, one := range p.Series {
				list = append(list, p.Title+": "+one.Exprs[0])
			}
		}
		return list
	}
	if got := shown(); !slices.Equal(got, []string{"Disk operations: rate(disk.all.total)"}) {
		t.Errorf("with the sum alone: %q", got)
	}
	md["disk.all.read"], md["disk.all.write"] = requests, requests
	if got := shown(); !slices.Equal(got, []string{"Disk operations: rate(disk.all.read)", "Disk operations: rate(disk.all.write)"}) {
		t.Errorf("with both: %q", got)
	}
}

// Interfaces are distinguished by what the kernel says about them if that was
// logged, otherwise by name; a single replacement shows them all.
func TestRealInterfaces(t *testing.T) {
	set := pcp.MakeInDom(60, 3)
	bytes := pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: set, Units: pcp.Units{Space: 1}}
	md := metadata{"network.interface.in.bytes": bytes, "network.interface.out.bytes": bytes}
	first := func() string { return Resolve(network(), md).Panels[0].Series[0].Exprs[0] }
	if got := first(); !strings.HasPrefix(got, "matchinst(!/^(lo[0-9]*$|") {
		t.Errorf("by name: %s", got)
	}
	md["network.interface.virtual"] = pcp.Desc{Type: pcp.Uint32, Sem: pcp.Discrete, InDom: set}
	if got := first(); got != "matchinst(!/^lo[0-9]*$/, (network.interface.virtual == 0 ? (rate(network.interface.in.bytes)) : novalue()))" {
		t.Errorf("by what the kernel says: %s", got)
	}
	for _, d := range []Dashboard{network(), overview(), diskDashboard("disks", "Disks", "disk.dev", disks)} {
		for _, p := range d.Panels {
			for _, s := range p.Series {
				for _, e := range s.Exprs {
					if all := Unrestricted(e); all != "" && (strings.Contains(all, "matchinst") || strings.Contains(all, "virtual")) || all == "" && strings.Contains(e, "matchinst") {
						t.Errorf("%s without restriction is %q", e, all)
					}
				}
			}
		}
	}
	if _, _, needs := Choose([]string{Unrestricted(first())}, md); needs != nil {
		t.Errorf("%s does not bind", Unrestricted(first()))
	}
}

func TestGenerate(t *testing.T) {
	set := pcp.MakeInDom(70, 1)
	m := func(name string, sem pcp.Semantics, u pcp.Units, indom pcp.InDom, instances ...string) Metric {
		return Metric{Name: name, Desc: pcp.Desc{Type: pcp.Uint64, Sem: sem, Units: u, InDom: indom}, Oneline: "what it is", Instances: instances}
	}
	bytes, count := pcp.Units{Space: 1}, pcp.Units{Count: 1}
	constant := m("mmv.shop.version", pcp.Discrete, pcp.Units{}, pcp.NullInDom)
	constant.Constant = true
	still := m("mmv.shop.visits", pcp.Counter, count, pcp.NullInDom)
	still.Constant = true
	metrics := []Metric{
		m("kernel.all.load", pcp.Instant, pcp.Units{}, set), // has a hand-made one
		m("mmv.shop.latency", pcp.Counter, count, set, "0-1", "2-3", "4-7", "8-15", "16-31"),
		m("mmv.shop.orders", pcp.Counter, count, pcp.NullInDom),
		m("mmv.shop.refunds", pcp.Counter, count, pcp.NullInDom),
		m("mmv.shop.sent", pcp.Counter, bytes, pcp.NullInDom),
		m("mmv.shop.work", pcp.Counter, pcp.Units{Time: 1, TimeScale: pcp.Millisec}, pcp.NullInDom),
		constant,
		still,
		m("pmcd.numagents", pcp.Instant, count, pcp.NullInDom), // tells of the recording
		m("redis.clients", pcp.Instant, count, pcp.NullInDom),
		m("tty.serial.tx", pcp.Counter, count, pcp.NullInDom), // of which no hand-made one shows anything
	}
	list := Generate(len(metrics), func(i int) Metric { return metrics[i] }, map[string]bool{"kernel.all.load": true}, func(int) {})
	var got []string
	for _, d := range list {
		for _, p := range d.Panels {
			line := d.ID + " | " + p.Title + " | " + string(p.Style)
			for _, s := range p.Series {
				line += " | " + s.Exprs[0]
			}
			got = append(got, line)
		}
	}
	want := []string{
		"tree-mmv.shop | latency | heatmap | rate(mmv.shop.latency)",
		"tree-mmv.shop | mmv.shop | line | rate(mmv.shop.orders) | rate(mmv.shop.refunds)",
		"tree-mmv.shop | sent | line | rate(mmv.shop.sent)",
		"tree-mmv.shop | work | line | 100 * rate(mmv.shop.work)",
		"tree-mmv.shop | Constants | table | mmv.shop.version | instant(mmv.shop.visits)",
		"tree-redis | clients | line | redis.clients",
		"tree-tty | tx | line | rate(tty.serial.tx)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("generated\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What sar2pcp and iostat2pcp import are rates with the names of counters.
func TestRatesAreNotMadeRatesAgain(t *testing.T) {
	share := pcp.Desc{Type: pcp.Float, Sem: pcp.Instant, InDom: pcp.NullInDom}
	rate := pcp.Desc{Type: pcp.Float, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}}
	sar := metadata{"kernel.all.cpu.user": share, "hinv.ncpu": number, "disk.dev.read": rate, "disk.dev.read_rawactive": rate, "disk.dev.avactive": share, "disk.dev.avqsz": share}
	iostat := metadata{"disk.dev.avactive": share, "disk.dev.write_rawactive": rate}
	for _, c := range []struct {
		in   string
		md   metadata
		want string
	}{
		{"100 * rate(kernel.all.cpu.user) / hinv.ncpu", sar, "100 * kernel.all.cpu.user / hinv.ncpu"},
		{"100 * rate(kernel.all.cpu.user) / hinv.ncpu", metadata{"kernel.all.cpu.user": millisec, "hinv.ncpu": number}, "100 * rate(kernel.all.cpu.user) / hinv.ncpu"},
		{"matchinst(!/^loop/, rate(disk.dev.read))", sar, "matchinst(!/^loop/, disk.dev.read)"},
		{"delta(disk.dev.read_rawactive) / delta(disk.dev.read)", sar, ""},
		{"100 * rate(disk.dev.avactive)", sar, "100 * disk.dev.avactive"},
		{"100 * rate(disk.dev.avactive)", iostat, ""},
		{"rate(disk.dev.write_rawactive)", iostat, ""},
	} {
		if got, _, _ := Choose([]string{c.in}, c.md); got != c.want {
			t.Errorf("%s became %q, want %q", c.in, got, c.want)
		}
	}
}

// thePanel returns a panel by its ID.
func thePanel(t *testing.T, d Dashboard, id string) Panel {
	t.Helper()
	at := slices.IndexFunc(d.Panels, func(p Panel) bool { return p.ID == id })
	if at < 0 {
		t.Fatalf("%s has no panel %s", d.ID, id)
	}
	return d.Panels[at]
}

// The agent for AMD's cards gave metrics each other's names in its first release, and their
// right ones since (pmlogrewrite's rules of the agent, rewrite.conf).
func TestNamesOfAMDGPU(t *testing.T) {
	mhz := pcp.Desc{Type: pcp.Uint32, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Time: -1, TimeScale: pcp.Microsec}}
	first := metadata{"amdgpu.gpu.clock": number, "amdgpu.gpu.clock_max": number, "amdgpu.gpu.load": number, "amdgpu.gpu.temperature": mhz, "amdgpu.gpu.average_power": mhz}
	counted := mhz
	counted.Units.Count = 1
	second := metadata{"amdgpu.gpu.clock": counted, "amdgpu.gpu.clock_max": counted, "amdgpu.gpu.load": number, "amdgpu.gpu.temperature": number, "amdgpu.gpu.average_power": number}
	for _, tt := range []struct {
		panel         string
		first, second string
	}{
		{"active", "clock_max", "load"}, {"temperature", "clock / 1000", "temperature"}, {"power", "load", "average_power"}, {"clock", "temperature", `clock * mkconst(1, units="1/count")`},
	} {
		p := thePanel(t, gpu(), tt.panel)
		if got, _, _ := Choose(p.Series[0].Exprs, first); !strings.Contains(got, "? amdgpu.gpu."+tt.first+" :") {
			t.Errorf("first release, %s: %q, want %s", tt.panel, got, tt.first)
		}
		if got, _, _ := Choose(p.Series[0].Exprs, second); got != "amdgpu.gpu."+tt.second {
			t.Errorf("second release, %s: %q, want %s", tt.panel, got, tt.second)
		}
	}
}

// NVIDIA's agent says since its metrics have units of power that nvidia.power is in
// milliwatts, as it always was (its help).
func TestPowerOfNVIDIA(t *testing.T) {
	milliwatts := number
	milliwatts.Units = pcp.Units{Extra: 4, ExtraScale: 3}
	for want, desc := range map[string]pcp.Desc{"(nvidia.power + 0) / 1000": number, "nvidia.power": milliwatts} {
		p := thePanel(t, gpu(), "power")
		if got, _, _ := Choose(p.Series[0].Exprs, metadata{"nvidia.power": desc}); got != want {
			t.Errorf("%v: %q, want %q", desc.Units, got, want)
		}
	}
}

// The mean latency of disks is in ms per request, from whatever was logged: an agent of 2015
// has no total_rawactive, and PCP derives await from its parts; what sar2pcp writes is no
// number of anything.
func TestMeanLatencyIsInMilliseconds(t *testing.T) {
	count := pcp.Desc{Type: pcp.Uint64, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: pcp.Units{Count: 1}}
	perOne := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec, Count: -1}}
	for what, md := range map[string]metadata{
		"total":  {"disk.dev.total": count, "disk.dev.total_rawactive": millisec},
		"parts":  {"disk.dev.total": count, "disk.dev.read_rawactive": millisec, "disk.dev.write_rawactive": millisec, "disk.dev.await": perOne},
		"logged": {"disk.dev.total": count, "disk.dev.await": perOne},
		"sar":    {"disk.dev.await": number},
	} {
		p := thePanel(t, diskDashboard("disks", "Disks", "disk.dev", func(x string) string { return x }), "mean")
		if expr, desc, _ := Choose(p.Series[0].Exprs, md); desc.Units.String() != "millisec / count" {
			t.Errorf("%s: %q is in %q", what, expr, desc.Units)
		}
	}
}

// IRIX knows no nice time, and not every archive the number of CPUs. Single CPUs
// may have been logged once: the mean of none is not 0 % idle.
func TestCPUTimeWithoutTheNumberOfCPUs(t *testing.T) {
	irix := metadata{}
	for _, mode := range strings.Fields("user sys idle intr wait.total") {
		irix["kernel.all.cpu."+mode] = millisec
	}
	const all = "(rate(kernel.all.cpu.user) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.intr) + rate(kernel.all.cpu.wait.total))"
	expect := func(exprs []string, want string) {
		t.Helper()
		if got, _, _ := Choose(exprs, irix); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	busy := "100 * (1 - (rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.wait.total)) / " + all + ")"
	expect(ofAll("rate(kernel.all.cpu.user)"), "100 * rate(kernel.all.cpu.user) / "+all)
	expect(busyExprs(), busy)
	single := millisec
	single.InDom = 1
	irix["kernel.percpu.cpu.user"], irix["kernel.percpu.cpu.idle"], irix["kernel.percpu.cpu.wait.total"] = single, single, single
	expect(busyExprs(), busy)
	expect(ofAll("rate(kernel.all.cpu.user)"), "100 * rate(kernel.all.cpu.user) / (count(kernel.percpu.cpu.user) > 0 ? 1.0 * count(kernel.percpu.cpu.user) : "+all+" * mkconst(1, units=\"count\"))")
}
