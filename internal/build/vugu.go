package build

import (
	"fmt"
	"os/exec"
)

// Generate runs the pinned vugugen over the components in dir.
func Generate(dir string) error {
	cmd := exec.Command("go", "tool", "vugugen", "-skip-go-mod", "-skip-main", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("vugugen: %w\n%s", err, out)
	}
	return nil
}
