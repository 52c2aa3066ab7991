package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// What a child read is not counted again for the shell that waited for it; of a child that
// the shell did not wait for, the kernel adds nothing.
func TestReapedChildren(t *testing.T) {
	none := math.NaN()
	const sh, tar, left, daemon, login, gmake, cc = 1, 2, 3, 4, 5, 6, 7
	p := &processHost{names: map[int32]string{sh: "000001 /bin/sh", tar: "000002 /bin/tar", left: "000003 /bin/left", daemon: "000004 /bin/daemon", login: "000005 /bin/login", gmake: "000006 /bin/make", cc: "000007 /bin/cc"}}
	p.cpu(1, 5, 60)
	p.with("psinfo.utime", counter(ms), map[int32][]float64{sh: {0, 0, 0, 0, 0}, tar: {0, 0, 0, none, none}, left: {0, 0, none, none, none}, daemon: {0, 0, 0, 0, 0}, login: {0, 0, 0, 0, 0}, gmake: {0, 0, none, none, none}, cc: {0, 0, none, none, none}})
	p.with("psinfo.ppid", pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete}, map[int32][]float64{sh: {9, 9, 9, 9, 9}, tar: {sh, sh, sh, none, none}, left: {daemon, daemon, none, none, none}, daemon: {9, 9, 9, 9, 9}, login: {9, 9, 9, 9, 9}, gmake: {login, login, none, none, none}, cc: {gmake, gmake, none, none, none}})
	p.with("io.read_bytes", counter(pcp.Units{Space: 1}), map[int32][]float64{
		sh:     {100, 100, 150, 9350, 9350}, // tar's 9,000, the 200 that it read after its last sample
		tar:    {0, 4000, 9000, none, none},
		left:   {0, 7000, none, none, none},
		daemon: {0, 0, 3000, 3000, 3000}, // its own
		// cc and make ended between the same samples: make passed on what cc had read.
		login: {0, 0, 3300, 3300, 3300}, gmake: {0, 1000, none, none, none}, cc: {0, 2000, none, none, none},
	})
	c, err := NewHost(p).Processes().Consumers("read", "command", 7, pcp.Span{Start: start, End: start + 40e9}, anyBytes)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range c.Series {
		got = append(got, fmt.Sprint(s.Name, " ", s.Values))
	}
	want := []string{"tar [NaN 400 500 0 0]", "left [NaN 700 0 0 0]", "daemon [NaN 0 300 0 0]", "cc [NaN 200 0 0 0]", "make [NaN 100 0 0 0]", "login [NaN 0 30 0 0]", "sh [NaN 0 5 20 0]"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("bytes a second:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
