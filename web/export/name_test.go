package export

import (
	"strings"
	"testing"
)

func TestSafeName(t *testing.T) {
	for text, want := range map[string]string{"web01": "web01", "../a b/ü": "..-a-b--", "<x>": "-x-", strings.Repeat("h", 300): strings.Repeat("h", 80)} {
		if got := SafeName(text); got != want {
			t.Errorf("SafeName(%q) = %q, want %q", text, got, want)
		}
	}
}
