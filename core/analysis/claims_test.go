package analysis

import (
	"math"
	"testing"
	"unsafe"

	"pcpscope/core/pcp"
)

// What is kept of processes is claimed, what is only computed with is given back, and
// what does not fit is left out: five samples of four processes.
func TestAccountingIsClaimed(t *testing.T) {
	held, limit := int64(0), int64(math.MaxInt64)
	host := fourProcesses()
	host.room = func(bytes int64) bool {
		if held+bytes > limit {
			return false
		}
		held += bytes
		return true
	}
	p := NewHost(host).Processes()
	if held < 5*sampleBytes {
		t.Errorf("%d bytes are claimed for five samples", held)
	}
	span := pcp.Span{Start: start, End: start + 40e9}
	accounted := held
	p.estimated("command", 0, len(p.times))
	if least := int64(5*guessBytes + 256*unsafe.Sizeof(guess{})); held < accounted+least {
		t.Errorf("%d bytes more are claimed for the samples and the first 256 guesses about them, want %d", held-accounted, least)
	}
	kept, taken := held, int64(0)
	take := func(bytes int64) error { taken += bytes; return nil }
	if c, err := p.Consumers("cpu", "command", 1, span, take); err != nil || c.Series[0].Name != "old" {
		t.Fatal(c, err)
	}
	if least := int64(4*groupBytes + consumedBytes*5*(2+maxEstimates+4)); taken < least {
		t.Errorf("%d bytes are claimed for four commands and the two largest, want %d", taken, least)
	}
	taken = 0
	if _, _, err := p.Table(start, start+40e9, take); err != nil || taken < 64*processBytes+4*grownBytes {
		t.Errorf("%d bytes are claimed for a table, %v", taken, err)
	}
	if b := p.largest(span); b.command != "old" && b.command != "young" || held != kept {
		t.Errorf("%+v; %d bytes were not given back", b, held-kept)
	}
	refused := pcp.Faultf(pcp.OutOfMemory, "no more")
	if _, err := p.Consumers("cpu", "command", 1, span, func(int64) error { return refused }); err != refused {
		t.Errorf("without memory: %v", err)
	}
	limit = held // from here on nothing fits
	if b := p.largest(span); b.command != "" && b.estimated == 0 {
		t.Errorf("without memory for names: %+v", b)
	}
	if p := NewHost(host).Processes(); p != nil {
		t.Errorf("without memory for %d samples they are accounted for", len(p.times))
	}
}
