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
// whose product counts grow. For the offsets see mmv(5); libpcp reads the
// three counts as 776, 761 and 814.
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
		t.Fatalf("%d of the three counts were found", len(p.at))
	}
	p.write()
	return p
}

// grow increases a count and writes the file.
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

// first is the legend row of an instance in the first panel, which shows
// mmv.acme.products.count.
func first(p *page, instance string) []string {
	p.t.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...[...document.querySelector('[data-testid="panel"]').querySelectorAll('[data-testid="legend-row"]')]
		.find((r) => r.dataset.series.endsWith("[%s]"))?.querySelectorAll("[data-testid]") ?? []].filter((e) => e.dataset.testid !== "series").map((e) => e.innerText)`, instance))
}

// until waits for a state that the page reaches over time.
func until(p *page, what string, is func() bool) {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("timed out waiting for %s; the page says %q", what, text(p, "watch-text"))
		}
	}
}

// A dropped file is re-read each second, and its counters become rates; a
// file that is being rewritten is retried.
func TestFollow(t *testing.T) {
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
	// A single reading: the values that libpcp reads.
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
	// Different generation numbers mean that the file is being rewritten
	// (mmv(5)).
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
	if now := readings(p); now != n || text(p, "watch-toggle") != "Follow" {
		t.Errorf("after it was stopped there are %d readings more", now-n)
	}
}

// The strip over the whole time span grows with the readings, and a panel
// that was off screen shows the newest one as soon as it is visible.
func TestFollowAllOfThePage(t *testing.T) {
	run := newProgram(t)
	p := openAt(t, "/", 1440, 500)
	p.idle()
	p.drop("body", run.path)
	p.idle()
	pick(p, "mmv.acme.products.time") // beside the details, panels are narrow and therefore taller
	if got := titles(p); len(got) != 3 || got[0] != "mmv.acme.products.count" {
		t.Fatalf("the panels are %v", got)
	}
	eval[bool](p, `([...document.querySelectorAll('[data-panel]')].at(-1).scrollIntoView(), true)`)
	p.idle()
	if far := eval[float64](p, `-document.querySelector('[data-panel]').getBoundingClientRect().bottom`); far < 100 {
		t.Fatalf("the first panel ends %v px above the screen", far)
	}
	if n := inked(p); n != 0 {
		t.Errorf("before following, the strip has %d coloured points", n)
	}
	click(p, id("watch-toggle"))
	for n := 1; n <= 6; n++ {
		until(p, "reading "+strconv.Itoa(n), func() bool { return readings(p) >= n })
		run.grow(776, 500)
	}
	until(p, "one more", func() bool { return readings(p) >= 8 })
	if got := text(p, "pulse-info"); !strings.HasPrefix(got, "mmv.acme.products.count[Anvils]") || strings.Contains(got, "NaN") {
		t.Errorf("the strip is described as %q", got)
	}
	if n := inked(p); n < 50 {
		t.Errorf("the strip has %d coloured points", n)
	}
	p.shot("watch-strip")
	click(p, id("watch-toggle"))
	eval[bool](p, `(document.querySelector('[data-panel]').scrollIntoView(), true)`)
	p.idle()
	maximum := func() float64 {
		got := legend(p, "mmv.acme.products.count")["mmv.acme.products.count[Anvils]"]
		if len(got) != 5 {
			return 0
		}
		v, _ := strconv.ParseFloat(strings.ReplaceAll(got[3], ",", ""), 64)
		return v
	}
	until(p, "the panel that came into sight", func() bool { return maximum() >= 100 })
	p.shot("watch-far")
}

// A file dropped while it is being rewritten is re-read until it is complete;
// an incomplete state never stays on screen.
func TestDropOfHalfAFile(t *testing.T) {
	run := newProgram(t)
	run.data[16]++ // differing generations: mmv(5)
	run.grow(776, 1000)
	p := open(t, "/")
	p.idle()
	p.drop("body", run.path)
	p.idle()
	if got := text(p, "problem-count"); got != "1" {
		t.Errorf("for an incomplete file the page reports %q problems", got)
	}
	half := open(t, "/")
	half.idle()
	half.drop("body", run.path)
	for end := time.Now().Add(10 * time.Second); text(half, "source-title") != "acme" && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	run.data[16]--
	run.grow(776, 24)
	half.idle()
	// The first page has been idle since its first second, and keeps trying.
	for _, q := range []*page{half, p} {
		until(q, "the whole file", func() bool { got := first(q, "Anvils"); return len(got) == 5 && got[0] == "1,800" })
	}
	if got := first(half, "Anvils"); len(got) != 5 || got[0] != "1,800" || visible(half, "problem-count") {
		t.Errorf("once the file is complete, Anvils are %v, with %q problems", got, text(half, "problem-count"))
	}
}

// inked counts the points of the strip in the colour of its series, which
// nothing else there has.
func inked(p *page) int {
	p.t.Helper()
	return eval[int](p, `(() => {
		const strip = document.getElementById("pulse"), probe = document.createElement("span");
		probe.style.color = "var(--ctl)";
		document.body.append(probe);
		const [r, g, b] = getComputedStyle(probe).color.match(/\d+/g).map(Number);
		probe.remove();
		const copy = new OffscreenCanvas(strip.width, strip.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(strip, 0, 0);
		const d = copy.getImageData(0, 0, strip.width, Math.floor((strip.clientHeight - 28) * strip.height / strip.clientHeight)).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] === r && d[i + 1] === g && d[i + 2] === b && d[i + 3] === 255) n++;
		return n;
	})()`)
}

// Without file handles the page says so, and the file can be chosen again
// manually.
func TestFollowByHand(t *testing.T) {
	run := newProgram(t)
	p := open(t, "/")
	p.idle()
	eval[bool](p, `(pcpscopePage.handles.of = () => null, pcpscopePage.handles.canPick = false, true)`)
	p.choose(id("file-input"), run.path)
	p.idle()
	if got := text(p, "watch-text"); !strings.Contains(got, "cannot re-read a file") || !visible(p, "watch-again") {
		t.Errorf("the page says %q", got)
	}
	for range 2 {
		run.grow(776, 100)
		p.choose(id("again-input"), run.path)
		p.idle()
	}
	if readings(p) != 2 {
		t.Errorf("after two more readings the page says %q", text(p, "watch-text"))
	}
	p.shot("watch-by-hand")
}
