package main

import (
	"path/filepath"

	"pcpscope/internal/build"
)

// edge builds the site and the Worker that serves it, and says what is needed
// to run it. Nothing is uploaded.
func edge(root string, args []string) error {
	if err := noArguments("edge", args); err != nil {
		return err
	}
	if err := build.Site(build.Options{Root: root, Dist: filepath.Join(root, "dist"), Log: say}); err != nil {
		return err
	}
	if err := build.Edge(build.Options{Root: root, Log: say}, filepath.Join(root, "dist-edge")); err != nil {
		return err
	}
	say(`The Worker is in dist-edge/, the site in dist/. It needs Node and Cloudflare's wrangler:
  npx wrangler dev -c wasm/edge/wrangler.toml       runs it on this machine, with a bucket of its own
  npx wrangler r2 bucket create pcp-archives        once, in your account
  npx wrangler secret put READ_TOKEN -c wasm/edge/wrangler.toml
  npx wrangler deploy -c wasm/edge/wrangler.toml
Without Cloudflare: READ_TOKEN=... ./build.sh serve --archives /var/log/pcp/pmlogger
docs/operators.md explains the settings.`)
	return nil
}
