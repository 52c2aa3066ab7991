package cli

import "runtime/debug"

// Version is that of the build; the linker may set it.
var Version = ""

// version names the build: as the linker was told, else by what Go noted of it.
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
