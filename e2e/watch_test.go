package e2e

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// program writes an MMV file as a running program does: testdata/mmv/acme,
// whose counts of products grow. Where they lie in the file: see mmv(5); the
// three counts are those that libpcp reads from it, 776, 761 and 814.
type program struct {
	t    *testing.T
	path string
	data []byte
	at   map[uint64]int // offset of each count
}

func newProgram(t *testing.T) *program {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "testdata/mmv/acme"))
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t, filepath.Join(t.TempDir(), "acme"), data, map[uint64]int{}}
	for i := 0; i+8 <= len(data); i += 8 {
		if v := binary.LittleEndian.Uint64(data[i:]); v == 776 || v == 761 || v == 814 {
			p.at[v] = i
		}
	}
	if len(p.at) != 3 {
		t.Fatalf("of the three counts %d were found", len(p.at))
	}
	p.write()
	return p
}

// grow adds to a count and writes the file.
func (p *program) grow(count, by uint64) {
	b := p.data[p.at[count]:]
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+by)
	p.write()
}

func (p *program) write() {
	p.t.Helper()
	if err := os.WriteFile(p.path, p.data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func readings(p *page) int {
	p.t.Helper()
	first, _, _ := strings.Cut(text(p, "watch-text"), " ")
	n, _ := strconv.Atoi(first)
	return n
}

// first is the legend's line of an instance in the first panel, which shows
// mmv.acme.products.count.
func first(p *page, instance string) []string {
	p.t.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...[...document.querySelector('[data-testid="panel"]').querySelectorAll('[data-testid="legend-row"]')]
		.find((r) => r.dataset.series.endsWith("[%s]"))?.querySelectorAll("[data-testid]") ?? []].filter((e) => e.dataset.testid !== "series").map((e) => e.innerText)`, instance))
}

// until waits for a state of the page that time brings.
func until(p *page, what string, is func() bool) {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("the page waits for ever for %s; it says %q", what, text(p, "watch-text"))
		}
	}
}

// A file that was dropped is read again each second, and the counters become
// rates; a file in the middle of being rewritten is waited for.
func TestWatch(t *testing.T) {
	run := newProgram(t)
	p := open(t, "/")
	p.idle()
	p.drop("body", run.path)
	p.idle()
	if got := text(p, "source-title") + ", " + text(p, "source-subtitle"); got != "acme, MMV, live values" {
		t.Errorf("it opens as %q", got)
	}
	pick(p, "mmv.acme.products.count")
	click(p, id("add-new-panel"))
	// The values of the one moment: those that libpcp reads.
	if got := first(p, "Anvils"); len(got) != 5 || got[0] != "776" {
		t.Errorf("Anvils read %v before anything is watched", got)
	}
	p.shot("watch-before")
	click(p, id("watch-toggle"))
	for n := 1; n <= 4; n++ {
		until(p, "reading "+strconv.Itoa(n), func() bool { return readings(p) >= n })
		run.grow(776, 500)
	}
	until(p, "one more", func() bool { return readings(p) >= 6 })
	number := func(s string) float64 { v, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64); return v }
	if got := first(p, "Anvils"); len(got) != 5 || number(got[3]) < 100 || number(got[3]) > 5000 {
		t.Errorf("500 more a second or so are shown as %v", got)
	}
	if got := first(p, "Rockets"); len(got) == 5 && number(got[3]) != 0 {
		t.Errorf("what stands still is shown as %v", got)
	}
	p.shot("watch")
	// Generations that differ mean that the file is being rewritten (mmv(5)).
	run.data[16]++
	run.write()
	n := readings(p)
	time.Sleep(500 * time.Millisecond)
	if got := text(p, "watch-text"); strings.Contains(got, "rewriting") {
		t.Errorf("half a file is shown as %q", got)
	}
	run.data[16]--
	run.write()
	until(p, "the file to be whole", func() bool { return readings(p) > n+1 })
	click(p, id("watch-toggle"))
	n = readings(p)
	time.Sleep(1500 * time.Millisecond)
	if now := readings(p); now != n || text(p, "watch-toggle") != "Watch" {
		t.Errorf("after it was stopped there are %d readings more", now-n)
	}
}

// Without handles the page says so, and takes the file by hand.
func TestWatchByHand(t *testing.T) {
	run := newProgram(t)
	p := open(t, "/")
	p.idle()
	eval[bool](p, `(pcphandles.of = () => null, pcphandles.canPick = false, true)`)
	p.choose(id("file-input"), run.path)
	p.idle()
	if got := text(p, "watch-text"); !strings.Contains(got, "cannot read a file again by itself") || !visible(p, "watch-again") {
		t.Errorf("the page says %q", got)
	}
	for range 2 {
		run.grow(776, 100)
		p.choose(id("again-input"), run.path)
		p.idle()
	}
	if readings(p) != 2 {
		t.Errorf("after two more readings it says %q", text(p, "watch-text"))
	}
	p.shot("watch-by-hand")
}
