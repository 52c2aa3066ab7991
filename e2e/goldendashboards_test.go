package e2e

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	capture "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const (
	dashboardWidth = 1200 // of the window; the rail takes 280 of it
	tallest        = 2400 // of a picture: very long dashboards repeat themselves
	stripHeight    = 100
	// The number of pixels in which a strip of a dashboard may differ: about a
	// dozen letters.
	stripMayDiffer = 0.01
)

// Every dashboard for which web01 has data looks as before: all of its
// panels, one below the other.
func TestGoldenDashboards(t *testing.T) {
	p := still(t, dashboardWidth, 900, false)
	p.drop("body", web01...)
	p.idle()
	dashboards := eval[[]string](p, `[...document.querySelectorAll('[data-testid="board"]')].map((e) => e.dataset.board)`)
	if len(dashboards) < 25 {
		t.Fatalf("there are %d dashboards", len(dashboards))
	}
	kept, err := filepath.Glob(filepath.Join("testdata", "golden", "board-*.png"))
	p.must(err)
	for _, file := range kept {
		if name := filepath.Base(file); !slices.ContainsFunc(dashboards, func(b string) bool { return name == "board-"+b+".png" }) {
			t.Errorf("there is a picture %s, but no such dashboard", name)
		}
	}
	for _, dashboard := range dashboards {
		click(p, fmt.Sprintf(`[data-board=%q] button`, dashboard))
		if broken := eval[[]string](p, `[...document.querySelectorAll('.centre .panel *')].filter((e) => e.children.length === 0 && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "visible").map((e) => e.innerText)`); len(broken) > 0 {
			t.Errorf("%s: these texts do not fit: %q", dashboard, broken)
		}
		p.goldenDashboard("board-" + dashboard)
	}
}

// goldenDashboard compares the full column of panels with its picture in
// testdata/golden, or updates the picture.
func (p *page) goldenDashboard(name string) {
	p.t.Helper()
	height := int64(900)
	for range 2 { // panels may grow when they become visible
		for grown := int64(-1); ; p.idle() {
			now := eval[int64](p, `Math.ceil([...document.querySelectorAll(".centre .panel")].reduce((sum, e) => sum + e.getBoundingClientRect().height, 0))`)
			if now == grown {
				break
			}
			grown = now
		}
		height = min(tallest, eval[int64](p, `(() => { const e = document.querySelector(".panels"); return Math.ceil(e.getBoundingClientRect().top + e.scrollHeight + 40) })()`))
		p.resize(dashboardWidth, height)
	}
	shot := p.clip(".centre")
	p.resize(dashboardWidth, 900)
	file := filepath.Join("testdata", "golden", name+".png")
	if os.Getenv("PCPSCOPE_GOLDEN") == "update" {
		was, err := decodePNG(file)
		if err == nil {
			if worst, _ := worstStrip(shot, was); worst <= stripMayDiffer {
				return // the old one still holds
			}
		}
		var out bytes.Buffer
		p.must((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, fewColours(shot)))
		p.must(os.WriteFile(file, out.Bytes(), 0o644))
		return
	}
	want, err := decodePNG(file)
	if err != nil {
		p.t.Errorf("%v; PCPSCOPE_GOLDEN=update makes it", err)
		return
	}
	worst, marked := worstStrip(shot, want)
	if worst <= stripMayDiffer {
		return
	}
	dir := os.Getenv("PCPSCOPE_SCREENSHOTS")
	if dir == "" {
		dir = os.TempDir()
	}
	out, err := os.Create(filepath.Join(dir, name+"-differs.png"))
	p.must(err)
	defer out.Close()
	p.must(png.Encode(out, marked))
	p.t.Errorf("%s: %.1f %% of a strip's pixels differ, %.1f %% are allowed; see %s. If the change is intended, run with PCPSCOPE_GOLDEN=update.", name, 100*worst, 100*stripMayDiffer, out.Name())
}

func (p *page) resize(width, height int64) {
	p.t.Helper()
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
		return chromedp.Void{}, err
	}))
	eval[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	p.idle()
}

// clip takes a picture of one element.
func (p *page) clip(selector string) image.Image {
	p.t.Helper()
	b := boxOf(p, selector)
	var data []byte
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		r, err := chromedp.Call(ctx, capture.CaptureScreenshot, capture.CaptureScreenshotParams{Clip: &capture.Viewport{X: b.Left, Y: b.Top, Width: b.Width, Height: b.Height, Scale: 1}})
		data = r.Data
		return chromedp.Void{}, err
	}))
	img, err := png.Decode(bytes.NewReader(data))
	p.must(err)
	return img
}

