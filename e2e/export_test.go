package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"pcpscope/internal/reference"
)

// menu opens the menu of the last panel.
func menu(p *page) {
	p.t.Helper()
	eval[bool](p, `([...document.querySelectorAll('[data-testid="panel-menu"]')].at(-1).click(), true)`)
	p.idle()
}

// Pictures of heat maps and lanes include the time axis, the notes and the
// pinned cursor, which are not part of the painted plot.
func TestPicturesOfRows(t *testing.T) {
	p := openPage(t)
	const load = "kernel.all.load"
	shortcut(p, "p") // in the middle, at 03:51:32
	shortcut(p, "n")
	write(p, "note-text", "the deployment")
	press(p, kb.Enter)
	eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = ((real) => (b) => { kept.push(b); return real.call(URL, b) })(URL.createObjectURL), HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }, true)`)
	for i, style := range []string{"style-heatmap", "style-state", "style-line"} {
		choose(p, load, style)
		choose(p, load, "panel-svg")
		until(p, "the picture", func() bool { return eval[int](p, `kept.filter((k) => typeof k === "string").length`) == i+1 })
		svg := eval[string](p, fmt.Sprintf(`kept.filter((k) => typeof k !== "string")[%d].text()`, i))
		for _, want := range []string{">03:50<", ">1 the deployment<", ">03:51:32<"} {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: the picture lacks %s", style, want)
			}
		}
		if rows := style != "style-line"; strings.Contains(svg, "<image") != rows || rows && !strings.Contains(svg, ">15 minute<") {
			t.Errorf("%s: an image where there should be none, or the reverse", style)
		}
		if dir := os.Getenv("PCPSCOPE_SCREENSHOTS"); dir != "" {
			os.WriteFile(filepath.Join(dir, style+".svg"), []byte(svg), 0o644)
		}
	}
}

// A chart is saved as vectors and as pixels, with title, axes and legend.
func TestChartPictures(t *testing.T) {
	p := openPage(t)
	pick(p, "mem.util.dirty")
	click(p, id("add-new-panel"))
	eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = ((real) => (b) => { kept.push(b); return real.call(URL, b) })(URL.createObjectURL), HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }, true)`)
	for _, kind := range []string{"svg", "png"} {
		menu(p)
		p.shot("panel-menu")
		click(p, id("panel-"+kind))
	}
	until(p, "the picture", func() bool { return eval[int](p, `kept.filter((k) => typeof k === "string").length`) == 2 })
	svg := eval[string](p, `kept[0].text()`)
	var words []string
	lines := 0
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
		switch x := token.(type) {
		case xml.CharData:
			words = append(words, string(x))
		case xml.StartElement:
			if x.Name.Local == "path" {
				lines++
			}
		}
	}
	all := strings.Join(words, "|")
	for _, want := range []string{"mem.util.dirty", "web01 of pcp-testhost, 21 Nov 2026, 03:49:02 – 03:54:02 UTC", "03:50", "average"} {
		if !strings.Contains(all, want) {
			t.Errorf("the picture does not say %q; it says %q", want, all)
		}
	}
	if lines == 0 {
		t.Error("there is no line in it")
	}
	data, err := base64.StdEncoding.DecodeString(eval[string](p, `new Promise((done) => { const r = new FileReader(); r.onload = () => done(r.result.split(",")[1]); r.readAsDataURL(kept.filter((k) => k.type === "image/png")[0]) })`))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	wide := eval[int](p, `new DOMParser().parseFromString(`+quoted(svg)+`, "image/svg+xml").documentElement.width.baseVal.value`)
	if size := picture.Bounds().Size(); size.X < 600 || size.Y < 300 || size.X != 2*wide {
		t.Errorf("the PNG has %v pixels, the SVG is %d wide", size, wide)
	}
	if dir := os.Getenv("PCPSCOPE_SCREENSHOTS"); dir != "" {
		os.WriteFile(filepath.Join(dir, "exported.png"), data, 0o644)
		os.WriteFile(filepath.Join(dir, "exported.svg"), []byte(svg), 0o644)
	}
}

