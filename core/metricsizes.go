package core

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A metricSize is how much of an archive's data volumes the values of a metric
// take, before compression.
type metricSize struct {
	bytes   int64
	values  int64
	records int32 // that contain the metric
}

// Lengths in a value set of a record. See spec/archive.md section 5.2.
const (
	setHead   = 12 // PMID, number of values, their format
	voidHead  = 8  // the same without a format, as there are no values
	pairSize  = 8  // instance, and the value or its offset
	blockHead = 4
)

// weightOf measures what was recorded of a metric. Value blocks count with the
// values that refer to them; old loggers let equal values share a block.
func weightOf(parts []*series.Observations) metricSize {
	var w metricSize
	for _, o := range parts {
		if o == nil {
			continue
		}
		rows := len(o.Times)
		w.records += int32(rows + len(o.Voids))
		w.bytes += int64(setHead*rows + voidHead*len(o.Voids))
		fixed := blockSize(o.Desc.Type)
		for _, s := range o.Series {
			for i, run := range s.Runs {
				if run.Row&series.Gone != 0 {
					continue
				}
				end := rows
				if i+1 < len(s.Runs) {
					end = int(s.Runs[i+1].Row & series.RowNum)
				}
				n := end - int(run.Row&series.RowNum)
				block := fixed
				if block < 0 && run.Row&series.Failed == 0 {
					block = blobBlock(o.Desc.Type, len(o.Blobs.At(run.Val)))
				}
				w.values += int64(n)
				w.bytes += int64(n * (pairSize + max(block, 0)))
			}
		}
	}
	return w
}

// blockSize returns the length of the value block of a number: 0 if the value
// is in its pair, -1 for types without a fixed length.
func blockSize(t pcp.Type) int {
	switch t {
	case pcp.Int32, pcp.Uint32:
		return 0
	case pcp.Float:
		return blockHead + 4
	case pcp.Int64, pcp.Uint64, pcp.Double:
		return blockHead + 8
	}
	return -1
}

// blobBlock returns the length of a value block with n bytes, padded to whole
// words. Strings end with a NUL.
func blobBlock(t pcp.Type, n int) int {
	if t == pcp.String {
		n++
	}
	return (blockHead + n + 3) &^ 3
}
