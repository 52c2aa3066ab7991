// Command pcpscope is the whole program, for js/wasm. The page compiles it
// once and hands the compiled module to its worker: where there is a document
// it is the user interface, elsewhere the engine.
package main

import (
	"syscall/js"

	"pcpscope/wasm/engine"
	"pcpscope/web"
)

// version is set by the build.
var version = "dev"

func main() {
	if js.Global().Get("document").IsUndefined() {
		engine.Run(version)
		return
	}
	web.Run(version)
	select {}
}
