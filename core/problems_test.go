package core

import (
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

func TestProblemsAreBounded(t *testing.T) {
	l := problemList{limit: 3}
	if list := l.all(); list == nil || len(list) != 0 {
		t.Errorf("without problems: %v", list)
	}
	one := *pcp.Faultf(pcp.Corrupt, "It is damaged.")
	l.add(one)
	l.add(one, one)
	if list := l.all(); len(list) != 3 || !l.full() {
		t.Errorf("three of three: %v", list)
	}
	l.add(one, one)
	if list := l.all(); len(list) != 4 || !strings.Contains(list[3].Message, " 2 further") {
		t.Errorf("five, of which three are listed: %v", list)
	}
}
