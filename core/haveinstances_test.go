package core

import "testing"

// Instances that no metric has are refused, by their whole name or its first word, and where a
// metric has none at all. Those of derived metrics and expressions are found when they are
// computed.
func TestHaveInstances(t *testing.T) {
	s, o := openAll(t, liveFiles("web01")...)
	id := o.Sources[0].ID
	if _, err := s.Derive(id, "my.load", "2 * kernel.all.load"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		metrics, instances []string
		known              bool
	}{
		{[]string{"kernel.all.load"}, nil, true},
		{[]string{"kernel.all.load"}, []string{"1", "5 minute"}, true},
		{[]string{"kernel.all.load"}, []string{"1", "nope"}, false},
		{[]string{"kernel.all"}, []string{"15"}, true},
		{[]string{"mem.util.free"}, []string{"1"}, false},
		{[]string{"mem.util.free", "kernel.all.load"}, []string{"1"}, true},
		{[]string{"my.load"}, []string{"1 minute"}, true},
		{[]string{"kernel.all.load + 1"}, []string{"1 minute"}, true},
	} {
		if err := s.HaveInstances(id, tt.metrics, tt.instances); (err == nil) != tt.known {
			t.Errorf("%q of %q: %v, known: %v", tt.instances, tt.metrics, err, tt.known)
		}
	}
}
