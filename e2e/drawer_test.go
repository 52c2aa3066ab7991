package e2e

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// rows are the cell texts of the rows of a table that are on the page.
func rows(p *page, table string) [][]string {
	p.t.Helper()
	return eval[[][]string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="%s"] [data-testid="vt-row"]')].map((r) => [...r.children].map((c) => c.innerText))`, table))
}

// heads are its column headers.
func heads(p *page, table string) []string {
	p.t.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="%s"] [data-testid="vt-head"] span')].map((r) => r.innerText)`, table))
}

// The drawer's tables: the summary as printed by pmlogsummary, and the
// records as logged, both filtered, sorted and exported as CSV.
func TestDrawerTables(t *testing.T) {
	p := openPage(t)
	click(p, id("tab-summary"))
	p.idle()
	eval[bool](p, `(() => { const f = document.querySelector('[data-testid="summary-rows-filter"]'); f.value = "^kernel.all.load$"; f.dispatchEvent(new Event("input")); return true })()`)
	got := rows(p, "summary-table")
	at := slices.Index(heads(p, "summary-table"), "maximum")
	if len(got) != 3 || got[0][1] != "1 minute" || got[0][at] != "5.38" || got[1][at] != "3.05" { // pmlogsummary -F web01 kernel.all.load: 5.38, 3.05, 2.21
		t.Errorf("the summary of the load reads %q", got)
	}
	p.shot("drawer-summary")
	click(p, `[data-testid="panel"][data-metrics="kernel.all.load"] `+id("panel-title"))
	click(p, `[data-testid="panel"][data-metrics="kernel.all.load"] `+id("panel-menu"))
	press(p, "\x1b")
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMousePressed, left+width/2, top+height/2, 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, left+width/2, top+height/2, 0)
	p.idle()
	click(p, id("tab-records"))
	p.idle()
	list := rows(p, "records-table")
	// pmval -U web01 -f 2 kernel.all.load (PCP 6.0.3) begins at 03:49:02.377 with 0.84, 2.20 and 1.88
	want := [][2]string{{"1 minute", "0.84"}, {"5 minute", "2.2"}, {"15 minute", "1.88"}}
	for i, w := range want {
		if len(list) < 3 || !strings.HasPrefix(list[i][0], "03:49:02.377") || list[i][1] != "kernel.all.load" || list[i][2] != w[0] || list[i][3] != w[1] {
			t.Errorf("the records begin with %q, want %q", list[:min(3, len(list))], want)
			break
		}
	}
	p.shot("drawer-records")
}

// Who used the CPU at a given time: the table of processes at the cursor.
func TestProcessTable(t *testing.T) {
	p := openBig(t)
	click(p, `[data-board="processes"] button`)
	click(p, id("tab-processes"))
	p.idle()
	list, columns := rows(p, "processes-table"), heads(p, "processes-table")
	command, cpu := slices.Index(columns, "Command"), slices.Index(columns, "CPU")
	if command < 0 || cpu < 0 || len(list) < 10 {
		t.Fatalf("the table has the columns %q and %d rows", columns, len(list))
	}
	if !slices.ContainsFunc(list, func(r []string) bool { return r[command] == "not sampled" }) {
		t.Errorf("the time that no process accounts for is not shown: %q", list[:3])
	}
	eval[bool](p, `(() => { const f = document.querySelector('[data-testid="processes-rows-filter"]'); f.value = "cc1plus"; f.dispatchEvent(new Event("input")); return true })()`)
	for _, r := range rows(p, "processes-table") {
		if r[command] != "cc1plus" {
			t.Errorf("the filter lets %q through", r)
		}
	}
	p.shot("processes")
}

