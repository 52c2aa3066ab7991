package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Generate runs the pinned vugugen over the components in dir.
func Generate(dir string) error {
	cmd := exec.Command("go", "tool", "vugugen", "-skip-go-mod", "-skip-main", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("vugugen: %w\n%s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*_gen.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, compact(src), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
