package main

import (
	"strings"
	"testing"
)

func TestDigest(t *testing.T) {
	var b strings.Builder
	r := &digest{to: &b}
	r.Write([]byte("=== RUN   TestA\n    a_test.go:3: chatter\n    a_test.go:4: 7 archives compared\n21:10: 5 rounds of seed 20261122\n    a_test.go:5: seed 20261122: 9 damaged sessions\n--- PASS: TestA (12.34s)\n    --- PASS: TestA/sub (11.00s)\nPASS\nok  \tp/a\t0.1s\n"))
	r.Write([]byte("=== RUN   TestS\n    s_test.go:9: not here: 0 archives compared\n--- SKIP: TestS (0.00s)\n=== RUN   TestT/sub\n    --- SKIP: TestT/sub (0.00s)\nok  \tp/s\t0.1s\n"))
	r.Write([]byte("=== RUN   TestB\n    b_test.go:3: broken\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\tp/b\t0.1s\n?   \tp/c\t[no test files]\npanic: out of "))
	r.Write([]byte("nowhere\n"))
	r.flush()
	want := "\t21:10: 5 rounds of seed 20261122\n\ta_test.go:4: 7 archives compared\n\ta_test.go:5: seed 20261122: 9 damaged sessions\n\tTestA took 12 s\nok  \tp/a\t0.1s\n\tskipped TestS: not here: 0 archives compared\n\tskipped TestT/sub: no reason given\nok  \tp/s\t0.1s\n    b_test.go:3: broken\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\tp/b\t0.1s\npanic: out of nowhere\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if r.left != 2 {
		t.Errorf("%d tests were skipped, want 2", r.left)
	}
}
