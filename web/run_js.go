// Package web is the user interface.
package web

import "syscall/js"

// Run shows the user interface.
func Run(version string) {
	js.Global().Get("pcpscopeMounted").Invoke()
}
