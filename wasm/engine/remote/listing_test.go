package remote

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"pcpscope/core/pcp"
)

// A listing names at most maxFiles files: more are refused before each of them is
// asked for.
func TestListingOfTooManyFiles(t *testing.T) {
	at := &url.URL{Scheme: "https", Host: "h", Path: "/d/"}
	for _, n := range []int{20_000, 20_001} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("a%d.meta", i)
		}
		plain, err := json.Marshal(names)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(plain), `{"files":` + string(plain) + `}`} {
			entries, fault := parseListing(at, []byte(text))
			if n == 20_000 && (fault != nil || len(entries) != n) || n > 20_000 && (fault == nil || fault.Kind != pcp.OutOfMemory) {
				t.Errorf("of %d files %d are listed, %v", n, len(entries), fault)
			}
		}
	}
}
