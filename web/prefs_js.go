package web

import (
	"encoding/json"
	"syscall/js"

	"pcpscope/web/state"
)

// prefs is what the page remembers from one visit to the next, beside the
// sizes of its parts.
type prefs struct {
	NoDetails bool `json:"noDetails"` // the column at the right is closed
	HideStill bool `json:"hideStill"`
	Columns   int  `json:"columns"`

	stored string
}

const prefsKey = "pcpscope.prefs"

// load takes over what was stored.
func (p *prefs) load(app *state.App) {
	v := js.Global().Get("pcpstorage").Call("get", prefsKey)
	if v.Type() != js.TypeString || json.Unmarshal([]byte(v.String()), p) != nil {
		return
	}
	p.stored = v.String()
	app.Details, app.HideStill = !p.NoDetails, p.HideStill
	if p.Columns == 1 || p.Columns == 2 {
		app.Columns = p.Columns
	}
}

// save stores what has changed. It is called after each drawing.
func (p *prefs) save(app *state.App) {
	p.NoDetails, p.HideStill, p.Columns = !app.Details, app.HideStill, app.Columns
	text, _ := json.Marshal(p)
	if string(text) != p.stored {
		p.stored = string(text)
		js.Global().Get("pcpstorage").Call("set", prefsKey, p.stored)
	}
}
