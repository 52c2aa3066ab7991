package dashboard

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The panels to look at next exist under that name. A capital letter begins a
// title: of a panel beside it, of a dashboard, or "Panel, in Dashboard"; after
// "Dashboard: " its panels follow in lower case.
func TestNextNamesWhatIsThere(t *testing.T) {
	dashboards := Builtin()
	for _, d := range dashboards {
		for _, p := range d.Panels {
			for _, bad := range unknownNames(dashboards, d, p.Next) {
				t.Errorf("%s/%s: next is %q, and there is no %q", d.ID, p.ID, p.Next, bad)
			}
		}
	}
	for text, want := range map[string]string{"Slabs.": "Slabs", "Slab, in Disks.": "Slab", "Disks: slab.": "slab", "Processes; Slab, in Memory; Latencies.": "Latencies"} {
		if got := unknownNames(dashboards, dashboards[0], text); !slices.Equal(got, []string{want}) {
			t.Errorf("unknown names in %q: want only %q, got %q", text, want, got)
		}
	}
}

// plainWords begin a text but are not titles; the rest are parts of the page.
var plainWords = []string{"The", "What", "Choose", "Cooling", "Records", "Findings"}

func unknownNames(dashboards []Dashboard, here Dashboard, text string) (unknown []string) {
	titles := slices.Clone(plainWords)
	dashboard := map[string]Dashboard{}
	for _, d := range dashboards {
		titles = append(titles, d.Title)
		dashboard[d.Title] = d
		for _, p := range d.Panels {
			titles = append(titles, p.Title+", in "+d.Title)
		}
	}
	for _, p := range here.Panels {
		titles = append(titles, p.Title)
	}
	slices.SortFunc(titles, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for text != "" {
		first, _ := utf8.DecodeRuneInString(text)
		end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
		if end == 0 {
			text = text[utf8.RuneLen(first):]
			continue
		}
		if end < 0 {
			end = len(text)
		}
		at := slices.IndexFunc(titles, func(title string) bool {
			rest, ok := strings.CutPrefix(text, title)
			next, _ := utf8.DecodeRuneInString(rest)
			return ok && !unicode.IsLetter(next)
		})
		switch {
		case at >= 0:
			text = text[len(titles[at]):]
			if d, ok := dashboard[titles[at]]; ok && strings.HasPrefix(text, ": ") {
				list, rest, _ := strings.Cut(text[2:], ";")
				text = rest
				list, _, _ = strings.Cut(strings.TrimSuffix(list, "."), ", to ")
				for _, name := range strings.Split(strings.ReplaceAll(list, ", ", " and "), " and ") {
					if !slices.ContainsFunc(d.Panels, func(p Panel) bool { return strings.EqualFold(p.Title, name) }) {
						unknown = append(unknown, name)
					}
				}
			}
		case unicode.IsUpper(first):
			unknown = append(unknown, text[:end])
			fallthrough
		default:
			text = text[end:]
		}
	}
	return unknown
}
