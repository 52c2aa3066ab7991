package page

import (
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
	"pcpscope/web/export"
)

// savePicture has the canvases draw a picture of a panel, and saves it.
func savePicture(a *app.App) func(p *app.Panel, kind, name string, meta export.Picture) {
	return func(p *app.Panel, kind, name string, meta export.Picture) {
		about := canvas.Picture{Panel: p.ID, Kind: kind, Title: meta.Title, Unit: meta.Unit, About: meta.About, Head: meta.Head}
		for _, r := range meta.Rows {
			about.Rows = append(about.Rows, canvas.PictureRow{Colour: r.Colour, Cells: r.Cells})
		}
		go func() {
			picture, err := canvas.Ask(canvas.TakePicture, about)
			if err != nil {
				a.Loop.Lock()
				a.Notices = append(a.Notices, app.Notice{Title: name, Text: "The picture could not be made: " + pcp.AsFault(err).Message})
				a.Loop.UnlockRender()
				return
			}
			saveBlob(name, picture.File.(js.Value))
		}()
	}
}
