package app

import "pcpscope/web/export"

// Share is the Share dialog.
type Share struct {
	Open   bool
	Link   string
	Copied bool
	app    *App
}

// Show shows the link to the current view.
func (s *Share) Show() {
	a := s.app
	a.Layout.Menu = ""
	*s = Share{app: a, Open: true}
	if a.Page.Address != nil {
		s.Link = a.Page.Address() + "#" + a.Session().Link()
	}
}

// CopyLink copies the link to the clipboard.
func (s *Share) CopyLink() {
	if s.app.Page.Copy != nil {
		s.app.Page.Copy(s.Link)
		s.Copied = true
	}
}

// SaveSession saves the current view as a file.
func (s *Share) SaveSession() {
	a := s.app
	if a.Page.Save == nil || a.current == nil {
		return
	}
	name := "pcpscope-" + export.SafeName(a.current.Title()) + ".json"
	a.Page.Save(name, "application/json", a.Session().Text())
}
