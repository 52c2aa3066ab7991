package page

import (
	"encoding/json"
	"syscall/js"

	"pcpscope/web/app"
	"pcpscope/web/canvas"
)

// prefs is what the page remembers between visits, other than pane sizes
// (static/layout.js) and the theme (static/boot.js).
type prefs struct {
	NoDetails    bool `json:"noDetails"` // the details pane is closed
	HideConstant bool `json:"hideStill"`
	Columns      int  `json:"columns"`

	stored string
}

const prefsKey = "pcpscope.prefs"

// load applies the stored preferences.
func (p *prefs) load(app *app.App) {
	v := canvas.Page().Get("storage").Call("get", prefsKey)
	if v.Type() != js.TypeString || json.Unmarshal([]byte(v.String()), p) != nil {
		return
	}
	p.stored = v.String()
	app.Layout.Details, app.Layout.HideConstant = !p.NoDetails, p.HideConstant
	if p.Columns == 1 || p.Columns == 2 {
		app.Layout.Columns = p.Columns
	}
}

// save stores preferences that have changed. It is called after each drawing.
func (p *prefs) save(app *app.App) {
	p.NoDetails, p.HideConstant, p.Columns = !app.Layout.Details, app.Layout.HideConstant, app.Layout.Columns
	text, _ := json.Marshal(p)
	if string(text) != p.stored {
		p.stored = string(text)
		canvas.Page().Get("storage").Call("set", prefsKey, p.stored)
	}
}
