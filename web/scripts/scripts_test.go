package scripts

import (
	"path/filepath"
	"testing"

	"pcpscope/internal/inputs"
	"pcpscope/internal/nodejs"
)

const root = "../.."

// The scripts are JavaScript, with types in comments and .d.ts files.
func TestTypes(t *testing.T) {
	inputs.Watch(t, "../static", "../../internal/build", ".")
	for _, project := range []string{"tsconfig.page.json", "tsconfig.worker.json"} {
		tsc, err := nodejs.Tool(root, "tsc", "--project", project)
		if err != nil {
			t.Skip(err)
		}
		if out, err := tsc.CombinedOutput(); err != nil {
			t.Errorf("tsc --project %s: %v\n%s", project, err, out)
		}
	}
}

func TestUnits(t *testing.T) {
	inputs.Watch(t, "../static", "../../internal/build", ".")
	files, err := filepath.Glob("*.test.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no unit tests: %v", err)
	}
	cmd, err := nodejs.Test(files...)
	if err != nil {
		t.Skip(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}
