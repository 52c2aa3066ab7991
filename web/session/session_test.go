package session

import (
	"strings"
	"testing"
)

func TestWrongLinks(t *testing.T) {
	for _, c := range []struct{ link, say string }{
		{"", ""}, {"#top", ""}, {"#s=2.abc", "newer"}, {"#s=1.", "damaged"}, {"#s=1.!!", "damaged"}, {"#s=1.AAAA", "damaged"},
		{"#s=1." + strings.Repeat("A", maxLink+1), "damaged"},
	} {
		s, err := ParseLink(c.link, nil)
		switch {
		case c.say == "" && (s != nil || err != nil):
			t.Errorf("ParseLink(%.20q) = %v, %v; want nil, no error", c.link, s, err)
		case c.say != "" && (err == nil || !strings.Contains(err.Error(), c.say)):
			t.Errorf("ParseLink(%.20q): error %v, want one with %q", c.link, err, c.say)
		}
	}
	for _, c := range []struct{ text, say string }{
		{`{}`, "not a pcpscope session"}, {`{"pcpscope":"session","version":99}`, "newer pcpscope"}, {`{"pcpscope":"session","version":1,"sources":7}`, "damaged"},
		{`{"pcpscope":"session","version":1,"sources":[{"start":"5","end":"1","from":"0","to":"0"}]}`, "are not valid"},
		{`{"pcpscope":"session","version":1,"sources":[{"start":"0","end":"1","from":"0","to":"0","panels":[{}]}]}`, "0 metrics"},
		{`{"pcpscope":"session","version":1,"sources":[{"start":"0"`, "damaged"}, {`{"pcpscope":"session","version":1} {}`, "damaged"},
		{`{"pcpscope":"session","version":1,"sources":[` + strings.Repeat("{},", maxSources) + `{}]}`, "larger than any"},
		{`{"pcpscope":"session","version":1,"x":"` + strings.Repeat("x", maxPiece+2*chunk) + `"}`, "larger than any"},
	} {
		if _, err := Parse([]byte(c.text), nil); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("Parse(%s): error %v, want one with %q", c.text, err, c.say)
		}
	}
}

// A session is decoded in pieces, and there is a rest at least after each 16 KiB.
func TestParsingRests(t *testing.T) {
	text := `{"pcpscope":"session","version":1,"sources":[{"start":"1","end":"2","from":"1","to":"2","ruleText":"` + strings.Repeat("r", 100_000) + `","panels":[{"metrics":["a"]}],"notes":null}]}`
	rests := 0
	s, err := Parse([]byte(text), func() { rests++ })
	if err != nil || len(s.Sources) != 1 || len(s.Sources[0].RuleText) != 100_000 || len(s.Sources[0].Panels) != 1 || s.Sources[0].End != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if rests < len(text)/(16<<10) {
		t.Errorf("%d rests in %d bytes", rests, len(text))
	}
}
