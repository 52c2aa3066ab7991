package e2e

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pcpscope/internal/reference"
)

// bigFiles are an archive that takes a while to read.
func bigFiles(t *testing.T) []string {
	t.Helper()
	base := filepath.Join(reference.Need(t, "corpus", "big"), "20180416.10.00")
	return []string{base + ".meta.xz", base + ".index", base + ".0.xz", base + ".1.xz", base + ".2.xz", base + ".3.xz"}
}

// While an archive is being read, the page shows the progress and what is
// known already, and charts show what has been read. Cancelling keeps that,
// and the rest can be read later.
func TestReading(t *testing.T) {
	p := openCold(t, "/") // in a warm tab everything is read before there is a chart
	p.idle()
	// A script in the page waits for the right moment and cancels at once; from
	// outside it could be missed.
	eval[bool](p, `(() => {
		const said = (id) => document.querySelector('[data-testid="' + id + '"]')?.innerText ?? "";
		globalThis.seen = new Promise((done) => {
			const look = () => {
				if (document.querySelectorAll('[data-testid="legend-row"]').length <= 2 || !said("known").includes("Machine") || !said("files").includes("so far")) return void setTimeout(look, 20);
				const texts = ["files", "known", "reading-progress"].map(said);
				document.querySelector('[data-testid="cancel-reading"]').click();
				done(texts);
			};
			look();
		});
		return true;
	})()`)
	p.drop("body", bigFiles(t)...)
	texts := eval[[]string](p, "seen")
	began := time.Now()
	p.idle()
	if d := time.Since(began); d > 20*time.Second { // reading all of it takes longer
		t.Errorf("cancelling takes %v", d)
	}
	files, known, progress := texts[0], texts[1], texts[2]
	// The metadata unpacks to 5.2 MiB (xz -l), and the index has 1,689 entries (pmdumplog
	// -t).
	for _, want := range []string{"20180416.10.00.2.xz", "volume 2", "5.2 MiB", "1,019 metrics", "1,689 entries", "so far", "archive, version 2, host brolley-t530"} {
		if !strings.Contains(files, want) {
			t.Errorf("while reading, the files are %q, without %q", files, want)
		}
	}
	if !strings.Contains(progress, " unpacked") {
		t.Errorf("while reading, the page says %q, without what was unpacked", progress)
	}
	// pminfo -f -a 20180416.10.00 kernel.uname.release hinv.ncpu hinv.physmem hinv.ndisk
	for _, want := range []string{"brolley-t530", "16 Apr 2018, 10:01:25", "4.15.15-300.fc27.x86_64", "4 CPUs", "3 disks"} {
		if !strings.Contains(known, want) {
			t.Errorf("known so far: %q, without %q", known, want)
		}
	}
	if visible(p, "reading") || !strings.Contains(text(p, "preview"), "Reading stopped: everything up to 10:") {
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
