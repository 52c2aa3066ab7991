package e2e

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/browser"
	"pcpscope/internal/site"
)

// The main use case in the other browser engines: the page starts, opens an
// archive, and shows its values, with the decoders that each engine has or
// lacks.
func TestOtherEngines(t *testing.T) {
	for _, engine := range browser.Engines {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			for try := 1; ; try++ {
				err := mainJob(t, engine)
				if err == nil {
					return
				}
				// In about one run in ten, WebKitGTK's driver never answers
				// the script after a choice of files, although the page is
				// idle. More rarely it cannot read the answer.
				if try == 3 || !driverFailed(err) {
					t.Fatal(err)
				}
				t.Logf("%v; once more", err)
			}
		})
	}
}

// driverFailed is whether an error is of the driver. What the page does wrong has
// other errors.
func driverFailed(err error) bool {
	return slices.ContainsFunc([]string{"script timeout", "unknown error: Could not parse script result"}, func(text string) bool {
		return strings.Contains(err.Error(), text)
	})
}

// mainJob performs the main use case. Its error is the driver's or the page's.
func mainJob(t *testing.T, engine browser.Engine) error {
	t.Helper()
	if engine.Missing() {
		t.Skip(engine.Name + " is not installed")
	}
	d, err := engine.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	t.Log(d.Version)
	if err := d.Go(address(t) + "/?test=1"); err != nil {
		return err
	}
	idle := func() error {
		_, err := browser.Ask[bool](d, `
		  while (!globalThis.pcpscopeReady) await new Promise((d) => setTimeout(d, 50));
		  await (await pcpscopeReady).idle();
		  return true`)
		return err
	}
	if err := idle(); err != nil {
		return err
	}
	for _, name := range []string{"web01.meta web01.index web01.0.zst", "web01-v2.meta.gz web01-v2.index web01-v2.0.gz"} {
		var files []string
		for _, part := range strings.Fields(name) {
			files = append(files, filepath.Join(root, "testdata", "live", part))
		}
		if err := d.Choose("[data-testid=file-input]", files...); err != nil {
			return err
		}
		_, err = browser.Ask[bool](d, `await new Promise((d) => setTimeout(d, 500)); return true`)
		if err != nil {
			return err
		}
		if err := idle(); err != nil {
			return err
		}
	}
	// As printed by pmdumplog: testdata/web01.kernel.all.load.txt.
	values, err := browser.Ask[[]float64](d, `
	  const sources = await pcpscope.sources();
	  const web01 = sources.find((s) => s.name === "web01");
	  const f = await pcpscope.fetch({ source: web01.id, metrics: ["kernel.all.load"], mode: "raw" });
	  const gz = sources.find((s) => s.name === "web01-v2");
	  const g = await pcpscope.fetch({ source: gz.id, metrics: ["kernel.all.load"], mode: "raw" });
	  return [...f.columns.map((c) => c.values[0]), f.times.length, ...g.columns[0].values];`)
	if err != nil {
		return err
	}
	want := []float64{0.84, 2.2, 1.88}
	for i := range want {
		if len(values) < 5 || math.Abs(values[i]-want[i]) > 1e-6 {
			t.Fatalf("values %v, want %v first", values, want)
		}
	}
	unzipped := values[4:]
	if len(unzipped) <= 290 {
		t.Errorf("the gzipped archive has %d values", len(unzipped))
	}
	shown, err := browser.Ask[string](d, `
	  return [document.querySelector("[data-testid=source-title]").textContent, document.querySelectorAll("[data-testid=panels] canvas").length > 1].join(" ")`)
	if err != nil {
		return err
	}
	if shown != "pcp-testhost true" {
		t.Errorf("the page shows %s", shown)
	}
	// The single-file edition, opened from disk. The volume is large enough
	// to be unpacked by a worker, if the browser supports nested ones.
	if err := d.Go("file://" + filepath.Join(dist, site.Single)); err != nil {
		return err
	}
	if err := idle(); err != nil {
		return err
	}
	files, _ := zstdFolder(t)
	if err := d.Choose("[data-testid=file-input]", files...); err != nil {
		return err
	}
	single, err := browser.Ask[[]float64](d, `
	  while (!(await pcpscope.sources()).length) await new Promise((d) => setTimeout(d, 100));
	  await pcpscope.idle();
	  return [...(await pcpscope.fetch({ source: 1, metrics: ["kernel.all.load"], mode: "raw" })).columns[0].values]`)
	if err != nil {
		return err
	}
	if !slices.Equal(single, unzipped) {
		t.Errorf("in one file and in zstd, the same archive has other values: %v, not %v", single, unzipped)
	}
	return nil
}
