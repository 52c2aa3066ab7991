package e2e

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/browser"
	"pcpscope/internal/site"
)

// The main job in the other engines: the page starts, takes an archive, and
// has its values, through the decoders that each engine brings or lacks.
func TestOtherEngines(t *testing.T) {
	for _, engine := range browser.Engines {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			d, err := engine.Start()
			if err != nil {
				if os.Getenv("PCPSCOPE_ENGINES") == "required" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			defer d.Close()
			t.Log(d.Version)
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			must(d.Go(address + "/?test=1"))
			idle := func() {
				t.Helper()
				_, err := browser.Ask[bool](d, `
				  while (!globalThis.pcpscopeReady) await new Promise((d) => setTimeout(d, 50));
				  await (await pcpscopeReady).idle();
				  return true`)
				must(err)
			}
			idle()
			for _, name := range []string{"web01.meta web01.index web01.0.zst", "web01-v2.meta.gz web01-v2.index web01-v2.0.gz"} {
				var files []string
				for _, part := range strings.Fields(name) {
					files = append(files, filepath.Join(root, "testdata", "live", part))
				}
				must(d.Choose("[data-testid=file-input]", files...))
				_, err = browser.Ask[bool](d, `await new Promise((d) => setTimeout(d, 500)); return true`)
				must(err)
				idle()
			}
			// What pmdumplog prints: testdata/web01.kernel.all.load.txt.
			values, err := browser.Ask[[]float64](d, `
			  const sources = await pcpscope.sources();
			  const web01 = sources.find((s) => s.name === "web01");
			  const f = await pcpscope.fetch({ source: web01.id, metrics: ["kernel.all.load"], mode: "raw" });
			  const gz = sources.find((s) => s.name === "web01-v2");
			  const g = await pcpscope.fetch({ source: gz.id, metrics: ["kernel.all.load"], mode: "raw" });
			  return [...f.columns.map((c) => c.values[0]), f.times.length, Number(g.times.length > 290)];`)
			must(err)
			want := []float64{0.84, 2.2, 1.88}
			for i := range want {
				if len(values) != 5 || math.Abs(values[i]-want[i]) > 1e-6 {
					t.Fatalf("values %v, want %v first", values, want)
				}
			}
			if values[4] != 1 {
				t.Error("the gzipped archive has no values")
			}
			shown, err := browser.Ask[string](d, `
			  return [document.querySelector("[data-testid=source-title]").textContent, document.querySelectorAll("[data-testid=panels] canvas").length > 1].join(" ")`)
			must(err)
			if shown != "pcp-testhost true" {
				t.Errorf("the page shows %s", shown)
			}
			// The edition in one file, from a disk.
			must(d.Go("file://" + filepath.Join(dist, site.Single)))
			idle()
			var files []string
			for _, part := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
				files = append(files, filepath.Join(root, "testdata", "live", part))
			}
			must(d.Choose("[data-testid=file-input]", files...))
			single, err := browser.Ask[string](d, `
			  while (!(await pcpscope.sources()).length) await new Promise((d) => setTimeout(d, 100));
			  await pcpscope.idle();
			  return (await pcpscope.fetch({ source: 1, metrics: ["kernel.all.load"], mode: "raw" })).columns[0].values[0].toFixed(2)`)
			must(err)
			if single != "0.84" {
				t.Errorf("in one file, the first load average is %s", single)
			}
		})
	}
}
