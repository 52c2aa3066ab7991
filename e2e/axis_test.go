package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/recording"
)

// Tick labels are never cut off, and no two are the same, however large,
// small or close to each other the values are. The ends of the axes follow
// from the values and the margin of 5 %.
func TestAxisTexts(t *testing.T) {
	agents := filepath.Join(t.TempDir(), "pminfo.txt")
	between := func(low, high float64) map[string]any {
		list := make([]float64, 20)
		for i := range list {
			list[i] = low + (high-low)*float64(i)/19
		}
		return map[string]any{"": list}
	}
	values := map[string]map[string]any{}
	var lines []string
	for _, m := range []struct {
		name      string
		low, high float64
	}{
		{"near.decimals", 5710, 5710.4}, {"near.negative", -5710.3, -5704.3}, {"near.thousands", 57100, 57110}, {"near.millions", 5710100, 5710110},
		{"wide.thousands", 0, 12000}, {"wide.huge", 0, 2.6e15}, {"wide.small", -1e-7, 1e-7}, {"wide.tiny", 0, 3e-12}, {"wide.across", -600, 600}, {"wide.infinite", 0, 12000},
	} {
		values[m.name] = between(m.low, m.high)
		lines = append(lines, m.name+"|double|none|instant|none")
	}
	values["wide.infinite"][""].([]float64)[7] = math.Inf(1) // an agent may log infinity; the other values must still be visible
	if err := os.WriteFile(agents, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, "/")
	p.drop("body", recording.Recording{Agents: agents, Host: "axes", Step: 10e9, Values: values}.Write(t)...)
	p.idle()
	click(p, `[data-testid="new-board"]`)
	eval[bool](p, `(globalThis.drawn = new Map(), CanvasRenderingContext2D.prototype.fillText = ((real) => function (text, x, y) {
		if (this.textAlign === "right") {
			const id = this.canvas.closest("[data-metrics]")?.dataset.metrics, at = this.getTransform().transformPoint({ x, y });
			if (!drawn.has(id)) drawn.set(id, new Map());
			drawn.get(id).set(Math.round(at.y), [text, at.x - this.measureText(text).width]);
		}
		return real.apply(this, arguments);
	})(CanvasRenderingContext2D.prototype.fillText), true)`)
	want := map[string][]string{
		"near.decimals":  {"5710.0", "5710.1", "5710.2", "5710.3", "5710.4"},
		"near.negative":  {"\u22125,704", "\u22125,706", "\u22125,708", "\u22125,710"},
		"near.thousands": {"57,100", "57,105", "57,110"},
		"near.millions":  {"+10", "+5", "5.710M"},
		"wide.thousands": {"0", "10.0k", "12.5k", "2.5k", "5.0k", "7.5k"},
		"wide.huge":      {"0", "1P", "2P"},
		"wide.small":     {"0", "1e\u22127", "5e\u22128", "\u22121e\u22127", "\u22125e\u22128"},
		"wide.tiny":      {"0", "1e\u221212", "2e\u221212", "3e\u221212"},
		"wide.across":    {"0", "250", "500", "\u2212250", "\u2212500"},
		"wide.infinite":  {"0", "10.0k", "12.5k", "2.5k", "5.0k", "7.5k"},
	}
	for metric, texts := range want {
		eval[bool](p, `(drawn.clear(), true)`)
		pick(p, metric)
		click(p, id("add-new-panel"))
		p.idle()
		got := map[string]float64{}
		for _, pair := range eval[[][]any](p, fmt.Sprintf(`[...drawn.get(%q)?.values() ?? []]`, metric)) {
			got[pair[0].(string)], _ = pair[1].(float64)
		}
		var list []string
		for text, left := range got {
			list = append(list, text)
			if left < 0 || math.IsNaN(left) {
				t.Errorf("%s: %q begins %.1f px before the chart", metric, text, -left)
			}
		}
		slices.Sort(list)
		if !slices.Equal(list, texts) {
			t.Errorf("%s: the axis says %q, want %q", metric, list, texts)
		}
	}
}

