package shrink_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pcpscope/internal/build"
	"pcpscope/internal/inputs"
	"pcpscope/internal/shrink"
)

func init() { shrink.CompileFlags = build.CompileFlags() }

// The core's own tests pass in programs compiled like the page's and shrunk:
// they parse, decode, interpolate and compute, recover from panics, switch
// goroutines and collect garbage.
func TestCorePasses(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	inputs.Watch(t, "../../core", "../../testdata")
	for _, tt := range []struct{ pkg, stack, tests string }{ // "" for all tests
		// Recursion that follows an expression is limited by WebAssembly's stack: half of V8's
		// default, as where the limits of other recursion are tested (internal/house).
		{"core/derived", "492", ""},
		{"core/interp", "492", ""},
		{"core", "8192", "TestOracle//^(live|big|sets)$ TestOracle//^archives$/^[a-d] TestDefinitions TestEventRecordsOfAllKinds TestPanicEndsOneSource TestRareDashboards TestStoryOfAJob TestSummaryInParts"},
	} {
		t.Run(tt.pkg, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("..", "..", tt.pkg)
			file := filepath.Join(t.TempDir(), "test.wasm")
			compile := exec.Command("go", append(append([]string{"test", "-c", "-ldflags=-s -w"}, build.CompileFlags()...), "-o", file, ".")...)
			compile.Dir, compile.Env = dir, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
			if out, err := compile.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			program, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			small, _, err := shrink.Numbered(program)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, small, 0o644); err != nil {
				t.Fatal(err)
			}
			want := tt.tests
			if want == "" {
				list := exec.Command("go", "test", "-list", "^Test", ".")
				list.Dir = dir
				names, err := list.Output()
				if err != nil {
					t.Fatal(err)
				}
				want = strings.TrimSpace(regexp.MustCompile(`(?m)^ok .*$`).ReplaceAllString(string(names), ""))
			}
			tests := strings.Fields(want)
			var patterns []string
			for i, test := range tests {
				name, within, _ := strings.Cut(test, "/")
				patterns = append(patterns, "^"+name+"$/"+within)
				tests[i] = name
			}
			run := exec.Command(node, "--stack-size="+tt.stack, filepath.Join(runtime.GOROOT(), "lib", "wasm", "wasm_exec_node.js"), file, "-test.v", "-test.short", "-test.run", strings.Join(patterns, "|"))
			run.Dir, run.Env = dir, []string{"HOME=/", "PATH=/"} // there is little room for them
			out, err := run.CombinedOutput()
			var missing []string
			for _, name := range tests {
				if !strings.Contains(string(out), "--- PASS: "+name+" ") {
					missing = append(missing, name)
				}
			}
			if err != nil || len(missing) > 0 || len(tests) == 0 {
				t.Fatalf("%v, not passed: %v\n%s", err, missing, tail(string(out)))
			}
		})
	}
}

func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-40):], "\n")
}
