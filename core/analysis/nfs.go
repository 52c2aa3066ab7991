package analysis

import (
	"fmt"
	"math"

	"pcpscope/core/api"
)

// nfs judges NFS, both client and server.
func (h *Host) nfs() verdict {
	v := verdict{tile: api.Tile{Resource: "NFS", Dashboard: "nfs"}}
	const calls, again = "rpc.client.rpccnt", "rpc.client.rpcretrans"
	if share := combine(h.rate(again), h.rate(calls), func(n, all float64) float64 {
		if all < h.Rules.RPCCalls {
			return math.NaN()
		}
		return 100 * n / all
	}); share != nil {
		s := share.signal(share.Column(""))
		for _, e := range s.episodes(above(h.Rules.RPCRetries), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(look, e, fmt.Sprintf("NFS retransmissions above %s %% of RPC calls for %s", Decimals(h.Rules.RPCRetries, 0), FormatDuration(h.Rules.Lasting)),
				fmt.Sprintf("NFS retransmissions: %s %% of RPC calls for %s", Number(e.mean), FormatDuration(e.lasted)), again, calls)
		}
	}
	for _, op := range []string{"read", "write"} {
		rtt, ops := "nfsclient.ops."+op+".rtt", "nfsclient.ops."+op+".ops"
		trip := combine(h.table(rtt).counted(h.Clock), h.rate(ops), func(ms, n float64) float64 {
			if n < h.Rules.RPCCalls {
				return math.NaN()
			}
			return ms / n
		})
		if trip == nil {
			continue
		}
		for _, c := range trip.Columns {
			s := trip.signal(c.Vals)
			for _, e := range s.episodes(above(h.Rules.NFSLatency), h.Rules.Lasting, h.Rules.Pause) {
				v.lasting(look, e, fmt.Sprintf("NFS %s latency above %s ms for %s", op, Decimals(h.Rules.NFSLatency, 0), FormatDuration(h.Rules.Lasting)),
					fmt.Sprintf("NFS %s latency of %s: %s ms for %s", op, c.Name, Decimals(e.mean, 0), FormatDuration(e.lasted)), rtt+"["+c.Name+"]", ops+"["+c.Name+"]")
			}
		}
	}
	if n, when := growthOf(h.table("rpc.server.th_fullcnt")); n > 0 {
		v.find(look, when, "any time in which all threads of the NFS server were busy", "All threads of the NFS server were busy "+Times(int(n)), "rpc.server.th_fullcnt", "rpc.server.th_cnt")
	}
	return v
}

// counted is the growth of a counter per second in its own units: a time in
// milliseconds does not become a fraction.
func (t *Table) counted(clock *Clock) *Table {
	g := t.growth(clock)
	if g == nil {
		return nil
	}
	own := secondsOf(t.Desc.Units)
	for _, c := range g.Columns {
		for i := range c.Vals {
			c.Vals[i] *= 1 / own
		}
	}
	return g
}

// xfs looks for a journal that is too small or too slow. A few waits per second
// amount to only a few milliseconds.
func (h *Host) xfs() verdict {
	v := verdict{tile: api.Tile{Resource: "XFS", Dashboard: "xfs"}}
	for _, k := range []struct{ metric, what string }{{"xfs.log_tail.sleep_logspace", "log-space"}, {"xfs.log.noiclogs", "log-buffer"}} {
		s := h.speed(k.metric)
		for _, e := range s.episodes(above(h.Rules.LogWaits), h.Rules.Lasting, h.Rules.Pause) {
			v.lasting(look, e, fmt.Sprintf("XFS %s waits above %s a second for %s", k.what, Number(h.Rules.LogWaits), FormatDuration(h.Rules.Lasting)), fmt.Sprintf("XFS %s waits: %s a second for %s", k.what, Number(e.mean), FormatDuration(e.lasted)), k.metric)
		}
	}
	return v
}
