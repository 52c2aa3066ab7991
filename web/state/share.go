package state

import "strings"

// Share is the dialog for what can be kept and shared.
type Share struct {
	Open   bool
	Link   string
	Copied bool
}

// OpenShare shows the link to what is on screen.
func (a *App) OpenShare() {
	a.Menu = ""
	a.Share = Share{Open: true}
	if a.Address != nil {
		a.Share.Link = a.Address() + "#" + a.Session().Link()
	}
}

// CopyLink puts the link on the clipboard.
func (a *App) CopyLink() {
	if a.Copy != nil {
		a.Copy(a.Share.Link)
		a.Share.Copied = true
	}
}

// SaveSession saves what is on screen as a file.
func (a *App) SaveSession() {
	if a.Save == nil || a.current == nil {
		return
	}
	name := "pcpscope-" + safeName(a.current.Title()) + ".json"
	a.Save(name, "application/json", a.Session().SessionText())
}

// longestName is how much of a text a file's name takes; file systems have 255
// bytes for all of it.
const longestName = 80

// safeName makes a file's name of a text from anywhere.
func safeName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	return s[:min(len(s), longestName)]
}
