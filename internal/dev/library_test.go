package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pcpscope/internal/inputs"
)

// The instructions in docs/library.md suffice to get the core, and its example runs, in
// another module. That uses this checkout instead of a clone beside it, because the go
// command would compile a clone again.
func TestCoreFromAnotherModule(t *testing.T) {
	const root = "../.."
	inputs.Watch(t, root)
	text, err := os.ReadFile(filepath.Join(root, "docs", "library.md"))
	if err != nil {
		t.Fatal(err)
	}
	guide := string(text)
	block := func(language string) string {
		m := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(guide)
		if m == nil {
			t.Fatalf("docs/library.md has no piece of %s", language)
		}
		return m[1]
	}
	const checkout = "../pcpscope"
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	app := filepath.Join(dir, "app")
	if err := os.Mkdir(app, 0o755); err != nil {
		t.Fatal(err)
	}
	example := strings.Replace(block("go"), "/var/log/pcp/pmlogger/web01", filepath.Join(here, "testdata/live/web01"), 1)
	program := "package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\n\t\"pcpscope/core\"\n\t\"pcpscope/core/api\"\n)\n\nfunc main() {\n\tctx := context.Background()\n" +
		regexp.MustCompile(`(?m)^(.*), err := (.*)$`).ReplaceAllString(example, "$1, err := $2\nif err != nil { panic(err) }") + "\tfmt.Println(string(text))\n}\n"
	if err := os.WriteFile(filepath.Join(app, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(words ...string) string {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = app
		cmd.Env = append(os.Environ(), "GOWORK=") // with the flags of other tests, which have compiled most of it
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", words, err, out)
		}
		return string(out)
	}
	run("go", "mod", "init", "example.com/app")
	for line := range strings.Lines(block("sh")) {
		if words := strings.Fields(line); words[0] != "git" { // the checkout exists
			run(strings.Fields(strings.ReplaceAll(line, checkout, here))...)
		}
	}
	if got := run("go", "run", "."); !strings.HasPrefix(got, `{"start":1795232942315071973,`) || !strings.Contains(got, `"1 minute"`) { // the start that pmdumplog -L prints
		t.Errorf("the example prints %.300s", got)
	}
	// Or a workspace.
	os.Remove(filepath.Join(app, "go.mod"))
	os.Remove(filepath.Join(app, "go.sum"))
	run("go", "mod", "init", "example.com/app")
	m := regexp.MustCompile("`(go work init [^`]*)`").FindStringSubmatch(guide)
	if m == nil {
		t.Fatal("docs/library.md says nothing of a workspace")
	}
	run(strings.Fields(strings.Replace(m[1], checkout, here, 1))...)
	run("go", "build", "-o", filepath.Join(dir, "app.out"), ".")
}
