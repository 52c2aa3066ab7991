package dashboard

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
)

// linux is what PCP's own agents say of the metrics that dashboards use, as
// pminfo(1) prints it; see the head of the file.
func linux(t *testing.T) metadata { return described(t, "testdata/pminfo.txt") }

// darwin is the same of macOS.
func darwin(t *testing.T) metadata { return described(t, "testdata/darwin.txt") }

// platforms are those of further systems: what is drawn for them alone.
func platforms(t *testing.T) []metadata {
	return []metadata{darwin(t), described(t, "testdata/windows.txt"), described(t, "testdata/irix.txt"), described(t, "testdata/freebsd.txt"), described(t, "testdata/netbsd.txt"), described(t, "testdata/solaris.txt"), described(t, "testdata/sar.txt")}
}

func described(t *testing.T, file string) metadata {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]pcp.Type{"32-bit int": pcp.Int32, "32-bit unsigned int": pcp.Uint32, "64-bit int": pcp.Int64, "64-bit unsigned int": pcp.Uint64, "double": pcp.Double, "float": pcp.Float, "string": pcp.String}
	sems := map[string]pcp.Semantics{"counter": pcp.Counter, "instant": pcp.Instant, "discrete": pcp.Discrete}
	md := metadata{}
	for l := range strings.Lines(string(text)) {
		if strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(l), "|")
		if len(f) != 5 {
			t.Fatalf("%s: %q is not of the form name|type|instance domain|semantics|units", file, l)
		}
		d := pcp.Desc{InDom: pcp.NullInDom}
		var known, too bool
		if d.Type, known = types[f[1]]; known {
			d.Sem, too = sems[f[3]]
		}
		if !known || !too {
			t.Fatalf("%s: %q has an unknown type or semantics", file, l)
		}
		if f[2] != "PM_INDOM_NULL" {
			var domain, serial int
			if _, err := fmt.Sscanf(f[2], "%d.%d", &domain, &serial); err != nil {
				t.Fatalf("%s: %v", l, err)
			}
			d.InDom = pcp.MakeInDom(domain, serial)
		}
		if f[4] != "none" {
			u, _, err := pcp.ParseUnits(strings.ReplaceAll(f[4], " ", ""))
			if err != nil {
				t.Fatalf("%s: %v", l, err)
			}
			d.Units = u
		}
		md[f[0]] = d
	}
	return md
}

// otherMetrics are metrics that neither PCP 6.0.3 nor its test suite has: of later
// versions, of separately installed agents, of special hardware.
var otherMetrics = []string{
	"hinv.cpu.frequency_scaling.current", "mem.numa.hugepages.", "mem.vmstat.workingset_activate_file", "mem.vmstat.workingset_refault_file",
	"netfilter.ip_conntrack_", "pmcd.cputime.total", "pmcd.datasize", "pmcd.pdu_in.total", "pmcd.pdu_out.total", "nfsclient.ops.", "zfs.arc.",
}

// Every metric of a dashboard is one of PCP's, and every panel can be computed
// from the metadata of PCP's agents: dimensions and instances match.
func TestDashboardsFitPCP(t *testing.T) {
	md, systems := linux(t), platforms(t)
	seen := map[string]bool{}
	every(func(where, expr string) {
		e, err := derived.Parse(expr)
		if err != nil {
			return // TestEveryExpressionParses
		}
		for _, name := range e.Names() {
			_, known := md.Desc(name)
			known = known || slices.ContainsFunc(systems, func(of metadata) bool { _, is := of.Desc(name); return is })
			if other := slices.ContainsFunc(otherMetrics, func(s string) bool { return strings.HasPrefix(name, s) }); !known && !other && !seen[name] {
				seen[name] = true
				t.Errorf("%s: no agent of PCP has %s", where, name)
			}
		}
	})
	for _, d := range Builtin() {
		for _, m := range Resolve(d, md).Missing {
			if len(m.Needs) == 0 {
				t.Errorf("%s: %s %s cannot be computed, although all metrics are there", d.ID, m.Panel, m.Series)
			}
			for _, name := range m.Needs {
				if !slices.Contains([]string{wired, fsClean, everything, pagedOut, committed}, name) && !slices.ContainsFunc(otherMetrics, func(s string) bool { return strings.HasPrefix(name, s) }) {
					t.Errorf("%s: %s %s needs %s", d.ID, m.Panel, m.Series, name)
				}
			}
		}
	}
}