// Row labels that begin alike are shortened at the beginning, so that they
// differ.
func TestNamesOfRows(t *testing.T) {
	agents := filepath.Join(t.TempDir(), "pminfo.txt")
	if err := os.WriteFile(agents, []byte("zone.blocks|double|60.2|instant|none\nzone.state|double|60.3|instant|none"), 0o600); err != nil {
		t.Fatal(err)
	}
	list := recording.Rising(20, 0, 5)
	p := open(t, "/")
	p.drop("body", recording.Recording{Agents: agents, Host: "rows", Step: 10e9, Values: map[string]map[string]any{
		"zone.blocks": {"DMA::order0::node0": list, "DMA::order1::node1": list, "DMA::order2::node2": list},
		"zone.state":  {"cpu0": list, "a name that is long": list, "cpu2": list},
	}}.Write(t)...)
	p.idle()
	click(p, `[data-testid="new-board"]`)
	eval[bool](p, `(globalThis.drawn = new Set(), CanvasRenderingContext2D.prototype.fillText = ((real) => function (text) {
		if (this.textAlign === "right") drawn.add(text);
		return real.apply(this, arguments);
	})(CanvasRenderingContext2D.prototype.fillText), true)`)
	for metric, good := range map[string]func(texts []string) bool{
		"zone.blocks": func(l []string) bool {
			return len(l) == 3 && strings.HasPrefix(l[0], "…") && strings.HasSuffix(l[0], "0") && strings.HasSuffix(l[2], "2")
		},
		"zone.state": func(l []string) bool {
			return slices.Contains(l, "cpu0") && slices.ContainsFunc(l, func(s string) bool { return strings.HasPrefix(s, "a n") && strings.HasSuffix(s, "…") })
		},
	} {
		pick(p, metric)
		click(p, id("add-new-panel"))
		p.idle()
		eval[bool](p, `(drawn.clear(), true)`)
		choose(p, metric, "style-heatmap")
		p.idle()
		texts := eval[[]string](p, `[...drawn]`)
		slices.Sort(texts)
		if !good(texts) {
			t.Errorf("the rows of %s are named %q", metric, texts)
		}
		shortcut(p, "Escape")
	}
}

// On a telephone, too, the strip has times that tell how long it is: of six days it had
// one at most, as of five minutes.
func TestTimesOfANarrowStrip(t *testing.T) {
	agents := filepath.Join(t.TempDir(), "pminfo.txt")
	if err := os.WriteFile(agents, []byte("kernel.all.load|double|none|instant|none"), 0o600); err != nil {
		t.Fatal(err)
	}
	days := recording.Recording{Agents: agents, Host: "days", Step: 7200e9, Values: map[string]map[string]any{"kernel.all.load": {"": recording.Steady(72, 1.0)}}}.Write(t)
	for _, c := range []struct {
		files []string
		want  string
	}{
		{web01, "03:50 03:52 03:54"},   // from 03:49:02 to 03:54:02
		{days, "15 Nov 17 Nov 19 Nov"}, // from the evening of the 14th to that of the 20th
	} {
		p := openAt(t, "/", 390, 844)
		eval[bool](p, `(globalThis.times = new Set(), CanvasRenderingContext2D.prototype.fillText = ((real) => function (text) {
			if (this.canvas.closest('[data-testid="pulse"]')) times.add(text);
			return real.apply(this, arguments);
		})(CanvasRenderingContext2D.prototype.fillText), true)`)
		p.drop("body", c.files...)
		p.idle()
		eval[bool](p, `(times.clear(), true)`)
		press(p, "w")
		p.idle()
		if got := eval[string](p, `[...times].join(" ")`); got != c.want {
			t.Errorf("the times on the strip are %q, want %q", got, c.want)
		}
	}
}
