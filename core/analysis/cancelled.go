package analysis

// What a process writes is counted when it changes memory; if a file is then deleted or
// truncated before that memory gets to the disk, the kernel counts it as cancelled, for the
// process that does it (Linux's Documentation/filesystems/proc.rst).

// cancellationBytes is the size of a cancellation while they are collected.
const cancellationBytes = 64

// written is increments for what processes wrote.
func (p *Processes) written(s sampled, first, last int, visit func(inst int32, k int, growth float64)) {
	cancelled := map[processSample]float64{}
	p.growth(s, "io.cancelled_write_bytes", first, last, func(inst int32, k int, growth float64) {
		if p.data.Claim(cancellationBytes) {
			cancelled[processSample{inst, k}] = growth
		}
	})
	p.growth(s, "io.write_bytes", first, last, func(inst int32, k int, growth float64) {
		if growth -= cancelled[processSample{inst, k}]; growth > 0 {
			visit(inst, k, growth)
		}
	})
	p.data.Claim(-cancellationBytes * int64(len(cancelled)))
}