// Processes that started since the previous sample, or have ended, have a
// tag, which does not disturb the alignment of times.
func TestTagsOfProcesses(t *testing.T) {
	p := openBig(t)
	click(p, id("time-menu"))
	typeInto(p, "time-from", "@14:21:30")
	typeInto(p, "time-to", "@14:21:46")
	click(p, id("time-show"))
	click(p, id("tab-processes"))
	p.idle()
	sift(p, "processes-rows", "^(cc1plus|firefox)$")
	// pmdumplog -z -S @14:21:34 -T @14:21:46 20180416.10.00 proc.psinfo.pid (PCP 6.0.3): 6929, 6956, 6959 and 6962 are not there at 14:21:35
	// and are at 14:21:45; 9930 is at both.
	type row struct {
		PID   string
		Tags  []string
		Right float64
	}
	list := eval[[]row](p, `[...document.querySelectorAll('[data-testid="processes-table"] .vt-row')].map((r) => ({ PID: r.firstElementChild.innerText, Tags: [...r.querySelectorAll(".tag")].map((e) => e.innerText), Right: r.lastElementChild.getBoundingClientRect().right }))`)
	tags := map[string][]string{}
	for _, r := range list {
		tags[r.PID] = r.Tags
	}
	for _, pid := range []string{"6929", "6956", "6959", "6962"} {
		if !slices.Equal(tags[pid], []string{"new"}) {
			t.Errorf("process %s has the tags %q; all: %v", pid, tags[pid], list)
		}
	}
	if got, there := tags["9930"]; !there || len(got) > 0 {
		t.Errorf("process 9930, there all the time, has the tags %q, %v", got, there)
	}
	if cut := eval[bool](p, `[...document.querySelectorAll('[data-testid="processes-table"] .vt-row > :last-child')].some((e) => e.scrollWidth > e.clientWidth)`); cut {
		t.Error("a time is cut")
	}
	p.shot("tags")
}

