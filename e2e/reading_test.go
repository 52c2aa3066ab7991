package e2e

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"pcpscope/internal/reference"
)

// bigFiles are an archive that takes a while to read.
func bigFiles(t *testing.T) []string {
	t.Helper()
	base := filepath.Join(reference.Need(t, "corpus", "big"), "20180416.10.00")
	return []string{base + ".meta.xz", base + ".index", base + ".0.xz", base + ".1.xz", base + ".2.xz", base + ".3.xz"}
}

// While an archive is read the page shows the progress and what is known
// already, and charts show what has been read. Cancelling keeps that, and the
// rest can be read later.
func TestReading(t *testing.T) {
	p := open(t, "/")
	p.idle()
	p.drop("body", bigFiles(t)...)
	p.must(p.Do(chromedp.WaitVisible(chromedp.CSS(id("known")))))
	eval[bool](p, `new Promise((done) => {
		const look = () => document.querySelectorAll('[data-testid="legend-row"]').length > 2 && document.querySelector('[data-testid="known"]')?.innerText.includes("Machine") ? done(true) : setTimeout(look, 20);
		look();
	})`)
	files, known := text(p, "files"), text(p, "known")
	p.shot("reading")
	// 5.2 MiB came out of the metadata (xz -l), 1,689 entries are in the index (pmdumplog -t)
	for _, want := range []string{"20180416.10.00.2.xz", "volume 2", "5.2 MiB", "1,019 metrics", "1,689 entries", "so far", "archive, version 2, host brolley-t530"} {
		if !strings.Contains(files, want) {
			t.Errorf("while reading, the files are %q, without %q", files, want)
		}
	}
	if got := text(p, "reading-progress"); !strings.Contains(got, " unpacked") {
		t.Errorf("while reading, the page says %q, without what was unpacked", got)
	}
	// pminfo -f -a 20180416.10.00 kernel.uname.release hinv.ncpu hinv.physmem hinv.ndisk
	for _, want := range []string{"brolley-t530", "16 Apr 2018, 10:01:25", "4.15.15-300.fc27.x86_64", "4 CPUs", "3 disks"} {
		if !strings.Contains(known, want) {
			t.Errorf("known so far: %q, without %q", known, want)
		}
	}
	began := time.Now()
	eval[bool](p, `(document.querySelector('[data-testid="cancel-reading"]').click(), true)`)
	p.idle()
	if d := time.Since(began); d > 20*time.Second { // reading all of it takes longer
		t.Errorf("cancelling takes %v", d)
	}
	if visible(p, "reading") || !strings.Contains(text(p, "preview"), "cancelled") {
		t.Errorf("after cancelling the page says %q", text(p, "preview"))
	}
	if rows := legend(p, "kernel.all.load"); len(rows) == 0 && len(titles(p)) == 0 {
		t.Error("after cancelling no chart is left")
	}
	p.shot("reading-cancelled")
	click(p, id("read-all"))
	if visible(p, "preview") || visible(p, "reading") {
		t.Error("the rest is not read")
	}
	p.shot("reading-done")
}
