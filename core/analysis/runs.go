package analysis

import (
	"math"
	"sort"

	"pcpscope/core/series"
)

// spans calls tell for each run with a value that is in effect at samples first to
// last, whose rows are given, with the range of these samples: from up to, not
// including, to. It takes time by the number of runs, of which an idle process has
// few, whatever the number of samples.
func spans(runs []series.Run, rows []int, first, last int, tell func(run series.Run, from, to int)) {
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
			tell(runs[r], from, k)
		}
	}
}

// sampleAt returns the first sample from k on whose row is at least row. It looks
// further and further ahead, because mostly it is near.
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
