package analysis

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// words returns the string value of a metric for an instance at a time, or the
// first one after it; "" if none.
func (p *Processes) words(part int, metric string, inst int32, at pcp.Time) string {
	all := p.data.Observations(metric)
	if all == nil || all[part] == nil {
		return ""
	}
	o := all[part]
	run, known := runAt(o, inst, at)
	if !known {
		for _, r := range runsOf(o, inst) {
			if r.Row&(series.Gone|series.Failed) == 0 {
				run, known = r, true
				break
			}
		}
	}
	switch {
	case !known:
		return ""
	case o.Desc.Type == pcp.String:
		return string(o.Blobs.At(run.Val))
	case o.Desc.Type.Numeric():
		return Decimals(series.Float(o.Desc.Type, run.Val), 0)
	}
	return ""
}

// number returns the value of the first of several metrics that has one; NaN if
// none.
func (p *Processes) number(part int, inst int32, at pcp.Time, metrics ...string) (v float64, units pcp.Units) {
	for _, m := range metrics {
		if all := p.data.Observations(m); all != nil && all[part] != nil {
			if v, known := valueAt(all[part], inst, at); known {
				return v, all[part].Desc.Units
			}
		}
	}
	return math.NaN(), pcp.Units{}
}

// command returns the short name of a process at a time.
func (p *Processes) command(part int, inst int32, at pcp.Time) string {
	if cmd := p.words(part, "psinfo.cmd", inst, at); cmd != "" {
		return cmd
	}
	full := p.path(part, inst, at)
	if full == "" {
		_, full, _ = strings.Cut(p.data.Name(part, inst, at), " ")
		return strings.Trim(full, "()")
	}
	return program(full)
}

// program returns the name of the program in a command line. Services set theirs to
// "postgres: writer process", and login shells begin with a hyphen.
func program(line string) string {
	first, _, _ := strings.Cut(line, " ")
	name := path.Base(first)
	return cmp.Or(strings.TrimSuffix(strings.TrimPrefix(name, "-"), ":"), name)
}

// path returns the command line, "" for a kernel thread. Instances are named
// "003412 /usr/sbin/foo -x" or "000052 (kswapd0)".
func (p *Processes) path(part int, inst int32, at pcp.Time) string {
	_, rest, _ := strings.Cut(p.data.Name(part, inst, at), " ")
	if strings.HasPrefix(rest, "(") {
		return ""
	}
	return rest
}

func (p *Processes) user(part int, inst int32, at pcp.Time) string {
	for _, m := range []string{"id.uid_nm", "id.euid_nm", "id.uid"} {
		if u := p.words(part, m, inst, at); u != "" {
			return u
		}
	}
	return ""
}

// cgroup returns the cgroup or container that a process belongs to.
func (p *Processes) cgroup(part int, inst int32, at pcp.Time) string {
	for _, m := range cgroupMetrics {
		if text := p.words(part, m, inst, at); text != "" {
			return cgroupPath(text)
		}
	}
	return ""
}

// cgroupPath picks the deepest of the paths that the agent lists by controller:
// ":/system.slice/sshd.service", or with cgroup v1
// "name=systemd:/system.slice/sshd.service;cpu,cpuacct:/system.slice;memory:/".
func cgroupPath(text string) string {
	best, depth := text, -1
	for entry := range strings.SplitSeq(text, ";") {
		_, path, listed := strings.Cut(entry, ":")
		if n := strings.Count(strings.TrimSuffix(path, "/"), "/"); listed && n > depth {
			best, depth = path, n
		}
	}
	return best
}

var stateWords = map[string]string{"R": "running", "S": "sleeping", "D": "waiting for I/O", "Z": "defunct", "T": "stopped", "t": "traced", "I": "idle", "X": "dead", "W": "paging", "P": "parked"}

// table lists the processes of a stretch.
func (p *Processes) table(st stretch, take func(bytes int64) error) (api.ProcessTable, error) {
	s, first, k := st.s, st.first, st.last
	t := api.ProcessTable{Start: s.at[first], End: s.at[k], Processes: []api.Process{}, Estimates: []api.Estimate{}, Columns: p.columns(), CPUs: p.cpus(s.at[k])}
	seconds := s.at[k].Since(s.at[first])
	t.Seconds = seconds
	use, length := p.useOf(s, first, k)
	if length > 0 && use.Listed == use.Listed {
		t.Listed = ref(100 * use.Listed / length)
		if use.Machine == use.Machine {
			t.Machine, t.InNoSample = ref(100*use.Machine/length), ref(100*math.Max(0, use.Machine-use.Listed)/length)
			for _, e := range p.estimated("command", s.from+first+1, s.from+k+1) {
				if e.Seconds >= minEstimate*(use.Machine-use.Listed) {
					t.Estimates = append(t.Estimates, api.Estimate{Command: e.Name, CPU: 100 * e.Seconds / length, Error: 100 * e.Error / length, Sampled: e.Sampled})
				}
			}
		}
	}
	holders, err := p.rows(s, first, k, seconds, &t, take)
	if err != nil {
		return api.ProcessTable{}, err
	}
	p.stateShares(s, first, k, &t, holders)
	p.ofHotOnly(&t)
	busiestFirst(t.Processes)
	return t, nil
}

