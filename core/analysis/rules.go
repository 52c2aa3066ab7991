package analysis

// Rules are the thresholds of all judgements. Percentages are of 100, times
// in seconds. Where no source is named they are pcpscope's own choice.
type Rules struct {
	Lasting float64 // how long something must last to deserve a look: 2 min
	Pause   float64 // how long it may pause without being over: 15 s

	CPUBusy         float64 // pmie cpu.util: 90 %
	OneCPU          float64 // pmie per_cpu.some_util: 95 %
	OthersIdle      float64 // while all together are below 50 %
	SoftIRQ         float64 // of one CPU: 30 %
	Steal           float64 // 5 %, for StealLasting
	StealLasting    float64
	RunningPerCPU   float64 // 2
	LoadPerCPU      float64 // pmie cpu.load_average: 3
	LeastLoad       float64 // and above 4 in all
	SwitchesPerCPU  float64 // pmie cpu.context_switch: 4,000 a second
	PressureCPU     float64 // some: 50 %
	PressureMemory  float64 // full: 5 %
	PressureIO      float64 // full: 20 %
	Available       float64 // memory, checklist of grafana-pcp: 10 %
	PagesOut        float64 // a second, pmie memory.exhausted: 5, in PagesOutShare of ten samples
	PagesOutShare   float64
	ReclaimLasting  float64 // direct reclaim: 60 s
	Efficiency      float64 // of reclaim: 30 % while scanning more than Scanning pages a second
	Scanning        float64
	SlabShare       float64 // unreclaimable slab: 20 % of memory
	Commit          float64 // 100 %
	DiskBusy        float64 // checklist: 85 %
	DiskFlight      float64 // requests in flight: 4
	DiskLatency     float64 // 20 ms
	SmallRequest    float64 // checklist: 0.5 KiB, at more than SmallIOPS
	SmallIOPS       float64
	Full            float64 // pmie filesys.filling: 95 %
	FullSoon        float64 // and full within 20 min
	FullSometime    float64 // worth knowing: within a day
	Inodes          float64 // 95 %
	LineRate        float64 // checklist: 85 %
	Drops           float64 // checklist: 0.01 a second
	Retransmissions float64 // 1 % at more than Segments a second
	Segments        float64
	Tables          float64 // pmie filesys.vfs_files: 90 %
	PmcdCPU         float64 // 10 %
}

// Usual are the rules that hold unless others are given.
var Usual = Rules{
	Lasting: 120, Pause: 15,
	CPUBusy: 90, OneCPU: 95, OthersIdle: 50, SoftIRQ: 30, Steal: 5, StealLasting: 300, RunningPerCPU: 2, LoadPerCPU: 3, LeastLoad: 4, SwitchesPerCPU: 4000,
	PressureCPU: 50, PressureMemory: 5, PressureIO: 20,
	Available: 10, PagesOut: 5, PagesOutShare: 0.3, ReclaimLasting: 60, Efficiency: 30, Scanning: 1000, SlabShare: 20, Commit: 100,
	DiskBusy: 85, DiskFlight: 4, DiskLatency: 20, SmallRequest: 0.5, SmallIOPS: 100,
	Full: 95, FullSoon: 1200, FullSometime: 86400, Inodes: 95,
	LineRate: 85, Drops: 0.01, Retransmissions: 1, Segments: 100,
	Tables: 90, PmcdCPU: 10,
}
