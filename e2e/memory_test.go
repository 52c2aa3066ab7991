package e2e

import (
	"testing"
)

// maxMemory is the engine's budget in bytes for opening, reading and querying
// the large archive.
const maxMemory = 250e6

func TestMemory(t *testing.T) {
	files := bigFiles(t)
	p := bare(t)
	p.choose("input", files...)
	used := eval[float64](p, `(async () => {
	  const { sources: [source] } = await pcp.open([...document.querySelector("input").files]);
	  await pcp.fetch({ source: source.id, metrics: ["kernel.all.load", "proc.psinfo.utime"], interval: "1min" });
	  const all = await pcp.summary({ source: source.id });
	  if (all.length < 30000) throw new Error("only " + all.length + " series are summarised");
	  const wire = await pcp.callWire("close", { text: JSON.stringify({ source: source.id }), data: null, blobs: [] });
	  return JSON.parse(wire.text).memory;
	})()`)
	t.Logf("%.0f MB", used/1e6)
	if used > maxMemory {
		t.Errorf("the engine holds %.0f MB, more than %.0f", used/1e6, maxMemory/1e6)
	}
}
