//go:build !js

package archive

func breathe() {}
