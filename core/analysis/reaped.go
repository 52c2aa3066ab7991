package analysis

import (
	"math"
	"slices"

	"pcpscope/core/series"
)

// When a process ends and its parent waits for it, the kernel adds what it read and wrote
// to the parent's counters in /proc/PID/io (wait_task_zombie in Linux's kernel/exit.c). A
// shell would seem to have done all over again what its commands did. CPU times and faults
// are not affected: those of children are counted apart.

// reapedTotals are the totals of processes that ended before a sample, by parent.
type reapedTotals map[processSample][]float64

// A processSample is a process in a sample.
type processSample struct {
	inst int32
	k    int
}

// reapingBytes is the size of one of them while they are collected.
const reapingBytes = 128

// reaped collects those totals of a counter, for samples first to last, as far as parents
// are logged, and all processes: others may leave a list without ending. A process is
// known up to its last sample.
func (p *Processes) reaped(s sampled, o *series.Observations, rows []int, first, last int) reapedTotals {
	parents := p.data.Observations("psinfo.ppid")
	if parents == nil || parents[s.part] == nil || !p.data.Everything() {
		return nil
	}
	list := reapedTotals{}
	parentOf := map[processSample]int32{} // of processes that ended, in place of the parent
	ended := func(inst int32, total float64, k int) {
		if k < first || k > last || s.cut[k] {
			return
		}
		parent, known := valueAt(parents[s.part], inst, s.at[k-1])
		if !known || parent < 1 || parent > math.MaxInt32 || !p.data.Claim(reapingBytes) {
			return
		}
		parentOf[processSample{inst, k}] = int32(parent)
		if total > 0 && p.data.Claim(reapingBytes) {
			list[processSample{int32(parent), k}] = append(list[processSample{int32(parent), k}], total)
		}
	}
	for i := range o.Series {
		in := &o.Series[i]
		reused := s.reused[in.Inst]
		total, until := 0.0, -1 // as of its last sample, and the sample after that
		spans(in.Runs, rows, first-1, last, func(run series.Run, k, to int) {
			another := false
			for len(reused) > 0 && reused[0] <= k {
				reused, another = reused[1:], true
			}
			if until > 0 && another {
				ended(in.Inst, total, until)
			}
			total, until = series.Float(o.Desc.Type, run.Val), to
		})
		if until > 0 && until <= last {
			ended(in.Inst, total, until)
		}
	}
	heirs := make(reapedTotals, len(list))
	for heir, totals := range list {
		for range maxGenerations { // a parent that has ended as well passes it all on to its own
			above, gone := parentOf[heir]
			if !gone {
				break
			}
			heir.inst = above
		}
		heirs[heir] = append(heirs[heir], totals...)
	}
	for heir := range heirs {
		slices.Sort(heirs[heir])
	}
	p.data.Claim(-reapingBytes * int64(len(parentOf)))
	return heirs
}

// maxGenerations is how many generations of processes may end between two samples.
const maxGenerations = 16

// without takes off the growth of a process before a sample what it has of its children.
// Of a child that it did not wait for, the growth has nothing; it is usually smaller then.
func (r reapedTotals) without(growth float64, inst int32, k int) float64 {
	if growth <= 0 {
		return growth
	}
	for _, total := range slices.Backward(r[processSample{inst, k}]) {
		if total <= growth {
			growth -= total
		}
	}
	return growth
}

// release gives their memory back.
func (r reapedTotals) release(p *Processes) {
	n := int64(0)
	for _, totals := range r {
		n += int64(len(totals))
	}
	p.data.Claim(-reapingBytes * n)
}
