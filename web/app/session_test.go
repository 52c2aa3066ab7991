package app

import (
	"encoding/csv"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/panel"
	"pcpscope/web/session"
)

// A link restores the view: window, panels with their settings, notes.
func TestSessionComesBack(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.AddPanel("disk.dev.avactive")
	b.run()
	p := tab.Dashboard.Panels[len(tab.Dashboard.Panels)-1]
	tab.Dashboard.HideSeries(p.ID, p.Series[0].Key)
	tab.Dashboard.SetTall(p.ID, true)
	tab.Zoom(start+100*second, start+200*second)
	b.run()
	b.Cursor.Set(start + 150*second)
	b.NoteEditor.OpenHere()
	b.NoteEditor.Text = "deploy"
	b.NoteEditor.Save()
	tab.Select("mem.physmem")
	b.run()
	link := b.Session().Link()
	kept := b.Session().Sources[0]

	c := newBench(t)
	s, err := session.ParseLink("#"+link, nil)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	c.Restore(s)
	if missing := c.Missing(); len(missing) != 1 || missing[0].Host != "brolley-t530" {
		t.Fatalf("missing sources = %+v, want the one of brolley-t530", missing)
	}
	c.open(t, written(t, ""))
	again := c.Session().Sources[0]
	if !reflect.DeepEqual(again, kept) {
		t.Errorf("restored session =\n%+v\nwant\n%+v", again, kept)
	}
	if c.Pending != nil || len(c.Notices) != 0 {
		t.Errorf("after restoring: waiting for %v, notices %v; want none", c.Pending, c.Notices)
	}
}

// With other files, the differences are reported and the rest of the view is applied.
func TestSessionOfOtherFiles(t *testing.T) {
	b := newBench(t)
	b.Restore(session.New([]session.Source{{Fingerprint: "other", Kind: "archive", Name: "20180417", Host: "elsewhere", Start: 1, End: 2, From: 1, To: 2,
		Panels: []panel.Settings{{Metrics: []string{"kernel.all.load", "no.such.metric"}}, {Metrics: []string{"neither.is.this"}}}}}, 0, session.Layout{}))
	tab := b.open(t, written(t, ""))
	if len(tab.Dashboard.Panels) != 1 || len(tab.Dashboard.Panels[0].Metrics) != 1 || tab.Window != tab.Whole() {
		t.Errorf("%d panels, window %v; want one panel of one metric over the whole source", len(tab.Dashboard.Panels), tab.Window)
	}
	if len(b.Notices) != 1 {
		t.Fatalf("notices = %v, want one", b.Notices)
	}
	for _, want := range []string{"20180417 of elsewhere", "this is 20180416.10.00 of brolley-t530", "is outside the span", "neither.is.this, no.such.metric"} {
		if !strings.Contains(b.Notices[0].Text, want) {
			t.Errorf("the notice lacks %q: %q", want, b.Notices[0].Text)
		}
	}
}

// No link crashes the page, whatever it contains.
func FuzzSession(f *testing.F) {
	b, _ := opened(f)
	f.Add([]byte(b.Session().Text()))
	f.Add([]byte(`{"pcpscope":"session","version":1,"shown":-3,"sources":[{"kind":"archive","start":"-9223372036854775808","end":"9223372036854775807","from":"0","to":"9223372036854775807","active":-1,"panels":[{"part":"cpu"},{"metrics":["a"],"top":-1,"low":1e308,"high":-1e308,"strokes":[{},{}],"who":{}}],"notes":[{"at":"1","text":""}]}]}`))
	files := written(f, "")
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := session.Parse(text, nil)
		if err != nil {
			if pcp.AsFault(err).Kind == pcp.Internal {
				t.Errorf("internal error instead of a message for users: %v", err)
			}
			return
		}
		c := newBench(t)
		for _, k := range s.Sources {
			k.Describe(nil)
		}
		c.Restore(s)
		c.open(t, files)
		c.Session().Link()
	})
}

func TestExport(t *testing.T) {
	b, tab := opened(t)
	for len(tab.Dashboard.Panels) > 0 {
		tab.Dashboard.RemovePanel(tab.Dashboard.Panels[0].ID)
	}
	tab.Dashboard.AddPanel("kernel.all.load")
	b.run()
	table, err := csv.NewReader(strings.NewReader(tab.sheet(tab.Dashboard.Panels).CSV())).ReadAll()
	if err != nil || len(table) < 10 || strings.Join(table[0], "|") != "time|kernel.all.load[1 minute]|kernel.all.load[5 minute]|kernel.all.load[15 minute]" {
		t.Fatalf("CSV begins %v, %v; want a header with time and the three averages", table[:min(len(table), 2)], err)
	}
	if table[1][0] != "2018-04-16T10:01:25-04:00" {
		t.Errorf("time of the first row = %s, want 2018-04-16T10:01:25-04:00", table[1][0])
	}
	var got struct {
		Times  []string
		Series []struct{ Values []*float64 }
	}
	if err := json.Unmarshal([]byte(tab.sheet(tab.Dashboard.Panels).JSON()), &got); err != nil || len(got.Times) != len(table)-1 || len(got.Series) != 3 || *got.Series[1].Values[3] != valuesOf(tab.Dashboard.Panels[0], 1)[3] {
		t.Errorf("JSON = %v, %v; want the CSV's times and three series", got, err)
	}
}

