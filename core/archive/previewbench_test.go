package archive

import (
	"os"
	"testing"

	"pcpscope/core/pcp"
)

// PCPSCOPE_BIG names a folder with the unpacked big archive.
func BenchmarkPreview(b *testing.B) {
	dir := os.Getenv("PCPSCOPE_BIG")
	if dir == "" {
		b.Skip("PCPSCOPE_BIG names no folder")
	}
	a, err := Open(b.Context(), groups(b, dir)["20180416.10.00"])
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p, _ := a.Preview(b.Context(), pcp.MinTime, pcp.MaxTime, 200)
		b.ReportMetric(float64(p.Bytes)/1e6, "MB-read")
		b.ReportMetric(float64(len(p.Times)), "records")
	}
}
