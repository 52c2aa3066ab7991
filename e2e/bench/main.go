// Command bench times what a user waits for: in headless Chromium through the
// JavaScript API, in this process through package core, and, where they are
// installed, with PCP's own tools, all on this machine in one run.
//
// It reads the archive that -archive names (a base name; members may be
// compressed). Without one it looks for the large archive beside the module
// and falls back to the sample.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A row is one thing that is timed. A zero is "not measured".
type row struct {
	what                 string
	browser, native, pcp time.Duration
	pcpHow               string // the command
	must                 time.Duration
}

// questions are the series that the rows ask for, in the terms of the large
// archive; others may lack some.
const (
	firstMetric = "kernel.all.load"
	manyMetric  = "proc.psinfo.utime" // 977 instances in the large archive
	nextMetric  = "mem.util.used"
)

func main() {
	archive := flag.String("archive", "", "base name of the archive to read")
	repeat := flag.Int("n", 3, "how often each thing is measured; the median counts")
	days := flag.Bool("days", true, "also measure sets of 1 to 8 copies of the archive, a day apart")
	clicks := flag.Bool("clicks", false, "measure nothing but clicks and keys with thousands of series on the page")
	saving := flag.Bool("saving", false, "measure nothing but saving")
	onPage := flag.Bool("page", false, "measure nothing but the archive on the page, from the drop")
	weeks := flag.Bool("weeks", false, "measure nothing but weeks of archives on the page, from the drop")
	insight := flag.Bool("insight", false, "measure nothing but explanations, incidents and the like, about the archive and about weeks")
	redraws := flag.Bool("redraws", false, "measure nothing but redraws of thousands of series")
	history := flag.String("history", "", "folder with weeks of compressed archives of one host")
	flag.Parse()
	only := ""
	for name, on := range map[string]bool{"clicks": *clicks, "saving": *saving, "page": *onPage, "weeks": *weeks, "redraws": *redraws, "insight": *insight} {
		if on {
			only = name
		}
	}
	if err := run(*archive, *history, *repeat, *days, only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures everything, or only what is named.
func run(archive, history string, repeat int, days bool, only string) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if archive == "" {
		archive = filepath.Join(root, "..", "shared", "corpus", "big", "20180416.10.00")
		if found, _ := filepath.Glob(archive + ".*"); len(found) == 0 {
			archive = filepath.Join(root, "testdata", "live", "web01")
		}
	}
	if archive, err = filepath.Abs(archive); err != nil {
		return err
	}
	if history == "" {
		history = filepath.Join(root, "..", "shared", "corpus", "history")
	}
	if history, err = filepath.Abs(history); err != nil { // the browser has a folder of its own
		return err
	}
	packed, err := filepath.Glob(archive + ".*")
	if err != nil || len(packed) == 0 {
		return fmt.Errorf("there is no archive %s", archive)
	}
	scratch, err := os.MkdirTemp("", "pcpscope-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	raw, err := unpack(packed, scratch)
	if err != nil {
		return err
	}
	fmt.Printf("archive %s: %s as given, %s raw\n", filepath.Base(archive), size(packed), size(raw))

	b, err := newBench(root, scratch)
	if err != nil {
		return err
	}
	defer b.close()
	switch only {
	case "clicks":
		return b.manySeries(raw)
	case "redraws":
		return b.redraws(raw)
	case "page":
		return b.onPage(raw, filepath.Join(scratch, filepath.Base(archive)), repeat)
	case "weeks":
		return b.weeks(history, repeat)
	case "insight":
		return b.insight(raw, history, repeat)
	case "saving":
		if err := b.saving(raw, filepath.Join(scratch, filepath.Base(archive)), scratch); err != nil || !days {
			return err
		}
		return b.savingDays(raw, scratch, 8)
	}
	inBrowser, err := b.measure(raw, packed, repeat)
	if err != nil {
		return err
	}
	native, err := measureNative(raw, packed, repeat)
	if err != nil {
		return err
	}
	tools, version := measureTools(filepath.Join(scratch, filepath.Base(archive)), repeat)

	ms := time.Millisecond
	rows := []row{
		{what: "page: navigation to usable", must: 300 * ms},
		{what: "raw: open settles", must: 400 * ms},
		{what: "raw: " + firstMetric + " over the full span, exact, engine cold", must: 1200 * ms},
		{what: "then: " + manyMetric + ", every 60 s", must: 50 * ms},
		{what: "then: " + nextMetric, must: 20 * ms},
		{what: "then: summary of every numeric series", must: 100 * ms},
		{what: "all of these, from the drop", must: 1800 * ms},
		{what: "packed: metric list, from the drop", must: 500 * ms},
		{what: "packed: " + firstMetric + ", from the drop", must: 3000 * ms},
		{what: "meanwhile: longest wait for another answer", must: 100 * ms},
		{what: "raw: preview of the full span, after open", must: 300 * ms},
	}
	for i := range rows {
		r := &rows[i]
		r.browser, r.native = inBrowser[i], native[i]
		if t, ok := tools[i]; ok {
			r.pcp, r.pcpHow = t.took, t.command
		}
	}
	if fetched, evaluated, err := b.derived(raw); err != nil {
		fmt.Printf("derived: not measured, %v\n", err) // other archives than the large one have no processes
	} else {
		nativeFetched, nativeEvaluated, err := derivedNative(raw)
		if err != nil {
			return fmt.Errorf("derived: %w", err)
		}
		rows = append(rows, row{what: strings.Join(operands, " and ") + ", every 60 s, again", browser: fetched, native: nativeFetched, must: 100 * ms},
			row{what: derivedMetric + ", within twice of that", browser: evaluated, native: nativeEvaluated, must: 2 * fetched})
	}
	print(rows, version)
	if err := program(root, filepath.Join(scratch, filepath.Base(archive)), scratch, repeat); err != nil {
		return fmt.Errorf("the program: %w", err)
	}
	fmt.Printf("\nengine memory in the browser after all of that: %.0f MiB\n", b.memory/(1<<20))
	fmt.Printf("download, brotli: %s\n", b.download)
	if err := b.saving(raw, filepath.Join(scratch, filepath.Base(archive)), scratch); err != nil {
		return fmt.Errorf("saving: %w", err)
	}
	if err := b.manySeries(raw); err != nil {
		return fmt.Errorf("many series: %w", err)
	}
	if err := b.redraws(raw); err != nil {
		fmt.Printf("\nredraws: not measured, %v\n", err) // other archives than the large one have no processes
	}
	if err := b.onPage(raw, filepath.Join(scratch, filepath.Base(archive)), repeat); err != nil {
		return fmt.Errorf("on the page: %w", err)
	}
	if err := b.weeks(history, repeat); err != nil {
		fmt.Printf("\nweeks of archives: not measured, %v\n", err)
	}
	if err := b.insight(raw, history, repeat); err != nil {
		fmt.Printf("\nexplanations: not measured, %v\n", err)
	}
	if !days {
		return nil
	}
	if err := b.savingDays(raw, scratch, 8); err != nil {
		fmt.Printf("\n8 days saved as one: not measured, %v\n", err) // nothing on a page may take longer than a minute
	}
	forms := []string{"raw", "zstd", "xz"}
	if _, err := exec.LookPath("xz"); err != nil {
		fmt.Println("xz is not installed: sets of days are not measured in that form")
		forms = forms[:2]
	}
	for _, how := range forms {
		spans, err := b.days(raw, scratch, how)
		if err != nil {
			return err
		}
		printSpans(spans)
	}
	return nil
}

// manySeries prints how quickly the page does what the user wants with
// thousands of lines on it.
func (b *bench) manySeries(raw []string) error {
	p, n, err := b.manyPanels(raw)
	if err != nil {
		return err
	}
	defer p.Close()
	fmt.Printf("\nwith %d series on the page, busy from the event to the end of the frame that shows it (must 16 ms):\n", n)
	took, err := hover(p)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "following the pointer\t%s\n", show(took))
	all, err := clicks(p)
	for _, a := range acts {
		fmt.Fprintf(w, "%s\t%s\n", a.what, show(all[a.what]))
	}
	w.Flush()
	return err
}

func print(rows []row, version string) {
	if version == "" {
		version = "not installed"
	}
	fmt.Printf("PCP tools: %s\n\n", version)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tbrowser\tmust\tnative Go\tPCP\tbrowser / PCP\tcommand")
	for _, r := range rows {
		ratio := ""
		if r.pcp > 0 && r.browser > 0 {
			ratio = fmt.Sprintf("%.2f", r.browser.Seconds()/r.pcp.Seconds())
		}
		late := ""
		if r.browser > r.must {
			late = " (!)"
		}
		fmt.Fprintf(w, "%s\t%s%s\t%s\t%s\t%s\t%s\t%s\n", r.what, show(r.browser), late, show(r.must), show(r.native), show(r.pcp), ratio, r.pcpHow)
	}
	w.Flush()
}

func show(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
}

func median(ds []time.Duration) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	ds = slices.Clone(ds)
	slices.Sort(ds)
	return ds[len(ds)/2]
}

func size(files []string) string {
	var n int64
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			n += info.Size()
		}
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// quote makes a JavaScript string of a name.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
