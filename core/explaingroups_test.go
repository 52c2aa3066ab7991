package core

import (
	"slices"
	"testing"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
)

// What is estimated for short-lived processes of a command counts for the user of those that
// were sampled, by hand: of 2 CPUs, ann's processes used 0.4 and her compilers' an estimated
// 1.0; the others' owner is not known where several ran them.
func TestUsersOfEstimates(t *testing.T) {
	user := func(p analysis.ProcessUse) string { return p.User }
	u := &api.ResourceUse{Commands: []api.Share{{Command: "cc1", Share: 0.6, Estimated: 0.5}, {Command: "firefox", Share: 0.1}, {Command: "sh", Share: 0.02, Estimated: 0.02}}}
	list := []analysis.ProcessUse{{Command: "cc1", User: "ann", Mean: 0.2}, {Command: "firefox", User: "ann", Mean: 0.2}, {Command: "sshd", User: "root", Mean: 0.2}}
	got := groupShares(u, map[string]float64{"ann": 0.4, "root": 0.2}, list, 2, user)
	if len(got) != 2 || got[0].Name != "ann" || !(got[0].Share > 0.699 && got[0].Share < 0.701) || got[1].Name != "root" || !(got[1].Share > 0.099 && got[1].Share < 0.101) {
		t.Errorf("got %+v, want 70 %% for ann and 10 %% for root", got)
	}
	for name, list := range map[string][]analysis.ProcessUse{
		"of two users": append(slices.Clone(list), analysis.ProcessUse{Command: "cc1", User: "bob", Mean: 0.01}),
		"never seen":   list[1:],
	} {
		if got := groupShares(u, map[string]float64{"ann": 0.4, "root": 0.2}, list, 2, user); len(got) != 0 {
			t.Errorf("compilers %s: %+v", name, got)
		}
	}
}
