package state

import (
	"encoding/csv"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A view comes back from a link as it was: window, panels with what was chosen
// of them, notes.
func TestSessionComesBack(t *testing.T) {
	b, w := opened(t)
	w.AddPanel("disk.dev.avactive")
	b.run()
	p := w.Panels[len(w.Panels)-1]
	w.HideSeries(p.ID, p.Series[0].Key)
	w.SetTall(p.ID, true)
	w.Zoom(start+100*second, start+200*second)
	b.run()
	b.SetCursor(start + 150*second)
	b.RemarkHere()
	b.Remarking.Text = "deploy"
	b.SaveRemark()
	w.Select("mem.physmem")
	b.run()
	link := b.Session().Link()
	kept := b.Session().Sources[0]

	c := newBench(t)
	s, err := ParseLink("#" + link)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	c.Restore(s)
	if missing := c.Missing(); len(missing) != 1 || missing[0].Host != "brolley-t530" {
		t.Fatalf("the link wants %+v", missing)
	}
	c.Take([]File{{Name: "20180416.10.00.meta"}})
	c.run()
	again := c.Session().Sources[0]
	if !reflect.DeepEqual(again, kept) {
		t.Errorf("it comes back as\n%+v\nand was\n%+v", again, kept)
	}
	if c.Wanted != nil || len(c.Notes) != 0 {
		t.Errorf("after that the page wants %v and says %v", c.Wanted, c.Notes)
	}
}

// Where other files come, the differences are told and the rest is shown.
func TestSessionOfOtherFiles(t *testing.T) {
	b := newBench(t)
	b.Restore(&Session{Sources: []Kept{{Fingerprint: "other", Kind: "archive", Name: "20180417", Host: "elsewhere", Start: 1, End: 2, From: 1, To: 2,
		Panels: []KeptPanel{{Metrics: []string{"kernel.all.load", "no.such.metric"}}, {Metrics: []string{"neither.is.this"}}}}}, taken: make([]bool, 1)})
	b.Take([]File{{Name: "20180416.10.00.meta"}})
	b.run()
	w := b.Current()
	if len(w.Panels) != 1 || len(w.Panels[0].Metrics) != 1 || w.Window != w.Whole() {
		t.Errorf("%d panels in %v", len(w.Panels), w.Window)
	}
	if len(b.Notes) != 1 {
		t.Fatalf("the page says %v", b.Notes)
	}
	for _, want := range []string{"20180417 of elsewhere", "this is 20180416.10.00 of brolley-t530", "lies outside", "neither.is.this, no.such.metric"} {
		if !strings.Contains(b.Notes[0].Text, want) {
			t.Errorf("the page does not say %q but %q", want, b.Notes[0].Text)
		}
	}
}

func TestWrongLinks(t *testing.T) {
	for _, c := range []struct{ link, say string }{
		{"", ""}, {"#top", ""}, {"#s=2.abc", "newer"}, {"#s=1.", "damaged"}, {"#s=1.!!", "damaged"}, {"#s=1.AAAA", "damaged"},
		{"#s=1." + strings.Repeat("A", mostLink+1), "damaged"},
	} {
		s, err := ParseLink(c.link)
		switch {
		case c.say == "" && (s != nil || err != nil):
			t.Errorf("%.20q: %v, %v", c.link, s, err)
		case c.say != "" && (err == nil || !strings.Contains(err.Error(), c.say)):
			t.Errorf("%.20q: %v, want something with %q", c.link, err, c.say)
		}
	}
	for _, c := range []struct{ text, say string }{
		{`{}`, "not a session"}, {`{"pcpscope":"session","version":99}`, "newer pcpscope"}, {`{"pcpscope":"session","version":1,"sources":7}`, "damaged"},
		{`{"pcpscope":"session","version":1,"sources":[{"start":"5","end":"1","from":"0","to":"0"}]}`, "makes no sense"},
		{`{"pcpscope":"session","version":1,"sources":[{"start":"0","end":"1","from":"0","to":"0","panels":[{}]}]}`, "0 metrics"},
	} {
		if _, err := ParseSession([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: %v, want something with %q", c.text, err, c.say)
		}
	}
}

// Whatever a link says, showing it ends well.
func FuzzSession(f *testing.F) {
	b := &bench{engine: &fake{}}
	b.App = New(b.engine, noLoop{})
	b.Go = func(g func()) { g() }
	b.Take([]File{{Name: "a.meta"}})
	f.Add([]byte(b.Session().SessionText()))
	f.Add([]byte(`{"pcpscope":"session","version":1,"shown":-3,"sources":[{"kind":"archive","start":"-9223372036854775808","end":"9223372036854775807","from":"0","to":"9223372036854775807","active":-1,"panels":[{"part":"cpu"},{"metrics":["a"],"top":-1,"low":1e308,"high":-1e308,"strokes":[{},{}],"who":{}}],"notes":[{"at":"1","text":""}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseSession(text)
		if err != nil {
			if pcp.AsFault(err).Kind == pcp.Internal {
				t.Errorf("not a fault for people: %v", err)
			}
			return
		}
		c := &bench{engine: &fake{}}
		c.App = New(c.engine, noLoop{})
		c.Go = func(g func()) { g() }
		for _, k := range s.Sources {
			k.Wish(nil)
		}
		c.Restore(s)
		c.Take([]File{{Name: "a.meta"}})
		c.Session().Link()
	})
}

func TestExport(t *testing.T) {
	b, w := opened(t)
	for len(w.Panels) > 0 {
		w.RemovePanel(w.Panels[0].ID)
	}
	w.AddPanel("kernel.all.load")
	b.run()
	table, err := csv.NewReader(strings.NewReader(w.CSV(w.Panels))).ReadAll()
	if err != nil || len(table) < 10 || strings.Join(table[0], "|") != "time|kernel.all.load[1 minute]|kernel.all.load[5 minute]|kernel.all.load[15 minute]" {
		t.Fatalf("%v, %v", table[:min(len(table), 2)], err)
	}
	if table[1][0] != "2018-04-16T10:01:25-04:00" {
		t.Errorf("the first line is at %s", table[1][0])
	}
	var got struct {
		Times  []string
		Series []struct{ Values []*float64 }
	}
	if err := json.Unmarshal([]byte(w.JSON(w.Panels)), &got); err != nil || len(got.Times) != len(table)-1 || len(got.Series) != 3 || *got.Series[1].Values[3] != w.Panels[0].Frame.Columns[1].Values[3] {
		t.Errorf("as JSON it is %v, %v", got, err)
	}
}

func TestToolCommands(t *testing.T) {
	b, w := opened(t)
	w.AddPanel("disk.dev.avactive")
	w.Zoom(start+100*second, start+200*second)
	b.run()
	p := w.Panels[len(w.Panels)-1]
	got := w.CommandsOf(p)
	const span = "-a 20180416.10.00 -z -S '@Apr 16 10:03:05.000000 2018' -T '@Apr 16 10:04:45.000000 2018' -t "
	if len(got) != 2 || !strings.HasPrefix(got[0], "pmrep "+span) || !strings.HasPrefix(got[1], "pmval "+span) || !strings.HasSuffix(got[1], "sec disk.dev.avactive") {
		t.Errorf("the commands are %q", got)
	}
	if got := w.toolCommands(&Panel{Metrics: []string{"topn(3, disk.dev.avactive)"}}); got != nil {
		t.Errorf("what PCP cannot compute has the commands %q", got)
	}
	for name, want := range map[string]string{"a.b;touch pwned": "'a.b;touch pwned'", "$(touch pwned)": "'$(touch pwned)'", "-F/tmp/x": "", "a\nb": ""} {
		w.scratch = &api.Metric{Name: name, Type: "DOUBLE"}
		got := w.toolCommands(&Panel{Metrics: []string{name}})
		if want == "" && len(got) != 0 || want != "" && (len(got) != 2 || !strings.HasSuffix(got[0], " "+want) || !strings.HasSuffix(got[1], " "+want)) {
			t.Errorf("the metric %q has the commands %q", name, got)
		}
	}
	w.scratch = nil
	if got := w.toolCommands(&Panel{Metrics: []string{"a.b + 'x'"}}); len(got) != 1 || !strings.Contains(got[0], `-e 'panel.e1 = a.b + '\''x'\'''`) {
		t.Errorf("an expression has the commands %q", got)
	}
	// A dashboard's line is found behind the archive's name, whatever that is.
	w.Source.Name = "a -z -t 10 ;touch pwned"
	board := &Panel{}
	board.Part, board.Commands = "cpu", []string{"pmrep -a 'a -z -t 10 ;touch pwned' -z -t 10 kernel.all.load"}
	if got := w.CommandsOf(board); len(got) != 1 || !strings.HasPrefix(got[0], "pmrep -a 'a -z -t 10 ;touch pwned' -z") || !strings.HasSuffix(got[0], " kernel.all.load") {
		t.Errorf("the commands of a dashboard are %q", got)
	}
	for _, name := range []string{"a\nb", "a\x1b[201~"} {
		w.Source.Name = name
		if got := append(w.CommandsOf(p), w.CommandsOf(board)...); len(got) != 0 {
			t.Errorf("an archive that is called %q has the commands %q", name, got)
		}
	}
}
