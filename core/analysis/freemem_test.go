package analysis

import (
	"testing"

	"pcpscope/core/pcp"
)

// Free memory alone says nothing about a Linux host (agent 60), whose page cache has the rest.
// On IRIX (agent 1) it is what programs can get.
func TestFreeMemoryAlone(t *testing.T) {
	for domain, want := range map[int]string{60: "unknown", 1: "98 % at most"} {
		d := pcp.Desc{PMID: pcp.MakePMID(domain, 1, 10), Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom}
		f := new(fake).level("mem.physmem", "", 60, 1000).set("mem.freemem", "", &d, level(60, 20))
		if got := tileOf(t, f, "Memory").Utilisation.Text; got != want {
			t.Errorf("agent %d: %q, want %q", domain, got, want)
		}
		if found := judged(f); (found != "") != (domain == 1) {
			t.Errorf("agent %d: findings %q", domain, found)
		}
		if NewHost(f).CacheUnknown() != (domain == 60) {
			t.Errorf("agent %d: the cache is taken as known, or not", domain)
		}
	}
}
