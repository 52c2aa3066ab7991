package derived_test

import (
	"math"
	"strings"
	"testing"

	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// The names of spec/derived.md section 13.
func TestBuiltinNames(t *testing.T) {
	want := strings.Fields(`denki.bat.energy_now_rate openmetrics.grafana.go_memstats_last_gc_since_start_time_seconds
		mssql.buffer_manager.buffer_cache_hit_ratio mssql.databases.log_cache_hit_ratio mssql.latches.average_latch_wait_time
		mssql.locks.average_wait_time mssql.plan_cache.cache_hit_ratio
		proc.psinfo.age proc.io.total_bytes proc.hog.cpu proc.hog.mem proc.hog.disk proc.hog.net`)
	for _, s := range strings.Fields("user nice sys idle intr wait steal") {
		want = append(want, "kernel.cpu.util."+s)
	}
	for _, class := range strings.Fields("dev dm md wwid") {
		for _, s := range strings.Fields("await r_await w_await d_await f_await avg_qlen avg_rqsz r_avg_rqsz w_avg_rqsz d_avg_rqsz util") {
			want = append(want, "disk."+class+"."+s)
		}
	}
	s := derived.Builtin()
	if got := s.Names(); len(got) != 64 || len(want) != 64 {
		t.Errorf("%d definitions, %d wanted, 64 by spec/derived.md section 13", len(got), len(want))
	}
	for _, name := range want {
		if d := s.Lookup(name); d == nil || d.Oneline == "" {
			t.Errorf("%s is missing, or has no help", name)
		}
	}
}

// without hides the metrics that the archive recorded as derived ones.
type without struct {
	*recorded
	names func(string) bool
}

func (w without) Desc(name string) (pcp.Desc, bool) {
	if w.names(name) {
		return pcp.Desc{}, false
	}
	return w.recorded.Desc(name)
}

// The archive was recorded with PCP 7.2.1's own definitions of disk.dev.*, so
// that it holds their metadata, and the values that pmcd's client computed.
func TestBuiltinAgreesWithWhatWasRecorded(t *testing.T) {
	a := openArchive(t, "../../testdata/live", "web01")
	compared, values := 0, 0
	for _, d := range derived.Builtin().Definitions() {
		m, ok := a.Lookup(d.Name)
		if !ok {
			continue
		}
		src := without{a, func(name string) bool { return name == d.Name }}
		b, faults := derived.Builtin().BindName(d.Name, src)
		if faults != nil {
			t.Errorf("%s: %s", d.Name, faults[0].Message)
			continue
		}
		if b.Desc.Type != m.Type || b.Desc.Sem != m.Sem || b.Desc.InDom != m.InDom || b.Desc.Units.String() != m.Units.String() {
			t.Errorf("%s is %v %v %v %q; recorded as %v %v %v %q", d.Name, b.Desc.Type, b.Desc.Sem, b.Desc.InDom, b.Desc.Units, m.Type, m.Sem, m.InDom, m.Units)
		}
		compared++
		o, ok := a.Observations(m.PMID)
		if !ok {
			continue
		}
		// At the records' own times operands are exact, and the record before
		// is the fetch before, as it was for the logger.
		times := o.Times
		src.fetcher = nil
		f, err := b.EvalAt(times, atTimes{src, times})
		if err != nil {
			t.Error(err)
			continue
		}
		for _, s := range o.Series {
			for k := range f.Vectors {
				v := &f.Vectors[k]
				if v.Inst != s.Inst {
					continue
				}
				for i, r := range s.Runs {
					end := len(times)
					if i+1 < len(s.Runs) {
						end = int(s.Runs[i+1].Row & series.RowNum)
					}
					if r.Row&^series.RowNum != 0 {
						continue
					}
					for row := int(r.Row); row < end; row++ {
						if v.Missing(row) != series.HasValue {
							continue
						}
						values++
						got, want := series.Float(pcp.Double, v.Vals[row]), series.Float(pcp.Double, r.Val)
						exact := !strings.HasSuffix(d.Name, ".util") && !strings.HasSuffix(d.Name, ".avg_qlen")
						// of rates the last bit hangs on how the logger held its stamps
						if got != want && (exact || math.Abs(got-want) > 1e-15*want) {
							t.Errorf("%s[%d] at row %d is %v, recorded as %v", d.Name, s.Inst, row, got, want)
						}
					}
				}
			}
		}
	}
	t.Logf("compared %d definitions, %d values", compared, values)
	if compared < 11 || values < 100 {
		t.Errorf("only %d definitions and %d values were compared", compared, values)
	}
}

// atTimes gives operands at any moments, each through a grid of its own.
type atTimes struct {
	without
	times []pcp.Time
}

func (a atTimes) Frame(name string) (*series.Frame, error) {
	var out *series.Frame
	for i, t := range a.times {
		a.at(series.Grid{Start: t, Step: 1e9, Count: 1})
		f, err := a.recorded.Frame(name)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = &series.Frame{Desc: f.Desc, Blobs: f.Blobs}
		}
		for _, v := range f.Vectors {
			if v.Missing(0) != series.HasValue {
				continue
			}
			k := 0
			for k < len(out.Vectors) && out.Vectors[k].Inst < v.Inst {
				k++
			}
			if k == len(out.Vectors) || out.Vectors[k].Inst != v.Inst {
				fresh := series.Vector{Inst: v.Inst, Name: v.Name, Vals: make([]uint64, len(a.times)), Why: make([]series.Why, len(a.times))}
				for j := range fresh.Why {
					fresh.Why[j] = series.BeforeFirst
				}
				out.Vectors = append(out.Vectors[:k], append([]series.Vector{fresh}, out.Vectors[k:]...)...)
			}
			out.Vectors[k].Vals[i], out.Vectors[k].Why[i] = v.Vals[0], series.HasValue
		}
	}
	return out, nil
}