func busiestFirst(list []api.Process) {
	sorting.Stable(list, func(a, b api.Process) int {
		return cmp.Or(cmp.Compare(orZero(b.CPU), orZero(a.CPU)), cmp.Compare(orZero(b.Resident), orZero(a.Resident)), cmp.Compare(a.PID, b.PID))
	})
}

// useOf adds up the CPU time used from sample first to k, and the seconds that it covers.
// What the machine used is often not known up to the last sample, as other metrics were
// logged just before it: such samples are left out, unless it is known for none.
func (p *Processes) useOf(s sampled, first, k int) (u Use, seconds float64) {
	all := Use{Machine: math.NaN()}
	for n := first + 1; n <= k; n++ {
		all.Listed += p.listed[s.from+n]
		if spent := p.spent[s.from+n]; spent == spent {
			u.Machine, u.Listed, seconds = u.Machine+spent, u.Listed+p.listed[s.from+n], seconds+s.at[n].Since(s.at[n-1])
		}
	}
	if seconds == 0 {
		return all, s.at[k].Since(s.at[first])
	}
	return u, seconds
}

func ref(v float64) *float64 { return &v }

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// refOrNil returns nil for NaN.
func refOrNil(v float64) *float64 {
	if v != v {
		return nil
	}
	return &v
}

// ofHotOnly takes out of a table what is not known if only active processes were logged:
// one that is gone may merely have become quiet, and what the machine used besides may
// be of those that were quiet throughout.
func (p *Processes) ofHotOnly(t *api.ProcessTable) {
	if p.data.Everything() {
		return
	}
	t.Hot, t.InNoSample, t.Ended = true, nil, 0
	for i := range t.Processes {
		t.Processes[i].Ended = false
	}
}

// cpus is how many CPUs the host had at a time; 0 if that is not known.
func (p *Processes) cpus(t pcp.Time) int {
	if n := p.host.CPUsAt(t); n > 0 {
		return int(n)
	}
	return 0
}

// tableColumns lists the metrics behind each column of a table.
var tableColumns = []struct {
	name    string
	metrics []string
}{
	{"cpu", []string{"psinfo.utime"}}, {"userCPU", []string{"psinfo.utime"}}, {"sysCPU", []string{"psinfo.stime"}}, {"user", []string{"id.uid_nm", "id.euid_nm", "id.uid"}},
	{"state", []string{"psinfo.sname"}}, {"resident", residentMetrics}, {"read", []string{"io.read_bytes"}}, {"write", []string{"io.write_bytes"}},
	{"minor", []string{"psinfo.minflt"}}, {"major", []string{"psinfo.maj_flt"}}, {"threads", []string{"psinfo.threads"}}, {"nice", []string{"psinfo.nice"}},
	{"processor", []string{"psinfo.processor"}}, {"started", []string{"psinfo.start_time"}}, {"parent", []string{"psinfo.ppid"}}, {"virtual", virtualMetrics},
	{"swapped", []string{"memory.vmswap"}}, {"waiting", []string{"schedstat.run_delay"}}, {"uninterruptible", stateMetrics}, {"runnable", stateMetrics}, {"blocked", []string{"psinfo.delayacct_blkio_time"}},
	{"voluntary", []string{"psinfo.vctxsw"}}, {"forced", []string{"psinfo.nvctxsw"}}, {"cgroup", cgroupMetrics},
}

var (
	residentMetrics = []string{"memory.vmrss", "psinfo.rss", "memory.rss"}
	virtualMetrics  = []string{"memory.vmsize", "psinfo.vsize"}
	stateMetrics    = []string{"psinfo.sname"}
	cgroupMetrics   = []string{"psinfo.cgroups", "id.container"}
	rateMetrics     = []string{"psinfo.utime", "psinfo.stime", "psinfo.minflt", "psinfo.maj_flt", "io.read_bytes", "io.write_bytes",
		"schedstat.run_delay", "psinfo.delayacct_blkio_time", "psinfo.vctxsw", "psinfo.nvctxsw"}
)

func (p *Processes) columns() []string {
	list := []string{}
	for _, c := range tableColumns {
		if slices.ContainsFunc(c.metrics, func(m string) bool { return p.data.Observations(m) != nil }) {
			list = append(list, c.name)
		}
	}
	return list
}

// processBytes is how many bytes a process takes in a table and in the message that
// carries it.
const processBytes = 1 << 10

// grownBytes is the size of the sums of all its counters while the table is made.
const grownBytes = 1 << 9