// Ratios have no unit, and everything on one axis has one dimension.
func TestPanelsHaveOneDimension(t *testing.T) {
	md := linux(t)
	panels := 0
	for _, d := range Builtin() {
		r := Resolve(d, md)
		for i, p := range r.Panels {
			if p.Style == Table || p.Style == Rows || p.Style == State {
				continue
			}
			panels++
			var first *pcp.Units
			for k, s := range p.Series {
				u := r.Bound[i].Series[k].Units
				if strings.HasPrefix(p.Unit, "%") && s.Unit == "" && !u.Dimensionless() {
					t.Errorf("%s/%s: %s is %q, not %s", d.ID, p.ID, s.Name, u, p.Unit)
				}
				if s.Right || u.Dimensionless() { // agents often omit the unit
					continue
				}
				if first == nil {
					first = &u
				} else if u.Space != first.Space || u.Time != first.Time || u.Count != first.Count {
					t.Errorf("%s/%s: %s is %q, what stands before it %q", d.ID, p.ID, s.Name, u, *first)
				}
			}
		}
	}
	if panels < 200 {
		t.Errorf("only %d panels", panels)
	}
}

// Interface properties from the kernel and the agent take precedence: virtual
// ones are excluded, and half-duplex lines count both directions.
func TestInterfaceProperties(t *testing.T) {
	md := linux(t)
	chosen := func() (bytes, util string) {
		for _, p := range Resolve(network(), md).Panels {
			switch p.ID {
			case "bytes":
				bytes = p.Series[0].Exprs[0]
			case "util":
				util = p.Series[1].Exprs[0]
			}
		}
		return bytes, util
	}
	const half = "network.interface.duplex == 1 && network.interface.wireless != 1 ? rate(network.interface.in.bytes) + rate(network.interface.out.bytes) : rate(network.interface.out.bytes)"
	bytes, util := chosen()
	if bytes != "matchinst(!/^lo[0-9]*$/, (network.interface.virtual == 0 ? (rate(network.interface.in.bytes)) : novalue()))" || !strings.HasPrefix(util, "matchinst(!/^lo[0-9]*$/, (network.interface.virtual == 0 ? (100 * ("+half+") / (network.interface.baudrate > 0 && network.interface.baudrate / 1000000 < 1000000 && network.interface.baudrate / 1000 != 8191875 ? network.interface.baudrate : novalue()))") {
		t.Errorf("with all properties: %s, %s", bytes, util)
	}
	delete(md, "network.interface.virtual")
	delete(md, "network.interface.baudrate")
	bytes, util = chosen()
	if !strings.HasPrefix(bytes, "matchinst(!/^(lo[0-9]*$|") || !strings.HasPrefix(util, "matchinst(!/^(lo[0-9]*$|") || !strings.HasSuffix(util, ", 100 * ("+half+`) / rescale((network.interface.speed > 0 && network.interface.speed < 1000000 && (network.interface.speed < 7812 || network.interface.speed > 7813) ? network.interface.speed : novalue()), "byte/sec"))`) {
		t.Errorf("with fewer properties: %s, %s", bytes, util)
	}
	delete(md, "network.interface.wireless")
	delete(md, "network.interface.duplex")
	if _, util = chosen(); strings.Contains(util, "duplex") || !strings.Contains(util, "network.interface.speed") {
		t.Errorf("with hardly any property: %s", util)
	}
}

// If only version 1 of cgroups was logged, its metrics are used in place of
// those of version 2.
func TestBothVersionsOfCgroups(t *testing.T) {
	panels := func(md metadata) map[string]string {
		found := map[string]string{}
		for _, p := range Resolve(cgroups(), md).Panels {
			found[p.ID] = p.Series[0].Exprs[0]
		}
		return found
	}
	md := linux(t)
	two := panels(md)
	for id, want := range map[string]string{"cpu": "100 * rate(cgroup.cpu.stat.usage)", "memory": "cgroup.memory.current", "read": "rate(cgroup.io.stat.rbytes)", "pcpu": "100 * rate(cgroup.pressure.cpu.some.total)"} {
		if two[id] != want {
			t.Errorf("version 2: %s is %q, want %q", id, two[id], want)
		}
	}
	for name := range md { // man pages: these are of version 2 alone
		if strings.HasPrefix(name, "cgroup.cpu.stat.") || strings.HasPrefix(name, "cgroup.io.") || strings.HasPrefix(name, "cgroup.pressure.") || name == "cgroup.memory.current" {
			delete(md, name)
		}
	}
	one := panels(md)
	for id, want := range map[string]string{"cpu": "100 * rate(cgroup.cpuacct.usage)", "memory": "cgroup.memory.usage", "read": "rate(cgroup.blkio.all.throttle.io_service_bytes.read)", "pcpu": "",
		"throttled": "100 * rate(cgroup.cpusched.throttled) / rate(cgroup.cpusched.periods)", "limit": "100 * (1.0 * cgroup.memory.usage - cgroup.memory.stat.total.inactive_file) / (cgroup.memory.limit / 1000000000 < 1000000000 ? cgroup.memory.limit : novalue())"} {
		if one[id] != want {
			t.Errorf("version 1: %s is %q, want %q", id, one[id], want)
		}
	}
}
