package api

import "pcpscope/core/pcp"

// ProcessQuery asks for the processes at a moment, or over a window.
type ProcessQuery struct {
	Source SourceID `json:"source"`
	At     *When    `json:"at,omitempty"`    // the end of the source where absent
	Start  *When    `json:"start,omitempty"` // with end: sums over that window instead of at
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
}

// ProcessTable lists processes, the busiest first.
type ProcessTable struct {
	Start     pcp.Time  `json:"start"`   // rates are over the time from start to end,
	End       pcp.Time  `json:"end"`     // a sample,
	Seconds   float64   `json:"seconds"` // as far as it is known: not between archives and at marks
	Processes []Process `json:"processes"`
	Started   int       `json:"started"` // number of these that began in this time
	Ended     int       `json:"ended"`   // number that existed at the start but not at the end
	Columns   []string  `json:"columns"` // fields of Process for which the source has metrics
	// CPU time in percent of one CPU: of the whole machine; of the listed
	// processes; and the difference, used by processes in no sample because
	// they began and ended between two. Null if not logged; the difference also if
	// only active processes were.
	Machine    *float64 `json:"machine"`
	Listed     *float64 `json:"listed"`
	InNoSample *float64 `json:"inNoSample"`
	// Estimates say which commands InNoSample went to, the largest first, as far
	// as the short-lived processes that were sampled can tell.
	Estimates []Estimate `json:"estimates"`
	CPUs      int        `json:"cpus"`
	// Hot is set if only active processes were logged (hotproc): whether one that is
	// gone has ended is not known, and Ended is 0.
	Hot bool `json:"hot,omitempty"`
}

// Estimate is the CPU time that processes of a command used without being
// sampled, in percent of one CPU.
type Estimate struct {
	Command string  `json:"command"`
	CPU     float64 `json:"cpu"`
	Error   float64 `json:"error"`   // its standard error
	Sampled int     `json:"sampled"` // number of short-lived processes that were sampled
}

// Process is one row. Null where there is no value.
type Process struct {
	Instance  int32    `json:"instance"` // processes that had one PID, one after the other, are listed each
	PID       int64    `json:"pid"`
	Command   string   `json:"command"`
	Path      string   `json:"path"` // with arguments; "" for a kernel thread, and where the instance is still named after an earlier process
	User      string   `json:"user"`
	State     string   `json:"state"` // in words: "sleeping"
	CPU       *float64 `json:"cpu"`   // percent of one CPU
	UserCPU   *float64 `json:"userCPU"`
	SysCPU    *float64 `json:"sysCPU"`
	Resident  *float64 `json:"resident"` // bytes
	Read      *float64 `json:"read"`     // bytes a second
	Write     *float64 `json:"write"`    // bytes a second, less what was cancelled
	Minor     *float64 `json:"minor"`    // faults a second
	Major     *float64 `json:"major"`    // faults a second
	Threads   *float64 `json:"threads"`
	Nice      *float64 `json:"nice"`
	Processor *float64 `json:"processor"` // the one it last ran on
	Parent    *float64 `json:"parent"`    // PID
	Virtual   *float64 `json:"virtual"`   // bytes
	Swapped   *float64 `json:"swapped"`   // bytes
	Waiting   *float64 `json:"waiting"`   // percent of the time, for a CPU
	Blocked   *float64 `json:"blocked"`   // percent of the time, for block I/O
	Voluntary *float64 `json:"voluntary"` // context switches a second, because it waited
	Forced    *float64 `json:"forced"`    // context switches a second, by preemption
	// Uninterruptible and Runnable are the percentage of samples in which the
	// process waited for I/O (state D), or was running or runnable (R).
	Uninterruptible *float64  `json:"uninterruptible"`
	Runnable        *float64  `json:"runnable"`
	Cgroup          string    `json:"cgroup"` // its path, or its container
	Started         *pcp.Time `json:"started"`
	New             bool      `json:"new,omitempty"`   // began in this time: its rates are since its start
	Ended           bool      `json:"ended,omitempty"` // over a window: gone at its end
}

// ConsumerQuery asks who used a resource, over time.
type ConsumerQuery struct {
	Source SourceID `json:"source"`
	What   string   `json:"what,omitempty"` // "cpu" (default), "memory", "read", "write", or of Process: "userCPU", "sysCPU", "waiting", "blocked", "swapped", "major", "minor", "voluntary", "forced", "threads", "uninterruptible", "runnable"; or "files"
	By     string   `json:"by,omitempty"`   // "command" (default), "user", "cgroup" or "process"
	Top    int      `json:"top,omitempty"`  // number of named ones; default 7
	Start  *When    `json:"start,omitempty"`
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
}

// Consumers holds one value for each sample and consumer, for a stacked chart.
type Consumers struct {
	Start  pcp.Time   `json:"start"`
	Times  []float64  `json:"times"`  // seconds after start; the samples
	Units  string     `json:"units"`  // "%" of one CPU or of the time, "byte", "byte / sec", "count" or "count / sec"
	Series []Consumer `json:"series"` // the largest first; then all others, estimates, and what is in no sample
	// Unreadable says why zeros mean nothing: the collector lacks permission to
	// read these counters of other users' processes.
	Unreadable string `json:"unreadable,omitempty"`
}

// Consumer is one layer of the stack.
type Consumer struct {
	Name   string    `json:"name"`
	Kind   string    `json:"kind"` // "named", "others", "estimated" or "in no sample"
	Values []float64 `json:"values"`
	Mean   float64   `json:"mean"`            // over time; of sizes and numbers, of the samples
	Error  float64   `json:"error,omitempty"` // standard error of the mean, if it is estimated
}
