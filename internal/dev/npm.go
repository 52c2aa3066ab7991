package main

import (
	"path/filepath"

	"pcpscope/internal/build"
)

// packNPM builds the site and packs it for npm. Nothing is published.
func packNPM(root string, args []string) error {
	if err := noArguments("npm", args); err != nil {
		return err
	}
	o := build.Options{Root: root, Dist: filepath.Join(root, "dist"), Log: say}
	if err := build.Site(o); err != nil {
		return err
	}
	tarball, err := build.NPM(o, filepath.Join(root, "dist-npm"))
	if err == nil {
		say("The package is in dist-npm/, and as npm takes it in %s", tarball)
	}
	return err
}