func decodePNG(file string) (image.Image, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(data))
}

// worstStrip compares two pictures strip by strip, since a missing panel is a
// small fraction of a long picture. It returns the largest differing fraction
// of a strip, and its position.
func worstStrip(a, b image.Image) (worst float64, marked image.Image) {
	a, b = withoutFoot(asRGBA(a)), withoutFoot(asRGBA(b))
	if a.Bounds() != b.Bounds() {
		return 1, a
	}
	_, differs := compareImages(a, b)
	red := color.RGBA{220, 0, 0, 255}
	r := a.Bounds()
	for top := r.Min.Y; top < r.Max.Y; top += stripHeight {
		n, all := 0, 0
		for y := top; y < min(top+stripHeight, r.Max.Y); y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				all++
				if differs.RGBAAt(x, y) == red {
					n++
				}
			}
		}
		worst = max(worst, float64(n)/float64(max(all, stripHeight*r.Dx()/2)))
	}
	return worst, differs
}

// withoutFoot cuts off the empty area at the bottom, whose height depends on
// when the size was measured.
func withoutFoot(img *image.RGBA) image.Image {
	r := img.Bounds()
	empty := func(y int) bool {
		for x := r.Min.X; x < r.Max.X; x++ {
			if !alikeColours(img.RGBAAt(x, y), img.RGBAAt(r.Min.X, r.Max.Y-1)) {
				return false
			}
		}
		return true
	}
	bottom := r.Max.Y
	for bottom > r.Min.Y+1 && empty(bottom-1) {
		bottom--
	}
	return img.SubImage(image.Rect(r.Min.X, r.Min.Y, r.Max.X, bottom))
}

func alikeColours(c, d color.RGBA) bool {
	off := func(a, b uint8) bool { return max(a, b)-min(a, b) > 8 }
	return !off(c.R, d.R) && !off(c.G, d.G) && !off(c.B, d.B)
}

// fewColours reduces a picture to at most 256 colours: the error of a pixel is
// below what a comparison detects, and the file is a third of the size.
func fewColours(img image.Image) image.Image {
	type sum struct{ r, g, b, n int }
	bins := map[[3]uint8]*sum{}
	bin := func(c color.RGBA) [3]uint8 { return [3]uint8{c.R >> 4, c.G >> 4, c.B >> 4} }
	r := img.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	exact := map[color.RGBA]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := at(x, y)
			exact[c]++
			s := bins[bin(c)]
			if s == nil {
				s = &sum{}
				bins[bin(c)] = s
			}
			s.r, s.g, s.b, s.n = s.r+int(c.R), s.g+int(c.G), s.b+int(c.B), s.n+1
		}
	}
	type entry struct {
		c color.RGBA
		n int
	}
	var list []entry
	for c, n := range exact { // surface colours are kept exactly
		if n > r.Dx()*r.Dy()/2000 {
			list = append(list, entry{c, n * 1000})
		}
	}
	for _, s := range bins {
		list = append(list, entry{color.RGBA{uint8(s.r / s.n), uint8(s.g / s.n), uint8(s.b / s.n), 255}, s.n})
	}
	slices.SortFunc(list, func(a, b entry) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return (int(a.c.R)-int(b.c.R))<<16 + (int(a.c.G)-int(b.c.G))<<8 + int(a.c.B) - int(b.c.B)
	})
	var palette color.Palette
	for _, e := range list[:min(len(list), 256)] {
		palette = append(palette, e.c)
	}
	out := image.NewPaletted(r, palette)
	nearest := map[color.RGBA]uint8{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := at(x, y)
			i, ok := nearest[c]
			if !ok {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}

// A comparison by strips detects a missing line in one of many panels, but
// not the loss of colours.
func TestStrips(t *testing.T) {
	a, b := image.NewRGBA(image.Rect(0, 0, 600, 2000)), image.NewRGBA(image.Rect(0, 0, 600, 2000))
	for y := range 2000 {
		for x := range 600 {
			c := color.RGBA{uint8(200 + y%50), uint8(200 + x%55), 250, 255}
			a.Set(x, y, c)
			b.Set(x, y, c)
		}
	}
	if worst, _ := worstStrip(fewColours(a), b); worst != 0 {
		t.Errorf("a picture of few colours differs by %v", worst)
	}
	for x := range 600 {
		b.Set(x, 950, color.RGBA{20, 60, 200, 255})
		b.Set(x, 951, color.RGBA{20, 60, 200, 255})
	}
	if worst, _ := worstStrip(a, b); worst <= stripMayDiffer {
		t.Errorf("a line across a panel differs by %v only", worst)
	}
}
