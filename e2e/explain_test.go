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
	if got := text(p, "explain-message"); !strings.Contains(got, "whole record") {
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
