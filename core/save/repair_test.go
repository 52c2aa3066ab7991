package save

import (
	"context"
	"strings"
	"testing"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// Every damaged archive that opens is saved clean: PCP's checker finds
// nothing, our own reader neither, and each value that could be read is there.
func TestDamagedArchivesAreMended(t *testing.T) {
	dir := reference.Need(t, "corpus", "bad")
	mended := 0
	for name, g := range groups(t, dir) {
		a, err := archive.Open(context.Background(), g)
		if err != nil {
			continue // TestBadArchives says which ones, and why
		}
		if err := a.Load(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		out, r := write(t, Request{Parts: []*archive.Archive{a}, Repair: true})
		b := out.open(t, name)
		if faults := b.Problems(); len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
		}
		pmlogcheck(t, name, out, a)
		keepsValues(t, name, a, b)
		if strings.HasPrefix(name, "badlen-5") && len(r.Notes) == 0 {
			t.Errorf("%s: nothing is said of its missing data", name)
		}
		mended++
	}
	if mended < 20 {
		t.Errorf("%d archives were mended", mended)
	}
}

// keepsValues compares all values that a reader gets from an archive.
func keepsValues(t *testing.T, name string, a, b *archive.Archive) {
	t.Helper()
	for _, m := range a.Metrics() {
		if m.Type < pcp.NoSupport || m.Type > pcp.HighresEvent {
			continue // nothing can be read of it
		}
		x, _ := a.Observations(m.PMID)
		y, ok := b.Observations(m.PMID)
		if !ok {
			t.Errorf("%s: %s is gone", name, m.Name())
			continue
		}
		if got, want := values(y), values(x); got != want {
			t.Errorf("%s: %s: %s", name, m.Name(), firstDifference(got, want))
		}
	}
}

// values writes down all values of a metric, but for errors.
func values(o *series.Observations) string {
	var b strings.Builder
	for _, s := range o.Series {
		for i, r := range s.Runs {
			if r.Row&(series.Gone|series.Failed) != 0 {
				continue
			}
			end := len(o.Times)
			if i+1 < len(s.Runs) {
				end = int(s.Runs[i+1].Row & series.RowNum)
			}
			for row := int(r.Row & series.RowNum); row < end; row++ {
				b.WriteString(o.Times[row].Std().Format("15:04:05.000000000 "))
				if o.Blobs.Len() > 0 {
					b.Write(o.Blobs.At(r.Val))
				} else {
					b.WriteString(pcp.Grouped(int64(r.Val)))
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}
