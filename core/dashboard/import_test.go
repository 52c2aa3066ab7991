package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/derived"
)

func list(im Import) string {
	var b strings.Builder
	for _, d := range im.Dashboards {
		for _, p := range d.Panels {
			b.WriteString(p.ID + " | " + p.Title + " | " + string(p.Style) + "\n")
			for _, s := range p.Series {
				b.WriteString("  " + s.Name + " = " + strings.Join(s.Exprs, " || ") + "\n")
			}
		}
	}
	for _, l := range im.Left {
		b.WriteString("left " + whole(float64(l.Line)) + ": " + l.Text + ": " + l.Why + "\n")
	}
	return b.String()
}

// The grammar is that of pmchart(1).
func TestParseView(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`#kmchart
version 1
# a comment
global width 800
chart title "CPU of %h" style utilization antialiasing off
	plot legend "User" color #2d2de2 metric kernel.all.cpu.user
	Plot title "%m" colour rgbi:0.5/0.5/1.0 metric kernel.percpu.cpu.sys matching ^cpu[01]$
chart style stacking scale from 0 to 50
	optional-plot color #-cycle host * metric network.interface.in.bytes not-matching ^lo$|^sl[0-9]
	plot color #-cycle host other metric kernel.all.load instance "1 minute"
tab "more" points 10
`, `chart1 | CPU of %h | utilisation
  User = 100 * rate(kernel.all.cpu.user) / hinv.ncpu || 100 * rate(kernel.all.cpu.user) || kernel.all.cpu.user
  sys = 100 * matchinst(/^cpu[01]$/, rate(kernel.percpu.cpu.sys)) || matchinst(/^cpu[01]$/, kernel.percpu.cpu.sys)
chart2 | bytes | stack
  bytes = matchinst(!/^lo$|^sl[0-9]/, network.interface.in.bytes)
  load = kernel.all.load[1 minute]
left 10: plot color #-cycle host other metric kernel.all.load instance "1 minute": The curve is of the host other; it is shown for the archive that is open.
left 11: tab "more" points 10: All charts are on one page; there are no tabs.
`},
		{"#pmchart\nVersion 2.1 host literal\nChart Title \"Load\" Style Plot\n  Plot Color white Host * Metric kernel.all.load Instance 1 minute\n", "chart1 | Load | line\n  load = kernel.all.load[1 minute]\n"},
		{"#!/bin/sh\necho '#kmchart'\n", "left 1: #!/bin/sh: This view is a program that prints a view when pmchart runs it. The dashboards of processes show the same.\n"},
		{"hello", "left 1: hello: A pmchart view begins with #kmchart.\n"},
		{"#kmchart\nversion 1\nfoo bar\nplot metric a.b\n", "left 3: foo bar: \"foo\" is not a keyword of pmchart views.\nleft 4: plot metric a.b: A plot outside a chart.\n"},
	} {
		if got := list(ParseView("x", tt.in)); got != tt.want {
			t.Errorf("%.30q gives\n%s\nwant\n%s", tt.in, got, tt.want)
		}
	}
}

// The host is in titles, and a metric that other dashboards show has the
// colour that it has there.
func TestViewOfHost(t *testing.T) {
	im := ParseView("x", "#kmchart\nversion 1\nchart title \"CPU [%h], %H\" style stacking\nplot color #f00 metric kernel.all.cpu.user\nplot metric kernel.all.cpu.sys\nplot metric kernel.all.load\n").OfHost("web01.example.org")
	p := im.Dashboards[0].Panels[0]
	if p.Title != "CPU [web01], web01.example.org" {
		t.Errorf("the title is %q", p.Title)
	}
	if got := []Role{p.Series[0].Role, p.Series[1].Role, p.Series[2].Role}; !slices.Equal(got, []Role{User, Sys, Plain}) {
		t.Errorf("the roles are %q", got)
	}
}

