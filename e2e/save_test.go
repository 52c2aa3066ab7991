package e2e

import (
	"strings"
	"testing"
)

// The browser can open what it saved: a tar, a zip and single files; complete,
// cut, thinned out, redacted.
func TestSaveInTheBrowser(t *testing.T) {
	p := bare(t)
	eval[any](p, `(async () => {
  globalThis.live = await Promise.all(["web01.meta", "web01.index", "web01.0.zst"].map((n) => file("/testdata/live/" + n)));
  globalThis.src = (await pcp.open(live)).sources[0];
  globalThis.frameOf = async (id) => pcp.fetch({ source: id, metrics: ["kernel.all.load", "disk.dev.read"], start: src.start, count: 30, interval: 10_000_000_000n, convert: "rate" });
  globalThis.again = async (q) => {
    const saved = await pcp.save({ source: src.id, ...q });
    const { sources: [s], rejected } = await pcp.open(saved.files);
    const out = { names: saved.files.map((f) => f.name), sizes: saved.files.every((f) => f.bytes === f.data.size), report: saved.report, host: s.host, metrics: s.metrics,
      problems: s.problems.length + rejected.length, frame: await frameOf(s.id) };
    await pcp.close(s.id);
    return out;
  };
  return true;
})()`)
	type column struct{ Values []*float64 }
	type saved struct {
		Names    []string
		Sizes    bool
		Host     string
		Metrics  int
		Problems int
		Report   struct {
			Records int
			Notes   []string
		}
		Frame struct{ Columns []column }
	}
	want := plain[struct{ Columns []column }](p, "frameOf(src.id)")
	same := func(a, b []column) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			for k, v := range a[i].Values {
				w := b[i].Values[k]
				if (v == nil) != (w == nil) || v != nil && *v != *w {
					return false
				}
			}
		}
		return true
	}
	for query, name := range map[string]string{
		`{}`:                                     "web01.tar",
		`{ container: "zip", compress: "zstd" }`: "web01.zip",
		`{ container: "files", volumeSize: 200_000, name: "mine" }`: "mine.index",
	} {
		got := plain[saved](p, "again("+query+")")
		if got.Names[0] != name || !got.Sizes || got.Problems != 0 || got.Report.Records == 0 || !same(got.Frame.Columns, want.Columns) {
			t.Errorf("%s gives %v: %d problems, %+v", query, got.Names, got.Problems, got.Report)
		}
	}
	redacted := plain[saved](p, `again({ redact: {} })`)
	if redacted.Host == "pcp-testhost" || !strings.HasPrefix(redacted.Host, "host-") || strings.Contains(redacted.Names[0], "web01") || !same(redacted.Frame.Columns, want.Columns) {
		t.Errorf("redacted: host %s, files %v", redacted.Host, redacted.Names)
	}
	if thin := plain[saved](p, `again({ every: "1min", metrics: ["kernel.all.load", "disk.dev"] })`); thin.Report.Records > 15 || thin.Report.Records < 5 || thin.Problems != 0 {
		t.Errorf("thinned: %+v", thin.Report)
	}
	refused := plain[fault](p, `faultOf(pcp.save({ source: src.id, start: 1n, end: 2n }))`)
	if refused.Kind != "argument" || !strings.Contains(refused.Message, "no values to save") {
		t.Errorf("a window without data gives %+v", refused)
	}
	// A cancelled call returns immediately, and the engine continues.
	took := eval[float64](p, `(async () => {
  const stop = new AbortController();
  const call = pcp.save({ source: src.id, redact: {} }, { signal: stop.signal, onProgress: (p) => { if (p.phase.startsWith("writing")) stop.abort(); } });
  const since = performance.now();
  try { await call; return -1; } catch (e) { if (e.fault.kind !== "cancelled") return -2; }
  const at = performance.now();
  await pcp.sources();
  return performance.now() - at;
})()`)
	if took < 0 {
		t.Errorf("a cancelled call: %v", took)
	}
	list := plain[struct {
		Key  string
		List []struct {
			Kind     string
			Texts    int
			Examples []string
		}
	}](p, `pcp.redaction({ source: src.id })`)
	if len(list.Key) != 64 || len(list.List) < 14 {
		t.Errorf("%+v", list)
	}
	texts := plain[[]string](p, `pcp.redaction({ source: src.id }).then(({ key }) => pcp.redactText({ source: src.id, redact: { key } }, ["on pcp-testhost"]))`)
	if strings.Contains(texts[0], "testhost") || !strings.HasPrefix(texts[0], "on host-") {
		t.Errorf("%q", texts)
	}
}
