package app

import (
	"pcpscope/wasm/rpc"
	"pcpscope/web/export"
	"pcpscope/web/format"
)

// A Page is what the application needs of the browser. Functions that are nil are not
// available there.
type Page struct {
	Save  func(name, kind, text string)     // saves text as a file with a media type
	Print func()                            // opens the print dialog, which prints what Printed returns
	Keep  func(files []rpc.SavedFile) error // downloads the files of an archive
	// Folder asks the user for a folder and then calls back with a function that writes
	// files there; nil if the browser cannot.
	Folder  func(then func(keep func(files []rpc.SavedFile) error))
	Picture func(p *Panel, kind, name string, meta export.Picture) // saves a panel as "svg" or "png"
	Address func() string                                          // the page's URL, without fragment
	Copy    func(text string)                                      // to the clipboard
	Files   FileReader                                             // re-reads the user's files

	// Do runs an action of the page around the components: "files" and "folder" open the
	// browser's dialogs, "theme" switches between light and dark.
	Do func(action string)
	// WindowChanged is called after the window or the source has changed, so that the
	// charts move before new data arrives.
	WindowChanged func()
	// Shown calls a function once the changes are on screen; if nil, it is called at once.
	Shown func(f func())

	// Resolve looks up zones by name and returns seconds east of Greenwich at a Unix time.
	Resolve   func(zone string) (format.OffsetFunc, bool)
	LocalZone string // name of the browser's zone
	Origin    string // origin of the page
	Guides    bool   // the documentation is available: not so in the single-file edition
	Lazy      bool   // the page reports which panels are on screen, so others can wait
}
