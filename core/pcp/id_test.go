package pcp

import "testing"

// The text of a PMID can be parsed again, and nothing else is accepted as
// one.
func TestParsePMID(t *testing.T) {
	for text, want := range map[string]PMID{"60.0.20": MakePMID(60, 0, 20), "511.4095.1023": MakePMID(511, 4095, 1023), "7.*.*": MakePMID(511, 7, 0), "PM_ID_NULL": NullPMID} {
		if id, ok := ParsePMID(text); !ok || id != want || id.String() != text {
			t.Errorf("%q: %v, %v", text, id, ok)
		}
	}
	for _, text := range []string{"", "60", "60.0", "60.0.20.1", "060.0.1", "+6.0.1", "512.0.1", "60.4096.1", "60.0.1024", "a.b.c", "7.*.1", "511.7.0", "511.4095.1023 "} {
		if id, ok := ParsePMID(text); ok {
			t.Errorf("%q is taken for %v", text, id)
		}
	}
}
