//go:build !js

package engine

// yield has nothing to do where goroutines are preempted.
func yield() {}
