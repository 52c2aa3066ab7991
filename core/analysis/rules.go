package analysis

import (
	"reflect"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Rules are the thresholds of all judgements. The tags describe each threshold
// for people, with its unit and the source of the default.
type Rules struct {
	Lasting         float64 `name:"lasting" text:"how long a condition must last to be a warning" unit:"s"`
	Pause           float64 `name:"pause" text:"longest pause that does not end a condition" unit:"s"`
	CPUBusy         float64 `name:"cpuBusy" text:"CPU utilisation" unit:"%" from:"pmie cpu.util"`
	OneCPU          float64 `name:"oneCPU" text:"utilisation of a single CPU" unit:"%" from:"pmie per_cpu.some_util"`
	OthersIdle      float64 `name:"othersIdle" text:"CPU time in use below which a single saturated CPU is reported" unit:"%"`
	SoftIRQ         float64 `name:"softIRQ" text:"time of one CPU in soft interrupts" unit:"%"`
	Steal           float64 `name:"steal" text:"CPU time taken by the hypervisor" unit:"%"`
	StealLasting    float64 `name:"stealLasting" text:"how long steal must last" unit:"s"`
	RunningBusy     float64 `name:"runningBusy" text:"CPU utilisation below which runnable tasks are those of the collector itself" unit:"%"`
	Throttles       float64 `name:"throttles" text:"thermal throttling of a CPU; fewer times are a note"`
	RunningPerCPU   float64 `name:"runningPerCPU" text:"runnable tasks for each CPU"`
	LoadPerCPU      float64 `name:"loadPerCPU" text:"load for each CPU" from:"pmie cpu.load_average"`
	LeastLoad       float64 `name:"leastLoad" text:"load below which it is not reported" from:"pmie cpu.load_average"`
	SwitchesPerCPU  float64 `name:"switchesPerCPU" text:"context switches a second for each CPU" from:"pmie cpu.context_switch"`
	Pinned          float64 `name:"pinned" text:"CPU time of a single process, of one CPU" unit:"%"`
	PinnedLasting   float64 `name:"pinnedLasting" text:"how long a process must use one CPU" unit:"s"`
	Stuck           float64 `name:"stuck" text:"how long a process must wait in state D without running" unit:"s" from:"Linux hung_task_timeout_secs"`
	PressureCPU     float64 `name:"pressureCPU" text:"time in which some task waited for a CPU" unit:"%"`
	PressureMemory  float64 `name:"pressureMemory" text:"time in which everything waited for memory" unit:"%"`
	PressureIO      float64 `name:"pressureIO" text:"time in which everything waited for I/O" unit:"%"`
	Available       float64 `name:"available" text:"memory available; less is a warning" unit:"%" from:"grafana-pcp checklist"`
	PagesOut        float64 `name:"pagesOut" text:"pages swapped out a second" from:"pmie memory.exhausted"`
	PagesOutShare   float64 `name:"pagesOutShare" text:"share of ten samples that swap out" from:"pmie memory.exhausted"`
	Stalls          float64 `name:"stalls" text:"direct reclaims a second; fewer are ignored"`
	ReclaimLasting  float64 `name:"reclaimLasting" text:"direct reclaim for longer than this" unit:"s"`
	Efficiency      float64 `name:"efficiency" text:"scanned pages that are freed; less is a warning" unit:"%"`
	Scanning        float64 `name:"scanning" text:"pages scanned a second below which efficiency is not judged"`
	SlabShare       float64 `name:"slabShare" text:"unreclaimable slab, as a share of memory" unit:"%"`
	Commit          float64 `name:"commit" text:"committed memory, as a share of the limit" unit:"%"`
	DiskBusy        float64 `name:"diskBusy" text:"time with a request in flight" unit:"%" from:"grafana-pcp checklist"`
	DiskFlight      float64 `name:"diskFlight" text:"average queue size of a busy disk"`
	DiskLatency     float64 `name:"diskLatency" text:"latency of a busy disk" unit:"ms"`
	DiskSlow        float64 `name:"diskSlow" text:"latency of any disk, however busy" unit:"ms"`
	DiskSpread      float64 `name:"diskSpread" text:"95th percentile of the latency of a disk, relative to its median" unit:"times"`
	Shift           float64 `name:"shift" text:"lasting change of the data read or written by a disk" unit:"times"`
	ShiftLasting    float64 `name:"shiftLasting" text:"how long a disk must have read or written at the old rate, and at the new one" unit:"s"`
	ShiftLeast      float64 `name:"shiftLeast" text:"rate that a disk must reach for that" unit:"MiB/s"`
	ShiftRequests   float64 `name:"shiftRequests" text:"requests a second that a disk must reach for that, where bytes were not logged"`
	SmallRequest    float64 `name:"smallRequest" text:"request size; less is a note" unit:"KiB" from:"grafana-pcp checklist"`
	SmallIOPS       float64 `name:"smallIOPS" text:"requests a second below which their size is not judged"`
	Full            float64 `name:"full" text:"space of a filesystem in use" unit:"%" from:"pmie filesys.filling"`
	FullSoon        float64 `name:"fullSoon" text:"time until a filesystem is full; less is a warning" unit:"s" from:"pmie filesys.filling"`
	FullSometime    float64 `name:"fullSometime" text:"time until a filesystem is full; less is a note" unit:"s"`
	Doubled         float64 `name:"doubled" text:"growth of a filesystem, or of the files of a database" unit:"times"`
	FillingFrom     float64 `name:"fillingFrom" text:"time that a rate of filling is taken from at least" unit:"s"`
	DoubledLeast    float64 `name:"doubledLeast" text:"growth that is reported at least" unit:"GiB"`
	Inodes          float64 `name:"inodes" text:"inodes of a filesystem in use" unit:"%"`
	LineRate        float64 `name:"lineRate" text:"line rate in use" unit:"%" from:"grafana-pcp checklist"`
	Drops           float64 `name:"drops" text:"packets lost or damaged, a second" from:"grafana-pcp checklist"`
	DropShare       float64 `name:"dropShare" text:"packets of an interface lost or damaged, as a share of all; fewer are ignored" unit:"%"`
	Retransmissions float64 `name:"retransmissions" text:"TCP retransmissions" unit:"%"`
	Segments        float64 `name:"segments" text:"TCP segments a second below which retransmissions are not judged"`
	NodeFree        float64 `name:"nodeFree" text:"free memory of a NUMA node; less is a warning" unit:"%"`
	NodeOther       float64 `name:"nodeOther" text:"free memory of another node; with less, all nodes are short of memory" unit:"%"`
	Allocations     float64 `name:"allocations" text:"allocations of a node a second below which its locality is not judged"`
	Locality        float64 `name:"locality" text:"memory from the node of the CPU (locality); less is a warning" unit:"%"`
	LogWaits        float64 `name:"logWaits" text:"XFS log waits a second; fewer are ignored"`
	RPCCalls        float64 `name:"rpcCalls" text:"NFS calls a second below which retransmissions and latency are not judged"`
	RPCRetries      float64 `name:"rpcRetries" text:"NFS retransmissions" unit:"%"`
	NFSLatency      float64 `name:"nfsLatency" text:"latency of NFS reads and writes" unit:"ms"`
	SoftIRQShare    float64 `name:"softIRQShare" text:"network soft interrupts on one CPU, as a share of all" unit:"%"`
	SoftIRQs        float64 `name:"softIRQs" text:"network soft interrupts a second below which their share is not judged"`
	CloseWait       float64 `name:"closeWait" text:"increase of connections in close wait"`
	Unaccounted     float64 `name:"unaccounted" text:"increase of unaccounted memory" unit:"%"`
	GroupCPU        float64 `name:"groupCPU" text:"CPU time of a cgroup, as a share of its quota" unit:"%"`
	GroupMemory     float64 `name:"groupMemory" text:"memory of a cgroup without inactive page cache, as a share of its limit" unit:"%"`
	GroupThrottled  float64 `name:"groupThrottled" text:"periods in which a cgroup was throttled" unit:"%"`
	GroupPeriods    float64 `name:"groupPeriods" text:"throttled periods of a cgroup a second; fewer are ignored"`
	Tables          float64 `name:"tables" text:"kernel table in use" unit:"%" from:"pmie filesys.vfs_files"`
	PmcdCPU         float64 `name:"pmcdCPU" text:"CPU time of the collector" unit:"%"`
}

const ours = "pcpscope default"

// DefaultRules are the default thresholds.
var DefaultRules = Rules{
	Lasting:         120,
	Pause:           15,
	CPUBusy:         90,
	OneCPU:          95,
	OthersIdle:      50,
	SoftIRQ:         30,
	Steal:           5,
	StealLasting:    300,
	RunningBusy:     80,
	Throttles:       10,
	RunningPerCPU:   2,
	LoadPerCPU:      3,
	LeastLoad:       4,
	SwitchesPerCPU:  4000,
	Pinned:          95,
	PinnedLasting:   3600,
	Stuck:           120,
	PressureCPU:     50,
	PressureMemory:  5,
	PressureIO:      20,
	Available:       10,
	PagesOut:        5,
	PagesOutShare:   0.3,
	Stalls:          1,
	ReclaimLasting:  60,
	Efficiency:      30,
	Scanning:        1000,
	SlabShare:       20,
	Commit:          100,
	DiskBusy:        85,
	DiskFlight:      4,
	DiskLatency:     20,
	DiskSlow:        1000,
	DiskSpread:      5,
	Shift:           10,
	ShiftLasting:    1800,
	ShiftLeast:      1,
	ShiftRequests:   100,
	SmallRequest:    0.5,
	SmallIOPS:       100,
	Full:            95,
	FullSoon:        1200,
	FullSometime:    86400,
	Doubled:         2,
	FillingFrom:     600,
	DoubledLeast:    1,
	Inodes:          95,
	LineRate:        85,
	Drops:           0.01,
	DropShare:       0.1,
	Retransmissions: 1,
	Segments:        100,
	NodeFree:        2,
	NodeOther:       20,
	Allocations:     1000,
	Locality:        80,
	LogWaits:        10,
	RPCCalls:        1,
	RPCRetries:      1,
	NFSLatency:      50,
	SoftIRQShare:    80,
	SoftIRQs:        1000,
	CloseWait:       100,
	Unaccounted:     5,
	GroupCPU:        95,
	GroupMemory:     95,
	GroupThrottled:  10,
	GroupPeriods:    0.5,
	Tables:          90,
	PmcdCPU:         10,
}

// List describes the rules for people.
func (r *Rules) List() []api.Rule {
	t, v, usual := reflect.TypeFor[Rules](), reflect.ValueOf(r).Elem(), reflect.ValueOf(DefaultRules)
	list := make([]api.Rule, t.NumField())
	for i := range list {
		tag := t.Field(i).Tag
		from := tag.Get("from")
		if from == "" {
			from = ours
		}
		list[i] = api.Rule{Name: tag.Get("name"), Text: tag.Get("text"), Unit: tag.Get("unit"), From: from, Value: v.Field(i).Float(), Usual: usual.Field(i).Float()}
	}
	return list
}

// Set changes a rule by name; nil restores the default.
func (r *Rules) Set(name string, value *float64) error {
	t, v, usual := reflect.TypeFor[Rules](), reflect.ValueOf(r).Elem(), reflect.ValueOf(DefaultRules)
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("name") != name {
			continue
		}
		x := usual.Field(i).Float()
		if value != nil {
			x = *value
		}
		if !(x >= 0 && x <= 1e12) {
			return pcp.Faultf(pcp.BadArgument, "A rule cannot have the value %v.", x)
		}
		v.Field(i).SetFloat(x)
		return nil
	}
	return pcp.Faultf(pcp.BadArgument, "There is no rule %q.", name)
}
