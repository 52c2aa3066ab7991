package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/web/panel"
	"pcpscope/web/session"
)

// Two files of together 940 bytes, a version 3 volume beside one with only a
// label of version 2, once crashed the engine, and crashed it again when it
// reopened its sources. They must open as one source with an error message, and
// leave other sources open.
func TestLabelOfOtherVersionOnThePage(t *testing.T) {
	p := open(t, "/?test=1")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	dir := t.TempDir()
	for name, packed := range map[string]string{
		"a.0": "H4sIAAAAAAACA2NgYNYIYFVjZmBguZQa/JEBGyjLTC7JzGUYsSA0xJlhFIxkwKwBANfobGEoAwAA",
		"a.1": "H4sIAAAAAAACA2NgYGgJYFVjYmBguZQa/JEBChjLMpNLMnMZyAahIc7EKm0BAL6YWvuEAAAA",
	} {
		data, err := base64.StdEncoding.DecodeString(packed)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), plain, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.drop("body", filepath.Join(dir, "a.0"), filepath.Join(dir, "a.1"))
	p.idle()
	if visible(p, "engine-lost") {
		t.Fatalf("the page says %q", text(p, "engine-lost"))
	}
	if open := plainSources(p); !slices.Contains(open, 1) {
		t.Errorf("the sources %v are open, without the first", open)
	}
	if n := eval[int](p, "pcpscope.fetch({ source: 1, metrics: ['kernel.all.load'], mode: 'raw' }).then((f) => f.columns.length)"); n != 3 {
		t.Errorf("the first source answers with %d columns, want 3", n)
	}
}

// A link with a sum of 1,500 terms once took 4 GB and crashed the engine,
// repeatedly because it was restored. The panel must report an error.
func TestLinkWithLongSum(t *testing.T) {
	p := open(t, "/?test=1")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	click(p, id("share"))
	link := value(p, "share-link")
	s, err := session.ParseLink(link[strings.IndexByte(link, '#'):], nil)
	if err != nil || s == nil {
		t.Fatalf("the link %q: %v", link, err)
	}
	s.Sources[0].Dashboard = ""
	s.Sources[0].Panels = []panel.Settings{{Metrics: []string{strings.Repeat("a+", 1500) + "a"}}, {Metrics: []string{"kernel.all.load"}}}
	q := open(t, "/?test=1#"+s.Link())
	q.idle()
	q.drop("body", web01...)
	q.idle()
	if visible(q, "engine-lost") {
		t.Fatalf("the page says %q", text(q, "engine-lost"))
	}
	if open := plainSources(q); len(open) != 1 {
		t.Errorf("the sources %v are open, want one", open)
	}
	if rows := legend(q, "kernel.all.load"); len(rows) == 0 {
		t.Errorf("the other panel is not shown; there are %q", titles(q))
	}
	t.Logf("the panels are %.300q", titles(q))
}
