package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Edge makes the Cloudflare Worker in dir: the handler as WebAssembly, and its
// entry script.
func Edge(o Options, dir string) error {
	b := &builder{Options: o}
	// The generator empties the folder and embeds its own wasm_exec.js.
	gen := exec.Command("go", "tool", "workers-assets-gen", "-mode=go", "-o", dir)
	if err := b.run(gen); err != nil {
		return fmt.Errorf("workers-assets-gen: %w", err)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "app.wasm"), "./wasm/edge")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if err := b.run(cmd); err != nil {
		return fmt.Errorf("the Worker: %w", err)
	}
	entry, err := os.ReadFile(filepath.Join(o.Root, "wasm", "edge", "entry.mjs"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "entry.mjs"), entry, 0o644)
}
