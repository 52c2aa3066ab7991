package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A screenshot may differ from the one in testdata/golden in this fraction of
// its pixels, because browsers render edges differently. A missing or moved
// element changes more.
const mayDiffer = 0.004

// still opens a page that looks the same on any machine: Inter for all Latin
// letters, no version, a fixed zone. The font is passed as bytes, because the
// policy lets the page load none.
func still(t *testing.T, width, height int64, dark bool) *page {
	t.Helper()
	p := openAt(t, "", width, height)
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "UTC"})
		return chromedp.Void{}, err
	}))
	p.goTo("/?test=1")
	p.idle()
	for _, weight := range []string{"400", "500", "600"} {
		font := base64.StdEncoding.EncodeToString(readVendored(t, "inter/inter-latin-"+weight+"-normal.woff2"))
		eval[bool](p, fmt.Sprintf(`new FontFace("Inter", Uint8Array.from(atob("%s"), (c) => c.charCodeAt(0)), { weight: "%s" }).load().then((f) => (document.fonts.add(f), true))`, font, weight))
	}
	theme := map[bool]string{false: "light", true: "dark"}[dark]
	eval[bool](p, fmt.Sprintf(`(() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync('*, *::before, *::after { font-family: Inter, sans-serif !important; caret-color: transparent !important }');
		document.adoptedStyleSheets = [sheet];
		document.documentElement.dataset.theme = %q;
		dispatchEvent(new Event("pcpscope-theme"));
		return true;
	})()`, theme))
	p.idle()
	return p
}

// golden compares the page with its picture in testdata/golden, or updates
// the picture if PCPSCOPE_GOLDEN=update.
func (p *page) golden(name string) {
	p.t.Helper()
	p.idle()
	p.shot(name)
	shot, err := p.Screenshot()
	p.must(err)
	file := filepath.Join("testdata", "golden", name+".png")
	if os.Getenv("PCPSCOPE_GOLDEN") == "update" {
		p.must(os.MkdirAll(filepath.Dir(file), 0o755))
		p.must(os.WriteFile(file, shot, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		p.t.Errorf("%v; PCPSCOPE_GOLDEN=update makes it", err)
		return
	}
	a, err := png.Decode(bytes.NewReader(shot))
	p.must(err)
	b, err := png.Decode(bytes.NewReader(want))
	p.must(err)
	differ, marked := compareImages(a, b)
	if differ <= mayDiffer {
		return
	}
	dir := os.Getenv("PCPSCOPE_SCREENSHOTS")
	if dir == "" {
		dir = os.TempDir()
	}
	out := filepath.Join(dir, name+"-differs.png")
	var buffer bytes.Buffer
	p.must(png.Encode(&buffer, marked))
	p.must(os.WriteFile(out, buffer.Bytes(), 0o644))
	p.t.Errorf("%s: %.2f %% of the pixels differ, %.2f %% are allowed; see %s. If the change is intended, run with PCPSCOPE_GOLDEN=update.", name, 100*differ, 100*mayDiffer, out)
}

// compareImages returns the fraction of visibly different pixels, and marks them
// in red in a pale copy.
func compareImages(a, b image.Image) (share float64, marked *image.RGBA) {
	was, is := asRGBA(a), asRGBA(b)
	if a.Bounds() != b.Bounds() {
		return 1, was
	}
	out := image.NewRGBA(a.Bounds())
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			c, d := was.RGBAAt(x, y), is.RGBAAt(x, y)
			if apart(c.R, d.R) || apart(c.G, d.G) || apart(c.B, d.B) {
				n++
				out.SetRGBA(x, y, color.RGBA{220, 0, 0, 255})
			} else {
				v := uint8(200 + (uint(c.R)+uint(c.G)+uint(c.B))/3/5)
				out.SetRGBA(x, y, color.RGBA{v, v, v, 255})
			}
		}
	}
	return float64(n) / float64(a.Bounds().Dx()*a.Bounds().Dy()), out
}

func apart(a, b uint8) bool { return max(a, b)-min(a, b) >= 40 }

// asRGBA returns a picture whose colours are read without allocating each.
func asRGBA(img image.Image) *image.RGBA {
	if is, ok := img.(*image.RGBA); ok {
		return is
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, out.Rect.Min, draw.Src)
	return out
}

func TestCompareImages(t *testing.T) {
	a, b := image.NewRGBA(image.Rect(0, 0, 10, 10)), image.NewRGBA(image.Rect(0, 0, 10, 10))
	b.Set(3, 3, color.RGBA{255, 0, 0, 255})
	b.Set(4, 4, color.RGBA{20, 20, 20, 255}) // too small a difference to be seen
	if share, _ := compareImages(a, b); share != 0.01 {
		t.Errorf("%v differ, want a hundredth", share)
	}
}

// The main states of the page look as they did before.
func TestGolden(t *testing.T) {
	for _, dark := range []bool{false, true} {
		theme := map[bool]string{false: "", true: "-dark"}[dark]
		p := still(t, 1440, 900, dark)
		p.golden("golden-empty" + theme)
		p.drop("body", web01...)
		p.idle()
		p.golden("golden-overview" + theme)
		if dark {
			continue
		}
		openTab(p, "tab-metrics")
		pick(p, "disk.dev.read_bytes")
		click(p, id("add-to-panel"))
		p.golden("golden-metrics")
		shortcut(p, "/")
		press(p, "vda")
		p.golden("golden-search")
		press(p, kb.Escape)
	}
	for _, dark := range []bool{false, true} {
		theme := map[bool]string{false: "", true: "-dark"}[dark]
		p := still(t, 390, 844, dark)
		p.drop("body", web01...)
		p.idle()
		p.golden("golden-phone" + theme)
	}
}

// Pictures for the README: PCPSCOPE_SCREENSHOTS updates them.
func TestPictures(t *testing.T) {
	if os.Getenv("PCPSCOPE_SCREENSHOTS") == "" {
		t.Skip("PCPSCOPE_SCREENSHOTS is not set")
	}
	p := still(t, 1440, 900, false)
	p.drop("body", web01...)
	p.idle()
	p.shot("overview")
	openTab(p, "tab-metrics")
	shortcut(p, "/")
	press(p, ">remove all panels")
	press(p, kb.Enter)
	for _, metric := range []string{"kernel.all.load", "disk.dev.read_bytes"} {
		pick(p, metric)
		click(p, id("add-to-panel"))
	}
	filter(p, "disk.dev")
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+0.4*width, top+height/2, 0)
	p.idle()
	p.shot("charts")
	editor(p, "disk.dev.read_rawactive")
	write(p, "derive-name", "disk.dev.milliseconds_a_read")
	write(p, "derive-text", "delta(disk.dev.read_rawactive)\n  / delta(disk.dev.read)")
	p.shot("derived")
}