// sift types into a table's filter in the drawer.
func sift(p *page, table, pattern string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => { const f = document.querySelector('[data-testid="%s-filter"]'); f.value = %q; f.dispatchEvent(new Event("input")); return true })()`, table, pattern))
}

// sortBy clicks a column header.
func sortBy(p *page, table, head string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`([...document.querySelectorAll('[data-testid="%s"] [data-testid="vt-head"]')].find((h) => h.innerText.split("\n").at(-1) === %q).click(), true)`, table, head))
}

// damaged copies an archive so that the trailing length of every fifth record
// disagrees with the leading one, and returns the offsets of these records.
func damaged(t *testing.T) (files []string, offsets []int) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"web01-v2.0", "web01-v2.meta", "web01-v2.index"} {
		var data []byte
		if f, err := os.Open("../testdata/live/" + name + ".gz"); err == nil {
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			data, _ = io.ReadAll(z)
			f.Close()
		} else if data, err = os.ReadFile("../testdata/live/" + name); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".0") {
			for at, n := 0, 0; at < len(data); n++ {
				length := int(binary.BigEndian.Uint32(data[at:]))
				if n > 0 && n%5 == 0 {
					binary.BigEndian.PutUint32(data[at+length-4:], 1)
					offsets = append(offsets, at)
				}
				at += length
			}
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	return files, offsets
}

// There may be many problems: they are listed in a table like any other.
func TestProblemsTable(t *testing.T) {
	paths, offsets := damaged(t)
	p := open(t, "/")
	p.idle()
	p.drop("body", paths...)
	p.idle()
	click(p, id("tab-problems"))
	p.idle()
	if got := text(p, "problem-count"); got != strconv.Itoa(len(offsets)) {
		t.Errorf("%d records are damaged, %s problems are counted", len(offsets), got)
	}
	shown := func() []string { return texts(p, id("problem")) }
	if n := len(shown()); n == 0 || n > 40 {
		t.Errorf("%d rows are in the page", n)
	}
	p.shot("problems-many")
	files := kept(p)
	click(p, id("problems-rows-csv"))
	click(p, id("problems-rows-json"))
	got := files()
	lines, err := csv.NewReader(strings.NewReader(got[0])).ReadAll()
	if err != nil || len(lines) != len(offsets)+1 || strings.Join(lines[0], "|") != "no.|what is wrong|what was done|File|Byte|lost (s)|lost from, to" {
		t.Fatalf("as CSV there are %d lines, of %q: %v", len(lines), lines[0], err)
	}
	// A problem is located at the end of the record with the wrong length.
	for i, l := range lines[1:] {
		if at, _ := strconv.Atoi(l[4]); l[3] != "web01-v2.0" || at <= offsets[i] || i+1 < len(offsets) && at > offsets[i+1] {
			t.Fatalf("the problem at byte %d is written as %q", offsets[i], l)
		}
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(got[2]), &list); err != nil || len(list) != len(offsets) || fmt.Sprint(list[4]["Byte"]) != lines[5][4] && fmt.Sprintf("%.0f", list[4]["Byte"]) != lines[5][4] {
		t.Errorf("as JSON there are %d, the fifth is %v: %v", len(list), list[4], err)
	}
	sortBy(p, "problem-list", "Byte")
	if rows := shown(); !strings.HasPrefix(rows[0], strconv.Itoa(len(offsets))) {
		t.Errorf("sorted by place, the last first, the list begins with %q", rows[0])
	}
	sift(p, "problems-rows", "28,956")
	if rows := shown(); len(rows) == 0 || len(rows) > 10 || !strings.Contains(rows[0], "28,956 at its start") {
		t.Errorf("filtered it is %q", rows)
	}
	click(p, id("problems-rows-copy"))
	if got := text(p, "problems-rows-copy"); !strings.HasPrefix(got, "Copied ") {
		t.Errorf("the button for copying says %q", got)
	}
}

// All metrics and all instances are tables too. According to pminfo -a web01
// -d -m (PCP 6.0.3), kernel.all.load has PMID 60.2.0, type float, instance
// domain 60.2, instant semantics and no unit. pminfo lists 1,121 metrics
// without its derived ones; the page has seven of those, kernel.cpu.util.*.
func TestCatalogueTables(t *testing.T) {
	p := openPage(t)
	click(p, id("tab-all-metrics"))
	p.idle()
	// 1,121: pminfo -a web01 | wc -l.
	if got := text(p, "drawer"); !strings.HasPrefix(got, "1,121 metrics and 7 derived\n") {
		t.Errorf("the table of metrics begins with %.40q", got)
	}
	if n := len(rows(p, "metrics-table")); n == 0 || n > 60 {
		t.Errorf("%d rows are in the page", n)
	}
	sift(p, "metrics-rows", "^kernel.all.load$")
	p.idle()
	list := rows(p, "metrics-table")
	// The last column is how often pmdumplog (PCP 6.0.3) prints 60.2.0 of
	// web01.
	if len(list) != 1 || len(list[0]) < 9 || !slices.Equal(list[0][3:9], []string{"instant", "FLOAT", "", "60.2", "60.2.0", "300"}) {
		t.Fatalf("the table describes kernel.all.load as %q", list)
	}
	click(p, id("metrics-rows")+" "+id("vt-row"))
	if got := text(p, "detail-name"); got != "kernel.all.load" {
		t.Errorf("a click shows %q", got)
	}
	sift(p, "metrics-rows", "^kernel.all.(load|intr)$")
	eval[bool](p, `(document.querySelector('[data-testid="metrics-rows"]').focus(), true)`)
	shortcut(p, "ArrowDown")
	shortcut(p, "Enter")
	if got := text(p, "detail-name"); got != "kernel.all.intr" {
		t.Errorf("the arrow keys and Enter show %q", got)
	}
	shortcut(p, "ArrowDown")
	shortcut(p, "Enter")
	p.shot("drawer-metrics")
	click(p, id("tab-instances"))
	p.idle()
	var names []string
	for _, r := range rows(p, "instances-table") {
		names = append(names, r[0]+" "+r[1])
		if !strings.HasPrefix(r[2], "21 Nov 2026 03:49:0") || !strings.HasPrefix(r[3], "21 Nov 2026 03:54:0") {
			t.Errorf("%s was listed from %s to %s", r[1], r[2], r[3])
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"1 1 minute", "15 15 minute", "5 5 minute"}) {
		t.Errorf("the instances are %q", names)
	}
	p.shot("drawer-instances")
	files := kept(p)
	click(p, id("instances-rows-json"))
	var saved []map[string]any
	if err := json.Unmarshal([]byte(files()[0]), &saved); err != nil || len(saved) != 3 || !strings.HasPrefix(fmt.Sprint(saved[0]["listed from"]), "2026-11-21T03:49:0") {
		t.Errorf("saved is %v, %v", saved, err)
	}
}

// Columns are chosen from a list; a link preserves the choice.
func TestColumns(t *testing.T) {
	p := openPage(t)
	click(p, id("tab-summary"))
	p.idle()
	all := heads(p, "summary-table")
	click(p, id("summary-rows-columns"))
	if !visible(p, "summary-rows-column-list") {
		t.Fatal("no list of columns opens")
	}
	p.shot("columns")
	click(p, `[data-column="median"]`)
	click(p, `[data-column="p95"]`)
	press(p, "\x1b")
	if visible(p, "summary-rows-column-list") || !visible(p, "drawer") {
		t.Error("Escape does not close the list of columns alone")
	}
	want := slices.DeleteFunc(slices.Clone(all), func(h string) bool { return h == "median" || h == "p95" })
	if got := heads(p, "summary-table"); len(want) != len(all)-2 || !slices.Equal(got, want) {
		t.Errorf("of the columns %q, the visible ones are %q", all, got)
	}
	if got := rows(p, "summary-table"); len(got) == 0 || len(got[0]) != len(want) {
		t.Errorf("the rows have %d cells, want %d", len(got[0]), len(want))
	}
	if got := text(p, "summary-rows-columns"); got != fmt.Sprintf("Columns %d of %d", len(want), len(all)) {
		t.Errorf("the button says %q", got)
	}
	sortBy(p, "summary-table", "maximum")
	if got := eval[string](p, `document.querySelector('[data-testid="summary-table"] [aria-sort="descending"]').innerText`); got != "maximum" {
		t.Errorf("sorted by maximum, %q is marked", got)
	}
	click(p, id("tab-records")) // another table, and back
	click(p, id("tab-summary"))
	p.idle()
	if got := heads(p, "summary-table"); !slices.Equal(got, want) {
		t.Errorf("after another table the columns are %q", got)
	}
	click(p, id("share"))
	link := eval[string](p, `document.querySelector('[data-testid="share-link"]').value`)
	q := open(t, link[strings.LastIndex(link, "/#"):])
	q.idle()
	q.drop("body", web01...)
	q.idle()
	if got := heads(q, "summary-table"); !slices.Equal(got, want) {
		t.Errorf("a link brings the columns %q", got)
	}
}

// On a phone the table of processes first has who used how much; other columns
// can be chosen.
func TestProcessesOnAPhone(t *testing.T) {
	files := bigFiles(t)
	p := openAt(t, "/?test=1", 390, 844)
	p.idle()
	p.drop("body", files...)
	p.idle()
	click(p, id("nav-more"))
	click(p, id("more-processes"))
	p.idle()
	if got := heads(p, "processes-table"); len(got) < 4 || !slices.Equal(got[:3], []string{"PID", "Command", "CPU"}) {
		t.Errorf("the columns begin with %q", got)
	}
	if right := eval[float64](p, `[...document.querySelectorAll('[data-testid="processes-table"] [role="columnheader"]')].find((e) => e.getAttribute("aria-sort") === "descending").getBoundingClientRect().right`); right > 390 {
		t.Errorf("the column that is sorted by ends at %v", right)
	}
	p.shot("phone-processes")
	click(p, id("close-drawer"))
	if visible(p, "drawer") {
		t.Error("the drawer does not close")
	}
}
