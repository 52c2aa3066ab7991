package e2e

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// Everything that comes from a file is text, whatever it looks like.
func TestNamesAreNoMarkup(t *testing.T) {
	const evil = `<img src=x onerror=window.hacked=1>`
	dir := t.TempDir()
	start := pcp.MakeTime(1_700_000_000, 0)
	w, err := archive.NewWriter(archive.Label{Version: 3, Start: start, Host: evil, Timezone: "UTC", Zoneinfo: evil}, func(suffix string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, "evil."+suffix))
	})
	if err != nil {
		t.Fatal(err)
	}
	number := pcp.Desc{PMID: 1 << 10, Type: pcp.Uint32, InDom: 4 << 20, Sem: pcp.Instant}
	words := pcp.Desc{PMID: 2 << 10, Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}
	w.Desc(number, "evil."+evil)
	w.Desc(words, "evil.text")
	w.MetricText(number.PMID, evil, evil)
	w.InDom(start, number.InDom, []pcp.Instance{{ID: 1, Name: evil}})
	w.Labels(start, archive.ContextLabels, 0, []archive.LabelSet{{Inst: -1, JSON: `{"hostname":"` + evil + `"}`}})
	for i := range 10 {
		w.Record(start+pcp.Time(i)*pcp.Time(time.Second), []archive.ValueSet{
			{PMID: number.PMID, Type: number.Type, Values: []archive.Value{{Inst: 1, Val: uint64(i)}}},
			{PMID: words.PMID, Type: words.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: []byte(evil)}}},
		})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p := open(t, "/")
	p.idle()
	p.drop("body", filepath.Join(dir, "evil.meta"), filepath.Join(dir, "evil.index"), filepath.Join(dir, "evil.0"))
	p.idle()
	if got := text(p, "source-title"); got != evil {
		t.Errorf("the host is shown as %q", got)
	}
	filter(p, "onerror")
	eval[bool](p, `(document.querySelector('[data-testid="tree-metric"]').click(), true)`)
	p.idle()
	click(p, id("add-new-panel"))
	click(p, id("tab-cursor"))
	press(p, kb.Escape)
	for where, want := range map[string]string{"detail-name": "evil." + evil, "detail-oneline": evil, "panel-title": "evil." + evil, "series": evil, "labels": evil, "instances": evil} {
		if got := eval[string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="%s"]')].map((e) => e.innerText).join("\n")`, where)); !strings.Contains(got, want) {
			t.Errorf("%s shows %q", where, got)
		}
	}
	filter(p, "evil.text")
	eval[bool](p, `(document.querySelector('[data-metric="evil.text"]').click(), true)`)
	p.idle()
	click(p, id("add-new-panel"))
	if got := text(p, "panels"); !strings.Contains(got, evil) {
		t.Errorf("the panels show %q", got)
	}
	p.shot("names")
	if n := eval[int](p, `document.images.length + (window.hacked ?? 0)`); n != 0 {
		t.Error("a name from the archive became markup")
	}
}
