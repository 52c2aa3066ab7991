package web

import "pcpscope/web/page"

// Run shows the user interface, for as long as the page is there.
func Run(version string) { page.Run(version) }
