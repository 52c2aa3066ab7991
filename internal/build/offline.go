package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pcpscope/internal/site"
)

// worker writes sw.js: the service worker, with the names and hashes of all
// files of this build, which also serve as its version.
func (b *builder) worker() error {
	sums := map[string]string{}
	whole := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(b.made)) {
		if !offline(name) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(b.Dist, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		sums[name] = base64.StdEncoding.EncodeToString(sum[:])
		fmt.Fprintln(whole, name, sums[name])
	}
	manifest, err := json.Marshal(map[string]any{"version": hex.EncodeToString(whole.Sum(nil)[:8]), "files": sums})
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(b.Root, "web", "static", "sw.js"))
	if err != nil {
		return err
	}
	const empty = `{ version: "", files: {} }`
	if bytes.Count(text, []byte(empty)) != 1 {
		return fmt.Errorf("sw.js has no place for the files")
	}
	return b.write("sw.js", bytes.Replace(text, []byte(empty), manifest, 1))
}

// offline reports whether a file of the site is cached for use without a
// network: all except those for hosts and programmers, those that operators
// change, and what few visitors need: the program that writes tables, and the
// names of functions.
func offline(name string) bool {
	return !strings.HasPrefix(name, "_") && !strings.HasSuffix(name, ".d.ts") && name != "sw.js" && name != "embed.json" && name != "catalog.json" && name != "tables.wasm" && !strings.HasSuffix(name, site.Names) && name != site.Single
}