// rows adds the processes in samples first to k, and returns which of those that had its
// number each one is.
func (p *Processes) rows(s sampled, first, k int, seconds float64, t *api.ProcessTable, take func(bytes int64) error) (holders []holder, err error) {
	o := p.data.Observations("psinfo.utime")[s.part]
	born := p.birth(s)
	if err := take(grownBytes * int64(len(o.Series)+len(s.reused))); err != nil {
		return nil, err
	}
	grown := map[string]map[holder]float64{}
	for _, m := range rateMetrics {
		sums := map[holder]float64{}
		p.increments(s, []string{m}, first+1, k, func(inst int32, k int, growth float64) { sums[s.holderAt(inst, k)] += growth })
		grown[m] = sums
	}
	rows := rowsAt(o.Times, s.at)
	claimed := 0 // rows
	for i := range o.Series {
		from, to := s.holderAt(o.Series[i].Inst, first), s.holderAt(o.Series[i].Inst, k)
		for h := from; h.n <= to.n; h.n++ {
			was := len(t.Processes)
			if was == claimed {
				const step = 64
				if err := take(step * processBytes); err != nil {
					return nil, err
				}
				claimed += step
			}
			p.addRow(s, h, o.Series[i].Runs, rows, first, k, seconds, born, grown, t)
			if len(t.Processes) > was {
				holders = append(holders, h)
			}
		}
	}
	return holders, nil
}

// addRow adds one of the processes that had a number, if it is in samples first to k.
func (p *Processes) addRow(s sampled, h holder, runs []series.Run, rows []int, first, k int, seconds float64, born func(int32, int) bool, grown map[string]map[holder]float64, t *api.ProcessTable) {
	since, until := s.samplesOf(h)
	to, old, isNew := -1, false, since > first // the sample after the last one with it; whether it was in the first
	spans(runs, rows, max(first, since), min(k, until), func(_ series.Run, from, end int) {
		switch {
		case from == first:
			old = true
		case from != to && !isNew:
			isNew = born(h.inst, from)
		}
		to = end
	})
	at, ended := s.at[k], to >= 0 && to <= k
	switch {
	case to < 0:
		return
	case ended && first+1 >= k: // a single sample lists who is in it
		t.Ended++
		return
	case ended:
		at = s.at[to-1]
		t.Ended++
		if to-1 == first && grown["psinfo.utime"][h]+grown["psinfo.stime"][h] == 0 {
			return // only in the first sample
		}
	}
	row := p.row(s, h, at)
	row.Ended, row.New = ended, isNew
	if row.New {
		t.Started++
	}
	if seconds > 0 && (old || row.New || first+1 < k) {
		rate := func(m string, scale float64) *float64 {
			if p.data.Observations(m) == nil {
				return nil
			}
			return ref(scale * grown[m][h] / seconds)
		}
		row.UserCPU, row.SysCPU = rate("psinfo.utime", 100), rate("psinfo.stime", 100)
		row.CPU = ref(orZero(row.UserCPU) + orZero(row.SysCPU))
		row.Minor, row.Major, row.Read, row.Write = rate("psinfo.minflt", 1), rate("psinfo.maj_flt", 1), rate("io.read_bytes", 1), rate("io.write_bytes", 1)
		row.Waiting, row.Blocked, row.Voluntary, row.Forced = rate("schedstat.run_delay", 100), rate("psinfo.delayacct_blkio_time", 100), rate("psinfo.vctxsw", 1), rate("psinfo.nvctxsw", 1)
	}
	t.Processes = append(t.Processes, row)
}

// pid is the number of a process: that of its instance, unless another one was logged.
func (p *Processes) pid(part int, inst int32, at pcp.Time) int64 {
	if pid, _ := p.number(part, inst, at, "psinfo.pid"); pid == pid {
		return int64(pid)
	}
	return int64(inst)
}

// row describes a process, without its rates.
func (p *Processes) row(s sampled, h holder, at pcp.Time) api.Process {
	inst := h.inst
	r := api.Process{Instance: inst, PID: p.pid(s.part, inst, at), Command: p.command(s.part, inst, at), Path: p.pathOf(&s, h, at), User: p.user(s.part, inst, at)}
	r.State = p.words(s.part, "psinfo.sname", inst, at)
	if word := stateWords[r.State]; word != "" {
		r.State = word
	}
	bytes := func(metrics ...string) *float64 {
		v, units := p.number(s.part, inst, at, metrics...)
		scale, known := pcp.ScaleOf(units, pcp.Units{Space: 1})
		if v != v || !known {
			return nil
		}
		return ref(scale.Float64(v))
	}
	r.Resident, r.Virtual, r.Swapped = bytes(residentMetrics...), bytes(virtualMetrics...), bytes("memory.vmswap")
	r.Cgroup = p.cgroup(s.part, inst, at)
	plain := func(metric string) *float64 {
		v, _ := p.number(s.part, inst, at, metric)
		return refOrNil(v)
	}
	r.Threads, r.Nice, r.Processor, r.Parent = plain("psinfo.threads"), plain("psinfo.nice"), plain("psinfo.processor"), plain("psinfo.ppid")
	if r.Nice != nil && *r.Nice > math.MaxInt32 { // the agents of 2015 had the type wrong
		*r.Nice -= 1 << 32
	}
	if v, units := p.number(s.part, inst, at, "psinfo.start_time"); v == v {
		if up := p.uptime(); up != nil {
			if since := up(at) - v*secondsOf(units); since == since {
				began := at - pcp.Time(since*1e9)
				r.Started = &began
			}
		}
	}
	return r
}
