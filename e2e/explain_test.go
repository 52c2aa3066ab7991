package e2e

import (
	"strings"
	"testing"
)

// A key and a button explain the window, and the explanation follows it.
func TestExplain(t *testing.T) {
	p := openPage(t)
	p.press(700, 500, "e")
	p.idle()
	if got := text(p, "explain-message"); !strings.Contains(got, "whole recording") {
		t.Errorf("for the whole recording it says %q", got)
	}
	p.press(700, 500, "ww")
	p.idle()
	if got := text(p, "explain-base"); !strings.Contains(got, "other period") || strings.Contains(got, "comparing") {
		t.Errorf("it compares with %q", got)
	}
	rows := eval[int](p, `document.querySelectorAll('[data-testid="explain-row"]').length`)
	if said := text(p, "explain-message"); (rows == 0) == (said == "") {
		t.Errorf("%d rows, and it says %q", rows, said)
	}
	same := eval[bool](p, `(async () => {
	  const pcp = await pcpscopeReady, source = (await pcp.sources())[0], window = (await pcp.view?.())?.window;
	  const x = await pcp.explain({ source: source.id, start: "@" , end: "" }).catch((e) => e);
	  return x instanceof Error;
	})()`)
	if !same {
		t.Error("an invalid window is explained")
	}
	if rows > 0 {
		click(p, id("explain-subject"))
		p.idle()
		if got := text(p, "explain-sentence"); !strings.Contains(got, "usually") {
			t.Errorf("a row says %q", got)
		}
	}
	click(p, id("open-explain"))
	if visible(p, "explain") {
		t.Error("it is still there")
	}
}

// A finding and the worst minute are explained from where they are told.
func TestExplainFrom(t *testing.T) {
	p := openBig(t)
	click(p, id("open-explain"))
	if got := texts(p, id("explain-suggestion")); len(got) != 6 || got[0] != "Worst minute" {
		t.Fatalf("in place of the whole recording it suggests %q", got)
	}
	click(p, id("explain-suggestion"))
	if got := text(p, "explain-base"); !strings.HasPrefix(got, "14:21:15 – 14:22:15") {
		t.Errorf("of the suggested worst minute it explains %q", got)
	}
	if got := texts(p, id("explain-suggestion")); len(got) > 0 {
		t.Errorf("beside an explanation it suggests %q", got)
	}
	click(p, id("explain-close"))
	click(p, id("explain-worst"))
	if got := text(p, "explain-base"); !strings.HasPrefix(got, "14:21:15 – 14:22:15") {
		t.Errorf("of the worst minute it explains %q", got)
	}
	if got := strings.Join(texts(p, id("explain-row")), "; "); !strings.Contains(got, "CPU") {
		t.Errorf("unusual in the worst minute: %q", got)
	}
	click(p, id("explain-close"))
	openTab(p, "tab-findings")
	click(p, id("explain-finding"))
	if got := text(p, "explain-base"); !strings.HasPrefix(got, "10:40:5") {
		t.Errorf("of the busy disk it explains %q", got)
	}
	if got := text(p, "explain-sentence"); !strings.Contains(got, "Disk busy of sdb") && !strings.Contains(got, "sdb") {
		t.Errorf("of the busy disk it says %q", got)
	}
	p.accessible("a finding is explained")
	p.shot("explain-finding")
}