// The format is that of pmrep.conf(5).
func TestParseMetricsets(t *testing.T) {
	const in = `
stray = 1
[options]
interval = 5
[one]
header = yes
precision = 2
kernel.all.load = ld,,,,6,2
swap.used = swpd,,KB,,7
allcache = mem.util.allcache
allcache.label = cache
allcache.formula = mem.util.cached +
    mem.util.slab
allcache.unit = KB
usr = %%usr,,,,7
usr.formula = 100 * rate(kernel.all.cpu.user) / hinv.ncpu
ops = nfs4.client.reqs
ops.instances = (read|write)
disk.dev.read = r,sd.*,,raw
nonsense = 12
[two]
kernel.all.intr = in,,,,5
[one]
kernel.all.pswitch = cs,,,,5
`
	im := ParseMetricsets("x.conf", in)
	got := list(im)
	want := `two | two | rows
  in = kernel.all.intr
one | one | rows
  cs = kernel.all.pswitch
left 2: stray = 1: It comes before the first [section].
left 20: nonsense: "12" is neither an option nor a metric.
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	first := strings.Join(strings.Split(in, "\n")[:20], "\n")
	if got, want := list(ParseMetricsets("x.conf", first)), `one | one | rows
  ld = kernel.all.load
  swpd = rescale(swap.used, "Kbyte")
  cache = rescale(mem.util.cached + mem.util.slab, "Kbyte")
  %usr = 100 * rate(kernel.all.cpu.user) / hinv.ncpu
  nfs4.client.reqs = matchinst(/^((read|write))$/, nfs4.client.reqs)
  r = instant(matchinst(/^(sd.*)$/, disk.dev.read))
left 2: stray = 1: It comes before the first [section].
left 20: nonsense: "12" is neither an option nor a metric.
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What PCP ships, where it is installed: everything is read, and every
// expression is one.
func TestImportWhatPCPShips(t *testing.T) {
	views, _ := filepath.Glob("/var/lib/pcp/config/*mchart/*")
	confs, _ := filepath.Glob("/etc/pcp/pmrep/*.conf")
	if len(views)+len(confs) == 0 {
		t.Skip("there is no /etc/pcp/pmrep")
	}
	panels := 0
	for _, file := range append(views, confs...) {
		text, err := os.ReadFile(file)
		if err != nil || len(text) == 0 {
			continue
		}
		parse := ParseView
		if strings.HasSuffix(file, ".conf") {
			parse = ParseMetricsets
		}
		im := parse(filepath.Base(file), string(text))
		script := strings.HasPrefix(string(text), "#!")
		if len(im.Dashboards) == 0 && !script && !strings.HasPrefix(filepath.Base(file), "00-") && len(im.Left) == 0 {
			t.Errorf("%s gives nothing, and not why", file)
		}
		for _, d := range im.Dashboards {
			for _, p := range d.Panels {
				panels++
				for _, s := range p.Series {
					for _, e := range s.Exprs {
						if _, err := derived.Parse(e); err != nil {
							t.Errorf("%s: %s: %s: %v", file, p.ID, e, err)
						}
					}
				}
			}
		}
		for _, l := range im.Left {
			if !script {
				t.Logf("%s:%d: %s: %s", file, l.Line, l.Text, l.Why)
			}
		}
	}
	if t.Logf("%d files, %d panels", len(views)+len(confs), panels); panels == 0 {
		t.Error("no panel is made of them")
	}
}

func TestCommands(t *testing.T) {
	for _, tt := range []struct {
		p    Panel
		want string
	}{
		{Panel{Series: []Series{plain("", "kernel.all.load")}}, "pmrep -a web01 -z -t 10 kernel.all.load\npmval -a web01 -z -t 10 kernel.all.load"},
		{Panel{Series: []Series{plain("r", "rate(disk.dev.read)"), plain("w", "rate(disk.dev.write)")}},
			"pmrep -a web01 -z -t 10 disk.dev.read disk.dev.write\npmval -a web01 -z -t 10 disk.dev.read\npmval -a web01 -z -t 10 disk.dev.write"},
		{Panel{Series: []Series{plain("user + nice", "100 * rate(kernel.all.cpu.user) / hinv.ncpu"), plain("", "hinv.ncpu")}},
			"pmrep -a web01 -z -t 10 -e 'panel.user_nice=100 * rate(kernel.all.cpu.user) / hinv.ncpu' panel.user_nice hinv.ncpu"},
		{Panel{Series: []Series{plain("x", "topn(5, kernel.all.load)")}}, ""},
		{Panel{Series: []Series{plain("x", "1 + tally(hinv.map.cpu_node, kernel.pernode.cpu.user)")}}, ""},
		{Panel{Series: []Series{plain("x", "sum(matchinst(!/^lo$/, rate(network.interface.in.bytes)))")}}, ""},
		// pmrep 6.0.3 says "unterminated pattern" of a division within matchinst()
		{Panel{Series: []Series{plain("in", "matchinst(!/^(lo$|br-)/, delta(a.b.bytes) / delta(a.b.packets))")}},
			"pmrep -a web01 -z -t 10 -e 'panel.in=matchinst(!/^(lo$|br-)/, delta(a.b.bytes)) / matchinst(!/^(lo$|br-)/, delta(a.b.packets))' panel.in"},
		{Panel{Series: []Series{plain("in", "matchinst(!/^lo$/, rate(a.b.bytes))")}},
			"pmrep -a web01 -z -t 10 -e 'panel.in=matchinst(!/^lo$/, rate(a.b.bytes))' panel.in"},
		{Panel{Metricset: "pmrep :vmstat", Series: []Series{plain("r", "kernel.all.running")}}, "pmrep -a web01 -z -t 10 -5 -I :vmstat"},
		{Panel{Style: Event, Series: []Series{plain("", "a.records")}}, "pmval -a web01 -z -t 10 a.records"},
	} {
		if got := strings.Join(Commands(tt.p, "web01"), "\n"); got != tt.want {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
	}
	summed := Panel{Series: []Series{plain("busiest", "max(100 * rate(a.b))").bold(), plain("", "rate(a.b)")}}
	if got := Commands(summed, "x")[0]; got != "pmrep -a x -z -t 10 a.b" {
		t.Errorf("without the line that sums up: %s", got)
	}
	if got := Commands(Panel{Series: []Series{plain("", "a.b")}}, "it's")[0]; got != `pmrep -a 'it'\''s' -z -t 10 a.b` {
		t.Error(got)
	}
}

// Whatever a file holds, reading it ends, what comes out is in proportion to the
// file, an expression either parses or has a fault, and the command lines are one command of words that a shell does not interpret.
func FuzzImport(f *testing.F) {
	f.Add("#kmchart\nversion 1\nchart title \"x\" style plot\nplot metric a.b instance \"c]\"\n")
	f.Add("[a]\nb.c = d,e,f\nx = y\nx.formula = a +\n  b\n")
	for _, name := range []string{"a.b;touch", "$(touch)", "`touch`", "it's", "a.b'c", "-F", "a.b|c", "a\x1b[201~.b", "a.b\rc", "a.b & c"} {
		f.Add("#kmchart\nversion 1\nchart title \"" + name + "\" style plot\nplot metric " + name + " instance \"" + name + "\"\nplot metric a.b instance \"" + name + "\"\n")
		f.Add("[" + name + "]\n" + name + " = d," + name + ",f\nx.y = z\nx.formula = a.b + " + name + "\n" + name + ".formula = 2 * c.d\n")
	}
	f.Add("[a]\nx.y = z\nx.formula = " + strings.Repeat("(a.b + ", 2000) + "1\n")
	f.Add("[a]\n" + strings.Repeat("b.c = d,e,f\n", 2000))
	f.Fuzz(func(t *testing.T, text string) {
		for _, im := range []Import{ParseView("x", text), ParseMetricsets("x", text)} {
			size := 0
			for _, d := range im.Dashboards {
				for _, p := range d.Panels {
					size += 100 + len(p.Title)
					for _, line := range Commands(p, "it's x") {
						if words, ok := shellWords(line); !ok || len(words) < 3 || words[2] != "it's x" || words[0] != "pmrep" && words[0] != "pmval" {
							t.Errorf("%q gives the command %q", text, line)
						}
					}
					for _, s := range p.Series {
						for _, e := range s.Exprs {
							size += len(e)
							if parsed, err := derived.Parse(e); (parsed == nil) == (err == nil) {
								t.Errorf("%q is %v, and has the fault %v", e, parsed, err)
							}
						}
					}
				}
			}
			for _, l := range im.Left {
				size += len(fmt.Sprint(l))
			}
			if limit := 1000 + 200*len(text); size > limit {
				t.Errorf("%d bytes become %d", len(text), size)
			}
		}
	})
}

// shellWords returns the words of a line that a POSIX shell takes for one command,
// and expands nothing of.
func shellWords(line string) (words []string, ok bool) {
	var word []byte
	quoted, any := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c < ' ' || c == 0x7f:
			return nil, false
		case quoted:
			if quoted = c != '\''; quoted {
				word = append(word, c)
			}
		case c == '\'':
			quoted, any = true, true
		case c == '\\' && i+1 < len(line):
			i++
			word, any = append(word, line[i]), true
		case c == ' ':
			if any {
				words = append(words, string(word))
			}
			word, any = word[:0], false
		case strings.IndexByte("|&;<>()$`\\\"*?[#~{}!", c) >= 0:
			return nil, false
		default:
			word, any = append(word, c), true
		}
	}
	if any {
		words = append(words, string(word))
	}
	return words, !quoted
}
