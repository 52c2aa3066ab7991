package main

import (
	"context"
	"fmt"
	"time"

	"pcpscope/core/api"
)

// What a derived metric costs beside its operands: the CPU of each process.
// Both are asked for repeatedly, in turns, so that neither pays for what
// the other finds prepared.
var operands = []string{"proc.psinfo.utime", "proc.psinfo.stime"}

const (
	derivedMetric = "100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime))"
	derivedTurns  = 9
)

// derived returns how long the operands take, and the expression, each the
// median of all turns.
func (b *bench) derived(raw []string) (fetched, evaluated time.Duration, err error) {
	times, err := b.ask(raw, fmt.Sprintf(`(async () => {
	  const { sources: [source] } = await pcp.open([...document.querySelector("input").files]);
	  await pcp.loaded(source.id);
	  const ask = (metrics, convert) => pcp.fetch({ source: source.id, metrics, start: source.start, end: source.end, interval: 60_000_000_000n, convert });
	  const took = { fetched: [], evaluated: [] };
	  for (let turn = 0; turn <= %d; turn++) {
	    await timed("fetched", () => ask([%s, %s], "none"));
	    await timed("evaluated", () => ask([%s], "none"));
	    if (turn) for (const name in took) took[name].push(times[name]); // the first one prepares
	  }
	  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
	  return JSON.stringify({ fetched: median(took.fetched), evaluated: median(took.evaluated) });
	})()`, derivedTurns, quote(operands[0]), quote(operands[1]), quote(derivedMetric)))
	return ms(times["fetched"]), ms(times["evaluated"]), err
}

// derivedNative does the same in this process.
func derivedNative(raw []string) (fetched, evaluated time.Duration, err error) {
	s, source, err := openNative(raw)
	if err != nil {
		return 0, 0, err
	}
	if source, err = s.Loaded(context.Background(), source.ID, quiet); err != nil {
		return 0, 0, err
	}
	var took [2][]time.Duration
	for turn := 0; turn <= derivedTurns; turn++ {
		for i, metrics := range [][]string{operands, {derivedMetric}} {
			clock := startWatch()
			if err := fetchAll(s, source, api.Query{Metrics: metrics, Interval: nanos(60e9), Convert: "none"}); err != nil {
				return 0, 0, err
			}
			if turn > 0 {
				took[i] = append(took[i], clock.all())
			}
		}
	}
	return median(took[0]), median(took[1]), s.Close(source.ID)
}
