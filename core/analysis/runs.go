package analysis

import (
	"math"
	"sort"

	"pcpscope/core/series"
)

// spans calls visit for each run with a value that is in effect at any of the samples
// first to last, whose rows are given, with the range of these samples: from
// (inclusive) to to (exclusive). Its time is proportional to the number of runs, not
// of samples: an idle process has few runs.
func spans(runs []series.Run, rows []int, first, last int, visit func(run series.Run, from, to int)) {
	first, last = max(first, 0), min(last, len(rows)-1)
	if first > last {
		return
	}
	k := first
	for r := runBefore(runs, rows[first]); r < len(runs) && k <= last; r++ {
		end := math.MaxInt
		if r+1 < len(runs) {
			end = int(runs[r+1].Row & series.RowNum)
		}
		from := sampleAt(rows[:last+1], k, int(runs[r].Row&series.RowNum))
		k = sampleAt(rows[:last+1], from, end)
		if from < k && runs[r].Row&(series.Gone|series.Failed) == 0 {
			visit(runs[r], from, k)
		}
	}
}

// sampleAt returns the first sample from k on whose row is at least row. It searches
// in growing steps, because the sample is usually near.
func sampleAt(rows []int, k, row int) int {
	step := 1
	for k < len(rows) && rows[k] < row {
		if k+step < len(rows) && rows[k+step] < row {
			k += step
			step *= 2
			continue
		}
		ahead := rows[k+1 : min(k+step, len(rows))]
		return k + 1 + sort.SearchInts(ahead, row)
	}
	return k
}

// runBefore returns the run in effect at a row, the first run if none is yet.
func runBefore(runs []series.Run, row int) int {
	return max(0, sort.Search(len(runs), func(r int) bool { return int(runs[r].Row&series.RowNum) > row })-1)
}
