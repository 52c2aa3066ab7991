package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// written gives a digest the events of lines "action package test output".
func written(t *testing.T, r *digest, lines ...string) {
	t.Helper()
	for _, l := range lines {
		f := strings.SplitN(l, " ", 4)
		e := map[string]any{"Action": f[0], "Package": f[1], "Test": strings.Trim(f[2], "-")}
		if f[0] == "output" {
			e["Output"] = f[3] + "\n"
		} else if len(f) > 3 {
			e["Elapsed"] = json.Number(f[3])
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		r.Write(append(text, '\n'))
	}
}

func TestDigest(t *testing.T) {
	var b strings.Builder
	r := &digest{to: &b, excused: func(reason string) bool { return strings.HasPrefix(reason, "not here") }}
	written(t, r,
		"output a TestA === RUN   TestA", "output a TestA     a_test.go:3: chatter", "output a TestA     a_test.go:4: 7 archives compared",
		"output a TestA 21:10: 5 rounds of seed 20261122", "output a TestA     a_test.go:5: seed 20261122: 9 damaged sessions",
		"output b TestB     b_test.go:3: broken", // another package, at the same time
		"output a TestA --- PASS: TestA (12.34s)", "pass a TestA/sub 11", "pass a TestA 12.34",
		"output a - PASS", "output a - ok  \tp/a\t0.1s", "pass a - 0.1")
	// Reasons of parallel tests arrive before any of them has ended.
	written(t, r,
		"output s TestS     s_test.go:9: not here: 0 archives compared", "output s TestT/sub     s_test.go:9: broken glass", "skip s TestS 0", "skip s TestT/sub 0", "skip s TestU 0",
		"output s - ok  \tp/s\t0.1s", "pass s - 0.1")
	written(t, r, "output b TestB --- FAIL: TestB (0.00s)", "fail b TestB 0", "output b - FAIL", "output b - FAIL\tp/b\t0.1s", "fail b - 0.1",
		"output c - ?   \tp/c\t[no test files]", "skip c - 0", "output d TestD panic: out of nowhere")
	// Compiled tests that are run by themselves.
	written(t, r, "output f TestF     f_test.go:3: not here: no f", "skip f TestF 0", "output f - PASS", "pass f - 1.5", "output g TestG     g_test.go:3: broken", "output g - FAIL", "fail g - 2")
	r.Write([]byte("{\"ImportPath\":\"e\",\"Action\":\"build-output\",\"Output\":\"e.go:1: wrong\\n\"}\n{\"ImportPath\":\"e\",\"Action\":\"build-fail\"}\n"))
	r.Write([]byte("no "))
	r.Write([]byte("module\n"))
	r.flush()
	want := "\t21:10: 5 rounds of seed 20261122\n\ta_test.go:4: 7 archives compared\n\ta_test.go:5: seed 20261122: 9 damaged sessions\n\tTestA took 12 s\nok  \tp/a\t0.1s\n" +
		"\tskipped TestS: not here: 0 archives compared\n\tskipped TestT/sub: broken glass\n\tskipped TestU: no reason given\nok  \tp/s\t0.1s\n" +
		"    b_test.go:3: broken\n--- FAIL: TestB (0.00s)\nFAIL\tp/b\t0.1s\n" +
		"\tskipped TestF: not here: no f\nok  \tf\t1.500s\n    g_test.go:3: broken\nFAIL\tg\t2.000s\n" +
		"e.go:1: wrong\nno module\npanic: out of nowhere\n" +
		"FAIL: skipped for a reason that does not hold here: TestT/sub: broken glass\nFAIL: skipped for a reason that does not hold here: TestU: no reason given\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if r.skipped != 4 {
		t.Errorf("%d tests were skipped, want 4", r.skipped)
	}
	if r.err() == nil {
		t.Error("the run passes with tests that were skipped for no good reason")
	}
}

// A test may be skipped only because something is missing.
func TestExcuses(t *testing.T) {
	t.Setenv("PCPSCOPE_SCREENSHOTS", "") // the environment of the tests counts
	r := testRun{root: t.TempDir(), env: []string{"PCPSCOPE_URL=", "PCPSCOPE_LARGE=", "PCPSCOPE_LARGE=1", "PCPSCOPE_SCREENSHOTS=/tmp"}, race: true}
	if untrue := "measures memory, under the race detector"; (testRun{}).excused(untrue) {
		t.Errorf("%q, without the detector", untrue)
	}
	for reason, want := range map[string]bool{
		"0 compared: no-such-program is not installed": true,
		"go is not installed":                          false,
		"NoSuchBrowser is not installed":               true,
		"0 compared: no Python here has nosuchmodule":  true,
		"0 compared: there is no /no/such/file":        true,
		"there is no " + r.root:                        false,
		"there is no " + r.root + "/testdata/renamed":  false,
		"PCPSCOPE_SCREENSHOTS is not set":              false,
		"PCPSCOPE_URL is not set: it says where":       true,
		"PCPSCOPE_LARGE is not set":                    false,
		"weighs memory, under the race detector":       true,
		"exec: \"chromium\": killed":                   false,
		"no reason given":                              false,
	} {
		if got := r.excused(reason); got != want {
			t.Errorf("%q: %v, want %v", reason, got, want)
		}
	}
}
