package cli

import "runtime/debug"

// Version is the version of the build; the linker may set it.
var Version = ""

// version returns the version set by the linker, else what Go recorded about
// the build.
func version() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 7 {
				return s.Value[:7]
			}
		}
	}
	return "devel"
}
