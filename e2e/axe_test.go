package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// vendored are files in testdata that are byte for byte those of npm:
// axe-core 4.10.3, and the Latin part of Inter from @fontsource/inter 5.3.0.
var vendored = map[string]string{
	"axe-core/axe.min.js":                "880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb",
	"inter/inter-latin-400-normal.woff2": "8909904ab6c872eb994093482a88a28eca2cd95912d7b6fecd72103b0dc07edc",
	"inter/inter-latin-500-normal.woff2": "f3779f1efccc4bdcdf9c0a02ab95bf6bd092ed09c48c08cedc725889edd1d19f",
	"inter/inter-latin-600-normal.woff2": "f9a06e79cd3a2a20951c0f0e28f66dd0e6d3fda73911d640a2125c8fcb78f21a",
}

// readVendored reads one of these files.
func readVendored(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != vendored[name] {
		t.Fatalf("%s is not what its makers published", name)
	}
	return data
}

// accessible fails the test for each rule of WCAG 2.2 AA and of best practice
// that axe finds violated on the page as it is now.
func (p *page) accessible(state string) {
	p.t.Helper()
	p.axe(state, "document", allRules)
}

const (
	// besideCharts is everything but the charts, which are most of the page and
	// have not changed since the whole page was checked.
	besideCharts = `{ exclude: ["[data-testid=panels]"] }`
	// Selectors of what it looked at, of which nothing is told, would take axe
	// longer than the rules.
	allRules = `{ resultTypes: ["violations"], selectors: false }`
	// colourRules are the rules of WCAG 2.2 AA that look at colours: a theme
	// changes nothing else.
	colourRules = `{ resultTypes: ["violations"], selectors: false, runOnly: ["color-contrast", "link-in-text-block"] }`
)

// in returns the check of a state of the page in a theme: all rules in the
// light theme, those about colours in the dark one.
func (p *page) in(dark bool) (accessible, besideTheCharts func(state string)) {
	rules := allRules
	if dark {
		rules = colourRules
	}
	return func(state string) { p.t.Helper(); p.axe(state, "document", rules) },
		func(state string) { p.t.Helper(); p.axe(state, besideCharts, rules) }
}

func (p *page) axe(state, context, rules string) {
	p.t.Helper()
	type violation struct {
		ID, Help string
		Nodes    []string
	}
	if !eval[bool](p, `typeof axe === "object"`) {
		eval[bool](p, string(readVendored(p.t, "axe-core/axe.min.js"))+"\n;true")
	}
	found := eval[[]violation](p, `axe.run(`+context+`, `+rules+`).then((r) => r.violations.map((v) => ({ ID: v.id, Help: v.help, Nodes: v.nodes.slice(0, 6).map((n) => n.html.slice(0, 160) + " :: " + n.any.concat(n.all, n.none).map((c) => c.message).join("; ").slice(0, 240)) })))`)
	for _, v := range found {
		p.t.Errorf("%s: %s (%s):\n\t%s", state, v.Help, v.ID, strings.Join(v.Nodes, "\n\t"))
	}
}

// Every state of the page is accessible, in the dark theme too.
func TestAccessible(t *testing.T) {
	for _, dark := range []bool{false, true} {
		theme := map[bool]string{false: "light", true: "dark"}[dark]
		t.Run(theme, func(t *testing.T) {
			p := open(t, "/")
			p.must(p.Dark(dark))
			accessible, accessibleBesideCharts := p.in(dark)
			p.idle()
			accessible("empty")
			p.drop("body", web01...)
			p.idle()
			accessible("overview")
			openTab(p, "tab-metrics")
			pick(p, "kernel.all.load")
			click(p, id("add-to-panel"))
			accessible("metrics and details")
			click(p, id("tab-problems"))
			accessibleBesideCharts("drawer")
			shortcut(p, "/")
			press(p, "read")
			accessibleBesideCharts("search")
			press(p, kb.Escape)
			shortcut(p, "?")
			accessibleBesideCharts("help")
			shortcut(p, "Escape")
			for _, page := range []string{"cursor", "processes", "summary", "records"} {
				click(p, id("tab-"+page))
				accessibleBesideCharts("drawer, " + page)
			}
			click(p, id("close-drawer"))
			openTab(p, "tab-findings")
			accessibleBesideCharts("findings")
			click(p, id("open-rules"))
			accessibleBesideCharts("rules")
			click(p, id("open-rules"))
			shortcut(p, "p")
			menu(p)
			accessible("the menu of a panel, and a pinned cursor")
			shortcut(p, "Escape")
			shortcut(p, "Escape")
			for _, command := range []string{"tables", "share, keep", "compare", "derived metrics", "new derived"} {
				shortcut(p, "/")
				press(p, ">"+command)
				press(p, kb.Enter)
				if command == "tables" { // in place of charts
					accessible(command)
				} else {
					accessibleBesideCharts(command)
				}
				shortcut(p, "Escape")
			}
		})
	}
	t.Run("phone", func(t *testing.T) {
		p := openAt(t, "/", 390, 844)
		p.idle()
		p.drop("body", web01...)
		p.idle()
		p.accessible("phone")
		for _, sheet := range []string{"nav-metrics", "nav-time", "nav-search"} {
			click(p, id(sheet))
			p.accessible("phone, " + sheet)
			shortcut(p, "Escape")
		}
	})
}

func openTab(p *page, tab string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(document.querySelector('%s')?.click(), true)`, id(tab)))
	p.idle()
}
