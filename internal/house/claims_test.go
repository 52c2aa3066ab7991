package house

import (
	"encoding/json"
	"strings"
	"testing"
)

// The guides' claims are tested: testdata/claims.txt quotes them and names the
// tests. If a sentence changes, so must its line; a claim without a test is
// not made.
func TestClaimsOfTheGuides(t *testing.T) {
	plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	guide, text, claims := "", "", 0
	for line := range strings.Lines(read(t, "internal/house/testdata/claims.txt")) {
		line = strings.TrimSpace(line)
		says, tests, isClaim := strings.Cut(line, " | ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !isClaim:
			guide, text = line, plain(read(t, line))
		default:
			claims++
			if !strings.Contains(text, says) {
				t.Errorf("%s does not say %q any more: change the line in testdata/claims.txt", guide, says)
			}
			for _, test := range strings.Split(tests, ", ") {
				if folder, name, _ := strings.Cut(test, " "); !testIn(t, folder, name) {
					t.Errorf("%s says %q: there is no %s in %s", guide, says, name, folder)
				}
			}
		}
	}
	if claims < 100 {
		t.Errorf("only %d claims were read", claims)
	}
}

// The operator's own lists are empty in a build.
func TestEmptyListsAreDeployed(t *testing.T) {
	for name, field := range map[string]string{"embed.json": "origins", "catalog.json": "hosts"} {
		var list map[string]any
		if err := json.Unmarshal([]byte(read(t, "web/static/"+name)), &list); err != nil {
			t.Fatal(err)
		}
		if of, ok := list[field].([]any); !ok || len(of) != 0 {
			t.Errorf("%s lists %v", name, list[field])
		}
	}
}
