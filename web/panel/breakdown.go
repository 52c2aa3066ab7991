package panel

import "slices"

// A Breakdown makes a panel show which processes used a resource.
type Breakdown struct {
	What string // as api.ConsumerQuery.What
	By   string // "command", "user", "cgroup" or "process"
	Top  int
}

// Title is the title of the panel.
func (b *Breakdown) Title() string { return resources[b.What] + " by " + b.By }

// Valid reports whether the breakdown exists; nil is valid.
func (b *Breakdown) Valid() bool {
	return b != nil && resources[b.What] != "" && slices.Contains([]string{"command", "user", "cgroup", "process"}, b.By) && b.Top > 0 && b.Top <= 1000
}

// nobody says why the panel shows no process, of so many samples.
func (b *Breakdown) nobody(samples int) string {
	if samples == 0 {
		return "No value in this window: it lies between two samples of processes."
	}
	switch b.What {
	case "uninterruptible":
		return "No process was in state D in any sample of this window."
	case "runnable":
		return "No process was running or ready in any sample of this window."
	case "memory", "swapped", "threads", "files":
	default:
		if samples == 1 {
			return "No value in this window: processes were sampled once, and a rate needs two samples."
		}
	}
	return "No process used any of it in this window."
}

// resources are those whose use can be attributed to processes.
var resources = map[string]string{"cpu": "CPU", "memory": "Resident memory", "read": "Read from disk", "write": "Written to disk",
	"userCPU": "In programs", "sysCPU": "In the kernel", "waiting": "Waiting for CPU", "blocked": "Waiting for disks", "swapped": "Swapped", "uninterruptible": "In state D", "runnable": "Running or ready", "major": "Major faults", "minor": "Minor faults",
	"voluntary": "Switches, voluntary", "forced": "Switches, involuntary", "threads": "Threads", "files": "Open files"}
