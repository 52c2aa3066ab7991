//go:build !unix && !js

package worker

func makePipe(string) error { return nil }
