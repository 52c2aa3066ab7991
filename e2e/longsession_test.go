package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The largest session file that is accepted is read in short tasks; so is one that is
// refused.
func TestLongSessions(t *testing.T) {
	const limit = 4 << 20
	repeated := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	source := func(panels string) string {
		return `{"fingerprint":"x","kind":"archive","name":"wanted","files":["wanted.meta"],"start":"1","end":"2","zone":"UTC","from":"1","to":"2","panels":[` + panels + `]}`
	}
	session := func(members string) string { return `{"pcpscope":"session","version":1,` + members + `}` }
	panel := fmt.Sprintf(`{"metrics":[%s]}`, repeated(14, `"kernel.all.cpu.user"`))
	for _, in := range []struct{ name, text, said string }{
		{"panels", session(`"sources":[` + repeated(64, source(repeated(200, panel))) + `]`), "wanted"},
		{"definitions", session(`"sources":[` + source(panel) + `],"derived":"` + strings.Repeat(`a.b = kernel.all.load + 1\n`, 1<<20/27) + `"`), "wanted"},
		{"a list of nothing that is known", session(`"x":[` + repeated(limit/2-50, "1") + `]`), "This session is larger than any that pcpscope makes."},
		{"a long name", session(`"x":"` + strings.Repeat("x", limit-50) + `"`), "This session is larger than any that pcpscope makes."},
	} {
		t.Run(in.name, func(t *testing.T) {
			if len(in.text) >= limit {
				t.Fatalf("it has %d bytes", len(in.text))
			}
			file := filepath.Join(t.TempDir(), "session.json")
			if err := os.WriteFile(file, []byte(in.text), 0o644); err != nil {
				t.Fatal(err)
			}
			inShortTasks(t, func() (*page, time.Duration) {
				p := open(t, "/?test=1")
				p.idle()
				tasks, err := p.Tasks(func() {
					p.drop("body", file)
					p.until(fmt.Sprintf(`document.body.innerText.includes(%q)`, in.said))
					p.idle()
				})
				p.must(err)
				return p, longestTask(p, tasks, true)
			})
		})
	}
}
