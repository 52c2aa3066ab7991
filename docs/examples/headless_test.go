// Package examples has no code: its test shows how a program in Go tests
// against a pcpscope that is served somewhere.
//
//	PCPSCOPE_URL=http://localhost:8080 go test ./docs/examples
package examples

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

func TestLoadOfWeb01(t *testing.T) {
	url := os.Getenv("PCPSCOPE_URL")
	if url == "" {
		t.Skip("PCPSCOPE_URL is not set: it says where pcpscope is served")
	}
	options := chromedp.DefaultExecAllocatorOptions[:]
	if path := os.Getenv("CHROME_PATH"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	ctx, late := context.WithTimeout(ctx, time.Minute)
	defer late()

	var files []string
	for _, name := range []string{"web01.meta", "web01.index", "web01.0.zst"} {
		path, err := filepath.Abs(filepath.Join("../../testdata/live", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	if err := chromedp.Do(ctx,
		chromedp.Navigate(url+"/?test=1"),
		chromedp.SetUploadFiles(chromedp.CSS("[data-testid=file-input]"), files),
	); err != nil {
		t.Fatal(err)
	}
	load, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`(async () => {
	  const pcp = await pcpscopeReady;
	  await pcp.idle();
	  const [source] = await pcp.sources();
	  const frame = await pcp.fetch({ source: source.id, metrics: ["kernel.all.load"], mode: "raw" });
	  return frame.columns.map((c) => Math.round(100 * c.values[0]));
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{84, 220, 188} // pmdumplog -z web01 kernel.all.load
	for i := range want {
		if i >= len(load) || load[i] != want[i] {
			t.Fatalf("the first load averages are %v hundredths, want %v", load, want)
		}
	}
}
