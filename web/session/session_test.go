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
		s, err := ParseLink(c.link)
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
	} {
		if _, err := Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("Parse(%s): error %v, want one with %q", c.text, err, c.say)
		}
	}
}
