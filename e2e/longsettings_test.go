package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Configuration files as large as any that are read are shown in short tasks, too:
// dashboards, definitions and rules.
func TestLongSettings(t *testing.T) {
	const most = 256 << 10
	numbered := func(begin, each string) string {
		var b strings.Builder
		b.WriteString(begin)
		for i := 0; b.Len()+len(each)+8 < most; i++ {
			b.WriteString(strings.ReplaceAll(each, "%d", fmt.Sprint(i)))
		}
		return b.String()
	}
	for _, in := range []struct{ name, file, text string }{
		{"charts of a view", "my.view", numbered("#kmchart\nversion 1\n", "chart title \"t%d\" style plot\n\tplot metric kernel.all.load\n")},
		{"curves of a view", "my.view", numbered("#kmchart\nversion 1\nchart style plot\n", "\tplot metric kernel.all.load\n")},
		{"metricsets", "my.conf", numbered("", "[s%d]\nkernel.all.load = load,,,,8\n")},
		{"a metricset of lines that cannot be read", "my.conf", numbered("[s]\nkernel.all.load = load,,,,8\n", "x%d\n")},
		{"definitions", "my.conf", numbered("", "d.x%d = kernel.all.load\n")},
		{"rules", "my.pmie", numbered("", strings.Repeat(" ", 120)+"r%d = some_inst kernel.all.load > 1;\n")},
		{"rules that change each second", "my.pmie", numbered("delta = 1 sec;\n", strings.Repeat(" ", 2500)+"r%d = rising (kernel.all.load #'1 minute' - kernel.all.load #'1 minute' == 0) || falling (kernel.all.load #'1 minute' > 0) || $minute >= 0;\n")},
	} {
		t.Run(in.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), in.file)
			if err := os.WriteFile(file, []byte(in.text), 0o644); err != nil {
				t.Fatal(err)
			}
			inShortTasks(t, func() (*page, time.Duration) {
				p := open(t, "/?test=1")
				p.drop("body", web01...)
				p.idle()
				tasks, err := p.Tasks(func() {
					p.drop("body", file)
					p.idle()
				})
				p.must(err)
				return p, longestTask(p, tasks, true)
			})
		})
	}
}

// What the browser stores may be of any length, and anything.
func TestLongStorage(t *testing.T) {
	p := open(t, "/?test=1")
	p.idle()
	long := strings.Repeat("x", 1_000_000)
	for key, text := range map[string]string{
		"pcpscope.layout": `{"rail":1,"more":"` + long + `"}`, "pcpscope.prefs": `{"columns":2,"more":["` + long + `"]}`, "pcpscope.theme": long,
		"pcpscope.recent": `[` + strings.Repeat(`{"fingerprint":"x","name":"`+long[:2000]+`","files":[`+strings.Repeat(`"a",`, 1000)+`"a"]},`, 20) + strings.Repeat(`{"fingerprint":"x"},`, 40_000) + `{}]`,
	} {
		eval[any](p, fmt.Sprintf(`(localStorage.setItem(%q, %q), true)`, key, text))
	}
	inShortTasks(t, func() (*page, time.Duration) {
		tasks, err := p.Tasks(func() {
			p.goTo("/?test=1")
			p.idle()
		})
		p.must(err)
		return p, longestTask(p, tasks, true)
	})
}