func TestToolCommands(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.AddPanel("disk.dev.avactive")
	tab.Zoom(start+100*second, start+200*second)
	b.run()
	p := tab.Dashboard.Panels[len(tab.Dashboard.Panels)-1]
	got := tab.CommandsOf(p)
	const span = "-a 20180416.10.00 -z -S '@Apr 16 10:03:05.000000 2018' -T '@Apr 16 10:04:45.000000 2018' -t "
	if len(got) != 2 || !strings.HasPrefix(got[0], "pmrep "+span) || !strings.HasPrefix(got[1], "pmval "+span) || !strings.HasSuffix(got[0], "sec -p disk.dev.avactive") || !strings.HasSuffix(got[1], "sec disk.dev.avactive") {
		t.Errorf("commands = %q, want pmrep and pmval for the window", got)
	}
	for _, ours := range []string{"topn(3, disk.dev.avactive)", "sum(rate(disk.dev.avactive))"} {
		if got := tab.CommandsOf(&Panel{Settings: panel.Settings{Metrics: []string{ours}}}); got != nil {
			t.Errorf("commands of %s, which PCP cannot compute = %q, want none", ours, got)
		}
	}
	for name, want := range map[string]string{"a.b;touch pwned": "'a.b;touch pwned'", "$(touch pwned)": "'$(touch pwned)'", "-F/tmp/x": "", "a\nb": ""} {
		tab.scratch = &api.Metric{Name: name, Type: "DOUBLE"}
		got := tab.CommandsOf(&Panel{Settings: panel.Settings{Metrics: []string{name}}})
		if want == "" && len(got) != 0 || want != "" && (len(got) != 2 || !strings.HasSuffix(got[0], " "+want) || !strings.HasSuffix(got[1], " "+want)) {
			t.Errorf("commands of metric %q = %q, want them to end in %q", name, got, want)
		}
	}
	tab.scratch = nil
	if got := tab.CommandsOf(&Panel{Settings: panel.Settings{Metrics: []string{"a.b + 'x'"}}}); len(got) != 1 || !strings.Contains(got[0], `-e 'panel.e1 = a.b + '\''x'\'''`) {
		t.Errorf("commands of an expression = %q, want one that defines it", got)
	}
	// A label with the offset of one half of the year, and the name of a zone: for PCP's tools -z is the offset.
	own := tab.Source
	for timezone, zone := range map[string]string{"EST+5": " -Z America/New_York ", "EDT+4": " -z ", "EST5EDT,M3.2.0,M11.1.0": " -z "} {
		tab.Source.Timezone, tab.Source.Zoneinfo = timezone, ":America/New_York"
		tab.app.Page.Resolve = func(name string) (format.OffsetFunc, bool) {
			return func(int64) int { return -4 * 3600 }, name == "America/New_York" // in April
		}
		tab.setSource(tab.Source)
		if got := tab.CommandsOf(p); len(got) != 2 || !strings.Contains(got[1], "20180416.10.00"+zone+"-S '@Apr 16 10:03:05") {
			t.Errorf("commands in America/New_York, where a label has %s = %q, want%s", timezone, got, zone)
		}
	}
	tab.setSource(own)
	// The rest of a dashboard's command line is found after the archive's name, whatever that name is.
	tab.Source.Name = "a -z -t 10 ;touch pwned"
	dashboard := &Panel{}
	dashboard.Part, dashboard.Commands = "cpu", []string{"pmrep -a 'a -z -t 10 ;touch pwned' -z -t 10 kernel.all.load"}
	if got := tab.CommandsOf(dashboard); len(got) != 1 || !strings.HasPrefix(got[0], "pmrep -a 'a -z -t 10 ;touch pwned' -z") || !strings.HasSuffix(got[0], " kernel.all.load") {
		t.Errorf("commands of a dashboard's panel = %q, want one for this window", got)
	}
	for _, name := range []string{"a\nb", "a\x1b[201~"} {
		tab.Source.Name = name
		if got := append(tab.CommandsOf(p), tab.CommandsOf(dashboard)...); len(got) != 0 {
			t.Errorf("commands for an archive named %q = %q, want none", name, got)
		}
	}
}
