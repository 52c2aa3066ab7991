package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pcpscope/internal/build"
	"pcpscope/internal/inputs"
)

// Recursion that follows a file or an expression is limited by WebAssembly's
// stack. Browsers give a worker between half a MiB and one: these tests run
// with half of V8's default, and reach every limit; those of derived metrics run so
// with the programs that are shrunk (internal/shrink).
func TestHalfTheStack(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles tests for WebAssembly, which is left out of short runs")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	inputs.Watch(t, "../../core", "../../web")
	for _, tt := range []struct{ folder, tests string }{
		{"core/archive", "^TestDeepLabels$"},
		{"web/app", "^(TestDeepInputs|TestDeepSessions)$"},
	} {
		t.Run(tt.folder, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "test.wasm")
			dir := filepath.Join("..", "..", filepath.FromSlash(tt.folder))
			compile := exec.Command("go", slices.Concat([]string{"test", "-c", "-ldflags=-s -w", "-o", program}, build.CompileFlags(), []string{"."})...)
			compile.Dir, compile.Env = dir, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
			if out, err := compile.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			run := exec.Command("node", "--stack-size=492", filepath.Join(runtime.GOROOT(), "lib", "wasm", "wasm_exec_node.js"), program, "-test.v", "-test.run", tt.tests)
			run.Dir, run.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")} // arguments and environment take stack too
			out, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%.2000s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}
