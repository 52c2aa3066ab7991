package app

import (
	"pcpscope/wasm/rpc"
	"pcpscope/web/export"
	"pcpscope/web/format"
)

// A Page is what the application asks of the browser around it. What is nil
// cannot be done there.
type Page struct {
	Save  func(name, kind, text string)     // saves a text as a file of a media type
	Print func()                            // asks the user where to print what Printed says
	Keep  func(files []rpc.SavedFile) error // hands files of an archive to the user
	// Folder asks the user for a folder and then calls back with what writes
	// files there; nil where the browser cannot.
	Folder  func(then func(keep func(files []rpc.SavedFile) error))
	Picture func(p *Panel, kind, name string, meta export.Picture) // saves a panel as "svg" or "png"
	Address func() string                                          // of the page, without a fragment
	Copy    func(text string)                                      // to the clipboard
	Files   Rereader                                               // reads files of the user's again

	// Do does what only the page around the components can: "files" and "folder"
	// open the browser's dialogs, "theme" changes light and dark.
	Do func(action string)
	// WindowChanged is called after the window or the source has changed, so
	// that the charts follow before new data have come.
	WindowChanged func()
	// Shown runs a function once what has changed is on screen; nil runs it at
	// once.
	Shown func(f func())

	// Resolve knows zones by name: seconds east of Greenwich at a Unix time.
	Resolve   func(zone string) (format.OffsetFunc, bool)
	LocalZone string // the browser's, by name
	Origin    string // of the page's address
	Guides    bool   // the documentation is at hand: not where the page is one file on a disk
	Lazy      bool   // panels out of sight wait: the page tells which are
}
