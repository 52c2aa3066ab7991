package derived

import (
	"embed"
	"strings"
	"sync"
)

//go:embed builtin
var builtinFiles embed.FS

// Builtin returns the definitions that PCP's users expect, with PCP's names:
// processor shares, iostat's disk statistics, lifetime averages of processes.
// It is built once and read-only; use it as Under of another set. See
// spec/derived.md section 13.
var Builtin = sync.OnceValue(func() *Set {
	s := &Set{}
	for _, name := range []string{"cpu", "disk", "proc", "other"} {
		text, err := builtinFiles.ReadFile("builtin/" + name + ".conf")
		if err != nil {
			panic(err)
		}
		for _, class := range deviceClasses(name) {
			if _, faults := s.Read(strings.ReplaceAll(string(text), "disk.dev.", class), name+".conf"); faults != nil {
				panic(&faults[0])
			}
		}
	}
	return s
})

// deviceClasses lists the replacements of "disk.dev." in a file.
func deviceClasses(file string) []string {
	if file == "disk" {
		return []string{"disk.dev.", "disk.dm.", "disk.md.", "disk.wwid."}
	}
	return []string{"disk.dev."}
}