// The command line of a panel prints the same numbers with PCP's own tools: if
// pmval is installed, its output is compared with the panel's CSV.
func TestCommandLine(t *testing.T) {
	reference.Program(t, "pmval")
	dir := t.TempDir()
	for _, f := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
		reference.UnpackTo(t, dir, filepath.Join(root, "testdata/live", f))
	}
	p := openPage(t)
	pick(p, "network.interface.in.packets")
	click(p, id("add-new-panel"))
	files := kept(p)
	menu(p)
	commands := texts(p, id("panel-commands")+" code")
	if len(commands) != 2 || !strings.HasPrefix(commands[0], "pmrep -a web01 -z -S '@Nov 21 03:49:0") || !strings.HasPrefix(commands[1], "pmval -a web01 -z -S ") {
		t.Fatalf("the commands are %q", commands)
	}
	click(p, id("panel-csv"))
	table, err := csv.NewReader(strings.NewReader(files()[0])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := reference.Output(t, dir, commands[1]+" -f 4 -w 24 2>/dev/null", nil)
	head := strings.Fields(regexp.MustCompile(`(?m)^ +(\S.*)$`).FindString(string(out)))
	ours := map[string][]string{}
	for _, line := range table[1:] {
		ours[line[0][11:19]] = line[1:]
	}
	compared := 0
	for _, line := range strings.Split(string(out), "\n") {
		fields := strings.Fields(line)
		if len(fields) != len(head)+1 || !regexp.MustCompile(`^\d\d:\d\d:\d\d\.`).MatchString(fields[0]) {
			continue
		}
		for i, name := range head {
			want, err := strconv.ParseFloat(fields[i+1], 64)
			column := -1
			for k, h := range table[0] {
				if strings.Contains(h, "["+name+"]") {
					column = k - 1
				}
			}
			line := ours[fields[0][:8]]
			if err != nil || column < 0 || len(line) <= column || line[column] == "" {
				continue
			}
			got, _ := strconv.ParseFloat(line[column], 64)
			if d := got - want; d > 0.001+0.001*want || d < -0.001-0.001*want {
				t.Errorf("%s at %s: %v here, %v there", name, fields[0], got, want)
			}
			compared++
		}
	}
	t.Logf("%d values are the same", compared)
	if compared < 200 {
		t.Errorf("only %d values could be compared with\n%s", compared, out)
	}
}

// pmchart views and pmrep metric sets become dashboards; the page reports
// what cannot be converted.
func TestImports(t *testing.T) {
	dir := t.TempDir()
	view := filepath.Join(dir, "mine.view")
	conf := filepath.Join(dir, "mine.conf")
	for path, text := range map[string]string{
		view: "#pmchart\nversion 1\nchart title \"My load\" style plot\n\tplot color #ff0000 metric kernel.all.load instance \"1 minute\"\nchart title \"<b>Gone</b>\" style plot\n\tplot color #00ff00 metric no.such.metric\n",
		conf: "[mine]\nheader = yes\nkernel.all.load = load,,,,8\nmem.util.free = free\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := openPage(t)
	p.drop("body", view)
	p.idle()
	if got := titles(p); len(got) == 0 || got[0] != "My load" {
		t.Errorf("the view has the panels %q", got)
	}
	if got := text(p, "notes"); !strings.Contains(got, "mine.view") || !strings.Contains(got, "no.such.metric") {
		t.Errorf("the page says %q", got)
	}
	p.shot("imported")
	eval[bool](p, `(document.getElementById("file-input").addEventListener("click", (e) => { e.preventDefault(); window.asked = true; }, { once: true }), true)`)
	click(p, id("import-boards"))
	if !eval[bool](p, `window.asked === true`) {
		t.Error("Import… does not ask for files")
	}
	p.choose(id("file-input"), conf)
	p.idle()
	if got := text(p, "notes"); !strings.Contains(got, "mine.conf") || !strings.Contains(got, "Shown as the dashboard") {
		t.Errorf("the page says %q", got)
	}
	if got := fmt.Sprint(texts(p, `[data-testid="boards"] button`)); !strings.Contains(got, "mine") {
		t.Errorf("the list of dashboards is %s", got)
	}
}
